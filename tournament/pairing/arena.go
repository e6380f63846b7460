package pairing

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/molerun/molerun/tournament/pairing/matching"
)

// arena pairs whoever is free, by standing, again and again until its time is up ([Contest.Closed]). It waits for nobody:
// Next may be asked at any time and pairs the entries without an open game. Where there are more of them than places, whoever sat
// out last time plays, and of the others those who have sat out most: of two who are always there neither sits out more than
// once oftener than the other.
type arena struct{}

func (arena) check(entries int, s Settings) error { return s.check(entries) }

// Late entries are welcome until the end.
func (arena) late(c Contest) error {
	if c.Closed {
		return fmt.Errorf("%w: the arena is closed", ErrOptions)
	}
	return nil
}

func (arena) ties(Settings) []Tie { return []Tie{ByArenaScore, ByPoints, ByWins, ByScore} }

func (arena) matches(int, Settings) (int, error) { return 0, nil }

func (arena) rounds(int, Settings) int { return 0 }

func (f arena) next(c Contest) (Step, error) {
	if err := f.check(len(c.Entries), c.Settings); err != nil {
		return Step{}, err
	}
	open := c.Open()
	switch {
	case c.Closed && open > 0:
		return waiting(open), nil
	case c.Closed:
		return Step{Status: Over}, nil
	}
	field, absent, step := c.field()
	if field == nil {
		return step, nil
	}
	b := newBook(c)
	free := slices.DeleteFunc(field, func(e int) bool { return b.records[e].busy })
	worth := make(map[int]float64, len(free))
	for _, e := range free {
		worth[e] = float64(ArenaScore(b.records[e].verdicts))
	}
	free = c.seeded(free)
	slices.SortStableFunc(free, func(x, y int) int { return cmp.Compare(worth[y], worth[x]) })
	r := Round{Absent: absent}
	if c.Settings.SeatsPerTable == 2 {
		b.freePairs(&r, free, open > 0)
	} else if open == 0 || len(free) >= c.Settings.SeatsPerTable {
		b.freeTables(&r, free, worth, open > 0)
	}
	if len(r.Blocks) > 0 {
		r.Byes = unseated(free, r.Blocks)
		return Step{Status: Play, Round: r}, nil
	}
	if open > 0 {
		return waiting(open), nil
	}
	return Step{}, fmt.Errorf("%w: no two of the %d entries that are there may meet", ErrImpossible, len(free))
}

// waited returns how many rounds entry e has not been seated.
func (b *book) waited(e int) int { return len(b.c.Rounds) - b.records[e].seated }

// turn compares two entries by who is to sit out first.
func (b *book) turn(x, y int) int { return cmp.Or(b.waited(x)-b.waited(y), b.fewerByes(x, y)) }

// unseated returns the entries of a field that are in no block, ascending.
func unseated(field []int, blocks []Block) []int {
	out := slices.Sorted(slices.Values(field))
	for _, x := range blocks {
		out = slices.DeleteFunc(out, func(e int) bool { return slices.Contains(x.Games[0].Seats, e) })
	}
	return out
}

// freePairs pairs entries, sorted by standing, with one near them. Two of one owner, or the last opponent again, do not meet
// while others will come free.
func (b *book) freePairs(r *Round, free []int, more bool) {
	var mate []int
	for near := dense / 4; ; near *= 4 {
		mate = matching.Greatest(len(free), b.freeEdges(free, near, more))
		if near >= len(free) || b.strangers(free, mate) {
			break
		}
	}
	board := len(b.c.Rounds)
	for i, j := range mate {
		if j > i {
			r.Blocks = append(r.Blocks, b.c.Settings.Block(b.seatPair(free[i], free[j], board)))
			board++
		}
	}
}

// strangers reports whether nobody is paired with one of its owner's, or left over but one of an odd field.
func (b *book) strangers(free, mate []int) bool {
	left := 0
	for i, j := range mate {
		switch {
		case j == matching.None:
			left++
		case b.c.kin(free[i], free[j]):
			return false
		}
	}
	return left <= len(free)%2
}

// freeEdges returns the pairs of free entries with at most near places between them, by place: a pair; not of one owner; two levels for the turn
// to sit out; not again; near in standing.
func (b *book) freeEdges(free []int, near int, more bool) []matching.Edge {
	var edges []matching.Edge
	for i, e := range free {
		for j := i + 1; j < min(len(free), i+near); j++ {
			o := free[j]
			kin, again := b.c.kin(e, o), slices.Contains(b.records[e].last, o) || slices.Contains(b.records[o].last, e)
			if b.c.barred(e, o) || more && (kin || again) {
				continue
			}
			byes := b.records[e].line.Byes + b.records[o].line.Byes
			w := matching.Weight{1, 0, int64(b.waited(e) + b.waited(o)), int64(byes), 0, -int64((j - i) * (j - i))}
			if kin {
				w[1] = -1
			}
			if again {
				w[4] = -1
			}
			edges = append(edges, matching.Edge{U: i, V: j, W: w})
		}
	}
	return edges
}

// freeTables fills tables with entries sorted by standing. While others will come free there is no table with two of one owner.
func (b *book) freeTables(r *Round, free []int, worth map[int]float64, more bool) {
	plays, _ := b.sitOut(free, b.turn)
	if len(plays) == 0 {
		return
	}
	sizes := b.c.Settings.sizes(len(plays))
	of := func(e int) float64 { return worth[e] }
	for _, lineup := range b.lineups(plays, sizes, of, b.c.stream("arena")) {
		if more && b.c.related(lineup) {
			continue
		}
		r.Blocks = append(r.Blocks, b.c.Settings.Block(b.evenSeats(lineup)))
	}
}
