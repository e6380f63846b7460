package mine

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/molerun/molerun/api/web/pages"
	"github.com/molerun/molerun/tournament"
)

// The days that a token lasts: as the form proposes, and at most.
const (
	usualDays = 90
	mostDays  = 366
)

// tokens returns the live tokens of a user, the newest first.
func (p *Pages) tokens(ctx context.Context, u tournament.User) ([]tournament.Token, error) {
	list, err := p.Store.Tokens(ctx, u.ID)
	if err != nil {
		return nil, err
	}
	slices.SortStableFunc(list, func(a, b tournament.Token) int { return b.CreatedAt.Compare(a.CreatedAt) })
	return slices.DeleteFunc(list, func(t tournament.Token) bool {
		return t.RevokedAt != nil || t.ExpiresAt != nil && !p.Now().Before(*t.ExpiresAt)
	}), nil
}

// TokenFields returns the fields of the form for a new token.
func TokenFields() []string { return []string{"note", "scope", "bot", "days"} }

// Asked returns what the form for a new token asks for. A token with no scope chosen may only read.
func Asked(in url.Values, now time.Time) (tournament.TokenSpec, error) {
	days, err := strconv.Atoi(in.Get("days"))
	if err != nil || days < 1 || days > mostDays {
		return tournament.TokenSpec{}, &tournament.FieldError{Pointer: "/days", Reason: fmt.Sprintf("must be a whole number from 1 to %d", mostDays)}
	}
	if len(in["scope"]) > len(tournament.AllScopes()) {
		return tournament.TokenSpec{}, &tournament.FieldError{Pointer: "/scopes", Reason: "there are not so many scopes"}
	}
	x := tournament.TokenSpec{
		Note:      strings.TrimSpace(in.Get("note")),
		Scopes:    tournament.Scopes{tournament.ScopeRead},
		BotID:     in.Get("bot"),
		ExpiresAt: new(now.Add(time.Duration(days) * 24 * time.Hour)),
	}
	for _, s := range in["scope"] {
		x.Scopes = append(x.Scopes, tournament.Scope(s))
	}
	return x, nil
}

// Why returns why a token was refused, in the words of the form; said is what the API would say.
func Why(err error, said string) string {
	if errors.Is(err, tournament.ErrScope) {
		return "your role has no such scope"
	}
	var field *tournament.FieldError
	if !errors.As(err, &field) {
		return said
	}
	what := map[string]string{"/note": "its name ", "/days": "its days ", "/bot_id": "what was chosen "}
	return what[field.Pointer] + field.Reason
}

// tokenForm returns the form for a new token with the fields that were filled in; nil is an empty form.
func tokenForm(u tournament.User, bots []pages.MyBot, in url.Values) pages.TokenForm {
	if in == nil {
		in = url.Values{"scope": {string(tournament.ScopeBot), string(tournament.ScopeEnter)}, "days": {strconv.Itoa(usualDays)}}
	}
	out := pages.TokenForm{Note: in.Get("note"), Days: in.Get("days"), Most: mostDays}
	does := map[tournament.Scope]string{ // every token may read
		tournament.ScopeBot:      "register, change, check, pause and retire bots, carry their messages",
		tournament.ScopeEnter:    "enter and leave tournaments and ladders, challenge",
		tournament.ScopeAccount:  "make and revoke tokens, handle webhooks, export and delete the account",
		tournament.ScopeOrganise: "make and run tournaments, schedules and series",
		tournament.ScopeAdmin:    "what only administrators do, for what belongs to others too",
	}
	for _, s := range tournament.AllScopes().Of(u.Role) {
		if s != tournament.ScopeRead {
			out.Scopes = append(out.Scopes, pages.TokenChoice{
				Value:  string(s),
				Words:  string(s) + ": " + does[s],
				Chosen: slices.Contains(in["scope"], string(s)),
			})
		}
	}
	for _, b := range bots {
		out.Bots = append(out.Bots, pages.TokenChoice{Value: b.ID, Words: b.Name, Chosen: b.ID == in.Get("bot")})
	}
	return out
}

// Made returns the page of a new token, the only place that shows its text.
func (p *Pages) Made(t tournament.Token, role tournament.Role, text string) ([]byte, error) {
	return p.Site.Page("token", pages.MadeToken{
		Page:  pages.Page{Title: "Your new token", Here: "/me"},
		Token: t,
		Text:  text,
		Role:  role,
		Base:  p.Base,
	})
}
