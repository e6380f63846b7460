package pairing_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/internal/must"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/pairing"
)

// A, B and C won twice each as agents, two at a time: they were never opponents, so no game says that one beat another, however often they
// sat together. D was the mole, and lost every time.
func TestMembersOfOneTeamDoNotMeet(t *testing.T) {
	c := pairing.Contest{Settings: pairing.Settings{Format: tournament.RoundRobin, SeatsPerTable: 3}, Entries: field(4)}
	for _, seats := range [][]int{{0, 1, 3}, {3, 1, 2}, {0, 3, 2}} {
		res := &pairing.Result{Points: []float64{1, 1, 1}, Score: []float64{1, 1, 1}, Team: []string{"agents", "agents", "agents"}}
		mole := slices.Index(seats, 3)
		res.Points[mole], res.Team[mole] = 0, "mole"
		c.Rounds = append(c.Rounds, pairing.Round{Blocks: []pairing.Block{{Games: []pairing.Game{{Seats: seats, Result: res}}}}})
	}
	lines, err := pairing.Standings(c)
	if err != nil || lines[0].Rank != 1 || lines[1].Rank != 1 || lines[2].Rank != 1 {
		t.Errorf("the ranks of %+v (%v), want three first", lines, err)
	}
	for tie, want := range map[pairing.Tie][]float64{
		pairing.ByDirect:      {0, 0, 0, 0},
		pairing.BySonneborn:   {0, 0, 0, 0},             // the mole has nothing
		pairing.ByBuchholz:    {0, 0, 0, 6},             // the mole has met two with two points each, three times
		pairing.ByPerformance: {2770, 2770, 2770, 1190}, // won all or lost all: 800 from 1970, and from 1990 on the mean
	} {
		c.Settings.TieBreaks = []string{string(tie)}
		if got := values(t, c, tie); !slices.Equal(got, want) {
			t.Errorf("%s: got %v, want %v", tie, got, want)
		}
	}
}

// At tables of three B took half of what there was from C in three games, and each of them half from A in one: nobody beat anybody.
func TestDirectEncounterIsTheMeanOfTheMeetings(t *testing.T) {
	c := pairing.Contest{Settings: pairing.Settings{Format: tournament.RoundRobin, SeatsPerTable: 3}, Entries: field(6)}
	for _, seats := range [][]int{{1, 2, 3}, {1, 2, 4}, {1, 2, 5}, {0, 1, 3}, {0, 2, 4}, {0, 3, 5}} {
		points := make([]float64, 3)
		for i, e := range seats {
			for j, o := range seats {
				switch {
				case i == j:
				case e < 3 && o >= 3:
					points[i] += .5
				case (e < 3) == (o < 3):
					points[i] += .25
				}
			}
		}
		c.Rounds = append(c.Rounds, pairing.Round{Blocks: []pairing.Block{{Games: []pairing.Game{{
			Seats: seats, Result: &pairing.Result{Points: points, Score: []float64{0, 0, 0}},
		}}}}})
	}
	// A sits once with nobody of the three, where it takes all: it has 2½ points; B and C have 3 each of four games. As equals:
	third := pairing.Block{Games: []pairing.Game{{Seats: []int{0, 4, 5}, Result: &pairing.Result{Points: []float64{.5, .5, .5}, Score: []float64{0, 0, 0}}}}}
	c.Rounds = append(c.Rounds, pairing.Round{Blocks: []pairing.Block{third}})
	c.Settings.TieBreaks = []string{string(pairing.ByDirect)}
	points, got := values(t, c, pairing.ByPoints), values(t, c, pairing.ByDirect)
	if points[0] != points[1] || points[1] != points[2] || !slices.Equal(got[:3], []float64{0, 0, 0}) {
		t.Errorf("with the points %v the direct encounter is %v, want nobody of the first three before another", points, got)
	}
}

// A round robin at tables of three in which everybody sits out: Buchholz is what the opponents have, no more.
func TestARoundRobinHasNoVirtualOpponents(t *testing.T) {
	for _, format := range tournament.Formats() {
		c := games(format, 3, "AB1", "CA1", "BC1")
		c.Settings.TieBreaks = []string{string(pairing.ByBuchholz)}
		if !slices.Contains(c.Settings.Ties(), pairing.ByBuchholz) {
			continue
		}
		for i, e := range []int{2, 1, 0} {
			c.Rounds[i].Byes = []int{e}
		}
		points, want := values(t, c, pairing.ByPoints), 0.0
		for _, x := range points[1:] {
			want += x
		}
		if format == tournament.Swiss {
			want += points[0]
		}
		if got := values(t, c, pairing.ByBuchholz)[0]; got != want {
			t.Errorf("%s: got %v of the points %v, want %v", format, got, points, want)
		}
	}
}

// In a bracket a bye is a tie without an opponent; an entry that waits for others has none.
func TestAByeOfABracketIsATiePassed(t *testing.T) {
	for _, format := range []tournament.Format{tournament.SingleElimination, tournament.DoubleElimination} {
		for n := 2; n <= 20; n++ {
			even := func([]int) []float64 { return []float64{.5, .5} }
			w := &world{t: t, r: game.Stream(game.Seed{}, 0, ""), c: pairing.Contest{Settings: pairing.Settings{Format: format, SeatsPerTable: 2}, Entries: field(n)}}
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
			lines, err := pairing.Standings(w.c)
			must.OK(t, err)
			for _, l := range lines {
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
		w := &world{t: t, r: game.Stream(game.Seed{}, 0, ""), c: pairing.Contest{Settings: pairing.Settings{Format: format, SeatsPerTable: 2}, Entries: field(6)}}
		w.round()
		w.finish()
		w.away(pairing.Withdrawn, 4)
		for range 2 {
			w.round()
			w.finish()
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
		lines, err := pairing.Standings(w.c)
		must.OK(t, err)
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
		step, err := pairing.Next(c)
		must.OK(t, err)
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
