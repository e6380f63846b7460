package matches

import (
	"context"
	"math"
	"os"
	"slices"
	"testing"

	"github.com/molerun/molerun/internal/must"
	"github.com/molerun/molerun/tournament/rating/sprt"
)

// tallied plays pairs between two house bots and returns their tally.
func tallied(t *testing.T, s Series, pairs int, bots ...string) sprt.Tally {
	t.Helper()
	s.Bots, s.Games, s.Seed, s.LimitMS, s.Test = bots, 2*pairs, 3, 1000, test(0, 30)
	if s.Fill == "" && !s.Paired {
		s.Fill = "random"
	}
	_, e := settled(t, Series{Game: s.Game, Bots: bots, Games: 1})
	must.OK(t, s.Settle(e))
	r := room(t)
	field, err := r.Field(t.Context(), &s)
	must.OK(t, err)
	score := NewScore(&s, field)
	err = r.Run(context.WithoutCancel(t.Context()), &s, field, Folder{}, "test", 1, func(p Played) (bool, error) { return true, score.Add(p) })
	must.OK(t, err)
	return score.Meetings[0].Tally
}

// pairsFor returns how many pairs the default test takes on average (Wald 1945) when the truth is a difference of so many Elo, by the
// scatter of the pairs in a tally.
func pairsFor(tally sprt.Tally, elo float64) float64 {
	n, mean, variance := float64(tally.Units()), 0.0, 0.0
	last := float64(len(tally) - 1)
	for i, c := range tally {
		mean += float64(c) * float64(i) / last / n
	}
	for i, c := range tally {
		variance += float64(c) * math.Pow(float64(i)/last-mean, 2) / (n - 1)
	}
	_, upper := sprt.Default().Bounds()
	return .9 * 2 * upper * variance / math.Pow(1/(1+math.Pow(10, -elo/400))-.5, 2)
}

// Paired deals never change what a test finds, only how soon. The scatter is that of greedy against itself. In De Mol a whole team of a
// bot shows more of its strength than a seat among fillers: how much more is measured by greedy against random, in Elo.
//
//	MOLERUN_NIGHTLY=1 go test -v -run PairsNeeded ./cli/local/matches
func TestPairsNeededForThirtyElo(t *testing.T) {
	type row struct {
		s    Series
		most float64 // of the pairs on fresh deals: how many paired ones may take, by the few that are played here
	}
	pairs, rows := 16, []row{{Series{Game: "molehill"}, 1}, {Series{Game: "demol", Seats: 5}, 1}}
	if os.Getenv("MOLERUN_NIGHTLY") == "1" {
		pairs, rows = 400, append(rows,
			row{Series{Game: "mole", Config: []byte(`{"points":3,"max_rounds":20}`)}, 1.4}, row{Series{Game: "molemajority"}, 1.4},
			row{Series{Game: "cia"}, 1.4}, row{Series{Game: "demol", Seats: 5, Fill: "random"}, 1.4})
	}
	for _, row := range rows {
		t.Run(row.s.Game+row.s.Fill, func(t *testing.T) {
			fresh, paired := row.s, row.s
			paired.Paired = true
			elo := 30.0
			if row.s.Game == "demol" {
				elo *= strengthOf(t, tallied(t, paired, pairs, "greedy", "random")) / strengthOf(t, tallied(t, fresh, pairs, "greedy", "random"))
			}
			before, after := tallied(t, fresh, pairs, "greedy", "greedy"), tallied(t, paired, pairs, "greedy", "greedy")
			needed, now := pairsFor(before, 30), pairsFor(after, elo)
			t.Logf("%.0f pairs on fresh deals %v, %.0f on paired ones, where 30 Elo show as %.0f %v", needed, before, now, elo, after)
			if now > row.most*needed {
				t.Errorf("%.0f paired deals are needed for 30 Elo and %.0f fresh ones, want at most %.1f times as many", now, needed, row.most)
			}
			if row.s.Game == "molehill" && !slices.Equal(before, after) { // it hides nothing: its pairs are on one deal anyway
				t.Errorf("%v on one deal, then %v", before, after)
			}
		})
	}
}

func strengthOf(t *testing.T, tally sprt.Tally) float64 {
	t.Helper()
	x, err := sprt.Measure(tally)
	must.OK(t, err)
	return x.Elo.Value
}
