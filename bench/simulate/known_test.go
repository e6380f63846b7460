package main

import (
	"math"
	"testing"

	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/tournament/rating/fit"
)

func fitOf(evidence, elo, se float64) *fit.Fit {
	e := fit.Estimate{Elo: 1500 + elo, SE: se}
	other := fit.Estimate{Elo: 1500 - elo, SE: se}
	return &fit.Fit{Evidence: evidence, Players: []fit.Player{{Estimate: e}, {Estimate: other}}}
}

// Of two fits one is three times as likely: so much more it weighs, and the interval is that of the mixture.
func TestKnowingAllSpreadsWeighsTheirFits(t *testing.T) {
	fits := []*fit.Fit{fitOf(-700, 40, 10), fitOf(-700+math.Log(3), 80, 10)}
	if w := believed(fits); math.Abs(w[0]-.25) > 1e-12 || math.Abs(w[1]-.75) > 1e-12 {
		t.Fatalf("weights %v, want 1/4 and 3/4", w)
	}
	for _, row := range []struct {
		is, off float64
		held    int
	}{{70, 0, 2}, {28, 42, 2}, {27, 43, 0}, {98, 28, 2}, {99, 29, 0}} { // the bounds are 27.2 and 98.4
		off, held := knownSDs(fits, []float64{row.is, -row.is})
		if math.Abs(off-row.off) > 1e-9 || held != (Share{In: row.held, Of: 2}) {
			t.Errorf("a truth of %v: off by %v, %v held; want %v, %d", row.is, off, held, row.off, row.held)
		}
	}
}

// If one SD alone is known, the fit is the one that knows the spread.
func TestKnowingOneSpreadIsItsFit(t *testing.T) {
	fits := []*fit.Fit{fitOf(-3, 40, 10)}
	off, held := knownSDs(fits, []float64{59, -60})
	if math.Abs(off-19.5) > 1e-9 || held != (Share{In: 1, Of: 2}) {
		t.Errorf("off by %v, %v held; want 19.5, and the one within 1.96 standard errors", off, held)
	}
}

// Ladders of 4, 4 and 8 of which 1, 2 and 5 are in: 8 of 16. They are off ½ by −1, 0 and 1.
func TestTheScatterOfASumOverLadders(t *testing.T) {
	got := scatter([]float64{1, 2, 5}, []float64{4, 4, 8})
	if want := math.Sqrt(2*3./2) / 16; math.Abs(got-want) > 1e-12 {
		t.Errorf("got %v, want %v", got, want)
	}
	for _, none := range [][2][]float64{{{1}, {2}}, {{0, 0}, {0, 0}}} {
		if got := scatter(none[0], none[1]); got != 0 {
			t.Errorf("%v: got %v, want 0", none, got)
		}
	}
}

// A gap is at least three deviations of a camp; of those, 44 % are wider than the prior's deviation, as in a normal distribution.
func TestTheGapBetweenDrawnCamps(t *testing.T) {
	r := game.Stream(game.Seed{9}, 0, "gaps")
	var wide Share
	for range 4000 {
		gap := drawnGap(r)
		if gap <= 3*campSD {
			t.Fatalf("a gap of %v, want more than %v", gap, 3*campSD)
		}
		wide.count(gap > 350*math.Sqrt2)
	}
	if math.Abs(wide.Part()-.443) > .03 {
		t.Errorf("%v are wider than one deviation, want 44.3 %%", wide)
	}
}
