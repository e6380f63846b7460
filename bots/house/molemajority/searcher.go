package molemajority

import (
	"math/rand/v2"
	"slices"

	"github.com/molerun/molerun/bots/house/search"
	"github.com/molerun/molerun/bots/protocol"
	"github.com/molerun/molerun/engines/game"
	mm "github.com/molerun/molerun/engines/molemajority"
)

// mostTurns is how many turns the searcher tries.
const mostTurns = 6

// Searcher searches over the thinker's best turns. Every seat plays on with the turn that the thinker's measure likes best at first sight,
// until all have had a turn more: that measure is the value. The budget is for a whole turn.
func Searcher(t *protocol.Turn, rng *rand.Rand, playouts int) (protocol.Answer, error) {
	return search.Choose(game.Wrap(mm.Rules{}), Valuer(), playouts, t, rng)
}

// answers returns the thinker's best turns that lead to different odds; in set-up its choice.
func answers(t *protocol.Turn, rng *rand.Rand) ([]protocol.Answer, error) {
	x, err := readPosition(t, rng)
	if err != nil {
		return nil, err
	}
	if x.table.Phase < mm.PhasePlay {
		a, err := x.best(rng, x.site)
		return []protocol.Answer{a}, err
	}
	list := x.turns(thinkWidth, thinkCards)
	list = slices.CompactFunc(list, func(a, b line) bool { return a.odds == b.odds })
	var out []protocol.Answer
	for _, d := range list[:min(mostTurns, len(list))] {
		out = append(out, answerTurn(d.acts))
	}
	return out, nil
}
