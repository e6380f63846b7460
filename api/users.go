package api

import (
	"context"
	"fmt"
	"net/http"
	"net/url"

	"github.com/gin-gonic/gin"

	"github.com/molerun/molerun/api/account"
	"github.com/molerun/molerun/api/gate"
	"github.com/molerun/molerun/api/httpx"
	"github.com/molerun/molerun/api/web"
	"github.com/molerun/molerun/api/web/mine"
	"github.com/molerun/molerun/api/wire"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/store"
)

func userDTO(u tournament.User) wire.User {
	return wire.User{
		ID:             u.ID,
		Name:           u.Name,
		Role:           string(u.Role),
		CreatedAt:      u.CreatedAt,
		DisabledAt:     u.DisabledAt,
		DisabledReason: u.DisabledReason,
	}
}

func (s *Server) createUser(c *gin.Context) error {
	in, err := read[wire.UserCreate](c)
	if err != nil {
		return err
	}
	if err := tournament.CheckName("/name", in.Name); err != nil {
		return err
	}
	if err := s.login.MayRegister(false); err != nil {
		return err
	}
	if err := s.gate.Register(c); err != nil {
		return err
	}
	text, id, hash, err := tournament.NewToken(s.rand)
	if err != nil {
		return err
	}
	user, token, err := s.store.CreateUser(c.Request.Context(),
		tournament.User{Name: in.Name, Role: tournament.RoleOwner}, tournament.Token{ID: id, Hash: hash, Note: "registration", Scopes: tournament.AllScopes()})
	if err != nil {
		return err
	}
	gate.SetAuditSubject(c, user.ID)
	c.Header("Location", "/v1/me")
	return httpx.Send(c, http.StatusCreated, wire.UserCreated{User: userDTO(user), Token: account.Created(token, user.Role, text)})
}

func (s *Server) getMe(c *gin.Context) error {
	if _, err := httpx.Query(c); err != nil {
		return err
	}
	who := gate.Who(c)
	me := wire.Me{User: userDTO(who.User)}
	if !who.Token.Scopes.Has(tournament.ScopeAccount) {
		return httpx.Send(c, http.StatusOK, me)
	}
	var err error
	if me.Logins, me.Sessions, err = s.accounts.Ways(c.Request.Context(), who.User.ID); err != nil {
		return err
	}
	return httpx.Send(c, http.StatusOK, me)
}

func (s *Server) deleteMe(c *gin.Context) error {
	in, err := read[wire.UserDelete](c)
	if err != nil {
		return err
	}
	if err := gate.Unbound(c); err != nil {
		return err
	}
	if err := s.director.DeleteUser(c.Request.Context(), gate.UserID(c), in.Name); err != nil {
		return err
	}
	gate.SetAuditSubject(c, gate.UserID(c))
	c.Status(http.StatusNoContent)
	return nil
}

func (s *Server) listUsers(c *gin.Context) error {
	p, err := s.cursors.Page(c)
	if err != nil {
		return err
	}
	rows, next, err := s.store.Users(c.Request.Context(), pageOf(p, store.Newest))
	if err != nil {
		return err
	}
	return httpx.SendPage(c, p, rows, next, userDTO)
}

func (s *Server) getUser(c *gin.Context) error {
	return httpx.SendOne(c, func(c *gin.Context) (tournament.User, error) { return named(c, s.store.User) }, userDTO)
}

func (s *Server) disableUser(c *gin.Context) error {
	return withReason(c, func(ctx context.Context, id, reason string) error {
		if id == gate.UserID(c) {
			return fmt.Errorf("%w: you cannot disable yourself; ask another administrator", tournament.ErrState)
		}
		u, err := s.director.DisableUser(ctx, id, reason)
		if err != nil {
			return err
		}
		return httpx.Send(c, http.StatusOK, userDTO(u))
	})
}

func (s *Server) enableUser(c *gin.Context) error {
	return withoutReason(c, func(ctx context.Context, id string) error {
		u, err := s.director.EnableUser(ctx, id)
		if err != nil {
			return err
		}
		return httpx.Send(c, http.StatusOK, userDTO(u))
	})
}

// @Summary	Revoke a token of mine
// @Description	For the form of /me.
// @Tags		pages
// @Produce	text/html
// @Param		id	path	string	true	"id of the token"
// @Success	303
// @Failure	403	{object}	wire.Problem
// @Failure	404	{object}	wire.Problem
// @Failure	415	{object}	wire.Problem
// @Router		/me/tokens/{id}/revoke [post]
func (s *Server) revokeMine(c *gin.Context) error {
	return backToMine(c, func(url.Values) error { return s.accounts.Revoke(c) })
}

// @Summary	Make a token of mine
// @Description	For the form of /me. The answer alone shows the token; a form that is refused comes back with why.
// @Tags		pages
// @Produce	text/html
// @Success	200	{string}	string	"a page"
// @Success	303
// @Failure	400	{object}	wire.Problem
// @Failure	403	{object}	wire.Problem
// @Failure	404	{object}	wire.Problem
// @Failure	409	{string}	string	"a page"
// @Failure	415	{object}	wire.Problem
// @Failure	422	{string}	string	"a page"
// @Router		/me/tokens [post]
func (s *Server) makeMine(c *gin.Context) error {
	in, err := web.ReadForm(c, mine.TokenFields()...)
	if err != nil {
		return err
	}
	made, text, err := s.makeAsked(c, in)
	u, ctx := gate.Who(c).User, c.Request.Context()
	if err == nil {
		body, err := s.mine.Made(made, u.Role, text)
		if err == nil {
			web.Send(c, http.StatusOK, body)
		}
		return err
	}
	status, said := refusal(err)
	if status == 0 {
		return err
	}
	body, failed := s.mine.Again(ctx, u, in, mine.Why(err, said))
	if failed == nil {
		web.Send(c, status, body)
	}
	return failed
}

// makeAsked makes the token that a form asks for. Who is logged in reaches what their role does, as by a login on a device.
func (s *Server) makeAsked(c *gin.Context, in url.Values) (tournament.Token, string, error) {
	x, err := mine.Asked(in, s.now())
	if err != nil {
		return tournament.Token{}, "", err
	}
	return s.accounts.Make(c, tournament.Token{UserID: gate.UserID(c), Scopes: tournament.AllScopes()}, x)
}

// @Summary	End a login of mine
// @Description	For the form of /me. All browsers are logged out.
// @Tags		pages
// @Produce	text/html
// @Param		id	path	string	true	"id of the login"
// @Success	303
// @Failure	403	{object}	wire.Problem
// @Failure	404	{object}	wire.Problem
// @Failure	415	{object}	wire.Problem
// @Router		/me/logins/{id}/end [post]
func (s *Server) endLoginMine(c *gin.Context) error {
	return backToMine(c, func(url.Values) error { return s.accounts.EndLoginOf(c) })
}

// @Summary	End a session of mine
// @Description	For the form of /me.
// @Tags		pages
// @Produce	text/html
// @Param		id	path	string	true	"id of the session"
// @Success	303
// @Failure	403	{object}	wire.Problem
// @Failure	404	{object}	wire.Problem
// @Failure	415	{object}	wire.Problem
// @Router		/me/sessions/{id}/end [post]
func (s *Server) endSessionMine(c *gin.Context) error {
	return backToMine(c, func(url.Values) error { return s.accounts.EndSessionOf(c) })
}

// @Summary	Send an event to a webhook of mine again
// @Description	For the form of /me.
// @Tags		pages
// @Produce	text/html
// @Param		id			path	string	true	"id of the webhook"
// @Param		delivery_id	path	string	true	"id of the delivery"
// @Success	303
// @Failure	403	{object}	wire.Problem
// @Failure	404	{object}	wire.Problem
// @Failure	409	{object}	wire.Problem
// @Failure	415	{object}	wire.Problem
// @Router		/me/webhooks/{id}/deliveries/{delivery_id}/redeliver [post]
func (s *Server) redeliverMine(c *gin.Context) error {
	return backToMine(c, func(url.Values) error {
		in, err := ofPath(c, wire.Redeliver)
		if err != nil {
			return err
		}
		_, err = s.redeliver(gate.Context(c), in)
		return err
	})
}
