package molehill

import (
	"fmt"
	"math/bits"

	"github.com/molerun/molerun/bots/house/search"
	"github.com/molerun/molerun/bots/kit"
	"github.com/molerun/molerun/bots/protocol"
	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/engines/molehill"
)

// position is the state behind a view. Discs and rods under consideration are laid on it and taken back.
type position struct {
	molehill.State
	distance [64]int8  // scratch of worth
	queue    [64]uint8 // the same
}

// edge is a place for a rod: above square number at, or to its right.
type edge struct {
	at uint8
	up bool
}

// readPosition reads a turn.
func readPosition(t *protocol.Turn) (*position, error) {
	config := molehill.Rules{}.Defaults()
	var view molehill.View
	if err := search.Read(t, &config, &view); err != nil {
		return nil, err
	}
	p := new(position)
	if err := (molehill.Rules{}).StateFromView(config, 2, t.Seat, view, &p.State, new(game.Rand)); err != nil {
		return nil, fmt.Errorf("view: %w", err)
	}
	if !p.due().Has(t.Seat) {
		return nil, fmt.Errorf("%w: seat %d is not due", kit.ErrOffer, t.Seat)
	}
	return p, nil
}

func (p *position) due() game.Seats { return molehill.Rules{}.Due(&p.State) }

// offer lists what may be done, in the order of the turn's offer.
func (p *position) offer() []molehill.Action {
	var o game.Offer[molehill.Action]
	molehill.Rules{}.Offer(&p.State, p.due().Lowest(), &o)
	return o.List
}

// number returns the number of a square.
func (p *position) number(q molehill.Square) uint8 { return q.Row*p.Columns + q.Col }

// mole returns the number of its square; it must stand.
func (p *position) mole() uint8 { return p.Path[p.Laid-1] }

// left returns how many discs are left to lay.
func (p *position) left() int8 { return int8(p.Discs - p.Laid) }

// toggle lays a rod or takes it back.
func (p *position) toggle(e edge) {
	if e.up {
		p.FreeUp ^= 1 << e.at
	} else {
		p.FreeRight ^= 1 << e.at
	}
}

// enter lays the mole's next disc; leave takes it back.
func (p *position) enter(to uint8) {
	p.Visited |= 1 << to
	p.Laid++
}

func (p *position) leave(from uint8) {
	p.Visited &^= 1 << from
	p.Laid--
}

// flower returns the points of a square's flower.
func (p *position) flower(at uint8) int {
	return int(2*(p.Red>>at&1) + p.White>>at&1)
}

// beside lists the free edges of a square: left, right, below, above.
func (p *position) beside(at uint8) []edge {
	list := make([]edge, 0, 4)
	add := func(e edge, free uint64) {
		if free>>e.at&1 == 1 {
			list = append(list, e)
		}
	}
	if at%p.Columns > 0 {
		add(edge{at - 1, false}, p.FreeRight)
	}
	add(edge{at, false}, p.FreeRight)
	if at >= p.Columns {
		add(edge{at - p.Columns, true}, p.FreeUp)
	}
	add(edge{at, true}, p.FreeUp)
	return list
}

// worth measures how well a mole stands: ways on, squares in reach up to its discs, and flowers, the nearer the better.
func (p *position) worth(at uint8) float64 {
	ways := bits.OnesCount64(p.Steps(at))
	if ways == 0 || p.left() == 0 {
		return -20
	}
	reached, flowers, n := uint64(1)<<at, 0.0, 1
	p.queue[0], p.distance[at] = at, 0
	for k := 0; k < n; k++ {
		here := p.queue[k]
		further := p.distance[here] + 1
		if further > p.left() {
			break
		}
		for m := p.Steps(here) &^ reached; m != 0; m &= m - 1 {
			to := uint8(bits.TrailingZeros64(m))
			reached |= 1 << to
			p.distance[to] = further
			p.queue[n] = to
			n++
			flowers += float64(p.flower(to)) / float64(1+further)
		}
	}
	return 0.8*float64(ways) + 0.5*float64(min(n-1, int(p.left()))) + 1.2*flowers
}

// behind returns the worth of the mole's square with one rod more.
func (p *position) behind(rod edge, mole uint8) float64 {
	p.toggle(rod)
	defer p.toggle(rod)
	return p.worth(mole)
}

// goTo returns the worth of a step to a square, after the worst rod beside it.
func (p *position) goTo(to uint8) float64 {
	p.enter(to)
	defer p.leave(to)
	worst := p.worth(to)
	for _, rod := range p.beside(to) {
		worst = min(worst, p.behind(rod, to))
	}
	return 2*float64(p.flower(to)) + worst
}
