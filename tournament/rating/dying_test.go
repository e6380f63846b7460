package rating_test

import (
	"math/rand/v2"
	"testing"

	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/internal/must"
	"github.com/molerun/molerun/tournament/rating"
)

// TestDyingDodgesNoLoss plays bots of equal strength on a ladder whose losses by death are rated, and on one where such losses count no
// more while the bot has not played a match to its end since the last. A bot that dies whenever it is losing gains nothing on the
// first, and much on the second: that is why all losses are rated (docs/decisions/0030).
func TestDyingDodgesNoLoss(t *testing.T) {
	for _, row := range []struct {
		name            string
		dodges, unrated bool
		low, high       float64 // of its mean rating
	}{
		{"plays on, all is rated", false, false, 1480, 1520},
		{"dies when it is losing, all is rated", true, false, 1480, 1520},
		{"plays on, later deaths are not rated", false, true, 1480, 1520},
		{"dies when it is losing, later deaths are not rated", true, true, 1550, 1700},
	} {
		r := rand.New(rand.NewPCG(30, 30))
		sum, n := 0.0, 0
		for range 40 {
			players := []rating.State{rating.New(), rating.New()}
			unproven := false
			for i := range 600 {
				players[1] = rating.New() // others come and go
				result, retired := game.Result{Rank: []int{1, 2}, Points: []float64{1, 0}}, game.Seats(0)
				lost := r.IntN(2) == 0
				if lost {
					result = game.Result{Rank: []int{2, 1}, Points: []float64{0, 1}}
				}
				dies := lost && row.dodges
				if dies {
					retired = retired.With(0)
				}
				if !dies || !unproven || !row.unrated {
					deltas := must.Get(rating.Rate(rating.Of(result, []int{0, 1}, retired), players, rating.Params{Rule: rating.WideRule}))(t)
					players[0] = deltas[0].After
				}
				unproven = dies
				if i >= 300 {
					sum, n = sum+float64(players[0].Rating)/1000, n+1
				}
			}
		}
		mean := sum / float64(n)
		t.Logf("%s: rated %.0f, worth 1500", row.name, mean)
		if mean < row.low || mean > row.high {
			t.Errorf("%s: rated %.0f, want %.0f to %.0f", row.name, mean, row.low, row.high)
		}
	}
}
