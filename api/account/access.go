package account

import (
	"context"
	"errors"
	"net/http"

	"github.com/gin-gonic/gin"

	"github.com/molerun/molerun/api/gate"
	"github.com/molerun/molerun/api/httpx"
	"github.com/molerun/molerun/api/wire"
	"github.com/molerun/molerun/tournament"
)

func loginDTO(i tournament.LinkedIdentity) wire.Login {
	return wire.Login{
		ID:       i.ID(),
		Issuer:   i.Issuer,
		Subject:  i.Subject,
		LinkedAt: i.LinkedAt,
	}
}

func sessionDTO(s tournament.Session) wire.Session {
	return wire.Session{ID: s.ID, BeganAt: s.BeganAt, ExpiresAt: s.ExpiresAt}
}

// Ways returns the logins that enter a user's account, and the browsers that are logged in, the newest first.
func (a *Accounts) Ways(ctx context.Context, userID string) (logins []wire.Login, sessions []wire.Session, err error) {
	identities, err := a.Store.Identities(ctx, userID)
	if err != nil {
		return nil, nil, err
	}
	for _, i := range identities {
		logins = append(logins, loginDTO(i))
	}
	list, err := a.Store.Sessions(ctx, userID)
	for _, s := range list {
		sessions = append(sessions, sessionDTO(s))
	}
	return logins, sessions, err
}

// DeleteLogin answers DELETE /v1/me/logins/{id}.
func (a *Accounts) DeleteLogin(c *gin.Context) error { return ended(c, a.EndLoginOf) }

// DeleteSession answers DELETE /v1/me/sessions/{id}.
func (a *Accounts) DeleteSession(c *gin.Context) error { return ended(c, a.EndSessionOf) }

func ended(c *gin.Context, end func(*gin.Context) error) error {
	if err := httpx.Bare(c); err != nil {
		return err
	}
	if err := end(c); err != nil {
		return err
	}
	c.Status(http.StatusNoContent)
	return nil
}

// EndLoginOf ends the login that the path names, of the caller's; another's is [tournament.ErrNotFound].
func (a *Accounts) EndLoginOf(c *gin.Context) error {
	if len(c.Param("id")) != tournament.LoginIDLen {
		return tournament.ErrNotFound
	}
	gate.SetAuditSubject(c, c.Param("id"))
	return a.Store.EndIdentity(c.Request.Context(), gate.UserID(c), c.Param("id"))
}

// EndSessionOf ends the session that the path names, of the caller's; another's is [tournament.ErrNotFound].
func (a *Accounts) EndSessionOf(c *gin.Context) error {
	if len(c.Param("id")) != tournament.LoginIDLen {
		return tournament.ErrNotFound
	}
	gate.SetAuditSubject(c, c.Param("id"))
	return a.Store.EndSessionOf(c.Request.Context(), gate.UserID(c), c.Param("id"))
}

// hasEnded returns the refusal of a token that has ended since the request was admitted.
func hasEnded(err error) error {
	if errors.Is(err, tournament.ErrNotFound) {
		return httpx.ErrToken
	}
	return err
}

// Rotate answers POST /v1/me/rotate.
func (a *Accounts) Rotate(c *gin.Context) error {
	in, err := gate.Read[wire.Rotate](c)
	if err != nil {
		return err
	}
	if err := gate.Unbound(c); err != nil {
		return err
	}
	who := gate.Who(c)
	if in.Name != who.User.Name {
		return &tournament.FieldError{Pointer: "/name", Reason: "is not the name of your account, which confirms that all its tokens and logins are to end"}
	}
	made, text, err := a.Store.WithToken(who.Token).Rotate(c.Request.Context(), a.Rand, tournament.Token{
		UserID:    who.User.ID,
		Note:      who.Token.Note,
		Scopes:    who.Token.Scopes,
		ExpiresAt: who.Token.ExpiresAt,
	})
	if err != nil {
		return hasEnded(err)
	}
	gate.SetAuditSubject(c, made.ID)
	return httpx.Send(c, http.StatusCreated, Created(made, who.User.Role, text))
}
