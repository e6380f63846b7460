package molemajority

import (
	"cmp"
	"math/rand/v2"
	"slices"

	"github.com/molerun/molerun/bots/protocol"
	mm "github.com/molerun/molerun/engines/molemajority"
)

// The thinker's search: how many ways through a card it follows at once, and for how many cards; the others it plays step by
// step. Of the Cave-Ins of a card it tries so many at most.
const (
	thinkWidth = 4
	thinkCards = 3
	caveIns    = 12
)

// Thinker searches over whole turns and sends the best at once.
func Thinker(t *protocol.Turn, rng *rand.Rand) (protocol.Answer, error) {
	x, err := readPosition(t, rng)
	if err != nil {
		return protocol.Answer{}, err
	}
	if x.table.Phase < mm.PhasePlay {
		return x.best(rng, x.site)
	}
	return answerTurn(x.turns(thinkWidth, thinkCards)[0].acts), nil
}

// line is a turn, whole or not: what was done, where it led, and the odds there.
type line struct {
	acts  []mm.Action
	board mm.State
	odds  float64
}

// with returns the turn with one action more.
func (d *line) with(x *position, a mm.Action) line {
	n := line{acts: append(slices.Clip(d.acts), a), board: d.board}
	x.do(&n.board, a)
	n.odds = x.odds(&n.board)
	return n
}

// ended reports whether the turn is over.
func (x *position) ended(s *mm.State) bool { return s.Phase == mm.PhaseOver || s.Turn != x.table.Turn }

// turns lists whole turns, the best first: every card played step by step, the best of them with more ways at once, and cards
// stacked while that pays.
func (x *position) turns(width, cards int) []line {
	root := line{board: x.table}
	root.odds = x.odds(&root.board)
	var out []line
	if root.board.PartN > 0 { // asked in the midst of a card
		for _, d := range x.through(root, width) {
			out = append(out, x.finish(x.stack(d)))
		}
		slices.SortStableFunc(out, higher)
		return out
	}
	var plays []line
	for _, a := range slices.Clone(x.list(&root.board)) {
		switch a.Kind {
		case mm.ActPlay:
			plays = append(plays, x.through(root.with(x, a), 1)[0])
		case mm.ActDone:
			out = append(out, x.finish(root))
		case mm.ActDiscardHand:
			out = append(out, root.with(x, a))
		default: // cards are stacked below
		}
	}
	slices.SortStableFunc(plays, higher)
	if width > 1 {
		for _, p := range slices.Clone(plays[:min(cards, len(plays))]) {
			plays = append(plays, x.through(root.with(x, p.acts[0]), width)...)
		}
		slices.SortStableFunc(plays, higher)
	}
	for _, p := range plays[:min(len(plays), cards*width)] {
		out = append(out, x.finish(x.stack(p)))
	}
	if stacked := x.stack(root); len(stacked.acts) > 0 {
		out = append(out, x.finish(stacked))
	}
	slices.SortStableFunc(out, higher)
	return out
}

// higher orders turns, the best first.
func higher(a, b line) int { return cmp.Compare(b.odds, a.odds) }

// through plays the parts of the card at hand to their end, so many ways at once; the best first.
func (x *position) through(d line, width int) []line {
	if d.board.PartN == 0 || x.ended(&d.board) {
		return []line{d}
	}
	var out []line
	beam := []line{d}
	for len(beam) > 0 {
		steps := x.steps(beam, width)
		next := make([]line, 0, len(steps))
		for _, st := range steps {
			n := beam[st.from].with(x, st.a)
			if n.board.PartN == 0 || x.ended(&n.board) {
				out = append(out, n)
			} else {
				next = append(next, n)
			}
		}
		beam = next
	}
	slices.SortStableFunc(out, higher)
	return out[:min(len(out), width)]
}

// step is an action on one of the boards of a beam.
type step struct {
	from int
	a    mm.Action
	odds float64
}

// steps returns the best actions over all boards of a beam; of boards alike it takes one.
func (x *position) steps(beam []line, width int) []step {
	var best []step
	var after mm.State
	for from := range beam {
		board := &beam[from].board
		list := x.list(board)
		for k, a := range list {
			if x.idle(board, list, k) {
				continue
			}
			after = *board
			x.do(&after, a)
			v := x.odds(&after)
			if len(best) == width && v <= best[width-1].odds || slices.ContainsFunc(best, func(b step) bool { return b.odds == v }) {
				continue
			}
			at, _ := slices.BinarySearchFunc(best, v, func(b step, v float64) int { return cmp.Compare(v, b.odds) })
			best = slices.Insert(best, at, step{from: from, a: a, odds: v})
			best = best[:min(len(best), width)]
		}
	}
	return best
}

// idle reports whether an entry is not worth a try: each roll is offered in both directions, of many Cave-Ins only some are tried,
// and of the spaces of a hex the first.
func (x *position) idle(s *mm.State, list []mm.Action, k int) bool {
	a := list[k]
	switch a.Kind {
	case mm.ActRoll:
		return a.Way == mm.CCW || s.Claimed[x.seat].Has(a.At) && s.Occupied[x.seat].Has(a.At)
	case mm.ActCaveIn:
		return k%(1+len(list)/caveIns) != 0
	case mm.ActBreed, mm.ActMove, mm.ActConvert:
		if a.Space == 0 || k == 0 {
			return false
		}
		b := list[k-1]
		return a.Kind == b.Kind && a.At == b.At && a.To == b.To && a.Seat == b.Seat
	default:
		return false
	}
}

// stack adds cards to a turn while that makes it better, in the end.
func (x *position) stack(d line) line {
	best := d
	for d.board.PartN == 0 && !x.ended(&d.board) {
		var next *line
		for _, a := range slices.Clone(x.list(&d.board)) {
			if a.Kind != mm.ActStack {
				continue
			}
			n := x.through(d.with(x, a), 1)[0]
			if next == nil || n.odds > next.odds {
				next = &n
			}
		}
		if next == nil {
			break
		}
		if d = *next; d.odds > best.odds || len(best.acts) == 0 {
			best = d
		}
	}
	return best
}

// finish ends the turn, and judges it again if the match ends by that.
func (x *position) finish(d line) line {
	if x.ended(&d.board) {
		return d
	}
	n := d.with(x, mm.Action{Kind: mm.ActDone})
	if n.board.Phase != mm.PhaseOver {
		n.odds = d.odds
	}
	return n
}
