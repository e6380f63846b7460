package pairing

import (
	"math/bits"
	"slices"
)

// spread is entries by seed of a bracket, those of one owner as far from each other as changing places brings them: fewest
// meet in the first round, then fewest can in the second, and so on. Places are changed within a tier, which is the first, the
// second, the next two, the next four, and so on, so that all that a bracket promises to the best seeds holds.
func (c Contest) spread(seeds []int) []int {
	s := newSpreading(c, seeds)
	for range passes {
		better := false
		for i, e := range s.places {
			if s.counted(e) && s.move(i) {
				better = true
			}
		}
		if !better {
			break
		}
	}
	return s.places
}

// spreading is a bracket on its way.
type spreading struct {
	c      Contest
	places []int            // entries by seed
	at     []int            // by seed: its place among the leaves of the bracket, so that those who meet in round r share at>>r
	levels int              // rounds
	of     []map[string]int // by subtree: entries of each owner that has several
	many   map[string]bool  // the owners that have several
}

func newSpreading(c Contest, seeds []int) *spreading {
	s := &spreading{c: c, places: slices.Clone(seeds), levels: rounds(len(seeds)), many: map[string]bool{}}
	seen := map[string]bool{}
	for _, e := range seeds {
		owner := c.Entries[e].Owner
		if owner != "" && !c.Settings.OwnersMeet {
			s.many[owner], seen[owner] = s.many[owner] || seen[owner], true
		}
	}
	s.at = make([]int, 1<<s.levels)
	for place, seed := range seedOrder(s.levels) {
		s.at[seed] = place
	}
	s.of = make([]map[string]int, 2<<s.levels)
	for i, e := range seeds {
		s.count(i, e, 1)
	}
	return s
}

// counted reports whether the entry's owner has others.
func (s *spreading) counted(e int) bool { return s.many[s.c.Entries[e].Owner] }

// subtree is the number of the subtree in which seed i is decided by round r.
func (s *spreading) subtree(i, r int) int { return 1<<(s.levels-r) + s.at[i]>>r }

// count adds by to what the subtrees around seed i have of the owner of e.
func (s *spreading) count(i, e, by int) {
	if !s.counted(e) {
		return
	}
	for r := 1; r <= s.levels; r++ {
		t := s.subtree(i, r)
		if s.of[t] == nil {
			s.of[t] = map[string]int{}
		}
		s.of[t][s.c.Entries[e].Owner] += by
	}
}

// move lets the entry of seed i change places with the one of its tier that brings most; false if none brings anything.
func (s *spreading) move(i int) bool {
	low := 1 << bits.Len(uint(i)) >> 1 //nolint:gosec // a seed
	best, most := none, gains{}
	for j := low; j < min(max(1, 2*low), len(s.places)); j++ {
		if gain := s.gain(i, j); slices.Compare(gain[:], most[:]) > 0 {
			best, most = j, gain
		}
	}
	if best == none {
		return false
	}
	s.swap(i, best)
	return true
}

// gains is how many fewer pairs of one owner can meet by each round, from 1 to that of [MaxEntries].
type gains [12]int

// gain is that of seeds i and j once they have changed places.
func (s *spreading) gain(i, j int) (out gains) {
	a, b := s.places[i], s.places[j]
	if s.c.Entries[a].Owner == s.c.Entries[b].Owner {
		return out
	}
	for r := 1; r <= s.levels; r++ {
		from, to := s.subtree(i, r), s.subtree(j, r)
		if from == to {
			break // and so in all later rounds
		}
		for _, x := range [2][3]int{{a, from, to}, {b, to, from}} {
			if s.counted(x[0]) {
				owner := s.c.Entries[x[0]].Owner
				out[r] += s.of[x[1]][owner] - 1 - s.of[x[2]][owner]
			}
		}
	}
	return out
}

func (s *spreading) swap(i, j int) {
	a, b := s.places[i], s.places[j]
	for _, x := range [4][3]int{{i, a, -1}, {j, b, -1}, {i, b, 1}, {j, a, 1}} {
		s.count(x[0], x[1], x[2])
	}
	s.places[i], s.places[j] = b, a
}
