package fit_test

import (
	"math"
	"slices"
	"testing"

	"github.com/molerun/molerun/tournament/rating"
	"github.com/molerun/molerun/tournament/rating/fit"
)

// likely returns the logarithm of how likely wins and losses in games of two are if both are spread by sd: the sum over a fine grid of the
// difference of the two.
func likely(sd float64, wins, losses int) float64 {
	const steps = 4000
	sum, total := 0.0, 0.0
	for k := range steps {
		z := 8 * (2*(float64(k)+.5)/steps - 1)
		p := rating.Expected(z * sd * math.Sqrt2)
		weight := math.Exp(-z * z / 2)
		total += weight
		sum += weight * math.Pow(p, float64(wins)) * math.Pow(1-p, float64(losses))
	}
	return math.Log(sum / total)
}

func TestEvidenceIsHowLikelyTheMatchesAre(t *testing.T) {
	for _, row := range []struct{ wins, losses int }{{0, 1}, {5, 5}, {9, 1}, {12, 0}} {
		evidence := func(sd float64) float64 {
			f := run(t, 2, nil, fit.Prior{Bot: sd, Version: sd, Mean: true}, games(0, 1, row.wins, 0, row.losses)...)
			return f.Evidence
		}
		got := evidence(350) - evidence(86)
		want := likely(350, row.wins, row.losses) - likely(86, row.wins, row.losses)
		if !near(got, want, .06) {
			t.Errorf("%d wins, %d losses: a spread of 350 has %.3f more than one of 86, want %.3f", row.wins, row.losses, got, want)
		}
	}
}

// Whichever team wins the one match of bots that are all alike to the prior, no deviation of the roles makes it likelier than another.
func TestEvidenceOfRolesIsNoMoreThanTheMatchesTell(t *testing.T) {
	m := lineUp([]int{0, 1, 2}, []int{3, 4}, true)
	var all []float64
	for _, role := range []float64{30, 75} {
		all = append(all, run(t, 5, nil, fit.Prior{Bot: 100, Version: 50, Team: 100, Role: role, Mean: true}, m).Evidence)
	}
	if off := slices.Max(all) - slices.Min(all); off > .1 {
		t.Errorf("%v, want nearly the same", all)
	}
}
