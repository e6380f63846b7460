package account

import (
	"context"
	"errors"
	"fmt"

	"github.com/molerun/molerun/api/gate"
	"github.com/molerun/molerun/api/httpx"
	"github.com/molerun/molerun/api/op"
	"github.com/molerun/molerun/api/wire"
	"github.com/molerun/molerun/engines/game/text"
	"github.com/molerun/molerun/tournament"
)

// CreateRecovery answers POST /v1/users/{id}/recovery.
func (a *Accounts) CreateRecovery(ctx context.Context, in op.One) (wire.RecoveryCode, error) {
	none := wire.RecoveryCode{}
	u, err := a.Store.User(ctx, in.ID)
	switch {
	case err != nil:
		return none, err
	case u.DisabledAt != nil:
		return none, fmt.Errorf("%w: the account is disabled", tournament.ErrState)
	case u.Role == tournament.RoleAdmin:
		return none, fmt.Errorf("%w: an administrator's account is given back on the platform's machine: molerun admin token %s --rotate", tournament.ErrState, u.Name)
	}
	text, id, hash, err := tournament.NewToken(a.Rand)
	if err != nil {
		return none, err
	}
	expires := a.Now().Add(tournament.RecoveryLife)
	code := tournament.Token{
		ID:        id,
		UserID:    u.ID,
		Kind:      tournament.TokenRecovery,
		Hash:      hash,
		ExpiresAt: &expires,
	}
	if err := a.Store.AddRecovery(ctx, code); err != nil {
		return none, err
	}
	return wire.RecoveryCode{Name: u.Name, Code: text, ExpiresAt: expires}, nil
}

// Recover answers POST /v1/recovery.
func (a *Accounts) Recover(ctx context.Context, in wire.Recovery) (wire.TokenCreated, error) {
	none := wire.TokenCreated{}
	if err := tournament.CheckName("/name", in.Name); err != nil {
		return none, err
	}
	wrong := fmt.Errorf("%w: the code is wrong, used or expired, or of another account", httpx.ErrToken)
	codeID, hash, ok := tournament.ParseToken(text.Word(in.Code))
	if !ok {
		return none, a.Gate.WrongCode(ctx, wrong)
	}
	made := tournament.Token{Note: "recovery", Scopes: tournament.AllScopes()}
	text := ""
	var err error
	if text, made.ID, made.Hash, err = tournament.NewToken(a.Rand); err != nil {
		return none, err
	}
	u, made, err := a.Store.Recover(ctx, in.Name, codeID, hash, made)
	if errors.Is(err, tournament.ErrNotFound) {
		return none, a.Gate.WrongCode(ctx, wrong)
	}
	if err != nil {
		return none, err
	}
	gate.SetAuditSubject(ctx, u.ID)
	return Created(made, u.Role, text), nil
}
