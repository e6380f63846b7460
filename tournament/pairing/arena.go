package pairing

import (
	"cmp"
	"fmt"
	"slices"
)

// arena pairs whoever is free, by standing, again and again until its time is up ([Contest.Closed]). It waits for nobody:
// Next may be asked at any time and pairs the entries without an open game.
type arena struct{}

func (arena) Check(entries int, s Settings) error { return s.check(entries) }

// Late entries are welcome until the end.
func (arena) Late(c Contest) error {
	if c.Closed {
		return fmt.Errorf("%w: the arena is closed", ErrOptions)
	}
	return nil
}

func (arena) Ties(Settings) []Tie { return []Tie{ByArenaScore, ByPoints, ByWins, ByScore} }

func (f arena) Next(c Contest) (Step, error) {
	if err := f.Check(len(c.Entries), c.Settings); err != nil {
		return Step{}, err
	}
	open := c.open()
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
		b.freeTables(&r, free, worth)
	}
	if len(r.Blocks) > 0 {
		return Step{Status: Play, Round: r}, nil
	}
	if open > 0 {
		return waiting(open), nil
	}
	return Step{}, fmt.Errorf("%w: the %d entries that are there must all stay apart", ErrImpossible, len(free))
}

// freePairs pairs entries, sorted by standing, with one near them. The last opponent is not met again while others will
// come free.
func (b *book) freePairs(r *Round, free []int, more bool) {
	var edges []edge
	for i, e := range free {
		for j := i + 1; j < min(len(free), i+dense/4); j++ {
			o := free[j]
			again := slices.Contains(b.records[e].last, o) || slices.Contains(b.records[o].last, e)
			if b.c.apart(e, o) || again && more {
				continue
			}
			w := weight{1, 0, -int64((j - i) * (j - i))}
			if again {
				w[1] = -1
			}
			edges = append(edges, edge{i, j, w})
		}
	}
	board := len(b.c.Rounds)
	for i, j := range match(len(free), edges) {
		if j > i {
			r.Blocks = append(r.Blocks, b.c.Settings.block(b.seatPair(free[i], free[j], board)))
			board++
		}
	}
}

// freeTables fills tables with entries sorted by standing. Who finds no place stays free.
func (b *book) freeTables(r *Round, free []int, worth map[int]float64) {
	plays, _ := b.sitOut(free)
	if len(plays) == 0 {
		return
	}
	sizes := b.c.Settings.sizes(len(plays))
	of := func(e int) float64 { return worth[e] }
	for _, lineup := range b.lineups(plays, sizes, of, b.c.stream("arena")) {
		r.Blocks = append(r.Blocks, b.c.Settings.block(b.evenSeats(lineup)))
	}
}
