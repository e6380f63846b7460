package tournament_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/tournament"
)

func TestWhoMayChallengeWhom(t *testing.T) {
	info := game.Info{ID: "toy", MinSeats: 2, MaxSeats: 3}
	me := tournament.Asker{UserID: "me"}
	for _, row := range []struct {
		name   string
		change func(table []tournament.Seated) []tournament.Seated
		asker  tournament.Asker
		want   error
	}{
		{"a bot that takes challenges", func(x []tournament.Seated) []tournament.Seated { return x }, me, nil},
		{"a bot that takes none", func(x []tournament.Seated) []tournament.Seated { x[1].TakesChallenges = false; return x }, me, tournament.ErrNotYours},
		{"a bot that takes none, as an administrator", func(x []tournament.Seated) []tournament.Seated { x[1].TakesChallenges = false; return x }, tournament.Asker{UserID: "me", Admin: true}, nil},
		{"two of my own", func(x []tournament.Seated) []tournament.Seated {
			x[1].TakesChallenges, x[1].OwnerID = false, "me"
			return x
		}, me, nil},
		{"none of my own", func(x []tournament.Seated) []tournament.Seated {
			x[0].OwnerID, x[0].TakesChallenges = "you", true
			return x
		}, me, tournament.ErrNotYours},
		{"none of my own, as an organiser", func(x []tournament.Seated) []tournament.Seated {
			x[0].OwnerID, x[0].TakesChallenges = "you", true
			return x
		}, tournament.Asker{UserID: "me", Bystander: true}, nil},
		{"a bot that takes none, as an organiser", func(x []tournament.Seated) []tournament.Seated {
			x[1].TakesChallenges = false
			return x
		}, tournament.Asker{UserID: "me", Bystander: true}, tournament.ErrNotYours},
		{"the same twice", func(x []tournament.Seated) []tournament.Seated { x[1].ID = "a"; return x }, me, tournament.ErrInvalid},
		{"a paused bot", func(x []tournament.Seated) []tournament.Seated { x[1].Status = tournament.BotPaused; return x }, me, tournament.ErrState},
		{"my own, retired", func(x []tournament.Seated) []tournament.Seated { x[0].Status = tournament.BotRetired; return x }, me, tournament.ErrState},
		{"a bot of other games", func(x []tournament.Seated) []tournament.Seated { x[1].Games = []string{"cia"}; return x }, me, tournament.ErrInvalid},
		{"one below the bound", func(x []tournament.Seated) []tournament.Seated { x[1].Open = tournament.MaxChallenges - 1; return x }, me, nil},
		{"at the bound", func(x []tournament.Seated) []tournament.Seated { x[1].Open = tournament.MaxChallenges; return x }, me, tournament.ErrLimit},
		{"one below the bound of one asker", func(x []tournament.Seated) []tournament.Seated { x[1].Asked = tournament.MaxByOne - 1; return x }, me, nil},
		{"at the bound of one asker", func(x []tournament.Seated) []tournament.Seated { x[1].Asked = tournament.MaxByOne; return x }, me, tournament.ErrLimit},
		{"at it, as an administrator", func(x []tournament.Seated) []tournament.Seated { x[1].Asked = tournament.MaxByOne; return x }, tournament.Asker{UserID: "me", Admin: true}, nil},
		{"my own at it", func(x []tournament.Seated) []tournament.Seated { x[0].Asked = tournament.MaxByOne; return x }, me, nil},
		{"too few", func(x []tournament.Seated) []tournament.Seated { return x[:1] }, me, tournament.ErrInvalid},
		{"too many", func(x []tournament.Seated) []tournament.Seated { return append(x, x...) }, me, tournament.ErrInvalid},
	} {
		seat := func(id, owner string, open bool) tournament.Seated {
			return tournament.Seated{
				Bot:   tournament.Bot{ID: id, Name: id, OwnerID: owner, Status: tournament.BotActive, TakesChallenges: open},
				Games: []string{"toy"},
			}
		}
		table := row.change([]tournament.Seated{seat("a", "me", false), seat("b", "you", true)})
		if err := tournament.CanChallenge(info, table, row.asker); !errors.Is(err, row.want) || (err == nil) != (row.want == nil) {
			t.Errorf("%s: got %v, want %v", row.name, err, row.want)
		}
	}
}

// Whose bot is in the way decides what helps: nobody resumes another's bot, or a retired one.
func TestARefusedBotLeadsToItsRemedy(t *testing.T) {
	now := time.Now()
	for _, row := range []struct {
		bot  tournament.Bot
		want string
	}{
		{tournament.Bot{OwnerID: "me", Status: tournament.BotPaused}, "resume it first"},
		{tournament.Bot{OwnerID: "me", Status: tournament.BotPaused, BannedAt: &now}, "take another bot, or wait until it plays again"},
		{tournament.Bot{OwnerID: "you", Status: tournament.BotPaused, TakesChallenges: true}, "take another bot, or wait until it plays again"},
		{tournament.Bot{OwnerID: "me", Status: tournament.BotRetired}, "take another bot"},
	} {
		table := []tournament.Seated{{Bot: row.bot}, {Bot: tournament.Bot{ID: "b", OwnerID: "me"}}}
		err := tournament.CanChallenge(game.Info{ID: "toy", MinSeats: 2, MaxSeats: 3}, table, tournament.Asker{UserID: "me"})
		if err == nil || !strings.HasSuffix(err.Error(), "; "+row.want) {
			t.Errorf("%+v: got %v, want …; %s", row.bot, err, row.want)
		}
	}
}
