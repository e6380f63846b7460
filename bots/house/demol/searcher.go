package demol

import (
	"math/rand/v2"

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
	v := Valuer()
	v.Play = search.Sim[demol.Config, demol.State, demol.Action, demol.View, demol.Event]{Rules: demol.Rules{}, Act: think}.Play
	return search.Choose(game.Wrap(demol.Rules{}), v, min(playouts, MostPlayouts), t, rng)
}

// answers returns the actions that thinker likes best.
func answers(t *protocol.Turn, rng *rand.Rand) ([]protocol.Answer, error) {
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
		out = append(out, protocol.Answer{Action: written(offer, list, k), Say: m.says()})
	}
	return out, nil
}

// think is [Thinker].
func think(s *demol.State, seat game.Seat, luck *game.Rand) []demol.Action {
	at := &position{view: demol.Rules{}.View(s, seat), seats: int(s.Seats), seat: seat, mole: s.Moles.Has(seat), team: s.Team}
	var o game.Offer[demol.Action]
	demol.Rules{}.Offer(s, seat, &o)
	list := o.List
	var missions [6]bool
	for _, a := range o.Examples { // of a list too long
		if !missions[a.Mission] {
			missions[a.Mission] = true
			for _, a.Members = range sets(at.seats, a.Members.Len()) {
				list = append(list, a)
			}
		}
	}
	rng := rand.New(luck)
	m := at.thinks(rng)
	return search.Pick(list, rng, func(a demol.Action) float64 { return m.score(m, a) })
}
