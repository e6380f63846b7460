package molehill

import (
	"math"
	"math/bits"
	"math/rand/v2"

	"github.com/molerun/molerun/bots/house/search"
	"github.com/molerun/molerun/bots/kit"
	"github.com/molerun/molerun/bots/protocol"
	"github.com/molerun/molerun/engines/molehill"
)

// Thinker looks two moves of the mole ahead, with the worst rod beside the mole's square after each (alpha-beta on greedy's
// measure). The gardener looks at the rods near the mole so; farther ones count as none.
func Thinker(t *protocol.Turn, rng *rand.Rand) (protocol.Answer, error) {
	p, err := readPosition(t)
	if err != nil {
		return protocol.Answer{}, err
	}
	return search.Answer(p.offer(), rng, p.thinks(true), kit.Pick)
}

// thinks returns thinker's measure of an action. With bounds it measures no closer than it takes to find the best of many.
func (p *position) thinks(bounds bool) func(molehill.Action) float64 {
	bar := math.Inf(1) // the least that the mole is left with so far
	return func(a molehill.Action) float64 {
		switch at := p.number(a.At); p.Phase {
		case molehill.PhaseStart:
			return p.goTo(at)
		case molehill.PhaseRod:
			rod := edge{at, a.Up}
			if p.steps(p.mole(), rod) > 2 {
				return -1000
			}
			p.toggle(rod)
			defer p.toggle(rod)
			left := p.flee(p.mole(), 2, bar)
			if bounds {
				bar = min(bar, left)
			}
			return -left - 0.01*p.worth(p.mole())
		default:
			return p.dig(at, 2, math.Inf(-1))
		}
	}
}

// steps returns how many steps lie between a square and the farther side of an edge, were the board empty.
func (p *position) steps(from uint8, e edge) int {
	x, y := int(e.at%p.Columns)-int(from%p.Columns), int(e.at/p.Columns)-int(from/p.Columns)
	if e.up {
		return max(x, -x, y+1, -y)
	}
	return max(x+1, -x, y, -y)
}

// flee returns what a mole gets that is to move: the best of its steps. Once it gets more than beta, how much does not matter.
func (p *position) flee(at uint8, depth int, beta float64) float64 {
	if depth == 0 {
		return p.worth(at)
	}
	top := -20 - float64(depth)
	if p.left() == 0 {
		return top
	}
	for m := p.Steps(at); m != 0 && top <= beta; m &= m - 1 {
		top = max(top, p.dig(uint8(bits.TrailingZeros64(m)), depth, top))
	}
	return top
}

// dig returns what a step to a square brings: its flower, and what is left after the worst rod beside it. Once that is less
// than alpha, how little does not matter.
func (p *position) dig(to uint8, depth int, alpha float64) float64 {
	p.enter(to)
	defer p.leave(to)
	flower := 2 * float64(p.flower(to))
	left := p.flee(to, depth-1, math.Inf(1))
	for _, rod := range p.beside(to) {
		if flower+left < alpha {
			break
		}
		p.toggle(rod)
		left = min(left, p.flee(to, depth-1, left))
		p.toggle(rod)
	}
	return flower + left
}
