package cia

import (
	"math/rand/v2"

	"github.com/molerun/molerun/bots/house/search"
	"github.com/molerun/molerun/bots/protocol"
	"github.com/molerun/molerun/engines/cia"
	"github.com/molerun/molerun/engines/game"
)

// Times is how often the house's budget of playouts is the searcher's: they are short.
const Times = 4

// What the search is limited to.
const (
	mostIdeas = 6
	horizon   = 3 // turns of each seat
)

// Searcher searches over the best moves that thinker foresees. The others' agents are drawn by thinker's suspicions, all play on
// as the valuer's greedy does, and playouts are cut off when every seat has had its turns: there thinker's odds are the value.
func Searcher(t *protocol.Turn, rng *rand.Rand, playouts int) (protocol.Answer, error) {
	mind, err := newThinkerMind(t, rng)
	if err != nil {
		return protocol.Answer{}, err
	}
	sim := search.Sim[cia.Config, cia.State, cia.Action, cia.View, cia.Event]{Rules: cia.Rules{}, Act: act, Leaf: leaf}
	v := Valuer()
	v.Play = sim.Play
	answer, err := search.Choose(game.Wrap(cia.Rules{}), v, Times*playouts, t, rng)
	answer.Memo = mind.eye.memo()
	return answer, err
}

// answers returns the moves after which thinker's boards are best.
func answers(t *protocol.Turn, rng *rand.Rand) ([]protocol.Answer, error) {
	mind, err := newThinkerMind(t, rng)
	if err != nil {
		return nil, err
	}
	return mind.ranked(mind, t.Offer, rng, mostIdeas)
}

// leaf values a state once every seat has had its turns, by thinker's odds: of two seats that whose agents are likelier to be first ranks before
// the other, and if a free agent is first all are alike.
func leaf(root, s *cia.State) ([]float64, bool) {
	if s.Turns < root.Turns+horizon*int32(s.Seats) || s.Phase != cia.PhaseMove {
		return nil, false
	}
	b := board{in: s.InPlay, at: s.Pos, stone: s.Stone, safe: s.Safe}
	odds := b.odds(s.Track)
	seats, shares := make([]float64, s.Seats), make([]float64, s.Seats)
	held := 0.0
	for i := range seats {
		for in := s.Extra[i].With(s.Agent[i]); in != 0; in &= in - 1 {
			seats[i] += odds[in.Lowest()]
		}
		held += seats[i]
	}
	for i := range shares {
		for j := range seats {
			if i != j {
				shares[i] += held*seats[i]/(seats[i]+seats[j]) + (1-held)/2
			}
		}
		shares[i] /= float64(len(seats) - 1)
	}
	return shares, true
}
