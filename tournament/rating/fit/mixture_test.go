package fit_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/molerun/molerun/tournament/rating"
	"github.com/molerun/molerun/tournament/rating/fit"
)

// both are games of which each is played from both seats alike.
func both(first, second, wins, losses int) []fit.Match {
	return slices.Concat(games(first, second, wins/2, 0, losses/2), games(second, first, losses-losses/2, 0, wins-wins/2))
}

// Two bots that always beat two others, twelve games each. The exact posterior under the same prior, by three million steps
// of a Markov chain: 2039 [1754, 2605], 1978 [1701, 2540], 1089 [529, 1359], 894 [320, 1196]; with camps allowed
// 2021 [1760, 2498], 1969 [1715, 2437], 1088 [632, 1342], 921 [423, 1196].
func TestTheMixtureIsNearTheExactPosterior(t *testing.T) {
	all := slices.Concat(both(0, 1, 7, 5), both(2, 3, 9, 3), both(0, 2, 12, 0), both(0, 3, 12, 0), both(1, 2, 12, 0), both(1, 3, 12, 0))
	for _, row := range []struct {
		camps bool
		exact []fit.Estimate
	}{
		{false, []fit.Estimate{
			{Elo: 2039, Low: 1754, High: 2605}, {Elo: 1978, Low: 1701, High: 2540},
			{Elo: 1089, Low: 529, High: 1359}, {Elo: 894, Low: 320, High: 1196},
		}},
		{true, []fit.Estimate{
			{Elo: 2021, Low: 1760, High: 2498}, {Elo: 1969, Low: 1715, High: 2437},
			{Elo: 1088, Low: 632, High: 1342}, {Elo: 921, Low: 423, High: 1196},
		}},
	} {
		prior := fit.Standard()
		prior.Camps = row.camps
		for i, p := range run(t, 4, nil, prior, all...).Players {
			want := row.exact[i]
			if !near(p.Elo, want.Elo, 15) || !near(p.Low, want.Low, 130) || !near(p.High, want.High, 130) {
				t.Errorf("camps %v, player %d: got %+v, want within 15 Elo of %+v, bounds within 130", row.camps, i, p.Estimate, want)
			}
			rank := [][2]int{{1, 2}, {1, 2}, {3, 4}, {3, 4}}[i]
			if p.Best != rank[0] || p.Worst != rank[1] {
				t.Errorf("camps %v, player %d: got ranks %d to %d, want %v", row.camps, i, p.Best, p.Worst, rank)
			}
		}
	}
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
