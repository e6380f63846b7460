package cia

import (
	"math/rand/v2"

	"github.com/molerun/molerun/bots/protocol"
	"github.com/molerun/molerun/engines/cia"
	"github.com/molerun/molerun/engines/game"
)

// Greedy wants its own stone ahead of the best other one, and its agent on a good building when the safe is opened next. It
// hides nothing and suspects all alike.
func Greedy(t *protocol.Turn, rng *rand.Rand) (protocol.Answer, error) {
	s, err := readPosition(t)
	if err != nil {
		return protocol.Answer{}, err
	}
	return s.decide(greedyMind{s.mine}, t.Offer, rng)
}

// greedyMind is the mind of [Greedy].
type greedyMind struct{ mine cia.Agents }

// value returns the [lead] of its best stone.
func (g greedyMind) value(b *board) float64 {
	own, rival, next := int16(-4), int16(0), int16(0)
	for m := b.in; m != 0; m &= m - 1 {
		a := m.Lowest()
		stone, worth := b.stone[a], b.at[a].Value()
		switch {
		case !g.mine.Has(a):
			rival = max(rival, stone)
		case stone+worth >= own+next:
			own, next = stone, worth
		}
	}
	return lead(own-rival, next)
}

// gain: a card is worth more than a point.
func (greedyMind) gain() float64 { return 1 }

func (greedyMind) suspicion(game.Seat, cia.Agent) float64 { return 0 }

func (greedyMind) shows([]cia.Action, int) float64 { return 0 }

func (greedyMind) width() int { return 1 }

func (g greedyMind) foresee(b *board, _ bool) float64 { return g.value(b) }
