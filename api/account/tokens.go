package account

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/molerun/molerun/api/gate"
	"github.com/molerun/molerun/api/httpx"
	"github.com/molerun/molerun/api/op"
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

// Created returns a new token of a user of a role, with its text, as its maker receives it.
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
func (a *Accounts) ListTokens(ctx context.Context, _ op.Paging, p httpx.PageQuery) ([]wire.Token, string, error) {
	tokens, err := a.Store.Tokens(ctx, gate.UserID(ctx))
	slices.SortStableFunc(tokens, func(a, b tournament.Token) int { return b.CreatedAt.Compare(a.CreatedAt) })
	rows, next := httpx.Cut(tokens, p)
	out := make([]wire.Token, len(rows))
	for i, t := range rows {
		out[i] = tokenDTO(t, gate.Who(ctx).User.Role)
	}
	return out, next, err
}

// CreateToken answers POST /v1/tokens.
func (a *Accounts) CreateToken(ctx context.Context, in wire.TokenCreate) (wire.TokenCreated, error) {
	who := gate.Who(ctx)
	if in.BotID != nil && *in.BotID == "" { // as of a script whose variable is unset
		return wire.TokenCreated{}, &tournament.FieldError{Pointer: "/bot_id", Reason: "is empty: name a bot of yours, or leave it out for all of them"}
	}
	made, text, err := a.Make(ctx, who.Token, specOf(in))
	if errors.Is(err, tournament.ErrLimit) {
		err = fmt.Errorf("%w (DELETE /v1/tokens/{id})", err)
	}
	return Created(made, who.User.Role, text), err
}

// Make adds a token of the caller's, which may no more than maker, and returns its text, which is kept nowhere.
func (a *Accounts) Make(ctx context.Context, maker tournament.Token, x tournament.TokenSpec) (tournament.Token, string, error) {
	u := gate.Who(ctx).User
	made, err := maker.Derive(u.Role, x, a.Now())
	if err = errors.Join(err, a.checkBot(ctx, x.BotID)); err != nil {
		return tournament.Token{}, "", err
	}
	db := a.Store.WithQuota(u.ID, store.Tokens, a.Tokens)
	if maker.ID != "" {
		db = db.WithToken(maker)
	}
	made, text, err := db.AddToken(ctx, a.Rand, made)
	if err != nil {
		return made, "", hasEnded(err)
	}
	gate.SetAuditSubject(ctx, made.ID)
	return made, text, nil
}

func specOf(in wire.TokenCreate) tournament.TokenSpec {
	x := tournament.TokenSpec{
		Note:      in.Note,
		ExpiresAt: in.ExpiresAt,
		Lasting:   in.Lasting,
	}
	if in.BotID != nil {
		x.BotID = *in.BotID
	}
	if in.Scopes != nil {
		x.Scopes = tournament.Scopes{}
	}
	for _, s := range in.Scopes {
		x.Scopes = append(x.Scopes, tournament.Scope(s))
	}
	return x
}

// checkBot refuses what is no bot of the caller's; "" is none.
func (a *Accounts) checkBot(ctx context.Context, id string) error {
	if id == "" {
		return nil
	}
	bot := tournament.Bot{}
	var err error
	if httpx.IsUUID(id) {
		bot, err = a.Store.Bot(ctx, id)
	}
	if err != nil && !errors.Is(err, tournament.ErrNotFound) {
		return err
	}
	if bot.OwnerID != gate.UserID(ctx) {
		return &tournament.FieldError{Pointer: "/bot_id", Reason: "is the id of no bot of yours"}
	}
	return nil
}

// DeleteToken answers DELETE /v1/tokens/{id}: it ends a token of the caller's; another's is [tournament.ErrNotFound].
func (a *Accounts) DeleteToken(ctx context.Context, in wire.KeyOf) (op.None, error) {
	if len(in.ID) != tournament.TokenIDLen {
		return op.None{}, tournament.ErrNotFound
	}
	return op.None{}, a.Store.RevokeToken(ctx, gate.UserID(ctx), in.ID)
}
