package pairing_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/internal/must"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/pairing"
)

// Who meets whom first.
func TestABracketIsSeeded(t *testing.T) {
	for _, n := range []int{2, 3, 5, 8, 13, 16, 33} {
		w := newWorld(t, pairing.Settings{Format: tournament.SingleElimination, SeatsPerTable: 2}, n)
		w.round()
		size := 1
		for size < n {
			size *= 2
		}
		for _, b := range w.c.Rounds[0].Blocks {
			// Two with a bye may meet at once; the others are the lowest seeds.
			if s := b.Games[0].Seats; s[0]+s[1] != size-1 && (s[0]+s[1] != size/2-1 || max(s[0], s[1]) >= size-n) {
				t.Errorf("%d entries: %v meet in the first round; the best %d seeds have a bye", n, s, size-n)
			}
		}
	}
}

func TestABracketAsWritten(t *testing.T) {
	show := func(format tournament.Format, s pairing.Settings, n int, result func([]int) []float64) string {
		s.Format, s.SeatsPerTable = format, 2
		w := newWorld(t, s, n)
		w.result = result
		var out []string
		for w.round() {
			var line []string
			for _, b := range w.c.Rounds[len(w.c.Rounds)-1].Blocks {
				var games []string
				for _, g := range b.Games {
					games = append(games, fmt.Sprintf("%d-%d", g.Seats[0]+1, g.Seats[1]+1))
				}
				line = append(line, strings.Join(games, "+")+" "+b.Name)
			}
			out = append(out, strings.Join(line, ", "))
			w.finish()
		}
		return strings.Join(out, " | ")
	}
	draw := func([]int) []float64 { return []float64{.5, .5} }
	for _, row := range []struct {
		name   string
		format tournament.Format
		s      pairing.Settings
		n      int
		result func([]int) []float64
		want   string
	}{
		{"four, third place", tournament.SingleElimination, pairing.Settings{FormatOptions: tournament.FormatOptions{ThirdPlace: true}}, 4, byIndex, "1-4 semi-final, 3-2 semi-final | 4-3 third place, 2-1 final"},
		{"three: the first has a bye", tournament.SingleElimination, pairing.Settings{}, 3, byIndex, "3-2 semi-final | 2-1 final"},
		{"best of three, seats by turns, decided early", tournament.SingleElimination, pairing.Settings{FormatOptions: tournament.FormatOptions{BestOf: 3}}, 2, byIndex, "1-2 final | 2-1 final"},
		{"duplicate pairs on one seed", tournament.SingleElimination, pairing.Settings{Duplicate: true, FormatOptions: tournament.FormatOptions{BestOf: 4}}, 2, byIndex, "1-2+2-1 final | 1-2+2-1 final"},
		{"all drawn: an extra pair, then the higher seed", tournament.SingleElimination, pairing.Settings{}, 2, draw, "1-2 final | 2-1+1-2 final"},
		{
			"double of four", tournament.DoubleElimination,
			pairing.Settings{},
			4, byIndex,
			"1-4 winners semi-final, 3-2 winners semi-final | 2-1 winners final, 4-3 losers round 1 | 2-3 losers round 2 | 1-2 final",
		},
	} {
		if got := show(row.format, row.s, row.n, row.result); got != row.want {
			t.Errorf("%s:\n got %s\nwant %s", row.name, got, row.want)
		}
	}
}

// Crossed drop-ins: whom one has met among the winners one meets again late among the losers, and seldom. With even chances an event
// of 64 has 0.7 rematches before the final; with the losers turned round in every other round it had 1.05.
func TestDropInsAreCrossed(t *testing.T) {
	for _, row := range []struct{ n, soonest, most int }{{8, 3, 70}, {16, 4, 85}, {32, 5, 85}, {64, 7, 85}} {
		n, soonest := row.n, row.soonest
		first, rematches := 1<<30, 0
		for luck := range 100 {
			w := newWorld(t, pairing.Settings{Format: tournament.DoubleElimination, SeatsPerTable: 2}, n)
			w.r = game.Stream(game.Seed{byte(luck), byte(luck >> 8)}, 0, "world")
			w.result = func([]int) []float64 {
				x := w.r.IntN(2)
				return []float64{float64(x), float64(1 - x)}
			}
			w.play(40)
			met := map[[2]int]bool{}
			for _, r := range w.c.Rounds {
				for _, b := range r.Blocks {
					s := b.Games[0].Seats
					k := [2]int{min(s[0], s[1]), max(s[0], s[1])}
					var losers int
					if met[k] && !strings.HasPrefix(b.Name, "final") {
						if _, err := fmt.Sscanf(b.Name, "losers round %d", &losers); err != nil {
							t.Fatalf("%d entries: %v meet again in %s", n, k, b.Name)
						}
						first = min(first, losers)
						rematches++
					}
					met[k] = true
				}
			}
		}
		if first < soonest {
			t.Errorf("%d entries: a rematch in losers round %d, want none before %d", n, first, soonest)
		}
		if rematches > row.most {
			t.Errorf("%d entries: %d rematches in 100 events, want at most %d", n, rematches, row.most)
		}
		t.Logf("%d entries: %d rematches in 100 events, the first in losers round %d", n, rematches, first)
	}
}

// Without upsets nobody meets again before the last of the losers, which no bracket can avoid.
func TestWithoutUpsetsNobodyMeetsAgainBeforeTheEnd(t *testing.T) {
	for n, last := range map[int]string{8: "losers round 4", 12: "losers round 6", 16: "losers round 6", 32: "losers round 8", 64: "losers round 10"} {
		w := newWorld(t, pairing.Settings{Format: tournament.DoubleElimination, SeatsPerTable: 2}, n)
		w.result = byIndex
		w.play(40)
		met := map[[2]int]string{}
		for _, r := range w.c.Rounds {
			for _, b := range r.Blocks {
				s := b.Games[0].Seats
				k := [2]int{min(s[0], s[1]), max(s[0], s[1])}
				if before := met[k]; before != "" && b.Name != last && b.Name != "final" {
					t.Errorf("%d entries: seeds %d and %d meet in %s and again in %s", n, k[0]+1, k[1]+1, before, b.Name)
				}
				met[k] = b.Name
			}
		}
	}
}

// An entry that is not there is out with a reason and holds up nobody; two of one owner do not meet.
func TestForfeitsInABracket(t *testing.T) {
	c := pairing.Contest{Settings: pairing.Settings{Format: tournament.SingleElimination, SeatsPerTable: 2, OwnersApart: true}, Entries: field(8)}
	c.Entries[0].State, c.Entries[7].State = pairing.Dead, pairing.Withdrawn // both of one tie
	c.Entries[4].State = pairing.Paused                                      // against 3
	for _, e := range []int{4, 5, 6, 7} {
		c.Entries[e].Owner = c.Entries[1].Owner // more than half of the field: 1 meets one of them
	}
	s := must.Get(pairing.Next(c))(t)
	want := []pairing.Forfeit{
		{Tie: 1, Winner: 0, Loser: 7, Why: "it has withdrawn"}, // who may come back goes on
		{Tie: 2, Winner: 3, Loser: 4, Why: "its owner has paused it"},
		{Tie: 3, Winner: 1, Loser: 6, Why: "both entries belong to one owner; the higher seed goes on"},
		{Tie: 5, Winner: 3, Loser: 0, Why: "its bot does not answer"},
	}
	if !slices.Equal(s.Round.Forfeits, want) || len(s.Round.Blocks) != 1 {
		t.Errorf("got %+v, want the forfeits %+v and one block", s.Round, want)
	}
}

// At larger tables the field comes down to one table, whose order is the end.
func TestAKnockoutComesDownToOneTable(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		k := rapid.IntRange(3, 10).Draw(t, "seats")
		n := rapid.IntRange(k, 64).Draw(t, "entries")
		w := newWorld(t, pairing.Settings{Format: tournament.SingleElimination, SeatsPerTable: k}, n)
		w.r = game.Stream(game.Seed{rapid.Byte().Draw(t, "luck")}, 0, "world")
		left := n
		for w.round() {
			r := w.c.Rounds[len(w.c.Rounds)-1]
			seated := 0
			for _, b := range r.Blocks {
				seated += len(b.Games[0].Seats)
			}
			size := k
			for 2*size < left {
				size *= 2
			}
			if seated+len(r.Byes) != left || r.Final != (left == k) || !r.Final && (left <= size || left > 2*size) {
				t.Fatalf("%d entries at tables of %d: %d seated and %d byes of %d left", n, k, seated, len(r.Byes), left)
			}
			w.finish()
			left = size
		}
		if last := w.c.Rounds[len(w.c.Rounds)-1]; !last.Final || len(last.Blocks) != 1 {
			t.Fatalf("%d entries at tables of %d: the last round is %+v", n, k, last)
		}
		if lines := w.standings(); len(lines) != n || n > k && lines[k].Rank != k+1 {
			t.Fatalf("%d entries at tables of %d: standings %+v", n, k, lines)
		}
	})
}

// Of all tables of a round but one somebody leaves before they begin, and the others there have a bye: more than are to go on. The best of the table
// that plays goes on all the same.
func TestWhoWinsATableGoesOnThoughOthersBreakUp(t *testing.T) {
	for _, row := range []struct{ seats, n int }{{3, 12}, {4, 16}, {5, 20}} {
		c := pairing.Contest{Settings: pairing.Settings{Format: tournament.SingleElimination, SeatsPerTable: row.seats}, Entries: field(row.n)}
		step := must.Get(pairing.Next(c))(t)
		for _, b := range step.Round.Blocks[1:] {
			c.Entries[b.Games[0].Seats[0]].State = pairing.Withdrawn
		}
		round := c.Settle(step.Round)
		round.Seeds = step.Round.Seeds
		won := round.Blocks[0].Games[0].Seats[1]
		result := &pairing.Result{Points: make([]float64, row.seats), Score: make([]float64, row.seats)}
		result.Points[1] = 1
		round.Blocks[0].Games[0].Result = result
		c.Rounds = []pairing.Round{round}
		next, err := pairing.Next(c)
		in := next.Round.Byes
		for _, b := range next.Round.Blocks {
			in = append(in, b.Games[0].Seats...)
		}
		if err != nil || len(in) != len(round.Byes)+1 || !slices.Contains(in, won) {
			t.Errorf("%d at tables of %d: %v go on (%v), want the %d with a bye and entry %d", row.n, row.seats, in, err, len(round.Byes), won)
		}
	}
}

// Of five at tables of four the last four play; two of them leave before they begin. Who is left fills no more than the last table, so all go on.
func TestWhoIsLeftOfAKnockoutsTableGoesOn(t *testing.T) {
	c := pairing.Contest{
		Settings: pairing.Settings{Format: tournament.SingleElimination, SeatsPerTable: 4, FormatOptions: tournament.FormatOptions{MinTable: 2}}, Entries: field(5),
	}
	step := must.Get(pairing.Next(c))(t)
	c.Entries[3].State, c.Entries[4].State = pairing.Withdrawn, pairing.Withdrawn
	round := c.Settle(step.Round)
	round.Seeds = step.Round.Seeds
	round.Blocks[0].Games[0].Result = &pairing.Result{Points: []float64{1, 0}, Score: []float64{1, 0}}
	c.Rounds = []pairing.Round{round}
	next, err := pairing.Next(c)
	if err != nil || !next.Round.Final || len(next.Round.Blocks[0].Games[0].Seats) != 3 {
		t.Errorf("got %+v (%v), want a final of the three that are left", next.Round, err)
	}
}

// Six at tables of three: one of the three in the final leaves before it begins. It has come as far as the final.
func TestWhoLeavesBeforeTheFinalOfAKnockoutIsItsLast(t *testing.T) {
	w := newWorld(t, pairing.Settings{Format: tournament.SingleElimination, SeatsPerTable: 3, FormatOptions: tournament.FormatOptions{MinTable: 2}}, 6)
	w.result = byIndex
	w.rounds(1)
	w.round()
	gone := w.c.Rounds[1].Blocks[0].Games[0].Seats[0]
	w.away(pairing.Withdrawn, gone)
	w.leave()
	w.finish()
	if lines := w.standings(); lines[2].Entry != gone || lines[3].Rank != 4 {
		t.Errorf("got %+v, want entry %d third, and alone", lines, gone)
	}
}

// Six at tables of three, the lower seeds win; then all is annulled. The final has its winner by seed.
func TestWhoPlayedAFinalDidWhateverBecomesOfTheTablesBeforeIt(t *testing.T) {
	w := newWorld(t, pairing.Settings{Format: tournament.SingleElimination, SeatsPerTable: 3}, 6)
	w.result = func(seats []int) (points []float64) {
		for _, e := range seats {
			points = append(points, float64(e))
		}
		return points
	}
	w.toEnd()
	for _, r := range w.c.Rounds {
		for _, b := range r.Blocks {
			b.Games[0].Result.Void = true
		}
	}
	for i, l := range w.standings()[:3] {
		if want := 3 + i; l.Entry != want || l.Rank != i+1 {
			t.Errorf("line %d is %+v, want entry %d alone", i+1, l, want)
		}
	}
}

// No more play than it takes to come down to k, 2k, 4k, … entries, the lowest seeds.
func TestByesOfAKnockout(t *testing.T) {
	for _, row := range []struct{ seats, n, tables int }{{3, 7, 1}, {3, 6, 2}, {4, 10, 1}, {4, 11, 2}, {5, 12, 1}, {5, 20, 4}} {
		step, err := pairing.Next(pairing.Contest{Settings: pairing.Settings{Format: tournament.SingleElimination, SeatsPerTable: row.seats}, Entries: field(row.n)})
		if err != nil || len(step.Round.Blocks) != row.tables || len(step.Round.Byes) != row.n-row.seats*row.tables {
			t.Errorf("%d entries at tables of %d: %+v (%v), want %d tables", row.n, row.seats, step.Round, err, row.tables)
		}
		for i, e := range step.Round.Byes {
			if i != e {
				t.Errorf("%d entries at tables of %d: byes %v, want the highest seeds", row.n, row.seats, step.Round.Byes)
			}
		}
	}
}
