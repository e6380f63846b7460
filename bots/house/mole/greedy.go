package mole

import (
	"math/rand/v2"

	"github.com/molerun/molerun/bots/protocol"
	"github.com/molerun/molerun/engines/mole"
)

// Greedy looks at one flick only. The mole goes along the open lane that is nearest to straight up; with none it
// declines. Each mignette that sees the mole is shot at it; the others decline.
func Greedy(t *protocol.Turn, rng *rand.Rand) (protocol.Answer, error) {
	s, err := readPosition(t, rng)
	if err != nil {
		return protocol.Answer{}, err
	}
	switch s.Phase {
	case mole.PhasePlace:
		return s.legal(t, s.row(rng))
	case mole.PhaseMole:
		return s.legal(t, s.action(s.straight()))
	default:
		return s.legal(t, s.action(s.aimed()))
	}
}

// row places the mignettes side by side across the mole's way, somewhere in the nichee.
func (s *position) row(rng *rand.Rand) mole.Action {
	from, to := inMM(s.Board.Nichee.From), inMM(s.Board.Nichee.To)
	gap := min(30, (to.x-from.x-2*mignetteRadius)/2)
	x := min(max(s.at[mole.Mole].x, from.x+mignetteRadius+gap), to.x-mignetteRadius-gap)
	y := from.y + mignetteRadius + rng.Float64()*(to.y-from.y-2*mignetteRadius)
	a := mole.Action{Type: mole.Place}
	for k := range a.At {
		a.At[k] = inUM(vector{x + gap*float64(k-1), y})
	}
	return a
}

// straight returns the mole's flick along the open lane nearest to straight up, as far as it goes; or Nasdaq.
func (s *position) straight() shot {
	from := s.at[mole.Mole]
	far := s.reach(s.fast[0])
	for turn := 0.0; turn <= 60; turn += 2 {
		for _, side := range [2]float64{-1, 1} {
			u := heading(90 + side*turn)
			free, _ := s.lane(mole.Mole, from, u, nothing)
			exit, line := s.exit(from, u)
			if free >= min(far, exit) && (line || far+moleRadius < exit) {
				return shot{coin: mole.Mole, u: u, speed: s.fast[0]}
			}
		}
	}
	return shot{coin: mole.Mole}
}

// aimed shoots the first mignette that sees the mole; or else declines with one.
func (s *position) aimed() shot {
	x := shot{coin: nothing}
	for id := mole.M1; id <= mole.M3; id++ {
		if !s.due(id) {
			continue
		}
		u := s.at[id].to(s.at[mole.Mole]).unit()
		if _, met := s.lane(id, s.at[id], u, nothing); s.Coins[mole.Mole].Alive && met == mole.Mole {
			return shot{coin: id, u: u, speed: s.fast[1]}
		}
		x.coin = id
	}
	return x
}
