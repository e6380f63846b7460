package pairing

import (
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/molerun/molerun/tournament"
)

// Dealt like cards, no table has two of one owner, as long as no owner has more entries than there are tables.
func TestDealtTablesKeepOwnersApart(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		k := rapid.IntRange(3, 8).Draw(t, "seats")
		s := Settings{SeatsPerTable: k, OwnersApart: true, FormatOptions: tournament.FormatOptions{MinTable: 2}}
		n := rapid.IntRange(2, 6*k).Draw(t, "entries")
		sizes := s.sizes(n)
		b := &book{c: Contest{Settings: s, Entries: make([]Entry, n)}}
		left := map[string]int{}
		var order []int
		for e := range n {
			owner := fmt.Sprint(rapid.IntRange(0, n).Draw(t, "owner"))
			for left[owner] == len(sizes) {
				owner += "'"
			}
			left[owner]++
			b.c.Entries[e].Owner = owner
			order = append(order, e)
		}
		dealt := b.dealt(order, sizes)
		if sorted := slices.Sorted(slices.Values(dealt)); !slices.Equal(sorted, order) {
			t.Fatalf("dealt %v of %v", dealt, order)
		}
		for _, size := range sizes {
			table := dealt[:size]
			dealt = dealt[size:]
			for i, x := range table {
				for _, y := range table[:i] {
					if b.c.barred(x, y) {
						t.Fatalf("tables of %v: %d and %d of owner %s share one", sizes, y, x, b.c.Entries[x].Owner)
					}
				}
			}
		}
	})
}

// The fewest tables that hold all, as equal as can be; where that makes one too small, full tables only.
func TestTableSizes(t *testing.T) {
	for _, row := range []struct {
		seats, least, n int
		want            []int
	}{
		{5, 0, 10, []int{5, 5}},
		{5, 0, 9, []int{5}},
		{5, 4, 9, []int{5, 4}},
		{5, 5, 4, []int{}},
		{5, 2, 3, []int{3}},
		{6, 5, 13, []int{6, 6}},
		{10, 5, 11, []int{6, 5}},
		{4, 3, 10, []int{4, 3, 3}},
	} {
		if got := (Settings{SeatsPerTable: row.seats, FormatOptions: tournament.FormatOptions{MinTable: row.least}}).sizes(row.n); !slices.Equal(got, row.want) {
			t.Errorf("%d entries at tables of %d to %d: got %v, want %v", row.n, row.least, row.seats, got, row.want)
		}
	}
}
