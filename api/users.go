package api

import (
	"net/http"

	"github.com/gin-gonic/gin"

	"github.com/molerun/molerun/api/httpx"
	"github.com/molerun/molerun/api/wire"
	"github.com/molerun/molerun/tournament"
)

func userDTO(u tournament.User) wire.User {
	return wire.User{ID: u.ID, Name: u.Name, Role: string(u.Role), CreatedAt: u.CreatedAt, DisabledAt: u.DisabledAt, DisabledReason: u.DisabledReason}
}

// @Summary	Register
// @Description	Open to everybody, some times an hour from one address. The token is shown this once.
// @Tags		users
// @Accept		json
// @Param		body	body		wire.UserCreate	true	"the account"
// @Success	201		{object}	wire.UserCreated
// @Failure	409		{object}	wire.Problem
// @Failure	413		{object}	wire.Problem
// @Failure	415		{object}	wire.Problem
// @Failure	422		{object}	wire.Problem
// @Router		/v1/users [post]
func (s *Server) createUser(c *gin.Context) error {
	in, err := read[wire.UserCreate](c)
	if err != nil {
		return err
	}
	if err := tournament.CheckName("/name", in.Name); err != nil {
		return err
	}
	if err := s.register.Spend(c, addressKey(c.ClientIP())); err != nil {
		return err
	}
	text, id, hash, err := tournament.NewToken(s.rand)
	if err != nil {
		return err
	}
	user, token, err := s.store.CreateUser(c.Request.Context(),
		tournament.User{Name: in.Name, Role: tournament.RoleOwner}, tournament.Token{ID: id, Hash: hash, Note: "registration"})
	if err != nil {
		return err
	}
	c.Header("Location", "/v1/me")
	return httpx.Send(c, http.StatusCreated, wire.UserCreated{User: userDTO(user), Token: tokenCreated(token, text)})
}

// @Summary	Who am I
// @Tags		users
// @Security	Bearer
// @Success	200	{object}	wire.User
// @Router		/v1/me [get]
func (s *Server) getMe(c *gin.Context) error {
	if _, err := httpx.Query(c); err != nil {
		return err
	}
	return httpx.Send(c, http.StatusOK, userDTO(whoIs(c).user))
}
