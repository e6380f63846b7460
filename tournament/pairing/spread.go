package pairing

import (
	"math/bits"
	"slices"
)

// spread returns entries by seed of a bracket, those of one owner, and those of one group of a first stage, as far from each
// other as changing places brings them: fewest meet in the first round, then fewest can in the second, and so on. Places are
// changed within a tier, which is the first, the second, the next two, the next four, and so on, so that all that a bracket
// promises to the best seeds holds.
func (c Contest) spread(seeds []int) []int {
	s := newSpreading(c, seeds)
	for range passes {
		better := false
		for i, e := range s.places {
			if len(s.counted(e)) > 0 && s.move(i) {
				better = true
			}
		}
		if !better {
			break
		}
	}
	return s.places
}

// spreading is a bracket on its way. A label is an owner or a group: what two entries may have in common.
type spreading struct {
	c      Contest
	places []int            // entries by seed
	at     []int            // by seed: its place among the leaves of the bracket, so that those who meet in round r share at>>r
	levels int              // rounds
	of     []map[string]int // by subtree: entries of each label that several have
	many   map[string]bool  // the labels that several have
}

func newSpreading(c Contest, seeds []int) *spreading {
	s := &spreading{c: c, places: slices.Clone(seeds), levels: rounds(len(seeds)), many: map[string]bool{}}
	seen := map[string]bool{}
	for _, e := range seeds {
		for _, label := range c.labels(e) {
			s.many[label] = seen[label]
			seen[label] = true
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

// labels returns what an entry may have in common with others that it should not meet in a bracket.
func (c Contest) labels(e int) []string {
	var out []string
	x := c.Entries[e]
	if x.Owner != "" && !c.Settings.OwnersMeet {
		out = append(out, "owner "+x.Owner)
	}
	if x.pool != "" {
		out = append(out, x.pool)
	}
	return out
}

// counted returns the labels of an entry that others have too.
func (s *spreading) counted(e int) []string {
	return slices.DeleteFunc(s.c.labels(e), func(label string) bool { return !s.many[label] })
}

// subtree returns the number of the subtree in which seed i is decided by round r.
func (s *spreading) subtree(i, r int) int { return 1<<(s.levels-r) + s.at[i]>>r }

// count adds by to what the subtrees around seed i have of the labels of e.
func (s *spreading) count(i, e, by int) {
	for _, label := range s.counted(e) {
		for r := 1; r <= s.levels; r++ {
			t := s.subtree(i, r)
			if s.of[t] == nil {
				s.of[t] = map[string]int{}
			}
			s.of[t][label] += by
		}
	}
}

// move lets the entry of seed i change places with the one of its tier that brings most; false if none brings anything.
func (s *spreading) move(i int) bool {
	low := 1 << bits.Len(uint(i)) >> 1
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

// gains is how many fewer pairs of one owner can meet by each round, from 1 to that of maxEntries.
type gains [12]int

// gain returns the gain of seeds i and j once they have changed places.
func (s *spreading) gain(i, j int) gains {
	var out gains
	a, b := s.places[i], s.places[j]
	ofA, ofB := s.counted(a), s.counted(b)
	for r := 1; r <= s.levels; r++ {
		from, to := s.subtree(i, r), s.subtree(j, r)
		if from == to {
			break // and so in all later rounds
		}
		out[r] = s.less(ofA, ofB, from, to) + s.less(ofB, ofA, to, from)
	}
	return out
}

// less returns how many fewer pairs can meet once an entry with the labels mine goes from one subtree to another and one with
// theirs comes back.
func (s *spreading) less(mine, theirs []string, from, to int) int {
	sum := 0
	for _, label := range mine {
		if !slices.Contains(theirs, label) {
			sum += s.of[from][label] - 1 - s.of[to][label]
		}
	}
	return sum
}

func (s *spreading) swap(i, j int) {
	a, b := s.places[i], s.places[j]
	for _, x := range [4][3]int{{i, a, -1}, {j, b, -1}, {i, b, 1}, {j, a, 1}} {
		s.count(x[0], x[1], x[2])
	}
	s.places[i], s.places[j] = b, a
}
