package jobs

import (
	"cmp"
	"slices"

	"github.com/molerun/molerun/tournament/director"
	"github.com/molerun/molerun/tournament/rating/fit"
)

// field is which versions of a ladder are judged together: for each version its number there, or leftOut.
type field []int

const leftOut = -1

// latest returns the versions that played last, at most so many, in their order. What takes the cube of their number is kept in bounds so,
// however many a ladder has had: those left out were replaced long ago.
func latest(h *director.History, most int) field {
	last, order := make([]int, len(h.Versions)), make([]int, len(h.Versions))
	for i, m := range h.Matches {
		for _, s := range m.Seats {
			last[s.Player] = i + 1
		}
	}
	for v := range order {
		order[v] = v
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(last[b], last[a]) })
	out := slices.Repeat(field{leftOut}, len(order))
	for at, v := range slices.Sorted(slices.Values(order[:min(most, len(order))])) {
		out[v] = at
	}
	return out
}

// match returns a match with the numbers of the field, and whether all who sat in it are there.
func (f field) match(m director.HistoryMatch) (fit.Match, bool) {
	out := fit.Match{Match: m.Match, Block: m.Block}
	out.Seats = slices.Clone(m.Seats)
	for i, s := range m.Seats {
		if out.Seats[i].Player = f[s.Player]; f[s.Player] == leftOut {
			return out, false
		}
	}
	return out, true
}

// versions returns the versions of the field, by number.
func (f field) versions(h *director.History) []director.HistoryVersion {
	var out []director.HistoryVersion
	for v, at := range f {
		if at != leftOut {
			out = append(out, h.Versions[v])
		}
	}
	return out
}

// parents returns the parents of the field's versions, by number: the nearest ancestor that is there, or -1.
func (f field) parents(h *director.History) []int {
	out := make([]int, 0, len(f))
	for v, at := range f {
		if at == leftOut {
			continue
		}
		up := h.Versions[v].Parent
		for up >= 0 && f[up] == leftOut {
			up = h.Versions[up].Parent
		}
		if up >= 0 {
			up = f[up]
		}
		out = append(out, up)
	}
	return out
}
