package search

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math"
	"math/bits"
	"math/rand/v2"
	"slices"

	"github.com/molerun/molerun/bots/kit"
	"github.com/molerun/molerun/bots/protocol"
	"github.com/molerun/molerun/engines/game"
)

// certainty is how many standard errors an idea must be better by than the first.
const certainty = 1

// ExactWork limits how many actions a search tries, in all of one decision, to solve the rest of a match.
const ExactWork = 50_000

// search is the search for one decision. What the seat cannot see is drawn again for every table, and all seats play on as
// [Valuer.Play] does, so that they are part of the luck.
type search struct {
	Valuer
	turn   *protocol.Turn
	root   game.Table // a guess
	likely func(game.Table) float64
	rng    *rand.Rand
}

// candidate is an idea and the values of its playouts by table.
type candidate struct {
	answer  protocol.Answer
	actions []json.RawMessage // the answer's own, and those that it sends ahead
	values  []float64
	sum     float64
}

// Choose plays each idea for a turn out on tables that fit its view, by the rules of the turn's game, in about so many playouts, and
// returns the best; near the end of a match that can be solved ([Valuer] Solve), the best action there is. All ideas meet the same
// tables and the same luck, and the worse half of them goes again and again (sequential halving, Karnin et al. 2013). The first idea
// stays to the end, and is the choice unless another did better by more than luck can do. The budget is no time: with the same turn and luck the answer is the same on any machine.
func Choose(e game.Engine, v Valuer, playouts int, t *protocol.Turn, rng *rand.Rand) (protocol.Answer, error) {
	ideas, err := v.Ideas(t, rng)
	if err != nil {
		return protocol.Answer{}, err
	}
	if len(ideas) == 1 {
		return ideas[0], nil
	}
	root, err := e.StateFromView(t.Config, len(t.Opponents)+1, t.Seat, t.View, Seed(rng))
	if err != nil {
		return protocol.Answer{}, fmt.Errorf("guess: %w", err)
	}
	if answer, ok, err := v.perfect(t, root, ideas); err != nil || ok {
		return answer, err
	}
	x := search{Valuer: v, turn: t, root: root, rng: rng}
	if v.Likely != nil {
		if x.likely, err = v.Likely(t, rng); err != nil {
			return protocol.Answer{}, err
		}
	}
	var list []*candidate
	for _, answer := range ideas[:min(len(ideas), max(playouts, 2))] {
		action, err := kit.Chosen(t.Offer, answer)
		if err != nil {
			return protocol.Answer{}, err
		}
		list = append(list, &candidate{answer: answer, actions: append([]json.RawMessage{action}, answer.Then...)})
	}
	for left := bits.Len(uint(len(list) - 1)); left > 0 && playouts > 0; left-- {
		tables := max(1, playouts/(left*len(list)))
		if err := x.compare(list, tables); err != nil {
			return protocol.Answer{}, err
		}
		playouts -= tables * len(list)
		slices.SortStableFunc(list[1:], func(a, b *candidate) int { return cmp.Compare(b.sum, a.sum) })
		list = list[:1+len(list)/2]
	}
	if first, best := list[0], list[1]; best.beats(first) {
		return best.answer, nil
	}
	return list[0].answer, nil
}

// perfect returns the best answer to a turn: an idea, the first if several are, unless another action is better; false where that
// cannot be solved.
func (v Valuer) perfect(t *protocol.Turn, root game.Table, ideas []protocol.Answer) (best protocol.Answer, ok bool, err error) {
	if v.Solve == nil {
		return best, false, nil
	}
	offer, err := kit.ParseOffer(t.Offer)
	if err != nil {
		return best, false, err
	}
	answers := slices.Clone(ideas)
	for k := range offer.List {
		answers = append(answers, kit.Pick(k))
	}
	actions := make([]json.RawMessage, len(answers))
	for i, a := range answers {
		if actions[i], err = kit.Chosen(t.Offer, a); err != nil {
			return best, false, err
		}
	}
	values, ok, err := v.Exact(root, t.Seat, actions, ExactWork)
	if err != nil || !ok {
		return best, false, err
	}
	return answers[slices.Index(values, slices.Max(values))], true, nil
}

// compare plays every candidate out on so many tables more.
func (x *search) compare(list []*candidate, tables int) error {
	for range tables {
		table, luck := Draw(x.root, x.turn.Seat, Seed(x.rng), x.likely), Seed(x.rng)
		for _, c := range list {
			shares, err := x.Play(table, luck, x.turn.Seat, c.actions)
			if err != nil {
				return fmt.Errorf("playout: %w", err)
			}
			value := shares[x.turn.Seat]
			c.values = append(c.values, value)
			c.sum += value
		}
	}
	return nil
}

// beats reports whether a candidate has done better than another on the same tables by more than luck can do.
func (c *candidate) beats(other *candidate) bool {
	n := float64(len(c.values))
	mean, squares := (c.sum-other.sum)/n, 0.0
	for i, v := range c.values {
		d := v - other.values[i] - mean
		squares += d * d
	}
	return mean > certainty*math.Sqrt(squares)/n
}
