package demol

import (
	"math/rand/v2"
	"slices"

	"github.com/molerun/molerun/bots/house/search"
	"github.com/molerun/molerun/bots/protocol"
	"github.com/molerun/molerun/engines/demol"
	"github.com/molerun/molerun/engines/game"
)

// MostPlayouts is the searcher's budget a decision: playouts go to the end of the match, and that takes long.
const MostPlayouts = 32

const mostIdeas = 6

// Searcher searches over the moles that thinker believes in and the actions that it likes best.
func Searcher(t *protocol.Turn, rng *rand.Rand, playouts int) (protocol.Answer, error) {
	m, _, err := newThinkerMind(t, rng)
	if err != nil {
		return protocol.Answer{}, err
	}
	odds := outlook{}
	top := slices.Max(m.odds)
	for i, moles := range m.sets {
		odds[moles] = m.odds[i] / top
	}
	return search.Choose(game.Wrap(demol.Rules{}), odds, min(playouts, MostPlayouts), t, rng)
}

// outlook is the odds of each set of moles; of the likeliest 1.
type outlook map[game.Seats]float64

// Ideas returns the actions that thinker likes best.
func (outlook) Ideas(t *protocol.Turn, rng *rand.Rand) ([]protocol.Answer, error) {
	m, offer, err := newThinkerMind(t, rng)
	if err != nil {
		return nil, err
	}
	list, err := m.actions(offer)
	if err != nil {
		return nil, err
	}
	var out []protocol.Answer
	for _, k := range search.Ranked(list, mostIdeas, rng, func(a demol.Action) float64 { return m.score(m, a) }) {
		out = append(out, protocol.Answer{Action: written(offer, list, k)})
	}
	return out, nil
}

// Assume takes all for thinkers; at tables of more than seven, where that takes long, for greedy ones.
func (outlook) Assume(t *protocol.Turn, rng *rand.Rand) (protocol.Answer, error) {
	if len(t.Opponents) > 6 {
		return Greedy(t, rng)
	}
	return Thinker(t, rng)
}

// Likely goes by who the moles are.
func (o outlook) Likely(table game.Table) float64 {
	var moles game.Seats
	for seat, team := range table.Teams() {
		if team == mole {
			moles = moles.With(game.Seat(seat))
		}
	}
	return o[moles]
}

// Judge never cuts.
func (outlook) Judge(*protocol.Turn) (float64, bool, error) { return 0, false, nil }

// Reward returns a win or none.
func (outlook) Reward(r game.Result, seat game.Seat) float64 { return yes(r.Rank[seat] == 1) }
