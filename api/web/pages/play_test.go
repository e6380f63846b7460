package pages_test

import (
	"testing"

	"github.com/molerun/molerun/api/web/pages"
	"github.com/molerun/molerun/engines/game"
)

func TestTheEndIsToldToAPerson(t *testing.T) {
	names := []string{"you", "badger", "otter"}
	team := []string{"mole", "agent", "agent"}
	for _, row := range []struct {
		seat   int
		r      game.Result
		ending string
		want   string
	}{
		{0, game.Result{Rank: []int{1, 2, 3}, Points: []float64{41, 38, 2}}, "this was the last turn", "You won with 41 points, 3 ahead of badger: this was the last turn."},
		{0, game.Result{Rank: []int{1, 2, 2}, Points: []float64{1, 1, 1}}, "", "You won with 1 point, as many as badger and otter, by the game's tie-break."},
		{0, game.Result{Rank: []int{2, 1, 3}, Points: []float64{9, 20, 2}}, "", "You lost, 11 behind badger."},
		{0, game.Result{Rank: []int{3, 1, 1}, Points: []float64{9, 20, 20}}, "", "You lost, 11 behind badger and otter."},
		{0, game.Result{Rank: []int{2, 1, 3}, Points: []float64{9, 9, 2}}, "", "You lost to badger with as many points, by the game's tie-break."},
		{0, game.Result{Rank: []int{1, 1, 3}, Points: []float64{9, 9, 2}}, "", "You share the first place with badger, with 9 points."},
		{0, game.Result{Rank: []int{1, 1, 1}, Points: []float64{9, 9, 9}}, "", "A draw."},
		{0, game.Result{Rank: []int{2, 2, 2}, Points: []float64{9, 9, 9}}, "an agent of nobody is ahead of all", "Nobody wins: an agent of nobody is ahead of all."},
		{0, game.Result{Rank: []int{1, 2, 2}, Points: []float64{1, 0, 0}, Team: team}, "three missions failed", "You won with the moles: three missions failed."},
		{0, game.Result{Rank: []int{2, 1, 1}, Points: []float64{0, 1, 1}, Team: team}, "three missions succeeded", "You lost, the agents win: three missions succeeded."},
	} {
		if got := pages.OutcomeTo(row.seat, row.r, 0, names, row.ending); got != row.want {
			t.Errorf("got %q, want %q", got, row.want)
		}
	}
}

func TestWhoWasRetiredIsToldApartFromTheEnd(t *testing.T) {
	names := []string{"you", "badger", "otter"}
	team := []string{"mole", "mole", "agent"}
	three := game.Result{Rank: []int{1, 2, 3}, Points: []float64{41, 38, 2}}
	two := game.Result{Rank: []int{1, 2}, Points: []float64{5, 3}}
	level := game.Result{Rank: []int{1, 2}, Points: []float64{3, 3}}
	moles := game.Result{Rank: []int{1, 1, 3}, Points: []float64{1, 1, 0}, Team: team}
	for _, row := range []struct {
		r            game.Result
		retired      game.Seats
		toYou, toAll string
	}{
		{three, game.Only(0), "You lost to badger: it ended. You were retired for faults and rank last.", "badger wins with 38 points, 36 ahead of otter: it ended. you was retired for faults and ranks last."},
		{three, game.Only(1), "You won with 41 points, 39 ahead of otter: it ended. badger was retired for faults and ranks last.", "you wins with 41 points, 39 ahead of otter: it ended. badger was retired for faults and ranks last."},
		{three, game.Only(2), "You won with 41 points, 3 ahead of badger: it ended. otter was retired for faults and ranks last.", "you wins with 41 points, 3 ahead of badger: it ended. otter was retired for faults and ranks last."},
		{three, game.Only(0).With(1), "You lost to otter: it ended. You and badger were retired for faults and rank last.", "otter wins with 2 points: it ended. you and badger were retired for faults and rank last."},
		{two, game.Only(0), "You lost to badger: it ended. You were retired for faults and rank last.", "badger wins with 3 points: it ended. you was retired for faults and ranks last."},
		{two, game.Only(1), "You won with 5 points, 2 ahead of badger: it ended. badger was retired for faults and ranks last.", "you wins with 5 points, 2 ahead of badger: it ended. badger was retired for faults and ranks last."},
		{level, game.Only(0), "You lost to badger: it ended. You were retired for faults and rank last.", "badger wins with 3 points: it ended. you was retired for faults and ranks last."},
		{level, game.Only(1), "You won with 3 points: it ended. badger was retired for faults and ranks last.", "you wins with 3 points: it ended. badger was retired for faults and ranks last."},
		{two, game.Only(0).With(1), "A draw: it ended. You and badger were retired for faults.", "A draw: it ended. you and badger were retired for faults."},
		{moles, game.Only(0), "You were retired for faults, so you lost though the moles won: it ended.", "The moles win: it ended. you was retired for faults and ranks last."},
		{moles, game.Only(1), "You won with the moles: it ended. badger was retired for faults and ranks last.", "The moles win: it ended. badger was retired for faults and ranks last."},
		{moles, game.Only(0).With(1), "You were retired for faults, so you lost though the moles won: it ended. badger was retired for faults and ranks last.", "The moles win: it ended. you and badger were retired for faults and rank last."},
		{moles, game.Only(2), "You won with the moles: it ended. otter was retired for faults and ranks last.", "The moles win: it ended. otter was retired for faults and ranks last."},
	} {
		if got := pages.OutcomeTo(0, row.r, row.retired, names, "it ended"); got != row.toYou {
			t.Errorf("%v of %v: got %q, want %q", row.retired, row.r, got, row.toYou)
		}
		if got := pages.Outcome(row.r, row.retired, names, "it ended"); got != row.toAll {
			t.Errorf("%v of %v: got %q, want %q", row.retired, row.r, got, row.toAll)
		}
	}
}

func TestAPersonIsToldWhyTheHouseDecided(t *testing.T) {
	for why, want := range map[string]string{
		"":               "",
		"timeout":        "Last time, the house decided for you: timeout.",
		"illegal_action": "Last time, the house decided for you: illegal action.",
		"retired":        "You were retired for faults: the house plays your seat to the end.",
	} {
		if got := pages.Missed(why); got != want {
			t.Errorf("%q: got %q, want %q", why, got, want)
		}
	}
}
