package main

import (
	"testing"

	"github.com/molerun/molerun/tournament/rating/fit"
)

// Three bots: the fit orders the first two the wrong way round, and leaves the third open.
func TestOrderCountsWhatIsSaidOfPairsAndRanks(t *testing.T) {
	is := []float64{100, 0, -100}
	players := []fit.Player{{Best: 2, Worst: 3}, {Best: 1, Worst: 2}, {Best: 1, Worst: 3}}
	difference := func(i, j int) fit.Estimate {
		if i == 1 && j == 0 {
			return fit.Estimate{Low: 5, High: 50}
		}
		return fit.Estimate{Low: -5, High: 50}
	}
	var got Order
	got.count(players, difference, is)
	want := Order{Distinct: Share{In: 1, Of: 3}, Wrong: Share{In: 1, Of: 1}, Ranks: Share{In: 2, Of: 3}}
	if got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
}
