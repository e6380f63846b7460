package account

import (
	"errors"
	"fmt"
	"net/http"

	"github.com/gin-gonic/gin"

	"github.com/molerun/molerun/api/gate"
	"github.com/molerun/molerun/api/httpx"
	"github.com/molerun/molerun/api/wire"
	"github.com/molerun/molerun/engines/game/text"
	"github.com/molerun/molerun/tournament"
)

// CreateRecovery answers POST /v1/users/{id}/recovery.
func (a *Accounts) CreateRecovery(c *gin.Context) error {
	if err := httpx.Bare(c); err != nil {
		return err
	}
	u, err := httpx.Named(c, a.Store.User, tournament.ErrNotFound)
	switch {
	case err != nil:
		return err
	case u.DisabledAt != nil:
		return fmt.Errorf("%w: the account is disabled", tournament.ErrState)
	case u.Role == tournament.RoleAdmin:
		return fmt.Errorf("%w: an administrator's account is given back on the platform's machine: molerun admin token %s --rotate", tournament.ErrState, u.Name)
	}
	text, id, hash, err := tournament.NewToken(a.Rand)
	if err != nil {
		return err
	}
	expires := a.Now().Add(tournament.RecoveryLife)
	code := tournament.Token{
		ID:        id,
		UserID:    u.ID,
		Kind:      tournament.TokenRecovery,
		Hash:      hash,
		ExpiresAt: &expires,
	}
	if err := a.Store.AddRecovery(c.Request.Context(), code); err != nil {
		return err
	}
	return httpx.Send(c, http.StatusCreated, wire.RecoveryCode{Name: u.Name, Code: text, ExpiresAt: expires})
}

// Recover answers POST /v1/recovery.
func (a *Accounts) Recover(c *gin.Context) error {
	in, err := gate.Read[wire.Recovery](c)
	if err != nil {
		return err
	}
	if err := tournament.CheckName("/name", in.Name); err != nil {
		return err
	}
	codeID, hash, ok := tournament.ParseToken(text.Word(in.Code))
	if !ok {
		return a.Gate.WrongCode(c)
	}
	made := tournament.Token{Note: "recovery", Scopes: tournament.AllScopes()}
	text := ""
	if text, made.ID, made.Hash, err = tournament.NewToken(a.Rand); err != nil {
		return err
	}
	u, made, err := a.Store.Recover(c.Request.Context(), in.Name, codeID, hash, made)
	if errors.Is(err, tournament.ErrNotFound) {
		return a.Gate.WrongCode(c)
	}
	if err != nil {
		return err
	}
	gate.SetAuditSubject(c, u.ID)
	return httpx.Send(c, http.StatusCreated, Created(made, u.Role, text))
}
