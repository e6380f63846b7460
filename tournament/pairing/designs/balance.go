package designs

import (
	"fmt"
	"slices"
	"strings"

	"github.com/molerun/molerun/engines/game"
)

// The bounds of the search. With them 15 entries at tables of 3, 16 of 4 and 25 of 5 come out perfect where a perfect
// schedule exists, and 64 entries take about a second at most.
const (
	movesPerSeat = 4000      // moves tried for each seat of the schedule…
	maxMoves     = 1_000_000 // …but at most these
	memory       = 15        // a move is kept if it is no worse than the state this many moves ago
	attempts     = 5         // starts, of which the best is kept
)

// cost is what a search makes small: first the meetings of entries in conflict; then the sum, over all other pairs, of
// their meetings squared, which is least when they are spread most evenly, as their number is fixed.
type cost struct{ clashes, spread int }

func (c cost) plus(d cost) cost { return cost{c.clashes + d.clashes, c.spread + d.spread} }

func (c cost) worse(d cost) bool {
	return c.clashes > d.clashes || c.clashes == d.clashes && c.spread > d.spread
}

// search is line-ups of k entries on their way to balance.
type search struct {
	k, perCycle int
	lineup      [][]int  // by table
	round       []int    // by table
	plays       [][]bool // by round and entry
	met         [][]int32
	apart       [][]bool // nil: no conflicts
	cost        cost
	least       cost // no schedule can beat it
}

// Balance finds line-ups, by round, in which all play equally often in each cycle and pairs meet as equally as the search
// can make it: late acceptance hill climbing (Burke and Bykov 2017), in whole numbers, so that every processor finds the
// same. Conflicts that cannot be kept are [ErrImpossible] unless they are soft. The entries are more than the seats.
func Balance(entries int, opts Options, r *game.Rand) ([][][]int, error) {
	k, cycles, conflict, soft := opts.Seats, opts.Cycles, opts.Conflict, opts.Soft
	if soft && Meetings(entries, conflict) == 0 {
		conflict = nil // whoever shares a table, it is a conflict
	}
	s := &search{k: k, perCycle: Blocks(entries, k)}
	if conflict != nil {
		if err := s.keepApart(entries, conflict); err != nil && !soft {
			return nil, err
		}
	}
	s.least.spread = leastSpread(s.perCycle*cycles*k*(k-1)/2, Meetings(entries, conflict))
	var best search
	for i := range attempts {
		s.start(entries, cycles, r)
		s.climb(r)
		if i == 0 || best.cost.worse(s.cost) {
			best = *s // start makes everything again
		}
		if best.cost == s.least {
			break
		}
	}
	if best.cost.clashes == 0 || soft {
		return best.rounds(), nil
	}
	a, b := best.clash()
	return nil, fmt.Errorf("%w: found no line-ups of %d among %d entries without entries %d and %d at one table; use smaller tables or fewer entries of one owner",
		ErrImpossible, k, entries, a, b)
}

// keepApart notes the conflicts and tells of those that cannot be kept: of entries that are all in conflict each needs a
// table of its own whenever it plays, so equal play takes as many whole tables' worth of entries.
func (s *search) keepApart(entries int, conflict func(a, b int) bool) error {
	s.apart = make([][]bool, entries)
	for a := range s.apart {
		s.apart[a] = make([]bool, entries)
		for b := range a {
			s.apart[a][b] = conflict(b, a)
			s.apart[b][a] = s.apart[a][b]
		}
	}
	for a := range entries {
		group := []int{a}
		for b := range entries {
			if b != a && !slices.ContainsFunc(group, func(c int) bool { return !s.apart[b][c] }) {
				group = append(group, b)
			}
		}
		if len(group)*s.k > entries {
			slices.Sort(group)
			return fmt.Errorf("%w: no two of entries %s may meet, which at tables of %d takes %d entries, and there are %d", ErrImpossible,
				strings.Trim(strings.ReplaceAll(fmt.Sprint(group), " ", ", "), "[]"), s.k, len(group)*s.k, entries)
		}
	}
	return nil
}

// leastSpread returns the sum of squares when so many meetings are spread over so many pairs as evenly as whole numbers allow.
func leastSpread(meetings, pairs int) int {
	each, over := meetings/pairs, meetings%pairs
	return (pairs-over)*each*each + over*(each+1)*(each+1)
}

// start fills the tables of each round with those who have played least, by lot, and each seat with the one of them who
// fits best.
func (s *search) start(entries, cycles int, r *game.Rand) {
	s.lineup, s.round, s.plays, s.cost = nil, nil, nil, cost{}
	s.met = make([][]int32, entries)
	for e := range s.met {
		s.met[e] = make([]int32, entries)
	}
	perRound := entries / s.k
	rounds := (s.perCycle + perRound - 1) / perRound
	played := make([]int, entries)
	for range cycles {
		for i := range rounds {
			// The first rounds of a cycle take the odd tables, so that rounds differ by one table at most.
			size := (s.perCycle + rounds - 1 - i) / rounds
			field := r.Perm(entries)
			slices.SortStableFunc(field, func(a, b int) int { return played[a] - played[b] })
			s.fill(field[:size*s.k], entries)
			for _, e := range field[:size*s.k] {
				played[e]++
			}
		}
	}
}

// fill makes one round of the entries in field, whose order it changes.
func (s *search) fill(field []int, entries int) {
	plays := make([]bool, entries)
	for len(field) > 0 {
		var lineup []int
		for len(lineup) < s.k {
			best, lowest := 0, cost{}
			for i, e := range field {
				price := s.meet(e, lineup, None, 1)
				s.meet(e, lineup, None, -1)
				if i == 0 || lowest.worse(price) {
					best, lowest = i, price
				}
			}
			field[0], field[best] = field[best], field[0]
			e := field[0]
			field = field[1:]
			s.cost = s.cost.plus(s.meet(e, lineup, None, 1))
			lineup, plays[e] = append(lineup, e), true
		}
		s.lineup, s.round = append(s.lineup, lineup), append(s.round, len(s.plays))
	}
	s.plays = append(s.plays, plays)
}

// meet changes the meetings of e with all of lineup but one by by, which is 1 or -1, and returns the change of cost.
func (s *search) meet(e int, lineup []int, but int, by int32) cost {
	var change cost
	for _, o := range lineup {
		if o == but {
			continue
		}
		now := s.met[e][o]
		s.met[e][o], s.met[o][e] = now+by, now+by
		if s.apart != nil && s.apart[e][o] {
			change.clashes += int(by)
		} else {
			change.spread += int((2*now + by) * by)
		}
	}
	return change
}

// climb moves towards balance and leaves the best state it saw.
func (s *search) climb(r *game.Rand) {
	past := slices.Repeat([]cost{s.cost}, memory)
	best, bestCost := slices.Clone(s.lineup), s.cost
	for t, lineup := range best {
		best[t] = slices.Clone(lineup)
	}
	for i := range min(movesPerSeat*len(s.lineup)*s.k, maxMoves) {
		if s.cost == s.least {
			return
		}
		before := s.cost
		x, a, y, b, ok := s.propose(r)
		if ok {
			s.swap(x, a, y, b)
			if s.cost.worse(before) && s.cost.worse(past[i%memory]) {
				s.swap(x, a, y, b) // back again: the same two seats
			}
		}
		past[i%memory] = s.cost
		if bestCost.worse(s.cost) {
			bestCost = s.cost
			for t := range best {
				copy(best[t], s.lineup[t])
			}
		}
	}
	s.lineup, s.cost = best, bestCost
}

// propose draws two seats, at tables x and y of one cycle, whose entries may change places: so everybody still plays
// equally often in the cycle and once a round.
func (s *search) propose(r *game.Rand) (x, a, y, b int, ok bool) {
	x = r.IntN(len(s.lineup))
	y = x - x%s.perCycle + r.IntN(s.perCycle)
	a, b = r.IntN(s.k), r.IntN(s.k)
	if x == y {
		return x, a, y, b, false
	}
	p, q := s.lineup[x][a], s.lineup[y][b]
	ok = s.round[x] == s.round[y] || !s.plays[s.round[y]][p] && !s.plays[s.round[x]][q]
	return x, a, y, b, ok
}

// swap lets seat a of table x and seat b of table y change entries; doing it twice changes nothing.
func (s *search) swap(x, a, y, b int) {
	p, q := s.lineup[x][a], s.lineup[y][b]
	s.cost = s.cost.plus(s.meet(p, s.lineup[x], p, -1)).plus(s.meet(q, s.lineup[y], q, -1))
	s.lineup[x][a], s.lineup[y][b] = q, p
	s.cost = s.cost.plus(s.meet(q, s.lineup[x], q, 1)).plus(s.meet(p, s.lineup[y], p, 1))
	if rx, ry := s.round[x], s.round[y]; rx != ry {
		s.plays[rx][p], s.plays[rx][q] = false, true
		s.plays[ry][q], s.plays[ry][p] = false, true
	}
}

// clash returns a pair in conflict that shares a table.
func (s *search) clash() (int, int) {
	for _, lineup := range s.lineup {
		for i, a := range lineup {
			for _, b := range lineup[:i] {
				if s.apart[a][b] {
					return b, a
				}
			}
		}
	}
	return None, None
}

// rounds returns the line-ups by round.
func (s *search) rounds() [][][]int {
	out := make([][][]int, len(s.plays))
	for t, r := range s.round {
		out[r] = append(out[r], s.lineup[t])
	}
	return out
}
