package cia

import (
	"math"
	"math/rand/v2"
	"slices"

	"github.com/molerun/molerun/bots/house/search"
	"github.com/molerun/molerun/bots/protocol"
	"github.com/molerun/molerun/engines/cia"
	"github.com/molerun/molerun/engines/game"
)

// Times multiplies the house's budget of playouts for the searcher in CIA, where playouts are short.
const Times = 4

// What the search is limited to.
const (
	mostIdeas = 6 // of a review; the searcher tries all that thinker foresees
	horizon   = 2 // turns
)

// Searcher searches over the best moves that thinker foresees. The others' agents are drawn by thinker's suspicions, all play on
// as the valuer's greedy does, and after a few turns the stones and prospects are the value.
func Searcher(t *protocol.Turn, rng *rand.Rand, playouts int) (protocol.Answer, error) {
	mind, err := newThinkerMind(t, rng)
	if err != nil {
		return protocol.Answer{}, err
	}
	sim := search.Sim[cia.Config, cia.State, cia.Action, cia.View, cia.Event]{Rules: cia.Rules{}, Act: act, Leaf: leaf}
	v := Valuer()
	v.Play = sim.Play
	v.Ideas = func(t *protocol.Turn, rng *rand.Rand) ([]protocol.Answer, error) {
		return mind.ranked(mind, t.Offer, rng, mind.width())
	}
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

// leaf values a state some turns on by how far each seat's best agent is and what it has in prospect; the scale of luck is of the same regression as
// the prospects. Free agents count for nothing, as in [search.Shares].
func leaf(root, s *cia.State) ([]float64, bool) {
	if s.Turns < root.Turns+horizon || s.Phase != cia.PhaseMove {
		return nil, false
	}
	lead := slices.Max(s.Stone[:])
	luck := 1.2 * chance(s.Track, lead)
	seats, shares := make([]float64, s.Seats), make([]float64, s.Seats)
	for i := range seats {
		for in := s.Extra[i].With(s.Agent[i]); in != 0; in &= in - 1 {
			a := in.Lowest()
			seats[i] = max(seats[i], math.Exp((float64(s.Stone[a]-lead)+s.Pos[a].Prospect())/luck))
		}
	}
	for i := range shares {
		for j := range seats {
			if i != j {
				shares[i] += seats[i] / (seats[i] + seats[j])
			}
		}
		shares[i] /= float64(len(seats) - 1)
	}
	return shares, true
}
