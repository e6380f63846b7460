package pairing_test

import (
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/internal/must"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/pairing"
)

// Affine planes and Kirkman's schoolgirls: everybody plays in every round, and after all rounds every two have met once.
// With fewer rounds nobody has met twice.
func TestWhereAPlaneExistsEveryRoundIsFullAndPairsMeetOnce(t *testing.T) {
	for _, row := range []struct{ entries, seats, rounds int }{{9, 3, 4}, {16, 4, 5}, {25, 5, 6}, {49, 7, 8}, {64, 8, 9}, {81, 9, 10}, {15, 3, 7}} {
		for _, cycles := range []int{2, row.rounds} {
			opts := pairing.Options{SeatsPerTable: row.seats, Cycles: cycles}
			s := schedule(t, row.entries, opts, stream(1))
			c := count(t, row.entries, opts, s)
			least, most := c.meetings(nil)
			if want := cycles / row.rounds; least != want || most != 1 {
				t.Errorf("%d entries at tables of %d, %d cycles: pairs meet %d to %d times, want %d to 1", row.entries, row.seats, cycles, least, most, want)
			}
			if len(s) != cycles {
				t.Errorf("%d entries at tables of %d, %d cycles: %d rounds", row.entries, row.seats, cycles, len(s))
			}
			if slices.Max(c.byes) > 0 {
				t.Errorf("%d entries at tables of %d, %d cycles: byes %v", row.entries, row.seats, cycles, c.byes)
			}
			for e, seats := range c.seat {
				if spread(seats) > 1 {
					t.Errorf("%d entries at tables of %d: entry %d has the seats %v times", row.entries, row.seats, e, seats)
				}
			}
		}
	}
}

// Each challenger meets everybody of the field equally often, and the field itself only beside a challenger.
func TestAGauntletLetsEachChallengerMeetTheField(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		k := rapid.IntRange(2, 6).Draw(t, "seats")
		challengers := rapid.IntRange(1, 3).Draw(t, "challengers")
		most := 9
		if k == 2 {
			most = 30
		}
		n := challengers + rapid.IntRange(k-1, most).Draw(t, "field")
		s := pairing.Settings{Format: tournament.Gauntlet, SeatsPerTable: k, Cycles: rapid.IntRange(0, 2).Draw(t, "cycles"), Duplicate: rapid.Bool().Draw(t, "duplicate")}
		w := newWorld(t, s, n)
		for e := range challengers {
			w.c.Entries[n-1-e].Challenger = true
		}
		w.play(2000)
		met := make([][]int, challengers)
		seats := make([]int, k)
		for c := range met {
			met[c] = make([]int, n-challengers)
		}
		for _, r := range w.c.Rounds {
			for _, b := range r.Blocks {
				c := slices.IndexFunc(b.Games[0].Seats, func(e int) bool { return e >= n-challengers })
				x := b.Games[0].Seats[c] - (n - challengers)
				for i, e := range b.Games[0].Seats {
					if i != c {
						met[x][e]++
					}
				}
				if x == 0 {
					seats[c]++
				}
			}
		}
		for c := range met {
			if spread(met[c]) > 0 || met[c][0] < max(1, s.Cycles) {
				t.Fatalf("%+v: challenger %d met the field %v times", s, c, met[c])
			}
		}
		if spread(seats) > 1 {
			t.Fatalf("%+v: a challenger sat in the seats %v times", s, seats)
		}
		if k == 2 && len(w.c.Rounds) != max(1, s.Cycles)*max(challengers, n-challengers) {
			t.Fatalf("%+v: %d challengers and %d others take %d rounds", s, challengers, n-challengers, len(w.c.Rounds))
		}
	})
}

// An arena in virtual time: games end one by one, whoever is free is paired, nobody meets the last opponent again, and
// nobody waits for a slow game.
func TestAnArenaKeepsEverybodyPlaying(t *testing.T) {
	for _, n := range []int{4, 7, 20, 40} {
		w := newWorld(t, pairing.Settings{Format: tournament.Arena, SeatsPerTable: 2}, n)
		w.r = game.Stream(game.Seed{byte(n)}, 0, "arena")
		w.c.Entries[n-1].State = pairing.Dead
		last := map[int]int{}
		for range 200 {
			s := w.next()
			if s.Status == pairing.Play {
				w.check(s.Round)
				w.c.Rounds = append(w.c.Rounds, s.Round)
				for _, b := range s.Round.Blocks {
					x, y := b.Games[0].Seats[0], b.Games[0].Seats[1]
					if last[x] == y+1 && last[y] == x+1 && n > 4 {
						t.Fatalf("%d entries: %d and %d meet again at once", n, x, y)
					}
					last[x], last[y] = y+1, x+1
				}
			}
			// One of the older open games, by lot, is over; the very first one only at the end.
			var open []*pairing.Game
			for i, r := range w.c.Rounds {
				for j, b := range r.Blocks {
					if b.Games[0].Result == nil && i+j > 0 {
						open = append(open, &b.Games[0])
					}
				}
			}
			if len(open) > 0 {
				w.over(open[w.r.IntN((len(open)+1)/2)])
			}
		}
		w.c.Closed = true
		must.Same(t, fmt.Sprintf("%d entries: closed with games open", n), w.next().Status, pairing.Wait)
		w.finish()
		must.Same(t, fmt.Sprintf("%d entries: closed and all over", n), w.next().Status, pairing.Over)
		var played []int
		slow := w.c.Rounds[0].Blocks[0].Games[0].Seats
		for _, l := range w.standings() {
			if l.Entry != n-1 && !slices.Contains(slow, l.Entry) {
				played = append(played, l.Played)
			}
		}
		if len(played) > 2 && 3*slices.Min(played) < slices.Max(played) {
			t.Errorf("%d entries: games by entry %v", n, played)
		}
	}
}

// Eight in two groups, by seed forth and back: 1 4 5 8 and 2 3 6 7. In the first the better wins, in the second all is
// drawn: its first, the best seed, goes to the final with fewer points than the second of the other.
func TestTheFirstOfEachGroupComesBeforeAnySecond(t *testing.T) {
	w := newWorld(t, pairing.Settings{Format: tournament.Groups, SeatsPerTable: 2, FormatOptions: tournament.FormatOptions{GroupSize: 4}}, 8)
	w.result = func(seats []int) []float64 {
		switch {
		case slices.Contains([]int{1, 2, 5, 6}, seats[0]):
			return []float64{.5, .5}
		case seats[0] < seats[1]:
			return []float64{1, 0}
		}
		return []float64{0, 1}
	}
	for w.round() {
		for _, b := range w.c.Rounds[len(w.c.Rounds)-1].Blocks {
			for i := range b.Games {
				w.over(&b.Games[i])
				b.Games[i].Result.Score = []float64{0, 0}
			}
		}
	}
	last := w.c.Rounds[len(w.c.Rounds)-1]
	if in := slices.Sorted(slices.Values(last.Blocks[0].Games[0].Seats)); !last.Final || !slices.Equal(in, []int{0, 1}) {
		t.Errorf("the last round is %+v, want a final of seeds 1 and 2", last)
	}
}

// Six in two groups, seeds 1 4 5 and 2 3 6. Where seeds 1 and 4 leave before they play, seed 5 has as many points as they, none, and is the first of
// its group.
func TestWhoseResultsAreAnnulledIsBehindItsGroup(t *testing.T) {
	for _, playoff := range []tournament.Format{"", tournament.SingleElimination} {
		w := newWorld(t, pairing.Settings{Format: tournament.Groups, SeatsPerTable: 2, FormatOptions: tournament.FormatOptions{GroupSize: 3, Finalists: 2, Playoff: playoff}}, 6)
		w.result = byIndex
		w.away(pairing.Withdrawn, 0, 3)
		w.toEnd()
		if table := pairing.GroupTables(w.c)[0]; table[0].Entry != 4 || table[1].Rank != 2 {
			t.Errorf("with a playoff of %q the group is %+v, want entry 4 first", playoff, table)
		}
		last := w.c.Rounds[len(w.c.Rounds)-1]
		must.SameList(t, fmt.Sprintf("with a playoff of %q the last two", playoff), slices.Sorted(slices.Values(last.Blocks[0].Games[0].Seats)), []int{1, 4})
	}
}

// Seven in a group of three, seeds 1 4 5, and one of four, 2 3 6 7. Both seconds have one point, the first of them from two
// games, the other from three: of equal places those with more points a game go on. Who is not there when the final begins
// is left out.
func TestASecondOfASmallerGroupIsMeasuredByTheGame(t *testing.T) {
	for state, want := range map[pairing.State][]int{pairing.Active: {0, 1, 3}, pairing.Paused: {1, 2, 3}} {
		w := newWorld(t, pairing.Settings{Format: tournament.Groups, SeatsPerTable: 2, FormatOptions: tournament.FormatOptions{GroupSize: 4, Finalists: 3}}, 7)
		w.result = func(s []int) []float64 {
			even := []int{2, 5, 6}
			switch {
			case slices.Contains(even, s[0]) && slices.Contains(even, s[1]):
				return []float64{.5, .5}
			case s[0] < s[1]:
				return []float64{1, 0}
			}
			return []float64{0, 1}
		}
		var in []int
		for w.round() {
			r := w.c.Rounds[len(w.c.Rounds)-1]
			for _, b := range r.Blocks {
				w.over(&b.Games[0])
				b.Games[0].Result.Score = []float64{0, 0}
				if r.Final {
					in = append(in, b.Games[0].Seats...)
				}
			}
			if len(w.c.Rounds) == 3 {
				w.c.Entries[0].State = state
			}
		}
		slices.Sort(in)
		if in = slices.Compact(in); !slices.Equal(in, want) {
			t.Errorf("the first seed is %s: the final is between %v, want %v", state, in, want)
		}
	}
}

// Eight in two groups, 1 4 5 8 and 2 3 6 7. Seed 4, second of its group, has 2 points of 3 games; seed 3, second of the other, 1½ of 3: one of
// them by forfeit, which is a game that counts like any other.
func TestAForfeitIsAGameOfPointsAGame(t *testing.T) {
	for _, playoff := range []tournament.Format{"", tournament.SingleElimination} {
		w := newWorld(t, pairing.Settings{Format: tournament.Groups, SeatsPerTable: 2, FormatOptions: tournament.FormatOptions{GroupSize: 4, Finalists: 3, Playoff: playoff}}, 8)
		w.result = func(s []int) []float64 {
			switch {
			case slices.Contains(s, 2) && slices.Contains(s, 5):
				return []float64{.5, .5}
			case (s[0] < s[1]) != (slices.Contains(s, 5) && slices.Contains(s, 6)):
				return []float64{1, 0}
			}
			return []float64{0, 1}
		}
		for _, r := range must.Get(pairing.Plan(w.c))(t) {
			w.c.Entries[6].State = pairing.Active
			if slices.ContainsFunc(r.Blocks, func(b pairing.Block) bool {
				return slices.Contains(b.Games[0].Seats, 2) && slices.Contains(b.Games[0].Seats, 6)
			}) {
				w.c.Entries[6].State = pairing.Paused
			}
			w.rounds(1)
		}
		w.c.Entries[6].State = pairing.Active
		if !w.round() {
			t.Fatal("no second stage")
		}
		must.SameList(t, fmt.Sprintf("playoff %q: who plays the second stage", playoff), slices.Sorted(slices.Values(w.c.Rounds[3].Seeds)), []int{0, 1, 3})
	}
}
