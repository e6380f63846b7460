package pairing_test

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/tournament/pairing"
)

func stream(n uint8) *game.Rand { return game.Stream(game.Seed{n}, 0, "pairing") }

// owners puts entry i in conflict with all entries of the same owner, i modulo count; 0: no conflicts.
func owners(count int) func(a, b int) bool {
	if count == 0 {
		return nil
	}
	return func(a, b int) bool { return a%count == b%count }
}

type fataler interface {
	Helper()
	Fatalf(format string, args ...any)
}

func schedule(t fataler, entries int, opts pairing.Options, r *game.Rand) []pairing.Round {
	t.Helper()
	s, err := pairing.RoundRobin(entries, opts, r)
	if err != nil {
		t.Fatalf("%d entries, %+v: %v", entries, opts, err)
	}
	return s
}

// tally is what a schedule gives each entry.
type tally struct {
	games, blocks, byes []int
	seat                [][]int // by entry and seat
	met                 [][]int // blocks together, by entry and entry
}

// count checks what holds for every schedule, whatever the options, and adds up the rest.
func count(t fataler, entries int, opts pairing.Options, rounds []pairing.Round) tally {
	t.Helper()
	c := tally{
		games:  make([]int, entries),
		blocks: make([]int, entries),
		byes:   make([]int, entries),
		seat:   make([][]int, entries),
		met:    make([][]int, entries),
	}
	for e := range entries {
		c.seat[e], c.met[e] = make([]int, opts.SeatsPerTable), make([]int, entries)
	}
	total := 0
	for i, round := range rounds {
		in := map[int]int{}
		for _, b := range round.Blocks {
			total += len(b.Games)
			c.block(t, opts, b)
			for _, e := range b.Games[0].Seats {
				in[e]++
			}
		}
		for _, e := range round.Byes {
			in[e]++
			c.byes[e]++
		}
		for e := range entries {
			if in[e] != 1 {
				t.Fatalf("round %d: entry %d is in %d places: %+v", i, e, in[e], round)
			}
		}
		if !slices.IsSorted(round.Byes) || len(round.Blocks) == 0 {
			t.Fatalf("round %d: byes %v, %d blocks", i, round.Byes, len(round.Blocks))
		}
	}
	if want, err := pairing.Count(entries, opts); err != nil || total != want {
		t.Fatalf("%d matches, Count said %d, %v", total, want, err)
	}
	return c
}

// block adds one block: the same line-up in each game, each game one seat further.
func (c tally) block(t fataler, opts pairing.Options, b pairing.Block) {
	t.Helper()
	games := 1
	if opts.Duplicate {
		games = opts.SeatsPerTable
	}
	if len(b.Games) != games {
		t.Fatalf("block of %d games, want %d", len(b.Games), games)
	}
	lineup := b.Games[0].Seats
	for g, played := range b.Games {
		for seat, e := range played.Seats {
			if e != lineup[(seat+g)%len(lineup)] {
				t.Fatalf("game %d of a block is not its line-up moved by %d: %+v", g, g, b)
			}
			c.seat[e][seat]++
			c.games[e]++
		}
	}
	if len(lineup) != opts.SeatsPerTable {
		t.Fatalf("a table of %d, want %d", len(lineup), opts.SeatsPerTable)
	}
	for _, a := range lineup {
		c.blocks[a]++
		for _, b := range lineup {
			if a != b {
				c.met[a][b]++
				if opts.Conflict != nil && opts.Conflict(a, b) {
					t.Fatalf("entries %d and %d in conflict share a table", a, b)
				}
			}
		}
	}
}

// spread returns the largest difference within list.
func spread(list []int) int { return slices.Max(list) - slices.Min(list) }

// meetings returns the least and the most that two entries not in conflict met.
func (c tally) meetings(conflict func(a, b int) bool) (least, most int) {
	least = 1 << 30
	for a := range c.met {
		for b := range a {
			if conflict == nil || !conflict(a, b) {
				least, most = min(least, c.met[a][b]), max(most, c.met[a][b])
			}
		}
	}
	return least, most
}

func TestAtTablesOfTwoEveryPairMeetsInAsManyBlocksAsCycles(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		entries := rapid.IntRange(2, 40).Draw(t, "entries")
		opts := pairing.Options{SeatsPerTable: 2, Cycles: rapid.IntRange(1, 5).Draw(t, "cycles"), Duplicate: rapid.Bool().Draw(t, "duplicate")}
		if n := rapid.IntRange(0, entries).Draw(t, "owners"); n > 1 {
			opts.Conflict = owners(n)
		}
		c := count(t, entries, opts, schedule(t, entries, opts, nil))
		if least, most := c.meetings(opts.Conflict); least != opts.Cycles || most != opts.Cycles {
			t.Fatalf("pairs meet %d to %d times, want %d", least, most, opts.Cycles)
		}
		if opts.Conflict == nil && spread(c.byes) > 0 {
			t.Fatalf("byes %v", c.byes)
		}
		for e, seats := range c.seat {
			// Whole double cycles and duplicates are even; a single cycle is as even as an odd number of games allows.
			if diff := spread(seats); diff > 1 && opts.Conflict == nil || diff > 0 && (opts.Duplicate || opts.Cycles%2 == 0) {
				t.Fatalf("entry %d has the seats %v times", e, seats)
			}
		}
	})
}

func TestLargerTablesAreBalanced(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		most := 11
		if os.Getenv("MOLERUN_NIGHTLY") == "1" {
			most = 16
		}
		seats := rapid.IntRange(3, most/2).Draw(t, "seats")
		entries := rapid.IntRange(seats, most).Draw(t, "entries")
		opts := pairing.Options{SeatsPerTable: seats, Cycles: rapid.IntRange(1, 2).Draw(t, "cycles"), Duplicate: rapid.Bool().Draw(t, "duplicate")}
		if n := (entries + 1) / 2; entries/seats >= 2 && rapid.Bool().Draw(t, "owners of two") && n > seats {
			opts.Conflict = owners(n)
		}
		c := count(t, entries, opts, schedule(t, entries, opts, stream(rapid.Uint8().Draw(t, "seed"))))
		if spread(c.blocks) > 0 || spread(c.byes) > 0 {
			t.Fatalf("blocks %v and byes %v by entry", c.blocks, c.byes)
		}
		for e, seats := range c.seat {
			if diff := spread(seats); diff > 1 || diff > 0 && opts.Duplicate {
				t.Fatalf("entry %d has the seats %v times", e, seats)
			}
		}
	})
}

func TestPairsMeetAsEquallyAsPossible(t *testing.T) {
	for _, row := range []struct {
		entries, seats, cycles, owners int
		rounds, least, most            int
	}{
		// Cyclic difference families.
		{5, 4, 1, 0, 5, 3, 3},
		{7, 3, 1, 0, 7, 1, 1},
		{7, 4, 1, 0, 7, 2, 2},
		{9, 4, 2, 0, 0, 3, 3},
		{11, 5, 1, 0, 11, 2, 2},
		{13, 3, 2, 0, 0, 1, 1},
		{13, 4, 1, 0, 13, 1, 1},
		{15, 7, 1, 0, 15, 3, 3},
		{19, 9, 1, 0, 19, 4, 4},
		{21, 5, 1, 0, 21, 1, 1},
		{13, 3, 4, 0, 0, 2, 2},
		// One pass of a family of two base blocks and a rest.
		{13, 3, 3, 0, 0, 1, 2},
		// The whole field in each round.
		{5, 5, 3, 0, 3, 3, 3},
		{10, 10, 4, 0, 4, 4, 4},
		// Found by search; the numbers are the best there can be.
		{6, 5, 1, 0, 6, 4, 4},
		{7, 5, 1, 0, 7, 3, 4},
		{8, 5, 1, 0, 8, 2, 3},
		{9, 5, 1, 0, 9, 2, 3},
		{10, 5, 18, 0, 18, 8, 8},
		{9, 3, 4, 0, 4, 1, 1},
		{16, 4, 5, 0, 5, 1, 1},
		{25, 5, 6, 0, 6, 1, 1},
		{13, 3, 1, 0, 4, 0, 1},
		{11, 10, 1, 0, 11, 9, 9},
		{64, 5, 1, 0, 6, 0, 1},
		{64, 5, 1, 32, 6, 0, 1},
		{9, 3, 3, 3, 3, 1, 1},
		{7, 3, 1, 4, 0, 1, 2},
	} {
		opts := pairing.Options{SeatsPerTable: row.seats, Cycles: row.cycles, Conflict: owners(row.owners)}
		s := schedule(t, row.entries, opts, stream(1))
		least, most := count(t, row.entries, opts, s).meetings(opts.Conflict)
		if least != row.least || most != row.most || row.rounds != 0 && len(s) != row.rounds {
			t.Errorf("%d entries, tables of %d, %d cycles, %d owners: pairs meet %d to %d times in %d rounds, want %d to %d in %d",
				row.entries, row.seats, row.cycles, row.owners, least, most, len(s), row.least, row.most, row.rounds)
		}
	}
}

func TestAfterEachCycleAllHavePlayedEquallyOften(t *testing.T) {
	for _, row := range []struct{ entries, seats, owners, each int }{{8, 5, 0, 5}, {10, 4, 0, 2}, {12, 5, 0, 5}, {10, 4, 5, 2}, {15, 6, 10, 2}} {
		const cycles = 4
		opts := pairing.Options{SeatsPerTable: row.seats, Cycles: cycles, Conflict: owners(row.owners)}
		rounds := schedule(t, row.entries, opts, stream(5))
		for c := range cycles {
			blocks := make([]int, row.entries)
			for _, round := range rounds[c*len(rounds)/cycles : (c+1)*len(rounds)/cycles] {
				for _, b := range round.Blocks {
					for _, e := range b.Games[0].Seats {
						blocks[e]++
					}
				}
			}
			if slices.Min(blocks) != row.each || slices.Max(blocks) != row.each {
				t.Errorf("%d entries at tables of %d, cycle %d: blocks by entry %v, want %d", row.entries, row.seats, c, blocks, row.each)
			}
		}
	}
}

// However many bots an owner has, up to one for each table, they do not meet.
func TestTightConflictsAreKept(t *testing.T) {
	for _, row := range []struct{ entries, seats, cycles, owners int }{
		{10, 5, 4, 5}, {24, 8, 2, 8}, {64, 8, 2, 8}, {60, 10, 1, 10}, {11, 5, 2, 6}, {64, 5, 1, 10}, {17, 4, 1, 5}, {63, 10, 1, 11}, {9, 4, 2, 5},
	} {
		opts := pairing.Options{SeatsPerTable: row.seats, Cycles: row.cycles, Conflict: owners(row.owners)}
		count(t, row.entries, opts, schedule(t, row.entries, opts, stream(2)))
	}
}

func TestWhatCannotBePairedIsRefusedInWords(t *testing.T) {
	// Entries 0, 1 and 2 are each in conflict with entries 3 and 4, but not with each other.
	lopsided := func(a, b int) bool { return (a < 3) != (b < 3) }
	for _, row := range []struct {
		name    string
		entries int
		opts    pairing.Options
		is      error
		want    string
	}{
		{"no options", 4, pairing.Options{}, pairing.ErrOptions, "a table of 0; want 2 to 16 seats"},
		{"too many seats", 40, pairing.Options{SeatsPerTable: 17, Cycles: 1}, pairing.ErrOptions, "a table of 17"},
		{"no cycles", 4, pairing.Options{SeatsPerTable: 2}, pairing.ErrOptions, "0 cycles"},
		{"cycles beyond counting", 4, pairing.Options{SeatsPerTable: 2, Cycles: 1 << 62}, pairing.ErrOptions, "cycles; want 1 to"},
		{"no entries", 0, pairing.Options{SeatsPerTable: 2, Cycles: 1}, pairing.ErrOptions, "0 entries cannot fill a table of 2"},
		{"negative entries", -5, pairing.Options{SeatsPerTable: 2, Cycles: 1}, pairing.ErrOptions, "-5 entries"},
		{"too few entries", 4, pairing.Options{SeatsPerTable: 5, Cycles: 1}, pairing.ErrOptions, "4 entries cannot fill a table of 5"},
		{"too many entries", 2049, pairing.Options{SeatsPerTable: 5, Cycles: 1}, pairing.ErrOptions, "2049 entries; at most 2048"},
		{"too many matches", 1000, pairing.Options{SeatsPerTable: 2, Cycles: 3}, pairing.ErrOptions, "that would be 1498500 matches; at most 1000000"},
		{"two of one owner only", 2, pairing.Options{SeatsPerTable: 2, Cycles: 1, Conflict: owners(1)}, pairing.ErrImpossible, "no two of the 2 entries"},
		{
			"the whole field with two of one owner", 5,
			pairing.Options{SeatsPerTable: 5, Cycles: 1, Conflict: owners(4)},
			pairing.ErrImpossible,
			"no two of entries 0, 4 may meet, which at tables of 5 takes 10 entries, and there are 5",
		},
		{
			"more of one owner than tables", 8,
			pairing.Options{SeatsPerTable: 3, Cycles: 1, Conflict: func(a, b int) bool { return a > 4 && b > 4 }},
			pairing.ErrImpossible,
			"no two of entries 5, 6, 7 may meet, which at tables of 3 takes 9 entries, and there are 8",
		},
		{"groups that do not fill a table", 5, pairing.Options{SeatsPerTable: 3, Cycles: 1, Conflict: lopsided}, pairing.ErrImpossible, "may meet"},
		{
			"two who fit at no table", 6,
			pairing.Options{SeatsPerTable: 3, Cycles: 1, Conflict: func(a, b int) bool { return (a < 2) != (b < 2) }},
			pairing.ErrImpossible,
			"found no line-ups of 3 among 6 entries without entries",
		},
	} {
		s, err := pairing.RoundRobin(row.entries, row.opts, stream(4))
		if !errors.Is(err, row.is) || !strings.Contains(fmt.Sprint(err), row.want) || s != nil {
			t.Errorf("%s: got %d rounds and %v, want %v with %q", row.name, len(s), err, row.is, row.want)
		}
	}
}

func TestTheSeedDecidesTheSchedule(t *testing.T) {
	for _, entries := range []int{7, 12, 30} {
		opts := pairing.Options{SeatsPerTable: 3, Cycles: 1}
		if diff := cmp.Diff(schedule(t, entries, opts, stream(1)), schedule(t, entries, opts, stream(1))); diff != "" {
			t.Errorf("%d entries: seed 1 gives two schedules:\n%s", entries, diff)
		}
		if cmp.Equal(schedule(t, entries, opts, stream(1)), schedule(t, entries, opts, stream(2))) {
			t.Errorf("%d entries: seeds 1 and 2 give the same schedule", entries)
		}
	}
}
