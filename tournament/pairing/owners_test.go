package pairing_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/internal/must"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/pairing"
)

// owned returns a field in which the owners have so many entries each, in an order of seeds by lot.
func owned(r *game.Rand, counts ...int) []pairing.Entry {
	var out []pairing.Entry
	for owner, n := range counts {
		for range n {
			out = append(out, pairing.Entry{Owner: fmt.Sprint("owner ", owner), State: pairing.Active})
		}
	}
	game.Shuffle(r, out)
	for e := range out {
		out[e].ID, out[e].Rating = fmt.Sprint(e), float64(2000-e)
	}
	return out
}

// meetings counts the pairs of one owner at a table.
func meetings(entries []pairing.Entry, lineup []int) (n int) {
	for i, a := range lineup {
		for _, b := range lineup[:i] {
			if entries[a].Owner == entries[b].Owner {
				n++
			}
		}
	}
	return n
}

// fewest returns the fewest such pairs over all ways to fill tables of k with a field, of which so many sit out.
func fewest(entries []pairing.Entry, field []int, k, sits int) int {
	if len(field) == sits {
		return 0
	}
	first, rest := field[0], field[1:]
	best := 1 << 30
	if sits > 0 {
		best = fewest(entries, rest, k, sits-1)
	}
	var fill func(table []int, from int)
	fill = func(table []int, from int) {
		if len(table) == k {
			left := slices.DeleteFunc(slices.Clone(rest), func(e int) bool { return slices.Contains(table, e) })
			if len(left) >= sits {
				best = min(best, meetings(entries, table)+fewest(entries, left, k, sits))
			}
			return
		}
		for i := from; i < len(rest); i++ {
			fill(append(slices.Clone(table), rest[i]), i+1)
		}
	}
	fill([]int{first}, 0)
	return best
}

// crowds returns fields of up to nine with one, several or nearly all entries of an owner.
func crowds() [][]int {
	return [][]int{
		{2, 2}, {2, 1, 1}, {3, 1, 1}, {2, 2, 2}, {3, 3}, {4, 1, 1}, {2, 2, 2, 1}, {3, 2, 2}, {5, 1, 1}, {6, 1}, {2, 2, 2, 2}, {4, 4}, {3, 3, 2}, {5, 2, 1},
		{3, 3, 3}, {4, 2, 2, 1}, {6, 2, 1}, {2, 2, 2, 2, 1},
	}
}

// In every round that is paired by standing or drawn, as few entries of one owner meet as any pairing allows: compared with
// all ways there are.
func TestNoMeetingOfOneOwnerThatCouldBeHelped(t *testing.T) {
	avoided, left := 0, 0
	for i, counts := range crowds() {
		for _, format := range []tournament.Format{tournament.Swiss, tournament.Arena, tournament.SingleElimination, tournament.DoubleElimination} {
			for k := 2; k <= 4; k++ {
				entries := owned(game.Stream(game.Seed{byte(i), byte(k)}, 0, "field"), counts...)
				n := len(entries)
				if n < k || k > 2 && format == tournament.DoubleElimination || k == 2 && strings.HasSuffix(string(format), "elimination") && n&(n-1) > 0 {
					continue // with byes a bracket's first round has ties of its second: see TestSpreadIsTheBestWithinTheTiers
				}
				w := &world{
					t: t, r: game.Stream(game.Seed{byte(i)}, 0, "world"),
					c: pairing.Contest{Settings: pairing.Settings{Format: format, SeatsPerTable: k, FormatOptions: tournament.FormatOptions{Rounds: 6}}, Entries: entries, Seed: game.Seed{byte(i)}},
				}
				for range 6 {
					if !w.round() {
						break
					}
					r := w.c.Rounds[len(w.c.Rounds)-1]
					var field []int
					got := 0
					for _, b := range r.Blocks {
						field = append(field, b.Games[0].Seats...)
						got += meetings(entries, b.Games[0].Seats)
					}
					sits := 0
					if format == tournament.Swiss || format == tournament.Arena { // elsewhere the byes go by seed
						field, sits = append(field, r.Byes...), len(r.Byes)
					}
					want := fewest(entries, field, k, sits)
					if got != want {
						t.Errorf("%s at tables of %d, owners with %v, round %d: %d meetings of one owner, %d can be had: %+v", format, k, counts, len(w.c.Rounds), got, want, r)
					}
					left += want
					avoided++
					if strings.HasSuffix(string(format), "elimination") {
						break // who meets later hangs on results
					}
					w.finish()
				}
			}
		}
	}
	if avoided < 300 || left == 0 {
		t.Errorf("%d rounds, %d meetings that could not be helped: too few to tell anything", avoided, left)
	}
}

// Where the schedule is fixed, everybody meets everybody at tables of two; at larger ones nobody meets its owner's where a
// plan without such tables is found, which is wherever hidden teams find one.
func TestPlansKeepOwnersApartAtLargerTables(t *testing.T) {
	found := 0
	for i, counts := range crowds() {
		for _, format := range []tournament.Format{tournament.RoundRobin, tournament.Groups, tournament.Gauntlet} {
			for k := 2; k <= 3; k++ {
				entries := owned(game.Stream(game.Seed{byte(i), byte(k)}, 0, "field"), counts...)
				if len(entries) < k+1 {
					continue
				}
				entries[len(entries)-1].Challenger = true
				c := pairing.Contest{Settings: pairing.Settings{Format: format, SeatsPerTable: k}, Entries: entries, Seed: game.Seed{byte(i)}}
				plan, err := pairing.Plan(c)
				if err != nil {
					t.Fatalf("%s at tables of %d, owners with %v: %v", format, k, counts, err)
				}
				got := 0
				for _, r := range plan {
					for _, b := range r.Blocks {
						got += meetings(entries, b.Games[0].Seats)
					}
				}
				c.Settings.OwnersApart = true
				if hard, err := pairing.Plan(c); err == nil && k > 2 {
					if found++; got > 0 || len(hard) == 0 {
						t.Errorf("%s at tables of %d, owners with %v: %d meetings of one owner, none is needed", format, k, counts, got)
					}
				} else if err != nil && !errors.Is(err, pairing.ErrImpossible) {
					t.Errorf("%s at tables of %d, owners with %v: %v", format, k, counts, err)
				}
			}
		}
	}
	if found < 12 {
		t.Errorf("only %d plans of 12 and more keep all owners apart", found)
	}
}

// A challenger meets its owner's entries only if the others do not fill its table, or if the gauntlet is for that.
func TestAChallengerMeetsOthers(t *testing.T) {
	for _, x := range []struct {
		k      int
		meet   bool
		counts []int
		want   int // tables of the challenger with one of its owner's
	}{
		{2, false, []int{3, 4}, 0},
		{2, true, []int{3, 4}, 2},
		{2, false, []int{5}, 4},
		{3, false, []int{3, 2}, 0},
		{3, false, []int{4, 1}, 2},
	} {
		entries := owned(game.Stream(game.Seed{9}, 0, "field"), x.counts...)
		me := slices.IndexFunc(entries, func(e pairing.Entry) bool { return e.Owner == "owner 0" })
		entries[me].Challenger = true
		plan, err := pairing.Plan(pairing.Contest{Settings: pairing.Settings{Format: tournament.Gauntlet, SeatsPerTable: x.k, OwnersMeet: x.meet}, Entries: entries})
		must.OK(t, err)
		got := 0
		for _, r := range plan {
			for _, b := range r.Blocks {
				if slices.ContainsFunc(b.Games[0].Seats, func(e int) bool { return e != me && entries[e].Owner == entries[me].Owner }) {
					got++
				}
			}
		}
		if got != x.want {
			t.Errorf("%+v: %d tables with one of the challenger's owner: %+v", x, got, plan)
		}
	}
}

// Groups share out each owner's entries, one each before anybody has two, and stay as alike in strength as their rows of seeds make them.
func TestGroupsShareOutEachOwnersEntries(t *testing.T) {
	r := game.Stream(game.Seed{3}, 0, "groups")
	for range 300 {
		var counts []int
		total := 0
		for total < 12 {
			n := 1 + r.IntN(6)
			counts, total = append(counts, n), total+n
		}
		entries := owned(r, counts...)
		size := 4 + r.IntN(3)
		groups := (total + size - 1) / size
		c := pairing.Contest{Settings: pairing.Settings{Format: tournament.Groups, SeatsPerTable: 2, FormatOptions: tournament.FormatOptions{GroupSize: size}}, Entries: entries}
		plan := must.Get(pairing.Plan(c))(t)
		group := make([]int, total) // at tables of two whoever meets is in one
		for e := range group {
			group[e] = e
		}
		for _, round := range plan {
			for _, b := range round.Blocks {
				s := b.Games[0].Seats
				from, to := max(group[s[0]], group[s[1]]), min(group[s[0]], group[s[1]])
				for e := range group {
					if group[e] == from {
						group[e] = to
					}
				}
			}
		}
		has := map[string]map[int]int{} // by owner and group
		for e, x := range entries {
			if has[x.Owner] == nil {
				has[x.Owner] = map[int]int{}
			}
			has[x.Owner][group[e]]++
		}
		for owner, by := range has {
			sum, most := 0, 0
			for _, n := range by {
				sum, most = sum+n, max(most, n)
			}
			if want := (sum + groups - 1) / groups; most != want {
				t.Fatalf("%d groups of %v: %s has %d entries and %d in one group, want %d at most", groups, counts, owner, sum, most, want)
			}
		}
		for row := 0; (row+1)*groups <= total; row++ { // seeds are indices
			in := map[int]bool{}
			for e := row * groups; e < (row+1)*groups; e++ {
				in[group[e]] = true
			}
			if len(in) != groups {
				t.Fatalf("%d groups of %v: seeds %d to %d are in %d groups: %v", groups, counts, row*groups+1, (row+1)*groups, len(in), group)
			}
		}
	}
}

// In a full bracket two entries of an owner meet in the final or not at all, whatever their seeds.
func TestABracketPartsTwoOfOneOwner(t *testing.T) {
	for n := 4; n <= 16; n *= 2 {
		for a := range n {
			for b := a + 1; b < n; b++ {
				c := pairing.Contest{Settings: pairing.Settings{Format: tournament.SingleElimination, SeatsPerTable: 2}, Entries: field(n)}
				c.Entries[a].Owner = c.Entries[b].Owner
				w := &world{t: t, r: game.Stream(game.Seed{1}, 0, "world"), c: c}
				rank := func(e int) int { // the two win against everybody else, the rest goes by seed
					if e == a || e == b {
						return -1
					}
					return e
				}
				w.result = func(seats []int) []float64 { return byIndex([]int{rank(seats[0]), rank(seats[1])}) }
				for w.round() {
					last := w.c.Rounds[len(w.c.Rounds)-1]
					for _, x := range last.Blocks {
						if meetings(c.Entries, x.Games[0].Seats) > 0 && x.Name != "final" {
							t.Fatalf("%d entries, the owner's are seeds %d and %d: they meet in the %s", n, a+1, b+1, x.Name)
						}
					}
					w.finish()
				}
			}
		}
	}
}

// At every size of table and field, whoever comes and goes: of two who are there all the time neither plays two rounds more
// than the other; who sits out is told so; and everybody stands in the standings, those who never played too.
func TestAnArenaSeatsEverybodyInTurn(t *testing.T) {
	for k := 2; k <= 7; k++ {
		for n := max(4, k); n <= 20; n++ {
			for _, trouble := range []int{0, 25} {
				w := &world{
					t: t, r: game.Stream(game.Seed{byte(k), byte(n)}, 0, "world"), trouble: trouble, leaves: trouble / 8,
					c: pairing.Contest{Settings: pairing.Settings{Format: tournament.Arena, SeatsPerTable: k}, Entries: field(n), Seed: game.Seed{byte(n)}},
				}
				always := make([]bool, n)
				for e := range always {
					always[e] = true
				}
				w.result = byIndex // the lowest never score
				plays, byes := make([]int, n), make([]int, n)
				for range 16 {
					if !w.round() {
						break
					}
					r := w.c.Rounds[len(w.c.Rounds)-1]
					for _, b := range r.Blocks {
						for _, e := range b.Games[0].Seats {
							plays[e]++
						}
					}
					for _, e := range r.Byes {
						byes[e]++
					}
					w.finish()
					w.happen()
					for e, x := range w.c.Entries[:n] {
						always[e] = always[e] && x.State == pairing.Active
					}
				}
				low, high := len(w.c.Rounds), 0
				for e := range n {
					if !always[e] {
						continue
					}
					low, high = min(low, plays[e]), max(high, plays[e])
					if plays[e]+byes[e] != len(w.c.Rounds) {
						t.Errorf("tables of %d, %d entries, trouble %d: entry %d plays %d times and sits out %d of %d rounds", k, n, trouble, e, plays[e], byes[e], len(w.c.Rounds))
					}
				}
				if high > low+1 {
					t.Errorf("tables of %d, %d entries, trouble %d: of those who are always there some play %d times, some %d: %v", k, n, trouble, low, high, plays)
				}
				stands := map[int]int{}
				for _, l := range w.standings() {
					stands[l.Entry] = l.Byes + 1
				}
				for e, x := range w.c.Entries[:n] {
					if (x.State != pairing.Withdrawn || plays[e]+byes[e] > 0) && stands[e] != byes[e]+1 {
						t.Errorf("tables of %d, %d entries: entry %d, which sat out %d times, stands with %d", k, n, e, byes[e], stands[e]-1)
					}
				}
			}
		}
	}
}
