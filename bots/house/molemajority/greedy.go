package molemajority

import (
	"math/rand/v2"

	"github.com/molerun/molerun/bots/protocol"
	"github.com/molerun/molerun/engines/game"
	mm "github.com/molerun/molerun/engines/molemajority"
)

// Greedy takes the next decision alone: on the board the one after which territory and majorities stand best, between
// cards the card that lets it do most.
func Greedy(t *protocol.Turn, rng *rand.Rand) (protocol.Answer, error) {
	x, err := readPosition(t, rng)
	if err != nil {
		return protocol.Answer{}, err
	}
	var after mm.State
	return x.best(rng, func(a mm.Action) float64 {
		switch a.Kind {
		case mm.ActPlaceHome, mm.ActPlaceTile:
			return x.site(a)
		case mm.ActPlay:
			return float64(2 + deeds[a.Card])
		case mm.ActStack:
			return 1
		case mm.ActDiscardHand:
			return 0
		default:
			if x.table.Current() == mm.DoNothing { // done
				return 0
			}
			after = x.table
			x.do(&after, a)
			return x.territory(&after)
		}
	})
}

// deeds is about how much each card does as an action.
var deeds = [mm.Cards]int{
	mm.Number4: 4, mm.Number3: 3, mm.Number2: 3, mm.CaveIn: 4, mm.Convert: 2, mm.Groundskeeper1: 2, mm.Groundskeeper2: 2, mm.GopherIt: 1,
}

// territory returns the lead in points of claims and tokens, with a little for each mole by the worth of its hex, and more where it
// helps to a majority on a hex without an owner.
func (x *position) territory(s *mm.State) float64 {
	own, rival := 0.0, 0.0
	for seat := range game.Seat(s.Seats) {
		sum := 0.0
		for m := s.Claimed[seat]; m != 0; m &= m - 1 {
			sum += float64(s.Size[m.Lowest()])
		}
		for _, copies := range s.Homes[seat] {
			sum += 2 * float64(copies)
		}
		for m := s.Occupied[seat]; m != 0; m &= m - 1 {
			h, each := m.Lowest(), 0.1
			if s.Owner(h) < 0 {
				each = 0.15 + 0.03*float64(s.On[seat][h])
			}
			sum += each * float64(s.On[seat][h])
		}
		if seat == x.seat {
			own = sum
		} else {
			rival = max(rival, sum)
		}
	}
	return own - rival
}
