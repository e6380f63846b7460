package fit_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"testing"

	"github.com/molerun/molerun/tournament/rating"
	"github.com/molerun/molerun/tournament/rating/fit"
)

// both returns games of which each is played from both seats alike.
func both(first, second, wins, losses int) []fit.Match {
	return slices.Concat(games(first, second, wins/2, 0, losses/2), games(second, first, losses-losses/2, 0, wins-wins/2))
}

// Two bots that always beat two others, twelve games a pair: 72 games like those of Mole Hill's greedy and random bots, who had
// intervals of 2,300 Elo and ranks from 1 to 4 while the spread was plugged in. The fit must be near the exact posterior under its
// prior: estimates and the bounds towards the middle. Of the bounds away from it, which the results do not hold, the fit knows less:
// each of its parts is normal, and the exact tail is longer.
func TestTheMixtureIsNearTheExactPosterior(t *testing.T) {
	for _, row := range []struct {
		name         string
		strong, weak [2]int // wins and losses of the better one, in twelve games; the rest are draws
		ranks        [][2]int
	}{
		{"the weak are told apart", [2]int{7, 4}, [2]int{11, 1}, [][2]int{{1, 2}, {1, 2}, {3, 3}, {4, 4}}},
		{"the weak are not told apart", [2]int{7, 5}, [2]int{8, 4}, [][2]int{{1, 2}, {1, 2}, {3, 4}, {3, 4}}},
	} {
		all := slices.Concat(
			both(0, 1, row.strong[0], row.strong[1]), both(2, 3, row.weak[0], row.weak[1]),
			both(0, 2, 12, 0), both(0, 3, 12, 0), both(1, 2, 12, 0), both(1, 3, 12, 0),
			games(0, 1, 0, 12-row.strong[0]-row.strong[1], 0),
		)
		for _, camps := range []bool{false, true} {
			prior := fit.Standard()
			prior.Camps = camps
			chain := exact{prior: prior, bots: 4, results: paired(all)}
			samples := chain.sample(chainSteps())
			for i, p := range run(t, 4, nil, prior, all...).Players {
				t.Run(fmt.Sprintf("%s, camps %v, player %d", row.name, camps, i), func(t *testing.T) {
					wantsExact(t, p.Estimate, estimate(samples, i), i < 2)
					if got := [2]int{p.Best, p.Worst}; got != row.ranks[i] {
						t.Errorf("ranks %v, want %v", got, row.ranks[i])
					}
					if got := ranks(samples, i); got != row.ranks[i] {
						t.Errorf("exact ranks %v, want %v", got, row.ranks[i])
					}
				})
			}
		}
	}
}

// wantsExact compares the fit's estimate of a strong or a weak bot with the exact one.
func wantsExact(t *testing.T, got, exact fit.Estimate, strong bool) {
	t.Helper()
	t.Logf("%.0f [%.0f, %.0f], exact %.0f [%.0f, %.0f]", got.Elo, got.Low, got.High, exact.Elo, exact.Low, exact.High)
	if !near(got.Elo, exact.Elo, 30) {
		t.Errorf("%.0f Elo, exact %.0f; want within 30", got.Elo, exact.Elo)
	}
	inner, outer := got.Low-exact.Low, got.High-exact.High
	if !strong {
		inner, outer = outer, inner
	}
	if !near(inner, 0, 60) {
		t.Errorf("the bound towards the middle is %.0f from the exact one, want within 60", inner)
	}
	if !near(outer, 0, 180) {
		t.Errorf("the bound away from the middle is %.0f from the exact one, want within 180", outer)
	}
}

// chainSteps of a Markov chain are enough for bounds within some 30 Elo; ten times as many at night.
func chainSteps() int {
	const steps = 400_000
	if os.Getenv("MOLERUN_NIGHTLY") != "" {
		return 10 * steps
	}
	return steps
}

// Where the weak hardly ever beat the strong, results bound the gap from below alone: the interval reaches further on the far side.
func TestIntervalsAreLopsidedWhereResultsAre(t *testing.T) {
	f := run(t, 4, nil, fit.Standard(), slices.Concat(both(0, 1, 6, 6), both(2, 3, 6, 6), both(0, 2, 12, 0), both(1, 3, 12, 0))...)
	if p := f.Players[0]; !(p.High-p.Elo > 1.3*(p.Elo-p.Low)) {
		t.Errorf("the best: got %+v, want more room above than below", p.Estimate)
	}
	if p := f.Players[3]; !(p.Elo-p.Low > 1.3*(p.High-p.Elo)) {
		t.Errorf("the worst: got %+v, want more room below than above", p.Estimate)
	}
}

// Twelve bots, half of them 1,000 Elo above the others. A prior of one field shrinks the gap and is sure of it.
func TestCoverageOfTwoCamps(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 10))
	var held, oneField hits
	for range max(25, ladders()/10) {
		is := truth{strength: spread(r, bots, 60), seat: []float64{20, -20}}
		for i := range is.strength {
			is.strength[i] += 500 * float64(1-2*(i%2))
		}
		var all []fit.Match
		for i := range bots {
			for j := range bots {
				if i != j {
					wins := rating.Expected(is.strength[i] + is.seat[0] - is.strength[j] - is.seat[1])
					all = append(all, duel(i, j, won(r.Float64() < wins)), duel(i, j, won(r.Float64() < wins)))
				}
			}
		}
		mean := 0.0
		for _, s := range is.strength {
			mean += s / bots
		}
		one := fit.Standard()
		one.Camps = false
		f, g := run(t, bots, nil, fit.Standard(), all...), run(t, bots, nil, one, all...)
		for i, s := range is.strength {
			held.count(f.Players[i].Estimate, 1500+s-mean)
			oneField.count(g.Players[i].Estimate, 1500+s-mean)
		}
	}
	t.Logf("two camps: %.3f of %d, as one field %.3f", held.share(), held.of, oneField.share())
	if held.share() < .93 {
		t.Errorf("the 95 %% interval holds the truth %.1f %% of %d times, want at least 93", 100*held.share(), held.of)
	}
	if oneField.share() > .9 {
		t.Errorf("as one field %.1f %% hold: this simulation would not notice that camps are left out", 100*oneField.share())
	}
}
