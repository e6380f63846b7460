package sprt_test

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/rating/sprt"
)

// half returns half the width of an interval: what the sources print behind ±.
func half(i tournament.Mean) float64 { return (i.High - i.Low) / 2 }

func near(got, want, tolerance float64) bool { return math.Abs(got-want) <= tolerance }

func test(elo0, elo1 float64, normalised bool) sprt.Test {
	return sprt.Test{Elo0: elo0, Elo1: elo1, Alpha: .05, Beta: .05, Normalised: normalised}
}

// ptnml returns a tally of pairs as fastchess prints them: LL, LD, WL, DD, WD, WW.
func ptnml(ll, ld, wl, dd, wd, ww int) sprt.Tally { return sprt.Tally{ll, ld, wl + dd, wd, ww} }

func TestPublishedLogLikelihoodRatios(t *testing.T) {
	const normalised, logistic = true, false
	for _, row := range []struct {
		source     string
		tally      sprt.Tally
		elo0, elo1 float64
		normalised bool
		want       float64
	}{
		{"fastchess sprt_test.cpp", sprt.Games(36433, 36027, 68692), 0, 2, normalised, .92},
		{"fastchess sprt_test.cpp", sprt.Games(10871, 10650, 20431), -1.75, .25, normalised, 2.30},
		{"fastchess sprt_test.cpp", sprt.Games(4250, 0, 0), 0, 10, normalised, 120.56},
		{"fastchess sprt_test.cpp", sprt.Games(21404, 21184, 40708), .5, 2.5, logistic, -1.57},
		{"fastchess sprt_test.cpp", sprt.Games(57433, 57030, 106593), 0, 2, logistic, -2.59},
		{"fastchess sprt_test.cpp", ptnml(365, 16618, 36029, 200, 16974, 390), 0, 2, normalised, 2.25},
		{"fastchess sprt_test.cpp", ptnml(127, 4883, 10311, 401, 5150, 104), -1.75, .25, normalised, 3.01},
		{"fastchess sprt_test.cpp", ptnml(0, 0, 0, 0, 0, 5550), 0, 5, normalised, 111.82},
		{"fastchess sprt_test.cpp", ptnml(223, 9863, 20279, 1000, 10037, 246), .5, 2.5, logistic, -3.07},
		{"fastchess sprt_test.cpp", ptnml(871, 26175, 55003, 980, 26678, 821), 0, 2, logistic, -4.98},
		{"fishtest issue 1737", sprt.Tally{93, 18711, 58877, 18739, 100}, -1.75, .25, normalised, 2.9421},
		{"Reckless pull request 893", sprt.Tally{496, 21664, 48379, 22161, 542}, 0, 3, normalised, 3.08},
		{"Reckless pull request 893", sprt.Tally{8, 5428, 13556, 5679, 14}, 0, 3, normalised, 2.93},
		{"own computation", sprt.Tally{39, 2226, 31451, 2412, 40}, .2, .9, logistic, 2.1625},
		{"own computation", sprt.Tally{10789, 19328, 33806, 19402, 10543}, -3, 1, logistic, 2.1311},
	} {
		got, err := test(row.elo0, row.elo1, row.normalised).LLR(row.tally)
		if err != nil || !near(got, row.want, max(.02, 3e-4*row.want)) { // fastchess stops iterating at 1e-4
			t.Errorf("%s: %v in [%v, %v]: got %.4f %v, want %v", row.source, row.tally, row.elo0, row.elo1, got, err, row.want)
		}
	}
}

// The sources take the interval as far on both sides; a likelihood-ratio interval is as wide to a tenth of an Elo here.
func TestPublishedDifferences(t *testing.T) {
	for _, row := range []struct {
		tally          sprt.Tally
		elo, half      float64
		score, certain float64 // 0 where not published
	}{
		{ptnml(34, 54, 31, 32, 64, 75), 55.58, 27.65, .5793, 0},
		{ptnml(332, 433, 457, 41, 333, 334), -8.64, 10.33, 0, .0505},
		{sprt.Games(136, 96, 111), 40.70, 30.43, 0, .9960},
	} {
		got, err := sprt.Measure(row.tally)
		if err != nil || !near(got.Elo.Value, row.elo, .006) || !near(half(got.Elo), row.half, .1) {
			t.Errorf("%v: got %.3f +- %.3f %v, want %v +- %v", row.tally, got.Elo.Value, half(got.Elo), err, row.elo, row.half)
		}
		if row.score != 0 && !near(got.Score, row.score, 5e-5) {
			t.Errorf("%v: got a score of %.5f, want %v", row.tally, got.Score, row.score)
		}
		if row.certain != 0 && !near(got.Superior, row.certain, 3e-4) {
			t.Errorf("%v: got a likelihood of %.5f to be stronger, want %v", row.tally, got.Superior, row.certain)
		}
	}
}

func TestBounds(t *testing.T) {
	for _, row := range []struct{ alpha, beta, lower, upper float64 }{
		{.05, .05, -2.944439, 2.944439}, {.05, .10, math.Log(.1 / .95), math.Log(.9 / .05)}, {.01, .05, math.Log(.05 / .99), math.Log(95)},
	} {
		lower, upper := sprt.Test{Alpha: row.alpha, Beta: row.beta}.Bounds()
		if !near(lower, row.lower, 1e-6) || !near(upper, row.upper, 1e-6) {
			t.Errorf("errors %v and %v: got %.6f and %.6f, want %.6f and %.6f", row.alpha, row.beta, lower, upper, row.lower, row.upper)
		}
	}
}

// The quick approximation (s1-s0)(2s-s0-s1)N/(2 var), which holds for small differences.
func TestTheRatioIsNearItsApproximation(t *testing.T) {
	tally := sprt.Tally{100, 900, 2000, 1000, 120}
	got, err := test(0, 5, false).LLR(tally)
	score := func(elo float64) float64 { return 1 / (1 + math.Pow(10, -elo/400)) }
	n, mean, square := 0.0, 0.0, 0.0
	for i, c := range tally {
		n, mean, square = n+float64(c), mean+float64(c)*float64(i)/4, square+float64(c)*float64(i*i)/16
	}
	mean /= n
	want := (score(5) - score(0)) * (2*mean - score(0) - score(5)) * n / (2 * (square/n - mean*mean))
	if err != nil || !near(got, want, .01*want) {
		t.Errorf("got %.4f %v, want about %.4f", got, err, want)
	}
}

func TestSwappingTheVersionsMirrorsTheRatio(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a := test(rapid.Float64Range(-50, 0).Draw(t, "elo0"), rapid.Float64Range(1, 50).Draw(t, "elo1"), rapid.Bool().Draw(t, "normalised"))
		b := a
		b.Elo0, b.Elo1 = -a.Elo1, -a.Elo0
		tally := make(sprt.Tally, rapid.SampledFrom([]int{3, 5}).Draw(t, "scores"))
		for i := range tally {
			tally[i] = rapid.IntRange(0, 300).Draw(t, "count")
		}
		mirror := slices.Clone(tally)
		slices.Reverse(mirror)
		x, err := a.LLR(tally)
		y, err2 := b.LLR(mirror)
		if err != nil || err2 != nil || !near(x, -y, 1e-6*(1+math.Abs(x))) {
			t.Fatalf("got %v %v, mirrored %v %v", x, err, y, err2)
		}
	})
}

func TestATestStopsAtTheFirstBoundInScheduleOrder(t *testing.T) {
	wins := slices.Repeat([]float64{1, 1, 1, .5}, 100)
	for _, paired := range []bool{false, true} {
		a := test(0, 30, false)
		v, tally, err := a.Run(wins, paired)
		if err != nil || v.State != sprt.H1 || v.Units != tally.Units() || v.Units >= len(wins)/2 || v.LLR < v.Upper {
			t.Fatalf("paired %v: got %+v of %d, %v; want H1 before the end", paired, v, tally.Units(), err)
		}
		size := 1
		if paired {
			size = 2
		}
		end := v.Units * size
		if before, _, _ := a.Run(wins[:end-1], paired); before.State != sprt.Continue {
			t.Errorf("paired %v: one game less: got %+v, want it to go on", paired, before)
		}
		losses := append(slices.Clone(wins[:end]), make([]float64, 5000)...)
		if after, same, _ := a.Run(losses, paired); after != v || !slices.Equal(same, tally) {
			t.Errorf("paired %v: what came after the end counts: got %+v %v, want %+v %v", paired, after, same, v, tally)
		}
		if v, _, _ := a.Run(make([]float64, 5000), paired); v.State != sprt.H0 || v.LLR > v.Lower {
			t.Errorf("paired %v: only losses: got %+v, want H0", paired, v)
		}
	}
	v, tally, err := test(0, 30, false).Run([]float64{1, 0, .5, .5, 1, 1, 1}, true)
	if err != nil || v.State != sprt.Continue || !slices.Equal(tally, sprt.Tally{0, 0, 2, 0, 1}) {
		t.Errorf("three pairs and a game alone: got %+v %v %v, want to go on with 0 0 2 0 1", v, tally, err)
	}
	if v, _, err := test(0, 30, false).Run(nil, true); err != nil || v.LLR != 0 || v.State != sprt.Continue {
		t.Errorf("nothing played: got %+v %v", v, err)
	}
}

func TestBadInputIsRefusedInWords(t *testing.T) {
	ok := sprt.Default()
	change := func(f func(*sprt.Test)) sprt.Test {
		c := ok
		f(&c)
		return c
	}
	games := sprt.Games(1, 2, 3)
	for _, row := range []struct {
		name  string
		test  sprt.Test
		tally sprt.Tally
		want  string
	}{
		{"hypotheses in the wrong order", change(func(c *sprt.Test) { c.Elo1 = -1 }), games, "hypotheses [0, -1] Elo"},
		{"equal hypotheses", change(func(c *sprt.Test) { c.Elo1 = 0 }), games, "hypotheses [0, 0] Elo"},
		{"no number", change(func(c *sprt.Test) { c.Elo0 = math.NaN() }), games, "hypotheses [NaN, 30] Elo"},
		{"far away", change(func(c *sprt.Test) { c.Elo1 = 2000 }), games, "hypotheses [0, 2000] Elo"},
		{"far away in normalised Elo", change(func(c *sprt.Test) { c.Elo1, c.Normalised = 151, true }), games, "within 150"},
		{"no error allowed", change(func(c *sprt.Test) { c.Alpha = 0 }), games, "error probabilities 0 and 0.05"},
		{"a coin would do", change(func(c *sprt.Test) { c.Beta = .5 }), games, "error probabilities 0.05 and 0.5"},
		{"four scores", ok, sprt.Tally{1, 2, 3, 4}, "a tally of 4 scores"},
		{"a negative count", ok, sprt.Tally{1, -2, 3}, "score 1 of the tally was counted -2 times"},
	} {
		if _, err := row.test.Judge(row.tally); !errors.Is(err, sprt.ErrTest) || !strings.Contains(fmt.Sprint(err), row.want) {
			t.Errorf("%s: got %v, want bad_sprt with %q", row.name, err, row.want)
		}
	}
	if _, err := sprt.Measure(sprt.Tally{1}); !errors.Is(err, sprt.ErrTest) {
		t.Errorf("measuring a tally of one score: got %v", err)
	}
	for _, points := range []float64{-.5, 1.5, .25, math.NaN()} {
		tally := sprt.Games(0, 0, 0)
		if err := tally.Add(points); !errors.Is(err, sprt.ErrTest) || tally.Units() != 0 {
			t.Errorf("%v points in a game: got %v and %v", points, err, tally)
		}
		if _, _, err := ok.Run([]float64{1, 0, 1, points}, true); !errors.Is(err, sprt.ErrTest) || !strings.Contains(fmt.Sprint(err), "game 3 has") {
			t.Errorf("%v points in game 3: got %v", points, err)
		}
	}
}

// Beyond 150 normalised Elo the ratio was no number where one side won everything, and a test had no end.
func TestTheRatioIsANumberWhateverWasCounted(t *testing.T) {
	for _, elo := range []float64{30, 150} {
		for _, a := range []sprt.Test{test(0, elo, true), test(-elo, 0, true), test(-elo, elo, true), test(0, elo, false)} {
			for _, tally := range []sprt.Tally{{0, 0, 0, 0, 9000}, {9000, 0, 0, 0, 0}, {0, 0, 1, 0, 0}, {1, 0, 0, 0, 0}, {5000, 0, 0, 0, 5000}, {0, 3, 9000, 1, 0}, {9000, 0, 0}, {0, 0, 1}, {0, 7, 0}} {
				llr, err := a.LLR(tally)
				if err != nil || math.IsNaN(llr) || math.IsInf(llr, 0) {
					t.Errorf("%+v after %v: got %v, %v", a, tally, llr, err)
				}
			}
		}
	}
}
