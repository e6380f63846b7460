package account

import (
	"context"
	"errors"

	"github.com/molerun/molerun/api/gate"
	"github.com/molerun/molerun/api/httpx"
	"github.com/molerun/molerun/api/op"
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
		sessions = append(sessions, wire.Session(s))
	}
	return logins, sessions, err
}

// DeleteLogin answers DELETE /v1/me/logins/{id}.
func (a *Accounts) DeleteLogin(ctx context.Context, in wire.KeyOf) (op.None, error) {
	return op.None{}, a.end(ctx, in.ID, a.Store.EndIdentity)
}

// DeleteSession answers DELETE /v1/me/sessions/{id}.
func (a *Accounts) DeleteSession(ctx context.Context, in wire.KeyOf) (op.None, error) {
	return op.None{}, a.end(ctx, in.ID, a.Store.EndSessionOf)
}

// end ends a login or a session of the caller's; another's is [tournament.ErrNotFound].
func (a *Accounts) end(ctx context.Context, id string, in func(ctx context.Context, userID, id string) error) error {
	if len(id) != tournament.LoginIDLen {
		return tournament.ErrNotFound
	}
	gate.SetAuditSubject(ctx, id)
	return in(ctx, gate.UserID(ctx), id)
}

// hasEnded returns the refusal of a token that has ended since the request was admitted.
func hasEnded(err error) error {
	if errors.Is(err, tournament.ErrNotFound) {
		return httpx.ErrToken
	}
	return err
}

// Rotate answers POST /v1/me/rotate.
func (a *Accounts) Rotate(ctx context.Context, in wire.Rotate) (wire.TokenCreated, error) {
	if err := gate.Unbound(ctx); err != nil {
		return wire.TokenCreated{}, err
	}
	who := gate.Who(ctx)
	if in.Name != who.User.Name {
		return wire.TokenCreated{}, &tournament.FieldError{Pointer: "/name", Reason: "is not the name of your account, which confirms that all its tokens and logins are to end"}
	}
	made, text, err := a.Store.WithToken(who.Token).Rotate(ctx, a.Rand, tournament.Token{
		UserID:    who.User.ID,
		Note:      who.Token.Note,
		Scopes:    who.Token.Scopes,
		ExpiresAt: who.Token.ExpiresAt,
	})
	if err != nil {
		return wire.TokenCreated{}, hasEnded(err)
	}
	gate.SetAuditSubject(ctx, made.ID)
	return Created(made, who.User.Role, text), nil
}
