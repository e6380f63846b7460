package pairing_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/internal/must"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/pairing"
)

// In a bracket a bye is a tie without an opponent; an entry that waits for others has none.
func TestAByeOfABracketIsATiePassed(t *testing.T) {
	for _, format := range []tournament.Format{tournament.SingleElimination, tournament.DoubleElimination} {
		for n := 2; n <= 20; n++ {
			even := func([]int) []float64 { return []float64{.5, .5} }
			w := newWorld(t, pairing.Settings{Format: format, SeatsPerTable: 2}, n)
			size := 1
			for size < n {
				size *= 2
			}
			first := size - n // the top seeds pass the first round
			for w.round() {
				if len(w.c.Rounds)%2 == 1 {
					w.result = even // so some ties are played longer than others
				}
				w.finish()
				w.result = byIndex
			}
			for _, l := range must.Get(pairing.Standings(w.c))(t) {
				want := 0
				if l.Entry < first {
					want = 1
				}
				if format == tournament.SingleElimination && l.Byes != want {
					t.Errorf("%s of %d: seed %d has %d byes, want %d", format, n, l.Entry+1, l.Byes, want)
				}
				if l.Byes < want || l.Byes > want+2 {
					t.Errorf("%s of %d: seed %d has %d byes, want those of the first round and at most two among the losers", format, n, l.Entry+1, l.Byes)
				}
			}
		}
	}
}

// A swiss names who has withdrawn in every round, as a round robin does.
func TestEveryRoundSaysWhoHasWithdrawn(t *testing.T) {
	for _, format := range []tournament.Format{tournament.Swiss, tournament.Arena, tournament.RoundRobin} {
		w := newWorld(t, pairing.Settings{Format: format, SeatsPerTable: 2}, 6)
		w.rounds(1)
		w.away(pairing.Withdrawn, 4)
		for range 2 {
			w.rounds(1)
			if r := w.c.Rounds[len(w.c.Rounds)-1]; len(r.Absent) != 1 || r.Absent[0].Entry != 4 || r.Absent[0].Why != "it has withdrawn" {
				t.Errorf("%s, round %d: absent are %+v, want entry 4 with the reason", format, len(w.c.Rounds), r.Absent)
			}
		}
		w.away(pairing.Withdrawn, 0, 1, 2, 3)
		if step, err := pairing.Next(w.c); format == tournament.Swiss && (err != nil || step.Status != pairing.Over || !strings.Contains(step.Why, "1 entry left")) {
			t.Errorf("one is left: %+v (%v)", step, err)
		}
	}
}

// Cells sum to points, whatever was void of a pair.
func TestTheCellsOfACrosstableSumToPoints(t *testing.T) {
	voids := 0
	for i := range 20 {
		w := &world{t: t, r: game.Stream(game.Seed{byte(i)}, 0, "cells"), voids: 30, leaves: i % 2 * 4, c: pairing.Contest{
			Settings: pairing.Settings{Format: tournament.RoundRobin, SeatsPerTable: 2 + i%2, Duplicate: true}, Entries: field(6), Seed: game.Seed{byte(i)},
		}}
		w.play(100)
		lines := must.Get(pairing.Standings(w.c))(t)
		for _, r := range w.c.Rounds {
			for _, b := range r.Blocks {
				if !b.Done() && len(b.Counting()) > 0 {
					voids++
				}
			}
		}
		cells := pairing.Crosstable(w.c)
		for _, l := range lines {
			sum := 0.0
			for _, x := range cells[l.Entry] {
				sum += x.Share * float64(x.Games) / float64(w.c.Settings.SeatsPerTable-1)
			}
			for _, r := range w.c.Rounds {
				for _, f := range r.Forfeits {
					if f.Winner == l.Entry && !w.c.Annulled()(0, f.Winner, f.Loser) {
						sum += 2
					}
				}
			}
			if d := sum - l.Points; d > 1e-4 || d < -1e-4 {
				t.Errorf("event %d: entry %d has %v points, its cells sum to %v", i, l.Entry, l.Points, sum)
			}
		}
	}
	if voids == 0 {
		t.Error("no pair was half void, which shows nothing")
	}
}

// However an sprt ends undecided, its reason and its trial tell one count.
func TestAnUndecidedSPRTHasOneCount(t *testing.T) {
	void, done := &pairing.Result{Void: true}, &pairing.Result{Points: []float64{.5, .5}, Score: []float64{0, 0}}
	for _, row := range []struct {
		name    string
		results []*pairing.Result // of the second game of each pair; nil: open
		out     bool
		want    string
	}{
		{"all pairs", []*pairing.Result{done, done, done, done}, false, "undecided after 4 pairs of 4"},
		{"two void", []*pairing.Result{done, void, done, void}, false, "undecided after 2 pairs of 4, 2 void"},
		{"a withdrawal, with a pair open before others that are over", []*pairing.Result{done, nil, done, done}, true, "undecided after 3 pairs of 4, 1 void: entry 2 is out, it has withdrawn"},
	} {
		s := pairing.Settings{Format: tournament.SPRT, SeatsPerTable: 2, Duplicate: true, FormatOptions: tournament.FormatOptions{Test: tournament.Test{MaxPairs: 4}}}
		c := pairing.Contest{Settings: s, Entries: field(2)}
		step := must.Get(pairing.Next(c))(t)
		c.Rounds = []pairing.Round{step.Round}
		for i, b := range c.Rounds[0].Blocks {
			b.Games[0].Result, b.Games[1].Result = done, row.results[i]
		}
		if row.out {
			c.Entries[1].State = pairing.Withdrawn
		}
		end, err := pairing.Next(c)
		if err != nil || end.Status != pairing.Over || end.Why != row.want {
			t.Errorf("%s: %+v (%v), want %q", row.name, end, err, row.want)
		}
		for _, b := range c.Rounds[0].Blocks { // what is open becomes void
			if b.Games[1].Result == nil {
				b.Games[1].Result = void
			}
		}
		before, err := pairing.Trial(c)
		c.Closed = true
		after, err2 := pairing.Trial(c)
		if err != nil || err2 != nil || before.Verdict != "continue" || !strings.HasPrefix(end.Why, fmt.Sprintf("%s after %d pairs", after.Verdict, after.Pairs)) {
			t.Errorf("%s: %q, and the trial tells %+v", row.name, end.Why, after)
		}
	}
}

// What was played or given away by who left early is marked; the same in a playoff is not.
func TestWhatCountsForNobodyIsMarked(t *testing.T) {
	c := games(tournament.RoundRobin, 5, "AE1", "AB1")
	c.Entries[4].State = pairing.Withdrawn
	annulled := c.Annulled()
	if !annulled(0, 0, 4) || annulled(1, 0, 1) || annulled(1, pairing.Bye, 1) || !annulled(1, pairing.Bye, 4) {
		t.Error("what E did is to be marked, and nothing else")
	}
	c.Settings.Format, c.Settings.Playoff = tournament.Groups, tournament.SingleElimination
	c.Rounds[1].Seeds = []int{0, 1}
	if c.Annulled()(1, 0, 4) {
		t.Error("a round of the playoff is marked")
	}
}
