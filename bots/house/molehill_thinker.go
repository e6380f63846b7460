package house

import (
	"math"
	"math/rand/v2"
	"strings"

	"github.com/molerun/molerun/bots/kit"
	"github.com/molerun/molerun/bots/protocol"
)

// thinkerMolehill looks two moves of the mole ahead, with the worst rod beside the mole's square after each (alpha-beta on
// greedy's measure). The gardener looks at the rods near the mole so; farther ones count as none.
func thinkerMolehill(t *protocol.Turn, rng *rand.Rand) (protocol.Answer, error) {
	offer, err := kit.ParseOffer(t.Offer)
	if err != nil {
		return protocol.Answer{}, err
	}
	m, mole, err := readMeadow(t)
	if err != nil {
		return protocol.Answer{}, err
	}
	bar := math.Inf(1) // the least that the mole is left with so far
	return best(offer.List, rng, func(a burrow) float64 {
		switch a.Type {
		case "start":
			return m.goTo(m.square(a.At))
		case "rod":
			from, to, _ := strings.Cut(a.Edge, "-")
			x, y := m.square(from), m.square(to)
			if mole < 0 || max(m.apart(mole, x), m.apart(mole, y)) > 2 {
				return -1000
			}
			rod := m.edge(x, y)
			*rod = true
			defer func() { *rod = false }()
			left := m.flee(mole, 2, bar)
			bar = min(bar, left)
			return -left - 0.01*m.worth(mole)
		}
		return m.dig(m.square(a.At+a.To), 2, math.Inf(-1))
	})
}

// apart is how many steps lie between two squares of an empty board.
func (m *meadow) apart(a, b int) int {
	x, y := a%m.columns-b%m.columns, a/m.columns-b/m.columns
	return max(x, -x, y, -y)
}

// flee is what a mole gets that is to move: the best of its steps. Once it gets more than beta, how much does not matter.
func (m *meadow) flee(at, depth int, beta float64) float64 {
	if depth == 0 {
		return m.worth(at)
	}
	top := -20 - float64(depth)
	if m.discs == 0 {
		return top
	}
	m.steps(at, func(to int) {
		if top <= beta {
			top = max(top, m.dig(to, depth, top))
		}
	})
	return top
}

// dig is what a step to a square brings: its flower, and what is left after the worst rod beside it. Once that is less
// than alpha, how little does not matter.
func (m *meadow) dig(to, depth int, alpha float64) float64 {
	m.visited[to] = true
	m.discs--
	defer func() { m.visited[to] = false; m.discs++ }()
	flower := 2 * float64(m.flower[to])
	left := m.flee(to, depth-1, math.Inf(1))
	for _, rod := range m.beside(to) {
		if flower+left < alpha {
			break
		}
		*rod = true
		left = min(left, m.flee(to, depth-1, left))
		*rod = false
	}
	return flower + left
}
