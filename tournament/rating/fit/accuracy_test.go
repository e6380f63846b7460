package fit_test

import (
	"math"
	"math/rand/v2"
	"os"
	"testing"

	"github.com/molerun/molerun/internal/must"
	"github.com/molerun/molerun/tournament/rating"
	"github.com/molerun/molerun/tournament/rating/fit"
)

// Two hundred bots spread by 250 Elo play some fifty matches each, drawn blindly. The fit errs at least a quarter less
// than plain Elo with K = 32 on the same matches, and finds out how far the bots are spread.
func TestTheFitErrsAQuarterLessThanPlainElo(t *testing.T) {
	const n, sd, each = 200, 250, 50
	r := rand.New(rand.NewPCG(5, 6))
	is := truth{strength: spread(r, n, sd), role: spread(r, n, 30), seat: []float64{20, 10, -10, -20}, team: map[int]float64{5: -120, 6: -60, 7: -30, 8: 0, 9: 20, 10: 40}}
	duels := func() fit.Match { return placed(r, r.Perm(n)[:2], is) }
	fours := func() fit.Match { return placed(r, r.Perm(n)[:4], is) }
	teams := func() fit.Match { return hidden(r, r.Perm(n)[:5+r.IntN(6)], is) }
	for _, row := range []struct {
		name  string
		prior fit.Prior
		draw  func() fit.Match
		off   float64 // share by which the spread may be missed; where the stronger team nearly always wins results tell little of it
	}{
		{name: "duels", prior: fit.Standard(), draw: duels, off: .2},
		{name: "tables of four", prior: fit.Standard(), draw: fours, off: .2},
		{name: "hidden teams", prior: fit.HiddenTeams(), draw: teams, off: .35},
	} {
		var all []fit.Match
		var matches []rating.Match
		for seats := 0; seats < each*n; seats += len(matches[len(matches)-1].Seats) {
			m := row.draw()
			all, matches = append(all, m), append(matches, m.Match)
		}
		f := run(t, n, nil, row.prior, all...)
		elo := must.Get(rating.Fold(fresh(n), nil, matches, rating.Params{FixedK: 32}))(t)
		var held hits
		fitted, plain := 0.0, 0.0
		for i, p := range f.Players {
			held.count(p.Estimate, 1500+is.strength[i])
			fitted += math.Abs(p.Elo-1500-is.strength[i]) / n
			plain += math.Abs(float64(elo[i].Rating)/1000-1500-is.strength[i]) / n // at one K the mean stays 1500
		}
		t.Logf("%s: error %.1f, plain Elo %.1f; spread %.0f; held %.3f", row.name, fitted, plain, f.Prior.Bot, held.share())
		if fitted > .75*plain {
			t.Errorf("%s: the mean error is %.1f Elo, with plain Elo %.1f; want at least a quarter less", row.name, fitted, plain)
		}
		if math.Abs(f.Prior.Bot/sd-1) > row.off {
			t.Errorf("%s: the spread learned is %.0f, want about %v", row.name, f.Prior.Bot, sd)
		}
		wantsCoverage(t, row.name, held)
	}
}

func fresh(n int) []rating.State {
	out := make([]rating.State, n)
	for i := range out {
		out[i] = rating.New()
	}
	return out
}

// Among bots that hardly differ, a few matches each do not pull the ratings apart.
func TestLearningKeepsEqualBotsTogether(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 7))
	is := truth{strength: make([]float64, 40), seat: []float64{0, 0}}
	var all []fit.Match
	for range 40 * 10 {
		all = append(all, placed(r, r.Perm(40)[:2], is))
	}
	wide := func(prior fit.Prior) float64 {
		square := 0.0
		for _, p := range run(t, 40, nil, prior, all...).Players {
			square += (p.Elo - 1500) * (p.Elo - 1500) / 40
		}
		return math.Sqrt(square)
	}
	given := fit.Standard()
	given.Learn = false
	if learned, fixed := wide(fit.Standard()), wide(given); !(learned < .8*fixed) {
		t.Errorf("equal bots are spread by %.1f Elo with learning, %.1f without; want much less", learned, fixed)
	}
}

// Started from half the true spread and from its double, the fit learns nearly the same, and the truth lies between: within
// 15 % of their geometric mean over some ladders.
func TestTheSpreadLearnedIsNotBiased(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 8))
	rounds := 4
	if os.Getenv("MOLERUN_NIGHTLY") != "" {
		rounds = 60
	}
	for _, sd := range []float64{80, 160, 320} {
		var logs [2]float64
		for range rounds {
			is := truth{strength: spread(r, 60, sd), role: make([]float64, 60), team: map[int]float64{5: -50}}
			var all []fit.Match
			for range 900 {
				all = append(all, hidden(r, r.Perm(60)[:5], is))
			}
			for k, start := range []float64{sd / 2, 2 * sd} {
				f := run(t, 60, nil, fit.Prior{Bot: start, Version: 100, Team: 200, Learn: true}, all...)
				logs[k] += math.Log(f.Prior.Bot) / float64(rounds)
			}
		}
		low, high := math.Exp(logs[0]), math.Exp(logs[1])
		t.Logf("%v: learned %.1f to %.1f", sd, low, high)
		if math.Abs(math.Sqrt(low*high)/sd-1) > .15 || high > 1.5*low {
			t.Errorf("spread by %v Elo: learned %.1f from half of it and %.1f from its double, in the mean of %d ladders", sd, low, high, rounds)
		}
	}
}

// Where the stronger always wins, results tell the order but not how far apart: ratings stay within what the guess allows.
func TestBotsThatAlwaysWinAreNotSpreadWithoutEnd(t *testing.T) {
	const n = 12
	var all []fit.Match
	for i := range n {
		for j := range i {
			for range 10 {
				all = append(all, duel(j, i, "1"), duel(i, j, "0"))
			}
		}
	}
	f := run(t, n, nil, fit.Standard(), all...)
	for i := range n - 1 {
		if d := f.Difference(i, i+1); !(d.Low > 0) {
			t.Errorf("player %d is %+v ahead of the next, whom it always beats", i, d)
		}
	}
	if want := 4 * fit.Standard().Bot; f.Prior.Bot > want {
		t.Errorf("the spread learned is %.0f, want at most %.0f", f.Prior.Bot, want)
	}
}
