package fit_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/molerun/molerun/internal/must"
	"github.com/molerun/molerun/tournament/rating"
	"github.com/molerun/molerun/tournament/rating/fit"
)

// A refit of 1,000,000 matches of two among 200 bots, from the matches to ratings with intervals. Ordo takes 0.96 s for
// such a file, reading included, on the machine where the floors of `make bench` were set.
func BenchmarkAMillionMatchesAmongTwoHundred(b *testing.B) {
	const bots, matches = 200, 1_000_000
	r := rand.New(rand.NewPCG(1, 1))
	strength := make([]float64, bots)
	for i := range strength {
		strength[i] = 200 * r.NormFloat64()
	}
	all := make([]fit.Match, matches)
	for i := range all {
		p := r.IntN(bots)
		q := (p + 1 + r.IntN(bots-1)) % bots
		result := "0"
		if r.Float64() < rating.Expected(strength[p]-strength[q]) {
			result = "1"
		}
		all[i] = duel(p, q, result)
	}
	b.ReportAllocs()
	for b.Loop() {
		f := run(b, bots, nil, fit.Standard(), all...)
		mean := 0.0
		for i, p := range f.Players {
			mean += math.Abs(p.Elo-f.Players[0].Elo-strength[i]+strength[0]) / bots
		}
		b.ReportMetric(mean, "Elo-off")
	}
}

// The incremental step after that: a hundred matches more of the same.
func BenchmarkAHundredMatchesAfterAMillion(b *testing.B) {
	const bots, matches = 200, 1_000_000
	r := rand.New(rand.NewPCG(1, 1))
	h := must.Get(fit.New(bots, nil, fit.Standard()))(b)
	add := func(n int) {
		for range n {
			p := r.IntN(bots)
			must.OK(b, h.Add(duel(p, (p+1+r.IntN(bots-1))%bots, []string{"0", "=", "1"}[r.IntN(3)])))
		}
	}
	add(matches)
	last := must.Get(h.Fit())(b)
	for b.Loop() {
		add(100)
		last = must.Get(h.Refit(last))(b)
	}
	b.ReportMetric(float64(last.Steps), "steps-of-the-whole")
}
