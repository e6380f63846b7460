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

// Outlook is what a search knows of one game beyond the rules.
type Outlook interface {
	// Ideas lists the answers to try in a turn, another strategy's own first.
	Ideas(t *protocol.Turn, rng *rand.Rand) ([]protocol.Answer, error)
	// Assume is what a seat is taken to answer from then on.
	Assume(t *protocol.Turn, rng *rand.Rand) (protocol.Answer, error)
	// Likely weighs a table drawn, 0 to 1, by what the seat has seen others do.
	Likely(table game.Table) float64
	// Judge is asked before each of the turns that follow, of any seat: it returns the value of the table to the seat that
	// searches, 0 to 1, if the playout need not go on from there; false if it must.
	Judge(t *protocol.Turn) (value float64, cut bool, err error)
	// Reward is the value of a match's end for the seat, 0 to 1.
	Reward(r game.Result, seat game.Seat) float64
}

// search is the search for one decision. What the seat cannot see is drawn again for every table, and all seats play on as
// [Outlook.Assume] says, so that they are part of the luck.
type search struct {
	Outlook
	turn *protocol.Turn
	root game.Table // a guess
	rng  *rand.Rand
}

// candidate is an idea and the values of its playouts by table.
type candidate struct {
	answer  protocol.Answer
	actions []json.RawMessage // the answer's own, and those that it sends ahead
	values  []float64
	sum     float64
}

// Choose plays each idea for a turn out on tables that fit its view, by the rules of the turn's game, in about so many playouts, and
// returns the best. All ideas meet the same tables and the same luck, and the worse half of them goes again and again (sequential
// halving, Karnin et al. 2013). The first idea stays to the end, and is the choice unless another did better by more than luck
// can do. The budget is no time: with the same turn and luck the answer is the same on any machine.
func Choose(e game.Engine, look Outlook, playouts int, t *protocol.Turn, rng *rand.Rand) (protocol.Answer, error) {
	ideas, err := look.Ideas(t, rng)
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
	x := search{Outlook: look, turn: t, root: root, rng: rng}
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

// compare plays every candidate out on so many tables more.
func (x *search) compare(list []*candidate, tables int) error {
	for range tables {
		seed, luck := x.draw(), x.rng.Uint64()
		for _, c := range list {
			value, err := x.playout(x.root.Resample(x.turn.Seat, seed), c.actions, rand.New(rand.NewPCG(luck, 0)))
			if err != nil {
				return fmt.Errorf("playout: %w", err)
			}
			c.values = append(c.values, value)
			c.sum += value
		}
	}
	return nil
}

// draw returns the seed of a table that the seat cannot tell from the root: of a few drawn evenly one by lot, the likelier the sooner.
func (x *search) draw() game.Seed {
	const draws = 8
	var pick game.Seed
	sum := 0.0
	for k := range draws {
		seed := Seed(x.rng)
		w := x.Likely(x.root.Resample(x.turn.Seat, seed))
		if sum += w; k == 0 || x.rng.Float64()*sum < w {
			pick = seed
		}
		if w == 1 && sum == 1 {
			break // it cannot be likelier
		}
	}
	return pick
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

// playout plays a table on, first by the seat's own actions and then as assumed, until it is judged, or to its end, and returns the value.
func (x *search) playout(table game.Table, actions []json.RawMessage, rng *rand.Rand) (float64, error) {
	ahead := make([]Ahead, table.Seats())
	ahead[x.turn.Seat] = NewAhead(actions, table.Step())
	for table.Due() != 0 {
		turns := make([]game.Turn, 0, table.Seats())
		for seat := range table.Due().Each() {
			action, sent := ahead[seat].Take(table, seat)
			if !sent {
				turn := protocol.Turn{
					Game: x.turn.Game, Config: x.turn.Config, Opponents: x.turn.Opponents, Seat: seat, Step: table.Step(),
					View: table.View(seat), Offer: table.Offer(seat),
				}
				value, cut, err := x.Judge(&turn)
				if err != nil || cut {
					return value, err
				}
				answer, err := x.Assume(&turn, rng)
				if err != nil {
					return 0, err
				}
				if action, err = kit.Chosen(turn.Offer, answer); err != nil {
					return 0, err
				}
				ahead[seat] = NewAhead(answer.Then, table.Step()+1)
			}
			turns = append(turns, game.Turn{Seat: seat, Action: action})
		}
		if err := table.Repeat(turns); err != nil {
			return 0, err
		}
	}
	result, _ := table.Result()
	return x.Reward(result, x.turn.Seat), nil
}

// Ahead holds the actions that a seat has sent ahead, and the step of the next.
type Ahead struct {
	list []json.RawMessage
	step int
}

// NewAhead returns actions for a step and those after it.
func NewAhead(list []json.RawMessage, step int) Ahead { return Ahead{list, step} }

// Take returns the next action sent ahead, as the runner takes it: in the very next step, if it is legal then.
func (x *Ahead) Take(table game.Table, seat game.Seat) (json.RawMessage, bool) {
	if len(x.list) == 0 || x.step != table.Step() || table.Check(game.Turn{Seat: seat, Action: x.list[0]}) != nil {
		*x = Ahead{}
		return nil, false
	}
	action := x.list[0]
	x.list, x.step = x.list[1:], x.step+1
	return action, true
}
