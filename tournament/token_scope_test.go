package tournament_test

import (
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/molerun/molerun/tournament"
)

func TestATokenNeverMakesOneThatMayMore(t *testing.T) {
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	at := func(days int) *time.Time { return new(now.Add(time.Duration(days) * 24 * time.Hour)) }
	all := tournament.AllScopes()
	key := tournament.Token{UserID: "ada", Scopes: all}
	for _, row := range []struct {
		name    string
		maker   tournament.Token
		spec    tournament.TokenSpec
		scopes  string
		expires *time.Time
		refused error
	}{
		{"nothing said: the same, for 90 days", key, tournament.TokenSpec{}, all.String(), at(90), nil},
		{"some scopes", key, tournament.TokenSpec{Scopes: tournament.Scopes{"enter", "read"}}, "read, enter", at(90), nil},
		{"a role's scope that the user has not", key, tournament.TokenSpec{Scopes: tournament.Scopes{"admin"}}, "", nil, tournament.ErrScope},
		{"a scope that the maker has not", tournament.Token{Scopes: tournament.Scopes{"account"}}, tournament.TokenSpec{Scopes: tournament.Scopes{"account", "bot"}}, "", nil, tournament.ErrScope},
		{"no scope at all", key, tournament.TokenSpec{Scopes: tournament.Scopes{}}, "", nil, tournament.ErrInvalid},
		{"no scope at all, for one bot", key, tournament.TokenSpec{BotID: "fox", Scopes: tournament.Scopes{}}, "", nil, tournament.ErrInvalid},
		{"no such scope", key, tournament.TokenSpec{Scopes: tournament.Scopes{"root"}}, "", nil, tournament.ErrInvalid},
		{"one bot", key, tournament.TokenSpec{BotID: "fox"}, "read, bot, enter", at(90), nil},
		{"one bot and the account", key, tournament.TokenSpec{BotID: "fox", Scopes: tournament.Scopes{"account"}}, "", nil, tournament.ErrInvalid},
		{"from one bot to all", tournament.Token{Scopes: all, BotID: "fox"}, tournament.TokenSpec{}, "", nil, tournament.ErrScope},
		{"from one bot to another", tournament.Token{Scopes: all, BotID: "fox"}, tournament.TokenSpec{BotID: "owl"}, "", nil, tournament.ErrScope},
		{"a year and a day", key, tournament.TokenSpec{ExpiresAt: at(366)}, all.String(), at(366), nil},
		{"longer", key, tournament.TokenSpec{ExpiresAt: at(367)}, "", nil, tournament.ErrInvalid},
		{"now", key, tournament.TokenSpec{ExpiresAt: at(0)}, "", nil, tournament.ErrInvalid},
		{"for good", key, tournament.TokenSpec{Lasting: true}, all.String(), nil, nil},
		{"for good and until", key, tournament.TokenSpec{Lasting: true, ExpiresAt: at(1)}, "", nil, tournament.ErrInvalid},
		{"the maker ends first", tournament.Token{Scopes: all, ExpiresAt: at(10)}, tournament.TokenSpec{}, all.String(), at(10), nil},
		{"beyond the maker's end", tournament.Token{Scopes: all, ExpiresAt: at(10)}, tournament.TokenSpec{ExpiresAt: at(11)}, "", nil, tournament.ErrInvalid},
		{"without end, of one that ends", tournament.Token{Scopes: all, ExpiresAt: at(10)}, tournament.TokenSpec{Lasting: true}, "", nil, tournament.ErrInvalid},
	} {
		got, err := row.maker.Derive(tournament.RoleOrganiser, row.spec, now)
		if !errors.Is(err, row.refused) {
			t.Errorf("%s: got %v, want %v", row.name, err, row.refused)
		}
		if err != nil || row.refused != nil {
			continue
		}
		if scopes := got.Scopes.And(all).String(); scopes != row.scopes {
			t.Errorf("%s: may %s, want %s", row.name, scopes, row.scopes)
		}
		if (got.ExpiresAt == nil) != (row.expires == nil) || got.ExpiresAt != nil && !got.ExpiresAt.Equal(*row.expires) {
			t.Errorf("%s: expires at %v, want %v", row.name, got.ExpiresAt, row.expires)
		}
	}
}

func TestEverythingWrongWithATokenIsToldAtOnce(t *testing.T) {
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	_, err := tournament.Token{Scopes: tournament.AllScopes()}.Derive(tournament.RoleOwner,
		tournament.TokenSpec{Note: "\x00", Scopes: tournament.Scopes{"root", "read", "god"}, ExpiresAt: &now}, now)
	var places []string
	var walk func(error)
	walk = func(err error) {
		if many, ok := err.(interface{ Unwrap() []error }); ok {
			for _, e := range many.Unwrap() {
				walk(e)
			}
		} else if field, ok := errors.AsType[*tournament.FieldError](err); ok {
			places = append(places, field.Pointer)
		}
	}
	walk(err)
	if want := []string{"/note", "/scopes/0", "/scopes/2", "/expires_at"}; !slices.Equal(places, want) {
		t.Errorf("got %v, want %v", places, want)
	}
}
