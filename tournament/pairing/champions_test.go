package pairing_test

import (
	"fmt"
	"reflect"
	"slices"
	"testing"

	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/internal/must"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/pairing"
)

// upsets lets the higher index beat the lower.
func upsets(seats []int) []float64 {
	out := byIndex(seats)
	for i, x := range out {
		out[i] = 1 - x
	}
	return out
}

// ranks returns the ranks of all entries, 0 for one without.
func (w *world) ranks() []int {
	w.t.Helper()
	out := make([]int, len(w.c.Entries))
	for _, l := range w.standings() {
		out[l.Entry] = l.Rank
	}
	return out
}

// away sets the state of entries.
func (w *world) away(s pairing.State, entries ...int) {
	for _, e := range entries {
		w.c.Entries[e].State = s
	}
}

// In a double elimination of eight the two of the winners' final are away for a moment, or do not come back.
func TestBothSidesOfATieAreAway(t *testing.T) {
	for _, row := range []struct {
		name string
		away pairing.State
		back bool
		want []int
	}{
		{"they come back: nothing is lost", pairing.Paused, true, []int{1, 2, 3, 4, 5, 5, 7, 7}},
		{"they do not: the higher seed wins the tie, and loses the final", pairing.Dead, false, []int{2, 3, 1, 4, 5, 5, 7, 7}},
		{"they have withdrawn: each is out when it has lost twice", pairing.Withdrawn, false, []int{2, 3, 1, 4, 5, 5, 7, 7}},
	} {
		w := newWorld(t, pairing.Settings{Format: tournament.DoubleElimination, SeatsPerTable: 2}, 8)
		w.result = byIndex
		w.rounds(2)
		w.away(row.away, 0, 1)
		w.rounds(1)
		if r := w.c.Rounds[2]; row.away != pairing.Withdrawn && (len(r.Forfeits) > 0 || len(r.Absent) != 2) {
			t.Errorf("%s: %+v, want a tie that waits for entries 0 and 1", row.name, r)
		}
		if row.back {
			w.away(pairing.Active, 0, 1)
		}
		w.toEnd()
		must.SameList(t, row.name+": ranks", w.ranks(), row.want)
	}
}

// However many leave and whenever, there is one champion.
func TestThereIsOneChampionWhoeverLeaves(t *testing.T) {
	single := pairing.Settings{Format: tournament.SingleElimination, SeatsPerTable: 2}
	double := pairing.Settings{Format: tournament.DoubleElimination, SeatsPerTable: 2}
	table := pairing.Settings{Format: tournament.SingleElimination, SeatsPerTable: 3}
	playoff := pairing.Settings{Format: tournament.Swiss, SeatsPerTable: 2, FormatOptions: tournament.FormatOptions{Rounds: 3, Playoff: tournament.SingleElimination, Finalists: 4}}
	final := pairing.Settings{Format: tournament.Groups, SeatsPerTable: 2, FormatOptions: tournament.FormatOptions{GroupSize: 3, Finalists: 2}}
	for _, row := range []struct {
		name   string
		s      pairing.Settings
		n      int
		rounds int // played before they leave
		leave  []int
		first  int
		paused []int // beside them
	}{
		{"both finalists", single, 4, 1, []int{0, 1}, 0, nil},
		{"all four of the semi-finals", single, 4, 0, []int{0, 1, 2, 3}, 0, nil},
		{"both of one semi-final", single, 4, 0, []int{0, 3}, 1, nil},
		{"both finalists of a double elimination", double, 4, 3, []int{0, 1}, 0, nil},
		{"all of a double elimination", double, 4, 0, []int{0, 1, 2, 3}, 0, nil},
		{"all three at the last table", table, 6, 1, []int{0, 1, 2}, 0, nil},
		{"one of the last three: two are too few for the table", table, 6, 1, []int{0}, 1, nil},
		{"all but one before a playoff", playoff, 8, 3, []int{0, 1, 2, 3, 5, 6, 7}, 4, nil},
		{"all but one within the first stage of a swiss", playoff, 8, 1, []int{0, 1, 2, 3, 5, 6, 7}, 4, nil},
		{"all but one of the last four there", playoff, 4, 1, []int{0, 1, 3}, 2, nil},
		{"all before a playoff: the first of the first stage", playoff, 8, 3, []int{0, 1, 2, 3, 4, 5, 6, 7}, 0, nil},
		{"the first of each group before the final, and all others but one", final, 6, 3, []int{0, 1, 2, 4, 5}, 3, nil},
		{"the first before a playoff, and nobody else is there", playoff, 8, 3, []int{0}, 1, []int{1, 2, 3, 4, 5, 6, 7}},
		{"the first before a final of groups, and nobody else is there", final, 6, 3, []int{0}, 1, []int{1, 2, 3, 4, 5}},
	} {
		w := newWorld(t, row.s, row.n)
		w.r, w.c.Seed = game.Stream(game.Seed{}, 0, ""), game.Seed{} // by which the first three come to the last table
		w.result = byIndex
		w.rounds(row.rounds)
		w.away(pairing.Withdrawn, row.leave...)
		w.away(pairing.Paused, row.paused...)
		w.toEnd()
		lines := w.standings()
		if lines[0].Entry != row.first || lines[1].Rank == 1 {
			t.Errorf("%s: first are %+v and %+v, want entry %d alone", row.name, lines[0], lines[1], row.first)
		}
	}
}

// Rounds that an older release made keep no draw: it is made once more, as it was.
func TestRoundsWithoutTheirDrawAreRead(t *testing.T) {
	for _, k := range kinds() {
		for i := range 25 {
			x := newCourse(t, k, i, ours)
			must.OK(t, x.play())
			want := x.standings()
			for n := range x.c.Rounds {
				r := &x.c.Rounds[n]
				if r.Places, r.Groups = nil, nil; !x.second(*r) {
					r.Seeds = nil
				}
			}
			if got := x.standings(); !reflect.DeepEqual(got, want) {
				t.Fatalf("%s, event %d: without the draw\n%+v, with it\n%+v", k, i, got, want)
			}
		}
	}
}

// An older release put both sides of a tie out for which nobody was there, without a winner.
func TestTiesThatNobodyWonAreRead(t *testing.T) {
	for _, row := range []struct {
		format tournament.Format
		n      int
		tie    int // of 0 and 1
		want   []int
	}{
		{tournament.SingleElimination, 4, 3, []int{1, 2, 3, 3}},
		{tournament.DoubleElimination, 8, 7, []int{2, 2, 1, 4, 5, 5, 7, 7}},
	} {
		w := newWorld(t, pairing.Settings{Format: row.format, SeatsPerTable: 2}, row.n)
		w.result = byIndex
		for !slices.ContainsFunc(w.c.Rounds, func(r pairing.Round) bool { return len(r.Forfeits) > 0 }) && w.round() {
			r := &w.c.Rounds[len(w.c.Rounds)-1]
			if i := slices.IndexFunc(r.Blocks, func(b pairing.Block) bool { return b.Tie == row.tie }); i >= 0 {
				r.Blocks = slices.Delete(r.Blocks, i, i+1)
				r.Forfeits = []pairing.Forfeit{{Tie: row.tie, Winner: pairing.Bye, Loser: 0}, {Tie: row.tie, Winner: pairing.Bye, Loser: 1}}
			}
			w.finish()
		}
		w.toEnd()
		must.SameList(t, fmt.Sprintf("%s: ranks", row.format), w.ranks(), row.want)
	}
}
