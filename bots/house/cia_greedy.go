package house

import (
	"math/bits"
	"math/rand/v2"

	"github.com/molerun/molerun/bots/protocol"
	"github.com/molerun/molerun/engines/game"
)

// greedySpy wants its own stone ahead of the best other one, and its agent on a good building when the safe is opened
// next. It hides nothing and suspects all alike.
type greedySpy struct{ *stakeout }

func greedyCIA(t *protocol.Turn, rng *rand.Rand) (protocol.Answer, error) {
	s, err := readStakeout(t)
	if err != nil {
		return protocol.Answer{}, err
	}
	return s.decide(greedySpy{s}, t.Offer, rng)
}

func (g greedySpy) value(r *ring) float64 {
	return ahead(r, g.mine)
}

// ahead is the [lead] of the best stone of mine.
func ahead(r *ring, mine uint8) float64 {
	own, rival, next := -4, 0, 0
	for m := r.in; m != 0; m &= m - 1 {
		a := bits.TrailingZeros8(m)
		switch {
		case mine>>a&1 == 0:
			rival = max(rival, r.stone[a])
		case r.stone[a]+worth(r.at[a]) >= own+next:
			own, next = r.stone[a], worth(r.at[a])
		}
	}
	return lead(own-rival, next)
}

// lead is the measure of greedy: fields ahead of the best other stone, and a third of what the building is worth.
func lead(ahead, next int) float64 { return float64(ahead) + float64(0.3*float64(next)) }

// gain: a card is worth more than a point.
func (greedySpy) gain() float64 { return 1 }

func (greedySpy) suspicion(game.Seat, int) float64 { return 0 }

func (greedySpy) shows([]errand, int) float64 { return 0 }

func (greedySpy) width() int { return 1 }

func (g greedySpy) foresee(r *ring, _ bool) float64 { return g.value(r) }
