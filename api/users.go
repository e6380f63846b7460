package api

import (
	"net/http"
	"time"

	"github.com/gin-gonic/gin"

	"github.com/molerun/molerun/tournament"
)

// User is an account.
type User struct {
	ID        string    `json:"id"`
	Name      string    `json:"name" example:"ada"`
	Role      string    `json:"role" enums:"owner,organiser,admin"`
	CreatedAt time.Time `json:"created_at" format:"date-time"`

	DisabledAt     *time.Time `json:"disabled_at,omitempty" format:"date-time"` // since when it may do nothing
	DisabledReason string     `json:"disabled_reason,omitempty"`
} // @name User

// UserCreate asks for an account.
type UserCreate struct {
	Name string `json:"name" example:"ada" minLength:"2" maxLength:"32"` // letters, digits, - and _; unique in any case
} // @name UserCreate

// UserCreated is a new account with its first token.
type UserCreated struct {
	User  User         `json:"user"`
	Token TokenCreated `json:"token"`
} // @name UserCreated

func userDTO(u tournament.User) User {
	return User{ID: u.ID, Name: u.Name, Role: string(u.Role), CreatedAt: u.CreatedAt, DisabledAt: u.DisabledAt, DisabledReason: u.DisabledReason}
}

// @Summary	Register
// @Description	Open to everybody, some times an hour from one address. The token is shown this once.
// @Tags		users
// @Accept		json
// @Param		body	body		UserCreate	true	"the account"
// @Success	201		{object}	UserCreated
// @Failure	409		{object}	Problem
// @Failure	413		{object}	Problem
// @Failure	415		{object}	Problem
// @Failure	422		{object}	Problem
// @Router		/v1/users [post]
func (s *Server) createUser(c *gin.Context) error {
	in, err := read[UserCreate](c)
	if err != nil {
		return err
	}
	if err := tournament.CheckName("/name", in.Name); err != nil {
		return err
	}
	if err := s.spend(c, s.register, addressKey(c.ClientIP())); err != nil {
		return err
	}
	text, id, hash, err := NewToken(s.rand)
	if err != nil {
		return err
	}
	user, token, err := s.store.CreateUser(c.Request.Context(),
		tournament.User{Name: in.Name, Role: tournament.RoleOwner}, tournament.Token{ID: id, Hash: hash, Note: "registration"})
	if err != nil {
		return err
	}
	c.Header("Location", "/v1/me")
	return s.send(c, http.StatusCreated, UserCreated{userDTO(user), tokenCreated(token, text)})
}

// @Summary	Who am I
// @Tags		users
// @Security	Bearer
// @Success	200	{object}	User
// @Router		/v1/me [get]
func (s *Server) getMe(c *gin.Context) error {
	if _, err := query(c); err != nil {
		return err
	}
	return s.send(c, http.StatusOK, userDTO(whoIs(c).user))
}
