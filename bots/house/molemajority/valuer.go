package molemajority

import (
	"math"
	"math/rand/v2"

	"github.com/molerun/molerun/bots/house/search"
	"github.com/molerun/molerun/engines/game"
	mm "github.com/molerun/molerun/engines/molemajority"
)

// Valuer returns the valuer of Mole Majority: every seat takes the turn that the thinker's measure likes best at first sight, until
// all have had a turn more; there that measure is the value. The turn under way ends as the thinker would end it.
func Valuer() search.Valuer {
	sim := search.Sim[mm.Config, mm.State, mm.Action, mm.View, mm.Event]{Rules: mm.Rules{}, Act: act, Then: rest, Leaf: leaf}
	return search.Valuer{Name: "thinker at first sight, a turn each", Version: 3, Ideas: answers, Play: sim.Play, Rest: sim.Rest}
}

func act(s *mm.State, seat game.Seat, luck *game.Rand) []mm.Action {
	x := position{seat: seat, table: *s, luck: *luck, w: judgement()}
	if s.Phase == mm.PhasePlay {
		return x.turns(1, 1)[0].acts
	}
	return search.Pick(x.list(&x.table), rand.New(luck), x.site)
}

func leaf(root, s *mm.State) ([]float64, bool) {
	if s.Turn < root.Turn+int32(s.Seats) {
		return nil, false
	}
	x := position{seat: s.Active, w: judgement()}
	return x.shares(s), true
}

// shares returns the share of the others that each seat may be expected to rank before ([search.Shares]), by the measure of odds.
func (x *position) shares(s *mm.State) []float64 {
	var v [mm.MaxSeats]float64
	luck := x.w.luck + x.w.each*float64(x.land(s, &v, false))
	shares := make([]float64, s.Seats)
	for i := range shares {
		for j := range shares {
			switch {
			case i == j:
			case s.Out[i] != 0 || s.Out[j] != 0: // a seat out later ranks before one out sooner, one still in before both
				shares[i] += before(s.Out[i], s.Out[j])
			default:
				shares[i] += 1 / (1 + math.Exp((v[j]-v[i])/luck))
			}
		}
		shares[i] /= float64(s.Seats - 1)
	}
	return shares
}

// before compares when two seats went out, 0 for one that is in.
func before(a, b int8) float64 {
	switch {
	case a == b:
		return 0.5
	case a == 0 || b != 0 && a > b:
		return 1
	}
	return 0
}
