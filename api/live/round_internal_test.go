package live

import (
	"slices"
	"testing"

	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/pairing"
)

// A void game is none: a table has as many as count, and without any it is void and has no points.
func TestATableCountsTheGamesThatCount(t *testing.T) {
	who := tournament.Roster{Entries: []tournament.Entry{{BotName: "one"}, {BotName: "two"}}}
	void, won := &pairing.Result{Void: true}, &pairing.Result{Points: []float64{1, 0}}
	for _, row := range []struct {
		results []*pairing.Result
		games   int
		points  []float64
		void    bool
	}{
		{[]*pairing.Result{won, won}, 2, []float64{2, 0}, false},
		{[]*pairing.Result{void, won}, 1, []float64{1, 0}, false},
		{[]*pairing.Result{void, nil}, 1, nil, false},
		{[]*pairing.Result{void, void}, 0, nil, true},
	} {
		var b pairing.Block
		for _, r := range row.results {
			b.Games = append(b.Games, pairing.Game{Seats: []int{0, 1}, Result: r})
		}
		if got := tableOf(b, who, false); got.Games != row.games || !slices.Equal(got.Points, row.points) || got.Void != row.void {
			t.Errorf("%+v, want %d games, points %v, void %v", got, row.games, row.points, row.void)
		}
	}
}
