package mole

import (
	"math/rand/v2"

	"github.com/molerun/molerun/bots/house/search"
	"github.com/molerun/molerun/bots/protocol"
	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/engines/mole"
)

// How many flicks are searched: those that thinker likes best, one close to each of the first of them, and some of any kind.
const (
	bestFlicks = 20
	nearFlicks = 6
	wildFlicks = 4
)

// Searcher searches over thinker's flicks and others by the exact physics under the match's noise, with thinker, who looks in fewer
// directions, in both seats to the end of the round.
func Searcher(t *protocol.Turn, rng *rand.Rand, playouts int) (protocol.Answer, error) {
	return search.Choose(game.Wrap(mole.Rules{}), Valuer(), playouts, t, rng)
}

// answers returns thinker's best flicks and others; of places it draws some like thinker's.
func answers(t *protocol.Turn, rng *rand.Rand) ([]protocol.Answer, error) {
	s, err := readPosition(t, rng)
	if err != nil {
		return nil, err
	}
	list := s.trials(rng)
	out := make([]protocol.Answer, len(list))
	for k, a := range list {
		if out[k], err = s.legal(t, a); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// trials lists the actions to search.
func (s *position) trials(rng *rand.Rand) []mole.Action {
	var list []mole.Action
	if s.Phase == mole.PhasePlace {
		for range bestFlicks {
			list = append(list, s.fence(rng))
		}
	} else {
		var ideas []idea
		s.ideas(fineFan, rng, func(x shot, worth float64) { ideas = append(ideas, idea{x, worth}) })
		for _, k := range search.Ranked(ideas, bestFlicks, rng, func(i idea) float64 { return i.worth }) {
			list = append(list, s.action(ideas[k].shot))
		}
		for _, a := range list[:min(nearFlicks, len(list))] {
			if a.Type == mole.Flick {
				list = append(list, s.near(a, rng))
			}
		}
	}
	dice := game.Stream(search.Seed(rng), 0, "wild")
	for range wildFlicks {
		list = append(list, mole.Rules{}.Sample(&s.State, mole.Rules{}.Due(&s.State).Lowest(), dice))
	}
	return list
}

// near draws a flick close to another.
func (s *position) near(a mole.Action, rng *rand.Rand) mole.Action {
	a.Angle = (a.Angle + int32(3000*rng.NormFloat64()) + 360_000) % 360_000
	a.Speed = int32(min(max(float64(a.Speed)*(1+0.15*rng.NormFloat64()), 1), s.fast[min(a.Coin, 1)]))
	return a
}
