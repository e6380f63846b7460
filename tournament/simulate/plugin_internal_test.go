package simulate

import (
	"math"
	"testing"

	"github.com/molerun/molerun/tournament/rating"
	"github.com/molerun/molerun/tournament/rating/fit"
)

// Four bots, twelve games a pair, each seat first in half of them. The first release, which learned the seat's deviation too, gave
// these ratings and standard errors, with a spread of 206.3.
func TestPluggedInIsAsTheFirstReleaseWas(t *testing.T) {
	var all []fit.Match
	game := func(first, second, firstRank int) {
		seats := []rating.Seat{{Player: first, Rank: firstRank}, {Player: second, Rank: 3 - firstRank}}
		all = append(all, fit.Match{Match: rating.Match{Seats: seats}})
	}
	for _, pair := range []struct{ a, b, wins int }{{0, 1, 7}, {2, 3, 9}, {0, 2, 8}, {0, 3, 9}, {1, 2, 7}, {1, 3, 10}} {
		for k := range pair.wins {
			if k < pair.wins/2 {
				game(pair.a, pair.b, 1)
			} else {
				game(pair.b, pair.a, 2)
			}
		}
		for k := range 12 - pair.wins {
			if k < (12-pair.wins)/2 {
				game(pair.a, pair.b, 2)
			} else {
				game(pair.b, pair.a, 1)
			}
		}
	}
	p, err := newPlugIn(4, all)
	if err != nil {
		t.Fatal(err)
	}
	if math.Abs(p.spread-206.3) > 1 {
		t.Errorf("spread of %.1f, want 206.3", p.spread)
	}
	for i, want := range []struct {
		elo, se     float64
		best, worst int
	}{{1595.6, 50.3, 1, 3}, {1563.2, 47.0, 1, 3}, {1501.7, 46.6, 1, 3}, {1339.5, 53.0, 4, 4}} {
		got := p.players()[i]
		if math.Abs(got.Elo-want.elo) > 1.5 {
			t.Errorf("player %d: %.1f Elo, want %.1f", i, got.Elo, want.elo)
		}
		if math.Abs(got.SE-want.se) > .5 {
			t.Errorf("player %d: standard error %.1f, want %.1f", i, got.SE, want.se)
		}
		if got.Best != want.best || got.Worst != want.worst {
			t.Errorf("player %d: ranks %d to %d, want %d to %d", i, got.Best, got.Worst, want.best, want.worst)
		}
	}
}
