package fit_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/molerun/molerun/tournament/rating/fit"
)

// mirrored returns the matches with every result turned round.
func mirrored(matches []fit.Match) []fit.Match {
	out := slices.Clone(matches)
	for i := range out {
		out[i].Seats = slices.Clone(out[i].Seats)
		for k := range out[i].Seats {
			out[i].Seats[k].Rank = len(out[i].Seats) + 1 - out[i].Seats[k].Rank
		}
	}
	return out
}

// renamed returns the matches with player p called name[p].
func renamed(matches []fit.Match, name []int) []fit.Match {
	out := slices.Clone(matches)
	for i := range out {
		out[i].Seats = slices.Clone(out[i].Seats)
		for k := range out[i].Seats {
			out[i].Seats[k].Player = name[out[i].Seats[k].Player]
		}
	}
	return out
}

// drawGraph returns duels and tables of three on a random graph of n players, of which some meet often and some never.
func drawGraph(r *rand.Rand, n int, draws float64) (list []fit.Match) {
	for range 2 + r.IntN(4*n) {
		p := r.Perm(n)
		if n > 2 && r.IntN(4) == 0 {
			m := table(p[:3]...)
			for k, rank := range r.Perm(3) {
				m.Seats[k].Rank = rank + 1
			}
			list = append(list, m)
			continue
		}
		result := []string{"0", "1"}[r.IntN(2)]
		if r.Float64() < draws {
			result = "="
		}
		list = append(list, duel(p[0], p[1], result))
	}
	return list
}

// Where results are turned round, so are ratings and their intervals; where names are changed they stay; and who has exactly
// the mirror image of another's results has the mirror image of its rating.
func TestMirroredResultsHaveMirroredRatings(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 7))
	same := func(what string, matches []fit.Match, i int, got, want fit.Player) {
		if !near(got.Elo, want.Elo, 1e-3) || !near(got.SE, want.SE, 1e-3) || !near(got.Low, want.Low, 1e-3) || !near(got.High, want.High, 1e-3) {
			t.Errorf("%s: player %d of %d matches: got %+v, want %+v", what, i, len(matches), got.Estimate, want.Estimate)
		}
	}
	mirror := func(p fit.Player) fit.Player {
		p.Elo, p.Low, p.High = 3000-p.Elo, 3000-p.High, 3000-p.Low
		return p
	}
	for trial := range 60 {
		n := 2 + r.IntN(6)
		matches := drawGraph(r, n, []float64{0, .3, 1}[trial%3])
		f := run(t, n, nil, fit.Standard(), matches...)
		turned := run(t, n, nil, fit.Standard(), mirrored(matches)...)
		name := r.Perm(n)
		other := run(t, n, nil, fit.Standard(), renamed(matches, name)...)
		for i, p := range f.Players {
			same("turned round", matches, i, turned.Players[i], mirror(p))
			same("renamed", matches, i, other.Players[name[i]], p)
		}
		// The same graph beside its mirror image, and some who only draw.
		twin := make([]int, n)
		for i := range twin {
			twin[i] = n + i
		}
		idle := r.IntN(4)
		both := append(slices.Clone(matches), renamed(mirrored(matches), twin)...)
		for i := range idle {
			both = append(both, duel(2*n+i, 2*n+(i+1)%max(2, idle), "="))
		}
		players := 2*n + max(2, idle)
		g := run(t, players, nil, fit.Standard(), both...)
		for i := range n {
			same("beside its mirror image", both, i, g.Players[i], mirror(g.Players[n+i]))
		}
		for i := 2 * n; i < players; i++ {
			same("who only draws", both, i, g.Players[i], mirror(g.Players[i]))
		}
	}
}

// Islands of draws, and one result: the mean of all is 1500, and so is who only drew.
func TestIslandsOfDrawsBesideOneResult(t *testing.T) {
	for _, draws := range []int{1, 2, 5, 12} {
		list := []fit.Match{duel(0, 1, "1"), duel(1, 0, "0")}
		for i := range draws {
			list = append(list, duel(2+2*i, 3+2*i, "="), duel(3+2*i, 2+2*i, "="))
		}
		f := run(t, 2+2*draws, nil, fit.Standard(), list...)
		for i, p := range f.Players[2:] {
			if !near(p.Elo, 1500, 1e-3) {
				t.Errorf("%d islands: player %d has %.4f, want 1500", draws, i+2, p.Elo)
			}
		}
		if a, b := f.Players[0], f.Players[1]; !(a.Elo > 1500) || !near(a.Elo+b.Elo, 3000, 1e-3) {
			t.Errorf("%d islands: the winner has %.4f, the loser %.4f", draws, a.Elo, b.Elo)
		}
	}
}
