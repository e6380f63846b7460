package sprt_test

import (
	"math"
	"math/rand/v2"
	"os"
	"testing"

	"github.com/molerun/molerun/internal/must"
	"github.com/molerun/molerun/tournament/rating/sprt"
)

// series returns how many tests a simulation plays to their end.
func series() int {
	if os.Getenv("MOLERUN_NIGHTLY") != "" {
		return 8000
	}
	return 160
}

// play returns one test to its end; draw gives the points of the next unit.
func play(t *testing.T, a sprt.Test, tally sprt.Tally, draw func() float64) sprt.Verdict {
	t.Helper()
	for {
		must.OK(t, tally.Add(draw()))
		v := must.Get(a.Judge(tally))(t)
		if v.State != sprt.Continue {
			return v
		}
	}
}

func score(elo float64) float64 { return 1 / (1 + math.Pow(10, -elo/400)) }

// band returns four standard errors of a share of n.
func band(share float64, n int) float64 { return 4 * math.Sqrt(share*(1-share)/float64(n)) }

// Games without draws in [0, 20], with the shares and mean lengths of the design notes. A walk steps over its bound by up
// to a game, so errors are a little rarer and lengths a little longer than Wald's formulas say: a tenth is allowed.
func TestErrorRatesAndLengthsOfGames(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 1))
	for _, row := range []struct{ elo, h1, games float64 }{{0, .05, 1603}, {10, .5, 2620}, {20, .95, 1598}, {40, 1, 588}} {
		n, h1, sum, square := series()/2, 0.0, 0.0, 0.0
		for range n {
			v := play(t, test(0, 20, false), sprt.Games(0, 0, 0), func() float64 {
				if r.Float64() < score(row.elo) {
					return 1
				}
				return 0
			})
			if v.State == sprt.H1 {
				h1++
			}
			sum += float64(v.Units)
			square += float64(v.Units) * float64(v.Units)
		}
		share, mean := h1/float64(n), sum/float64(n)
		se := math.Sqrt((square/float64(n) - mean*mean) / float64(n))
		t.Logf("true %v: H1 %.3f, %.0f games +- %.0f", row.elo, share, mean, se)
		if math.Abs(share-row.h1) > band(max(.01, min(row.h1, .99)), n)+.01 {
			t.Errorf("%v Elo: H1 in %.3f of %d tests, want %v", row.elo, share, n, row.h1)
		}
		if math.Abs(mean-row.games) > 4*se+.1*row.games {
			t.Errorf("%v Elo: %.0f games in the mean, want %v", row.elo, mean, row.games)
		}
	}
}

// pairsOf returns chances of the five scores of a pair, with draws and games that depend on each other, and mean score s.
func pairsOf(s float64) []float64 {
	p := []float64{.06, .22, .40, .24, .08}
	mean := 0.0
	for i := range p {
		mean += p[i] * float64(i) / 4
	}
	shift := (s - mean) * 2 // half a step up for as many as it takes
	p[1] -= shift
	p[3] += shift
	return p
}

func drawPair(r *rand.Rand, p []float64) float64 {
	lot, at := r.Float64(), 0
	for ; at < len(p)-1 && lot >= p[at]; at++ {
		lot -= p[at]
	}
	return float64(at) / 2
}

// Pairs under either hypothesis end in the other one in 5 % of the tests; with 40 Elo and errors of 1 % and 10 % likewise.
func TestErrorRatesOfPairs(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 2))
	for _, row := range []struct {
		name        string
		test        sprt.Test
		alpha, beta float64
	}{
		{"logistic", sprt.Test{Elo0: 0, Elo1: 40, Alpha: .05, Beta: .05}, .05, .05},
		{"logistic, uneven", sprt.Test{Elo0: 0, Elo1: 40, Alpha: .01, Beta: .10}, .01, .10},
		{"normalised", sprt.Test{Elo0: 0, Elo1: 40, Alpha: .05, Beta: .05, Normalised: true}, .05, .05},
	} {
		for k, want := range []float64{row.alpha, row.beta} {
			wrong, mean := sprt.H1, score(row.test.Elo0)
			if k == 1 {
				wrong, mean = sprt.H0, score(row.test.Elo1)
				if row.test.Normalised {
					mean = normalisedMean(row.test.Elo1)
				}
			}
			p, count := pairsOf(mean), 0
			for range series() {
				if play(t, row.test, sprt.Pairs(), func() float64 { return drawPair(r, p) }).State == wrong {
					count++
				}
			}
			share := float64(count) / float64(series())
			t.Logf("%s: %s in %.3f, want %v", row.name, wrong, share, want)
			if math.Abs(share-want) > band(want, series())+.25*want { // the steps over the bound make errors rarer
				t.Errorf("%s: wrongly %s in %.3f of %d tests, want %v", row.name, wrong, share, series(), want)
			}
		}
	}
}

// normalisedMean returns the mean score of [pairsOf] that is so much normalised Elo: their deviation changes with the mean.
func normalisedMean(elo float64) float64 {
	mean := .5
	for range 50 {
		variance := 0.0
		for i, p := range pairsOf(mean) {
			variance += p * math.Pow(float64(i)/4-mean, 2)
		}
		mean = .5 + elo*math.Ln10/800*math.Sqrt(2*variance)
	}
	return mean
}
