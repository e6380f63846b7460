package web

import (
	"strings"
	"testing"

	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/director"
	"github.com/molerun/molerun/tournament/pairing"
)

// A challenger that beat one of three, and got the block of a second by forfeit.
func TestWhatAChallengerTookIsOfAllThatItCouldHave(t *testing.T) {
	round := pairing.Round{
		Blocks: []pairing.Block{
			{Games: []pairing.Game{{Seats: []int{0, 1}, Result: &pairing.Result{Points: []float64{1, 0}, Score: []float64{1, 0}}}}},
			{Games: []pairing.Game{{Seats: []int{0, 3}}}},
		},
		Forfeits: []pairing.Forfeit{{Winner: 0, Loser: 2, Why: "its bot does not answer"}},
	}
	entries := []tournament.Entry{{BotName: "ada", Challenger: true}, {BotName: "one"}, {BotName: "two"}, {BotName: "three"}}
	board := director.Scoreboard{
		Contest: pairing.Contest{Settings: pairing.Settings{Format: tournament.Gauntlet, SeatsPerTable: 2}, Entries: make([]pairing.Entry, 4), Rounds: []pairing.Round{round}},
		Roster:  tournament.Roster{Entries: entries},
	}
	for i := range entries {
		board.Contest.Entries[i] = pairing.Entry{State: pairing.Active, Challenger: entries[i].Challenger}
	}
	if got, want := againstField(board), "ada took 2 of 2 points from the field"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	round.Blocks = nil
	board.Contest.Rounds = []pairing.Round{round}
	if got, want := againstField(board), "ada took 1 of 1 point from the field"; got != want {
		t.Errorf("by forfeit alone: got %q, want %q", got, want)
	}
}

func TestAVerdictNamesWhoIsStrongerThanWhom(t *testing.T) {
	for _, c := range []struct {
		trial tournament.Trial
		want  string
	}{
		{tournament.Trial{Verdict: "H1", Elo1: 30}, "ada is stronger than bob. "},
		{tournament.Trial{Verdict: "H1", Elo0: -5, Elo1: 5, IsNormalisedTest: true}, "ada is stronger than bob by more than -5 normalised Elo. "},
		{tournament.Trial{Verdict: "H0", Elo1: 30}, "ada is not stronger than bob by 30 Elo. "},
		{tournament.Trial{Verdict: "undecided", Elo1: 30}, "It is undecided whether ada is stronger than bob by 30 Elo. "},
	} {
		if got := verdictOf([]tournament.Standing{{Bot: "bob", Rank: 1}, {Bot: "ada", Rank: 2, Trial: &c.trial}}); !strings.HasPrefix(got, c.want) {
			t.Errorf("%+v: got %q, want %q", c.trial, got, c.want)
		}
	}
}
