package demol

import (
	"cmp"
	"encoding/json"
	"math/rand/v2"
	"slices"

	"github.com/molerun/molerun/bots/house/search"
	"github.com/molerun/molerun/bots/kit"
	"github.com/molerun/molerun/bots/protocol"
	"github.com/molerun/molerun/engines/demol"
	"github.com/molerun/molerun/engines/game"
)

// MostPlayouts is the searcher's budget a decision: they go to the end with greedy in every seat, since whom random seats send
// on missions tells nothing, and that takes long.
const MostPlayouts = 32

const mostIdeas = 6

// Searcher returns the tree search over the moles that thinker believes in and the actions that it likes best.
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
	action, err := search.Choose(game.Wrap(demol.Rules{}), odds, min(playouts, MostPlayouts), t, rng)
	return protocol.Answer{Action: action}, err
}

// outlook is the odds of each set of moles; of the likeliest 1.
type outlook map[game.Seats]float64

// Ideas returns the actions that thinker likes best.
func (outlook) Ideas(t *protocol.Turn, rng *rand.Rand) ([]json.RawMessage, error) {
	m, offer, err := newThinkerMind(t, rng)
	if err != nil {
		return nil, err
	}
	list, err := m.actions(offer)
	if err != nil {
		return nil, err
	}
	type idea struct {
		entry       int
		score, luck float64
	}
	ideas := make([]idea, len(list))
	for k, a := range list {
		ideas[k] = idea{entry: k, score: m.score(m, a), luck: rng.Float64()}
	}
	slices.SortFunc(ideas, func(a, b idea) int {
		return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(b.luck, a.luck))
	})
	var out []json.RawMessage
	for _, i := range ideas[:min(mostIdeas, len(ideas))] {
		out = append(out, written(offer, list, i.entry))
	}
	return out, nil
}

// Assume takes the others for greedy.
func (outlook) Assume(t *protocol.Turn, _ game.Table, rng *rand.Rand) (json.RawMessage, error) {
	answer, err := Greedy(t, rng)
	if err != nil {
		return nil, err
	}
	return kit.Chosen(t.Offer, answer)
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

func (outlook) Judge(*protocol.Turn) (float64, bool, error) { return 0, false, nil }

// Reward returns a win or none.
func (outlook) Reward(r game.Result, seat game.Seat) float64 { return yes(r.Rank[seat] == 1) }
