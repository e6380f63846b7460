package tournament_test

import (
	"testing"

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
		if got := row.before.After(row.failure); got != row.want {
			t.Errorf("%s: got %+v, want %+v", row.name, got, row.want)
		}
	}
}
