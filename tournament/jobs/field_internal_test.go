package jobs

import (
	"fmt"
	"slices"
	"testing"

	"github.com/molerun/molerun/internal/must"
	"github.com/molerun/molerun/tournament/director"
	"github.com/molerun/molerun/tournament/rating"
)

// between returns a match of some versions.
func between(versions ...int) director.HistoryMatch {
	var m director.HistoryMatch
	for _, v := range versions {
		m.Seats = append(m.Seats, rating.Seat{Player: v})
	}
	return m
}

func TestTheVersionsThatPlayedLastAreJudged(t *testing.T) {
	h := &director.History{
		Versions: []director.HistoryVersion{{Parent: -1}, {Parent: 0}, {Parent: -1}, {Parent: 1}, {Parent: 3}},
		Matches:  []director.HistoryMatch{between(1, 2), between(3, 2), between(0, 4), between(4, 2)},
	}
	for _, c := range []struct {
		most    int
		field   field
		parents []int
		matches int
	}{
		{9, field{0, 1, 2, 3, 4}, []int{-1, 0, -1, 1, 3}, 4},
		{5, field{0, 1, 2, 3, 4}, []int{-1, 0, -1, 1, 3}, 4},
		{4, field{0, leftOut, 1, 2, 3}, []int{-1, -1, 0, 2}, 3},
		{3, field{0, leftOut, 1, leftOut, 2}, []int{-1, -1, 0}, 2},
		{2, field{leftOut, leftOut, 0, leftOut, 1}, []int{-1, -1}, 1},
	} {
		got := latest(h, c.most)
		if !slices.Equal(got, c.field) || !slices.Equal(got.parents(h), c.parents) || len(got.versions(h)) != len(c.parents) {
			t.Errorf("at most %d: got %v with parents %v, want %v with %v", c.most, got, got.parents(h), c.field, c.parents)
		}
		n := 0
		for _, m := range h.Matches {
			one, all := got.match(m)
			if all {
				n++
			}
			for i, s := range m.Seats {
				if all && one.Seats[i].Player != c.field[s.Player] {
					t.Errorf("at most %d: version %d sits as %d", c.most, s.Player, one.Seats[i].Player)
				}
			}
		}
		must.Same(t, fmt.Sprintf("at most %d: matches among them", c.most), n, c.matches)
	}
}
