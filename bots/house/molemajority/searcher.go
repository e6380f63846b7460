package molemajority

import (
	"fmt"
	"math/rand/v2"
	"slices"

	json2 "github.com/go-json-experiment/json"

	"github.com/molerun/molerun/bots/house/search"
	"github.com/molerun/molerun/bots/protocol"
	"github.com/molerun/molerun/engines/game"
	mm "github.com/molerun/molerun/engines/molemajority"
)

// MostPlayouts is the searcher's budget for a whole turn.
const MostPlayouts = 48

// mostTurns is how many turns the searcher tries.
const mostTurns = 6

// Searcher searches over the thinker's best turns. Every seat plays on with the turn that the thinker's measure likes best at first sight,
// until this seat has had its next: the odds there are the value.
func Searcher(t *protocol.Turn, rng *rand.Rand, playouts int) (protocol.Answer, error) {
	x, err := readPosition(t, rng)
	if err != nil {
		return protocol.Answer{}, err
	}
	return search.Choose(game.Wrap(mm.Rules{}), outlook{x, x.table.Turn}, min(playouts, MostPlayouts), t, rng)
}

// outlook is the position searched and the number of its turn.
type outlook struct {
	*position
	turn int32
}

// Ideas returns the thinker's best turns that lead to different odds; in set-up its choice.
func (outlook) Ideas(t *protocol.Turn, rng *rand.Rand) ([]protocol.Answer, error) {
	x, err := readPosition(t, rng)
	if err != nil {
		return nil, err
	}
	if x.table.Phase < mm.PhasePlay {
		a, err := x.settle(rng)
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

// Assume takes all for a thinker at first sight.
func (outlook) Assume(t *protocol.Turn, rng *rand.Rand) (protocol.Answer, error) {
	x, err := readPosition(t, rng)
	if err != nil {
		return protocol.Answer{}, err
	}
	return answerTurn(x.turns(1, 1)[0].acts), nil
}

// Likely returns 1: what others hold is drawn by what they have shown.
func (outlook) Likely(game.Table) float64 { return 1 }

// Judge returns the seat's odds after its next turn, or once it is out.
func (o outlook) Judge(t *protocol.Turn) (float64, bool, error) {
	var now struct {
		Turn    int32 `json:"turn"`
		Players []struct {
			Out bool `json:"out"`
		} `json:"players"`
	}
	if err := json2.Unmarshal(t.View, &now); err != nil {
		return 0, false, fmt.Errorf("view: %w", err)
	}
	if now.Turn == o.turn || t.Seat != o.seat {
		return 0, now.Players[o.seat].Out, nil
	}
	x, err := readPosition(t, rand.New(rand.NewPCG(0, 0)))
	if err != nil {
		return 0, false, err
	}
	return x.turns(1, 1)[0].odds, true, nil
}

// Reward returns a win or none.
func (outlook) Reward(r game.Result, seat game.Seat) float64 {
	if r.Rank[seat] == 1 {
		return 1
	}
	return 0
}
