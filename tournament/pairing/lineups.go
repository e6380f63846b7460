package pairing

import (
	"math"
	"math/bits"
	"slices"

	"github.com/molerun/molerun/engines/game"
)

// sizes returns the tables for n entries: as few as hold all, as equal as can be; if the smallest would be too small, full
// tables only, and the rest is left over.
func (s Settings) sizes(n int) []int {
	k := s.SeatsPerTable
	count := (n + k - 1) / k
	if count == 0 || n/count < s.least() {
		return slices.Repeat([]int{k}, n/k)
	}
	out := make([]int, count)
	for i := range out {
		out[i] = (n + count - 1 - i) / count
	}
	return out
}

// tables makes the round of a field, sorted by standing, at tables of more than two. Those with the fewest byes sit out.
func (b *book) tables(r *Round, field []int, luck *game.Rand) {
	plays, out := b.sitOut(field, b.fewerByes)
	r.Byes = append(r.Byes, out...)
	if len(plays) == 0 {
		return
	}
	for _, lineup := range b.lineups(plays, b.c.Settings.sizes(len(plays)), b.points, luck) {
		r.Blocks = append(r.Blocks, b.c.Settings.Block(b.evenSeats(lineup)))
	}
}

// fewerByes compares two entries by the byes that they have had.
func (b *book) fewerByes(x, y int) int { return b.records[x].line.Byes - b.records[y].line.Byes }

// sitOut parts a field, sorted by standing, into those who play and those for whom there is no place: of an owner with more
// entries than there are tables, and then of all, the first by turn, of equals the lowest. An owner whose entries must not meet sits
// out with what is more than the tables even where there are places.
func (b *book) sitOut(field []int, turn func(x, y int) int) (plays, out []int) {
	plays = slices.Clone(field)
	for {
		sizes := b.c.Settings.sizes(len(plays))
		seats := 0
		for _, k := range sizes {
			seats += k
		}
		full := len(plays) > seats
		from := b.crowd(plays, len(sizes))
		switch {
		case full && from == nil:
			from = plays
		case !full && (from == nil || !b.c.Settings.OwnersApart):
			return plays, out
		}
		last := from[0]
		for _, e := range from {
			if turn(e, last) <= 0 {
				last = e
			}
		}
		plays, out = slices.DeleteFunc(plays, func(e int) bool { return e == last }), append(out, last)
	}
}

// crowd returns the entries of the owner who has most of field, in its order, if they are more than the tables.
func (b *book) crowd(field []int, tables int) []int {
	var most []int
	byOwner := map[string][]int{}
	for _, e := range field {
		if owner := b.c.Entries[e].Owner; owner != "" && !b.c.Settings.OwnersMeet {
			byOwner[owner] = append(byOwner[owner], e)
		}
	}
	for _, e := range field { // in its order, as a map has none
		if list := byOwner[b.c.Entries[e].Owner]; len(list) > max(tables, len(most)) {
			most = list
		}
	}
	return most
}

// seating is tables on their way to fewer meetings again and more like standings.
type seating struct {
	*book
	lineups [][]int
	table   []int // by place
	seat    []int
	worth   func(e int) float64 // like is seated with like
}

// dearness is what a table costs: pairs of one owner, meetings again squared, differences of points squared.
type dearness [3]int64

func (a dearness) plus(b dearness) dearness {
	return dearness{a[0] + b[0], a[1] + b[1], a[2] + b[2]}
}

func (a dearness) less(b dearness) bool {
	return slices.Compare(a[:], b[:]) < 0
}

// starts is how many searches are made, of which the best is kept; passes bounds each.
const (
	starts = 4
	passes = 30
)

// lineups parts field, sorted by worth, into tables of these sizes. Entries of one owner share one only if they are more than
// the tables, and then as few of them as can be.
func (b *book) lineups(field, sizes []int, worth func(e int) float64, luck *game.Rand) [][]int {
	var best [][]int
	var lowest dearness
	for i := range starts {
		order := interleaved(field, sizes[0], worth)
		if i > 0 {
			order = slices.Clone(field)
			game.Shuffle(luck, order)
		}
		s := b.seated(order, sizes, worth)
		s.descend()
		if s.cost()[0] > 0 {
			dealt := b.seated(b.dealt(order, sizes), sizes, worth)
			if dealt.descend(); dealt.cost()[0] < s.cost()[0] {
				s = dealt
			}
		}
		if c := s.cost(); best == nil || c.less(lowest) {
			best, lowest = s.lineups, c
		}
		if lowest[1] == 0 && i == 0 {
			break // nobody meets again, and the standings are as good as the start had them
		}
	}
	return best
}

// interleaved returns field with those of equal worth in an order that gives each of their tables a like share of seeds.
func interleaved(field []int, k int, worth func(e int) float64) []int {
	var out []int
	for _, group := range split(field, worth) {
		count := (len(group) + k - 1) / k
		for t := range count {
			for i := t; i < len(group); i += count {
				out = append(out, group[i])
			}
		}
	}
	return out
}

// dealt returns an order in which every owner's entries are spread over the tables: they are dealt out owner after owner, like
// cards.
func (b *book) dealt(field, sizes []int) []int {
	byOwner := map[string][]int{}
	var owners []string
	for _, e := range field {
		o := b.c.Entries[e].Owner
		if byOwner[o] == nil {
			owners = append(owners, o)
		}
		byOwner[o] = append(byOwner[o], e)
	}
	tables := make([][]int, len(sizes))
	t := 0
	for _, o := range owners {
		for _, e := range byOwner[o] {
			for len(tables[t]) == sizes[t] {
				t = (t + 1) % len(sizes)
			}
			tables[t] = append(tables[t], e)
			t = (t + 1) % len(sizes)
		}
	}
	return slices.Concat(tables...)
}

func (b *book) seated(order, sizes []int, worth func(e int) float64) *seating {
	s := &seating{book: b, worth: worth}
	for t, k := range sizes {
		s.lineups = append(s.lineups, slices.Clone(order[:k]))
		order = order[k:]
		for i := range k {
			s.table, s.seat = append(s.table, t), append(s.seat, i)
		}
	}
	return s
}

// with returns what entry e costs at a table, in the seat of the one it would replace.
func (s *seating) with(e, table, seat int) dearness {
	var d dearness
	for i, o := range s.lineups[table] {
		if i == seat {
			continue
		}
		if s.c.kin(e, o) {
			d[0]++
		}
		met := int64(s.met[key(e, o)])
		d[1] += 2*met + 1 // (met+1)² − met²
		gap := int64(math.Round(12 * (s.worth(e) - s.worth(o))))
		d[2] += gap * gap
	}
	return d
}

// cost returns the cost of all tables; a first meeting costs nothing.
func (s *seating) cost() dearness {
	var sum dearness
	for t, lineup := range s.lineups {
		for i, e := range lineup {
			d := s.with(e, t, i)
			d[1] -= int64(len(lineup) - 1)
			sum = sum.plus(d)
		}
	}
	return sum
}

// descend lets two entries change tables as long as that makes the seating better.
func (s *seating) descend() {
	for range passes {
		better := false
		for x := range s.table {
			for y := range x {
				if s.table[x] != s.table[y] && s.swapIfBetter(x, y) {
					better = true
				}
			}
		}
		if !better {
			return
		}
	}
}

func (s *seating) swapIfBetter(x, y int) bool {
	tx, sx, ty, sy := s.table[x], s.seat[x], s.table[y], s.seat[y]
	a, b := s.lineups[tx][sx], s.lineups[ty][sy]
	now := s.with(a, tx, sx).plus(s.with(b, ty, sy))
	then := s.with(b, tx, sx).plus(s.with(a, ty, sy))
	if !then.less(now) {
		return false
	}
	s.lineups[tx][sx], s.lineups[ty][sy] = b, a
	return true
}

// evenSeats returns a line-up in the seats that its entries have had least.
func (b *book) evenSeats(lineup []int) []int {
	return EvenSeats(lineup, func(e, seat int) int { return b.records[e].seats[seat] })
}

// EvenSeats orders a line-up by seat so that seats come out as even as can be: as few entries as possible in a seat that
// they have had most beyond the one they have had least, and so on down. All ways are tried, by sets of entries that have
// taken the first seats.
func EvenSeats(lineup []int, had func(e, seat int) int) []int {
	k := len(lineup)
	price := make([]int, 0, k*k) // by place in the line-up and seat
	for _, e := range lineup {
		fewest := math.MaxInt
		for seat := range k {
			fewest = min(fewest, had(e, seat))
		}
		for seat := range k {
			price = append(price, 1<<(5*min(had(e, seat)-fewest, 10)))
		}
	}
	least, last := make([]int, 1<<k), make([]int, 1<<k)
	for set := 1; set < 1<<k; set++ {
		least[set] = math.MaxInt
		seat := bits.OnesCount(uint(set)) - 1
		for rest := set; rest != 0; rest &= rest - 1 {
			i := bits.TrailingZeros(uint(rest))
			if cost := least[set&^(1<<i)] + price[i*k+seat]; cost < least[set] {
				least[set], last[set] = cost, i
			}
		}
	}
	out := make([]int, k)
	for set, seat := 1<<k-1, k-1; seat >= 0; seat-- {
		out[seat] = lineup[last[set]]
		set &^= 1 << last[set]
	}
	return out
}
