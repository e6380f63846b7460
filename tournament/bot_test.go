package tournament_test

import (
	"testing"

	"github.com/molerun/molerun/internal/must"
	"github.com/molerun/molerun/tournament"
)

func TestABotIsPausedByOneFailedCheckAndReturnsAfterTwoThatPass(t *testing.T) {
	const active, paused = tournament.BotActive, tournament.BotPaused
	for _, row := range []struct {
		name    string
		before  tournament.Health
		failure string
		want    tournament.Health
	}{
		{"a pass changes nothing", tournament.Health{Status: active}, "", tournament.Health{Status: active}},
		{"a failure pauses", tournament.Health{Status: active}, "no answer", tournament.Health{Status: paused, Reason: "no answer"}},
		{"one pass is not enough", tournament.Health{Status: paused, Reason: "no answer"}, "", tournament.Health{Status: paused, Reason: "no answer", Passes: 1}},
		{"the second brings it back", tournament.Health{Status: paused, Reason: "no answer", Passes: 1}, "", tournament.Health{Status: active}},
		{"a failure between counts from nothing", tournament.Health{Status: paused, Reason: "no answer", Passes: 1}, "status 500", tournament.Health{Status: paused, Reason: "status 500"}},
	} {
		must.Same(t, row.name, row.before.After(row.failure), row.want)
	}
}

func TestABotThatGetsNoMatchesSaysWhy(t *testing.T) {
	for want, b := range map[string]tournament.Bot{
		"":                                 {Status: tournament.BotActive},
		"retired by its owner":             {OwnerID: "ada", Status: tournament.BotRetired},
		"a person at a seat, in one match": {OwnerID: tournament.GuestsID, Status: tournament.BotRetired},
		"paused by its owner":              {Status: tournament.BotPaused, Pause: tournament.PausedByOwner},
		"has not passed its health checks": {Status: tournament.BotPaused},
	} {
		if got := b.OpenReason(); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}
