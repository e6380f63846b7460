package fit_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/molerun/molerun/internal/must"
	"github.com/molerun/molerun/tournament/rating"
	"github.com/molerun/molerun/tournament/rating/fit"
)

// After so few more matches that the last fit is moved and not solved again, it is what a fit of all of them is: here everybody
// but two has played much, and then the weakest wins fifty times, and two meet for the first time.
func TestARefitIsNearTheFitOfAllMatches(t *testing.T) {
	const bots, before = 12, 20_500
	r := rand.New(rand.NewPCG(3, 4))
	h := must.Get(fit.New(bots, nil, fit.Standard()))(t)
	add := func(p, q int, result string) {
		must.OK(t, h.Add(duel(p, q, result)))
	}
	for n := 0; n < before; {
		p, q := r.IntN(bots), r.IntN(bots)
		if p == q || p+q == 2*bots-3 { // the last two never meet
			continue
		}
		result := "0"
		if r.Float64() < rating.Expected(60*float64(p-q)) {
			result = "1"
		}
		add(p, q, result)
		n++
	}
	last := must.Get(h.Fit())(t)
	was := last.Players[0]
	for range 50 {
		add(0, bots-3, "1")
		add(bots-1, bots-2, []string{"0", "1"}[r.IntN(2)])
	}
	got := must.Get(h.Refit(last))(t)
	want := must.Get(h.Fit())(t)
	if moved := got.Players[0].Elo - was.Elo; moved < was.SE {
		t.Errorf("the winner of fifty has moved by %.2f, want more than its standard error %.2f", moved, was.SE)
	}
	if got.Matches != want.Matches || got.Blocks != want.Blocks {
		t.Errorf("%d matches in %d blocks, want %d in %d", got.Matches, got.Blocks, want.Matches, want.Blocks)
	}
	for i, p := range got.Players {
		q := want.Players[i]
		if math.Abs(p.Elo-q.Elo) > .05*q.SE {
			t.Errorf("player %d: %.3f, the fit says %.3f with a standard error of %.3f", i, p.Elo, q.Elo, q.SE)
		}
		if math.Abs(p.SE/q.SE-1) > .05 {
			t.Errorf("player %d: a standard error of %.3f, the fit says %.3f", i, p.SE, q.SE)
		}
		if p.Games != q.Games {
			t.Errorf("player %d: %d games, the fit says %d", i, p.Games, q.Games)
		}
	}
}

// A short history is solved as a whole each time: what it says does not hang on when it was fitted before.
func TestTheRefitOfAShortHistoryIsTheFit(t *testing.T) {
	h := must.Get(fit.New(3, nil, fit.Standard()))(t)
	var last *fit.Fit
	for range 5 {
		must.OK(t, h.Add(three()...))
		last = must.Get(h.Refit(last))(t)
	}
	want := must.Get(h.Fit())(t)
	for i, p := range last.Players {
		if p != want.Players[i] {
			t.Errorf("player %d: %+v, the fit says %+v", i, p, want.Players[i])
		}
	}
}
