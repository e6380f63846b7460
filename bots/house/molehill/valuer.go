package molehill

import (
	"math/rand/v2"

	"github.com/molerun/molerun/bots/house/search"
	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/engines/molehill"
)

// Valuer returns the valuer of Mole Hill: greedy that errs once in eight decisions, and near the end all lines.
func Valuer() search.Valuer {
	sim := search.Sim[molehill.Config, molehill.State, molehill.Action, molehill.View, molehill.Event]{Rules: molehill.Rules{}, Act: act, Err: 8}
	return search.Valuer{Name: "greedy", Version: 1, Ideas: answers, Play: sim.Play, Solve: sim.Solve}
}

// act is [Greedy] that looks at its own flowers and ways alone as the mole, as the gardener at rods beside the mole.
func act(s *molehill.State, _ game.Seat, luck *game.Rand) []molehill.Action {
	p := position{State: *s}
	return search.Pick(p.offer(), rand.New(luck), func(a molehill.Action) float64 {
		at := p.number(a.At)
		if p.Phase != molehill.PhaseRod {
			p.enter(at)
			defer p.leave(at)
			return 2*float64(p.flower(at)) + p.worth(at)
		}
		rod := edge{at, a.Up}
		if p.steps(p.mole(), rod) > 1 {
			return -1000
		}
		return -p.behind(rod, p.mole())
	})
}
