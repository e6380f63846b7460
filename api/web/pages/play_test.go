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
		{0, game.Result{Rank: []int{1, 2, 2}, Points: []float64{1, 1, 1}}, "", "You won with 1 point."},
		{0, game.Result{Rank: []int{2, 1, 3}, Points: []float64{9, 20, 2}}, "", "You lost, 11 behind badger."},
		{0, game.Result{Rank: []int{3, 1, 1}, Points: []float64{9, 20, 20}}, "", "You lost, 11 behind badger and otter."},
		{0, game.Result{Rank: []int{2, 1, 3}, Points: []float64{9, 9, 2}}, "", "You lost to badger."},
		{0, game.Result{Rank: []int{1, 1, 3}, Points: []float64{9, 9, 2}}, "", "You share the first place with badger, with 9 points."},
		{0, game.Result{Rank: []int{1, 1, 1}, Points: []float64{9, 9, 9}}, "", "A draw."},
		{0, game.Result{Rank: []int{2, 2, 2}, Points: []float64{9, 9, 9}}, "an agent of nobody is ahead of all", "Nobody wins: an agent of nobody is ahead of all."},
		{0, game.Result{Rank: []int{1, 2, 2}, Points: []float64{1, 0, 0}, Team: team}, "three missions failed", "You won with the moles: three missions failed."},
		{0, game.Result{Rank: []int{2, 1, 1}, Points: []float64{0, 1, 1}, Team: team}, "three missions succeeded", "You lost, the agents win: three missions succeeded."},
	} {
		if got := pages.OutcomeTo(row.seat, row.r, names, row.ending); got != row.want {
			t.Errorf("got %q, want %q", got, row.want)
		}
	}
}
