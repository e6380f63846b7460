package account

import (
	"errors"
	"fmt"
	"net/http"
	"slices"

	"github.com/gin-gonic/gin"

	"github.com/molerun/molerun/api/gate"
	"github.com/molerun/molerun/api/httpx"
	"github.com/molerun/molerun/api/wire"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/store"
)

func scopesOf(t tournament.Token, role tournament.Role) []string {
	var out []string
	for _, s := range t.Scopes.Of(role) {
		out = append(out, string(s))
	}
	return out
}

func tokenDTO(t tournament.Token, role tournament.Role) wire.Token {
	return wire.Token{
		ID:         t.ID,
		Note:       t.Note,
		Scopes:     scopesOf(t, role),
		BotID:      t.BotID,
		CreatedAt:  t.CreatedAt,
		ExpiresAt:  t.ExpiresAt,
		LastUsedAt: t.LastUsedAt,
		RevokedAt:  t.RevokedAt,
	}
}

// Created is a new token of a user of a role, with its text, as its maker is told of it.
func Created(t tournament.Token, role tournament.Role, text string) wire.TokenCreated {
	return wire.TokenCreated{
		ID:        t.ID,
		Token:     text,
		Note:      t.Note,
		Scopes:    scopesOf(t, role),
		BotID:     t.BotID,
		CreatedAt: t.CreatedAt,
		ExpiresAt: t.ExpiresAt,
	}
}

// ListTokens answers GET /v1/tokens.
func (a *Accounts) ListTokens(c *gin.Context) error {
	p, err := a.Cursors.Page(c)
	if err != nil {
		return err
	}
	tokens, err := a.Store.Tokens(c.Request.Context(), gate.UserID(c))
	if err != nil {
		return err
	}
	slices.SortStableFunc(tokens, func(a, b tournament.Token) int { return b.CreatedAt.Compare(a.CreatedAt) })
	rows, next := httpx.Cut(tokens, p)
	role := gate.Who(c).User.Role
	return httpx.SendPage(c, p, rows, next, func(t tournament.Token) wire.Token { return tokenDTO(t, role) })
}

// CreateToken answers POST /v1/tokens.
func (a *Accounts) CreateToken(c *gin.Context) error {
	in, err := gate.Read[wire.TokenCreate](c)
	if err != nil {
		return err
	}
	who := gate.Who(c)
	made, text, err := a.Make(c, who.Token, specOf(in))
	if errors.Is(err, tournament.ErrLimit) {
		return fmt.Errorf("%w (DELETE /v1/tokens/{id})", err)
	}
	if err != nil {
		return err
	}
	return httpx.Send(c, http.StatusCreated, Created(made, who.User.Role, text))
}

// Make adds a token of the caller's, which may no more than maker, and returns its text, which is kept nowhere.
func (a *Accounts) Make(c *gin.Context, maker tournament.Token, x tournament.TokenSpec) (tournament.Token, string, error) {
	u := gate.Who(c).User
	made, err := maker.Derive(u.Role, x, a.Now())
	if err = errors.Join(err, a.checkBot(c, x.BotID)); err != nil {
		return tournament.Token{}, "", err
	}
	db := a.Store.WithQuota(u.ID, store.Tokens, a.Tokens)
	if maker.ID != "" {
		db = db.WithToken(maker)
	}
	made, text, err := db.AddToken(c.Request.Context(), a.Rand, made)
	if err != nil {
		return made, "", hasEnded(err)
	}
	gate.SetAuditSubject(c, made.ID)
	return made, text, nil
}

func specOf(in wire.TokenCreate) tournament.TokenSpec {
	x := tournament.TokenSpec{
		Note:      in.Note,
		BotID:     in.BotID,
		ExpiresAt: in.ExpiresAt,
		Lasting:   in.Lasting,
	}
	for _, s := range in.Scopes {
		x.Scopes = append(x.Scopes, tournament.Scope(s))
	}
	return x
}

// checkBot refuses what is no bot of the caller's; "" is none.
func (a *Accounts) checkBot(c *gin.Context, id string) error {
	if id == "" {
		return nil
	}
	bot := tournament.Bot{}
	var err error
	if httpx.IsUUID(id) {
		bot, err = a.Store.Bot(c.Request.Context(), id)
	}
	if err != nil && !errors.Is(err, tournament.ErrNotFound) {
		return err
	}
	if bot.OwnerID != gate.UserID(c) {
		return &tournament.FieldError{Pointer: "/bot_id", Reason: "is the id of no bot of yours"}
	}
	return nil
}

// DeleteToken answers DELETE /v1/tokens/{id}.
func (a *Accounts) DeleteToken(c *gin.Context) error {
	if err := httpx.Bare(c); err != nil {
		return err
	}
	if err := a.Revoke(c); err != nil {
		return err
	}
	c.Status(http.StatusNoContent)
	return nil
}

// Revoke ends the token that the path names, of the caller's; another's is [tournament.ErrNotFound].
func (a *Accounts) Revoke(c *gin.Context) error {
	if len(c.Param("id")) != tournament.TokenIDLen {
		return tournament.ErrNotFound
	}
	return a.Store.RevokeToken(c.Request.Context(), gate.UserID(c), c.Param("id"))
}
