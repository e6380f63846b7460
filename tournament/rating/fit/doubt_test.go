package fit_test

import (
	"math/rand/v2"
	"testing"

	"github.com/molerun/molerun/tournament/rating/fit"
)

// Few bots that are spread far and have played little: how far is not learned well. The intervals hold all the same; if they
// took what is learned for known, they would be too narrow.
func TestCoverageWhereTheSpreadIsHardToLearn(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 9))
	var held, known hits
	for range ladders() / 2 {
		is := truth{strength: spread(r, bots, 300), role: spread(r, bots, 20), team: map[int]float64{5: -120, 6: -60}}
		var all []fit.Match
		for range 120 {
			all = append(all, hidden(r, r.Perm(bots)[:5+r.IntN(2)], is))
		}
		f := run(t, bots, nil, fit.HiddenTeams(), all...)
		learned := f.Prior
		learned.Learn, learned.Mean = false, true
		g := run(t, bots, nil, learned, all...)
		for i, p := range f.Players {
			held.count(p.Estimate, 1500+is.strength[i])
			known.count(g.Players[i].Estimate, 1500+is.strength[i])
		}
	}
	wantsCoverage(t, "ratings", held)
	if known.share() > .93 {
		t.Errorf("with the spread taken for known %.1f %% hold: this simulation would not notice it", 100*known.share())
	}
}

// What is learned says nothing about a ladder whose spread has reached its bound, and nothing is learned where it is told:
// the intervals are those of the same fit with the deviations known.
func TestNoDoubtIsAddedWhereNothingIsLearned(t *testing.T) {
	var all []fit.Match
	for i := range bots {
		for j := range i {
			for range 10 {
				all = append(all, duel(j, i, "1"))
			}
		}
	}
	prior := fit.Prior{Bot: 20, Version: 100, Learn: true} // of bots that always win: four times that, at most
	f := run(t, bots, nil, prior, all...)
	if f.Prior.Bot != 80 {
		t.Fatalf("the spread learned is %v, want the bound, 80", f.Prior.Bot)
	}
	known := f.Prior
	known.Learn, known.Mean = false, true
	g := run(t, bots, nil, known, all...)
	for i := range bots {
		if d := f.Players[i].SE/g.Players[i].SE - 1; d > 1e-3 || d < -1e-3 {
			t.Errorf("player %d: ± %v, with the spread known ± %v", i, f.Players[i].SE, g.Players[i].SE)
		}
	}
}
