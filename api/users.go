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
	"github.com/molerun/molerun/api/op"
	"github.com/molerun/molerun/api/web"
	"github.com/molerun/molerun/api/web/mine"
	"github.com/molerun/molerun/api/web/pages"
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

func (s *Server) createUser(ctx context.Context, in wire.UserCreate) (wire.UserCreated, error) {
	none := wire.UserCreated{}
	if err := tournament.CheckName("/name", in.Name); err != nil {
		return none, err
	}
	if err := s.login.MayRegister(false); err != nil {
		return none, err
	}
	if err := s.gate.Register(ctx); err != nil {
		return none, err
	}
	text, id, hash, err := tournament.NewToken(s.Rand)
	if err != nil {
		return none, err
	}
	user, token, err := s.Store.CreateUser(ctx,
		tournament.User{Name: in.Name, Role: tournament.RoleOwner}, tournament.Token{ID: id, Hash: hash, Note: "registration", Scopes: tournament.AllScopes()})
	if err != nil {
		return none, err
	}
	gate.SetAuditSubject(ctx, user.ID)
	return wire.UserCreated{User: userDTO(user), Token: account.Created(token, user.Role, text)}, nil
}

func (s *Server) getMe(ctx context.Context, _ op.None) (wire.Me, error) {
	who := gate.Who(ctx)
	me := wire.Me{User: userDTO(who.User)}
	if !who.Token.Scopes.Has(tournament.ScopeAccount) {
		return me, nil
	}
	var err error
	me.Logins, me.Sessions, err = s.accounts.Ways(ctx, who.User.ID)
	return me, err
}

func (s *Server) deleteMe(ctx context.Context, in wire.UserDelete) (op.None, error) {
	if err := gate.Unbound(ctx); err != nil {
		return op.None{}, err
	}
	if err := s.Director.DeleteUser(ctx, gate.UserID(ctx), in.Name); err != nil {
		return op.None{}, err
	}
	gate.SetAuditSubject(ctx, gate.UserID(ctx))
	return op.None{}, nil
}

func (s *Server) listUsers(ctx context.Context, _ op.Paging, p httpx.PageQuery) ([]wire.User, string, error) {
	rows, next, err := s.Store.Users(ctx, pageOf(p, store.Newest))
	return each(rows, userDTO), next, err
}

func (s *Server) getUser(ctx context.Context, in op.One) (wire.User, error) {
	return as(userDTO)(s.Store.User(ctx, in.ID))
}

func (s *Server) disableUser(ctx context.Context, in op.WithID[wire.CancelRequest]) (wire.User, error) {
	if err := checkReason(in.Body); err != nil {
		return wire.User{}, err
	}
	if in.ID == gate.UserID(ctx) {
		return wire.User{}, fmt.Errorf("%w: you cannot disable yourself; ask another administrator", tournament.ErrState)
	}
	return as(userDTO)(s.Director.DisableUser(ctx, in.ID, in.Body.Reason))
}

func (s *Server) enableUser(ctx context.Context, in op.One) (wire.User, error) {
	return as(userDTO)(s.Director.EnableUser(ctx, in.ID))
}

func (s *Server) createLoginLink(ctx context.Context, in op.WithID[*wire.LoginLinkCreate]) (wire.LoginLink, error) {
	u, err := s.Store.User(ctx, in.ID)
	if err == nil && !gate.Owns(ctx, "") {
		var came bool
		if came, err = s.Store.CameBy(ctx, u.ID, gate.UserID(ctx)); err == nil && !came {
			err = tournament.ErrNotFound // an organiser does not learn who has an account
		}
	}
	switch {
	case err != nil:
		return wire.LoginLink{}, err
	case u.DisabledAt != nil:
		return wire.LoginLink{}, fmt.Errorf("%w: the account is disabled", tournament.ErrState)
	case u.Role != tournament.RoleOwner:
		return wire.LoginLink{}, fmt.Errorf("%w: %q is %s: such a link is made by themselves, or on the platform's machine: molerun admin link %s", tournament.ErrState, u.Name, u.Role, u.Name)
	}
	return s.login.LinkFor(ctx, u, in.Body)
}

func (s *Server) makeMine(c *gin.Context) error {
	in, err := web.ReadForm(c, mine.TokenFields()...)
	if err != nil {
		return err
	}
	made, text, err := s.makeAsked(c, in)
	u, ctx := gate.Who(c).User, c.Request.Context()
	if err == nil {
		body, err := s.mineAt(c).Made(made, u.Role, text)
		return web.Send(c, http.StatusOK, body, err)
	}
	status, said := refusal(err)
	if status == 0 {
		return err
	}
	body, err := s.mineAt(c).Page(ctx, u, in, pages.Mine{Problem: mine.Why(err, said)})
	return web.Send(c, status, body, err)
}

// makeAsked makes the token that a form asks for. A user who is logged in reaches what their role does, as by a login on a device.
func (s *Server) makeAsked(c *gin.Context, in url.Values) (tournament.Token, string, error) {
	x, err := mine.Asked(in, s.Now())
	if err != nil {
		return tournament.Token{}, "", err
	}
	return s.accounts.Make(gate.Context(c), tournament.Token{UserID: gate.UserID(c), Scopes: tournament.AllScopes()}, x)
}
