package fit_test

import (
	"math/rand/v2"
	"testing"

	"github.com/molerun/molerun/internal/must"
	"github.com/molerun/molerun/tournament/rating/fit"
)

// The incremental step after a million matches of two among 200 bots: a hundred more of the same. `make bench` measures the whole.
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
