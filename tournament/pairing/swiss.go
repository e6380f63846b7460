package pairing

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/tournament/pairing/matching"
)

// swiss pairs those of like standing who have not met. At tables of two it is a matching of the greatest weight: as many
// pairs as can be, then as few of one owner, then as few rematches, then the bye for the entry that has had fewest, of them the lowest,
// then seats, then like points, then the upper half of equals against the lower. Larger tables are filled by a search with
// the same wishes.
type swiss struct{}

// SwissRounds returns how many rounds a swiss has by default: ⌈log₂ entries⌉ + 2, but no more than let everybody meet everybody.
func SwissRounds(entries int) int {
	if entries < 2 {
		return 0
	}
	return min(rounds(entries)+2, entries-1+entries%2)
}

func (swiss) check(entries int, s Settings) error {
	if s.Rounds > maxEntries {
		return fmt.Errorf("%w: %d rounds; at most %d", ErrOptions, s.Rounds, maxEntries)
	}
	return s.check(entries)
}

func (f swiss) matches(entries int, s Settings) (int, error) {
	return f.rounds(entries, s)*s.mostAtOnce(entries) + s.mostInPlayoff(entries), nil
}

func (swiss) rounds(entries int, s Settings) int {
	if s.Rounds > 0 {
		return s.Rounds
	}
	return SwissRounds(entries)
}

// paired returns how many rounds a contest has before its playoff.
func (f swiss) paired(c Contest) int { return f.rounds(len(c.starters()), c.Settings) }

// Late entries are taken during the first half; the rounds they missed count nothing.
func (f swiss) late(c Contest) error {
	if made, all := len(c.Rounds), f.paired(c); 2*made > all {
		return fmt.Errorf("%w: %d of %s paired; a swiss takes entries during the first half", ErrOptions, min(made, all), game.Plural(all, "round"))
	}
	return nil
}

func (swiss) stages(c Contest) []int { return c.playoffStages() }

func (swiss) ties(s Settings) []Tie {
	if s.SeatsPerTable > 2 {
		return []Tie{ByPoints, ByBuchholz1, ByBuchholz, ByScore, ByWins}
	}
	return []Tie{ByPoints, ByBuchholz1, ByBuchholz, ByDirect, ByWins, ByScore}
}

func (f swiss) next(c Contest) (Step, error) {
	if err := f.check(len(c.Entries), c.Settings); err != nil {
		return Step{}, err
	}
	if open := c.Open(); open > 0 {
		return waiting(open), nil
	}
	field, absent, step := c.field()
	played := c.Playoff() >= f.paired(c)
	switch {
	case c.Settings.Playoff != "" && (played || step.Status == Over) || c.Playoff() < len(c.Rounds): // with too few left it is for the best of them
		order, err := c.firstStage().order()
		if err != nil {
			return Step{}, err
		}
		return c.playoffNext(order)
	case played:
		return Step{Status: Over}, nil
	case field == nil:
		return step, nil
	}
	b := newBook(c)
	field = b.byStanding(field)
	r := Round{Absent: absent}
	if c.Settings.SeatsPerTable == 2 {
		b.pairs(&r, field)
	} else {
		b.tables(&r, field, c.stream("swiss"))
	}
	if len(r.Blocks) == 0 {
		return Step{}, fmt.Errorf("%w: no two of the %d entries that are there may meet", ErrImpossible, len(field))
	}
	slices.Sort(r.Byes)
	return Step{Status: Play, Round: r}, nil
}

// field returns who can be paired now, and who cannot. With too few it is nil, and the step says what that means.
func (c Contest) field() ([]int, []Absence, Step) {
	var field []int
	var absent []Absence
	left := len(c.Entries)
	for e, x := range c.Entries {
		if why := c.absent(e); why == "" {
			field = append(field, e)
		} else {
			absent = append(absent, Absence{e, why})
		}
		if x.State == Withdrawn {
			left--
		}
	}
	least := c.Settings.least()
	switch {
	case left < least:
		return nil, nil, Step{Status: Over, Why: fmt.Sprintf("too few for a table of %d: %s left", least, game.Plural(left, "entry"))}
	case len(field) < least:
		return nil, nil, Step{Status: Wait, Why: fmt.Sprintf("too few for a table of %d: %s active, %d paused or without an answer", least, game.Plural(len(field), "entry"), left-len(field))}
	}
	return field, absent, Step{}
}

// byStanding sorts entries by points, equal ones by seed.
func (b *book) byStanding(entries []int) []int {
	out := b.c.seeded(entries)
	slices.SortStableFunc(out, func(x, y int) int { return cmp.Compare(b.points(y), b.points(x)) })
	return out
}

// dense is the size of field up to which all pairs are weighed. In a larger one each entry is weighed with as many others
// near it, and with more until none is left over.
const dense = 64

// pairs makes the round of a field, sorted by standing, at tables of two.
func (b *book) pairs(r *Round, field []int) {
	s := newSwissField(b, field)
	n := len(field)
	near := dense
	if n > 2*dense {
		near = dense / 4
	}
	var mate []int
	for {
		edges := s.edges(near)
		mate = matching.Greatest(n+n%2, edges)
		if near >= n || s.perfect(edges, mate) {
			break
		}
		near *= 4
	}
	board := 0
	for i, e := range field {
		switch j := mate[i]; {
		case j == matching.None || j == n:
			r.Byes = append(r.Byes, e)
		case j > i:
			r.Blocks = append(r.Blocks, b.c.Settings.Block(b.seatPair(e, field[j], board)))
			board++
		}
	}
}

// swissField is what weighs the pairs of one round.
type swissField struct {
	*book
	field   []int
	twice   []int64 // twice the points, by place in field: whole, as a game of two gives halves
	within  []int   // place within those of equal points
	of      []int   // how many those are
	balance []int   // games in seat 0 less those in seat 1
}

func newSwissField(b *book, field []int) *swissField {
	s := &swissField{book: b, field: field}
	for i, e := range field {
		s.twice = append(s.twice, int64(math.Round(2*b.points(e))))
		s.balance = append(s.balance, b.records[e].seats[0]-b.records[e].seats[1])
		s.within = append(s.within, 0)
		if i > 0 && s.twice[i] == s.twice[i-1] {
			s.within[i] = s.within[i-1] + 1
		}
	}
	s.of = make([]int, len(field))
	for i := len(field) - 1; i >= 0; i-- {
		s.of[i] = s.within[i] + 1
		if i+1 < len(field) && s.twice[i] == s.twice[i+1] {
			s.of[i] = s.of[i+1]
		}
	}
	return s
}

// edges returns the pairs that may be made. If near spans the field they are all but those of one owner; else they are those
// not yet met, each with the nearest in standing and those half a group away. An odd field has a vertex for the bye.
func (s *swissField) edges(near int) []matching.Edge {
	n := len(s.field)
	var out []matching.Edge
	for i := range n {
		fold := i + s.of[i]/2
		for j := i + 1; j < n; j++ {
			if near < n && j > i+near && (j < fold-near/2 || j > fold+near/2) {
				if j > fold {
					break
				}
				continue
			}
			if s.c.barred(s.field[i], s.field[j]) {
				continue
			}
			if w := s.weigh(i, j); near >= n || w[1] == 0 {
				out = append(out, matching.Edge{U: i, V: j, W: w})
			}
		}
		if n%2 == 1 {
			// The bye is for one of fewest byes, then of fewest points, then of fewest rounds missed, then the lowest seed.
			x := s.records[s.field[i]]
			rest := s.twice[i]*int64(len(s.c.Rounds)+1) + int64(x.unplayed)
			out = append(out, matching.Edge{U: i, V: n, W: matching.Weight{1, 0, int64(-x.line.Byes), -rest, 0, 0, 0, int64(n * (i - n))}})
		}
	}
	return out
}

// unrelated outweighs all meetings that two entries can have had.
const unrelated = 1 << 32

// weigh returns the worth of the pair of places i and j: a pair; not of one owner, then not met; two levels for the bye; no seat
// more than one off its share; points alike; seats even; half a group between them.
func (s *swissField) weigh(i, j int) matching.Weight {
	met := int64(s.met[key(s.field[i], s.field[j])])
	if s.c.kin(s.field[i], s.field[j]) {
		met += unrelated
	}
	w := matching.Weight{1, -met}
	x, y := s.balance[i], s.balance[j]
	if y > x {
		x, y = y, x
	}
	// The seats that even out best: who had seat 0 more often takes seat 1.
	x, y = x-1, y+1
	if max(x, -x, y, -y) > 2 {
		w[4] = -1
	}
	gap := s.twice[i] - s.twice[j]
	w[5] = -gap * gap
	w[6] = int64(-x*x - y*y)
	if gap == 0 {
		off := int64(max(s.within[i]-s.within[j], s.within[j]-s.within[i]) - s.of[i]/2)
		w[7] = -max(off, -off)
	}
	return w
}

// perfect reports whether nobody is left over, met again, paired with one of its owner's, or has a second bye, and no seat
// is off its share.
func (s *swissField) perfect(edges []matching.Edge, mate []int) bool {
	if slices.Contains(mate, matching.None) {
		return false
	}
	for _, e := range edges {
		if mate[e.U] == e.V && (e.W[1] != 0 || e.W[2] != 0 || e.W[4] != 0) {
			return false
		}
	}
	return true
}

// seatPair returns the two in their seats: the one that has had seat 0 less often takes it; of equals the better standing one on every
// other board.
func (b *book) seatPair(better, other, board int) []int {
	x, y := b.records[better].seats, b.records[other].seats
	switch d := (x[0] - x[1]) - (y[0] - y[1]); {
	case d < 0, d == 0 && board%2 == 0:
		return []int{better, other}
	default:
		return []int{other, better}
	}
}
