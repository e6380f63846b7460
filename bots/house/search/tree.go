package search

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/molerun/molerun/bots/protocol"
	"github.com/molerun/molerun/engines/game"
)

// certainty is the standard errors that an action must be better by than the first idea.
const certainty = 1.5

// Outlook is what a search knows of one game beyond the rules.
type Outlook interface {
	// Ideas lists the actions to look at in a turn, another strategy's own choice first.
	Ideas(t *protocol.Turn, rng *rand.Rand) ([]json.RawMessage, error)
	// Assume is what a seat is taken to do outside the tree.
	Assume(t *protocol.Turn, table game.Table, rng *rand.Rand) (json.RawMessage, error)
	// Likely weighs a table drawn, 0 to 1, by what the seat has seen others do.
	Likely(table game.Table) float64
	// Judge is the value of a turn of the seat's own, 0 to 1, that lies so far ahead that no playout goes on from there;
	// false if one does.
	Judge(t *protocol.Turn) (value float64, cut bool, err error)
	// Reward is the value of a match's end for the seat, 0 to 1.
	Reward(r game.Result, seat game.Seat) float64
}

// tree is the search for one decision: a node for each place where the seat may have to decide again, known by all
// that the seat would see there. What it cannot see is drawn again for every playout, and the others play as [Outlook.Assume]
// says, so that they are part of the luck.
type tree struct {
	Outlook
	engine game.Engine
	turn   *protocol.Turn
	rng    *rand.Rand
	nodes  map[string]*node // by view
}

// node is a place in the tree.
type node struct {
	list  []candidate
	plays int
}

// candidate is an action in the search, and how its playouts went.
type candidate struct {
	action  json.RawMessage
	plays   float64
	sum     float64 // of rewards, 0 to 1 each
	squares float64 // of rewards
}

// Choose guesses a table from the view, by the rules of the turn's game, and spends so many playouts from there. It is
// information-set Monte Carlo tree search, the single-observer kind (Cowling, Powley, Whitehouse 2012). The budget is no
// time: with the same turn and luck the action is the same on any machine. The first idea stays unless another did better
// than luck can do.
func Choose(e game.Engine, look Outlook, playouts int, t *protocol.Turn, rng *rand.Rand) (json.RawMessage, error) {
	x := tree{Outlook: look, engine: e, turn: t, rng: rng, nodes: map[string]*node{}}
	top, err := x.grow(t)
	if err != nil {
		return nil, err
	}
	if len(top.list) > 1 {
		if err := x.run(top, playouts); err != nil {
			return nil, err
		}
	}
	return top.choice(), nil
}

// run spends the budget from a guess of the table.
func (x *tree) run(top *node, playouts int) error {
	root, err := x.engine.StateFromView(x.turn.Config, len(x.turn.Opponents)+1, x.turn.Seat, x.turn.View, Seed(x.rng))
	if err != nil {
		return fmt.Errorf("guess: %w", err)
	}
	x.nodes[string(root.View(x.turn.Seat))] = top
	for range playouts {
		if err := x.playout(x.draw(root)); err != nil {
			return fmt.Errorf("playout: %w", err)
		}
	}
	return nil
}

// draw returns a table that the seat cannot tell from the root: of a few drawn evenly one by lot, the likelier the sooner.
func (x *tree) draw(root game.Table) game.Table {
	const draws = 8
	var table game.Table
	sum := 0.0
	for range draws {
		other := root.Resample(x.turn.Seat, Seed(x.rng))
		w := x.Likely(other)
		if sum += w; table == nil || x.rng.Float64()*sum < w {
			table = other
		}
		if w == 1 && sum == 1 {
			break // it cannot be likelier
		}
	}
	return table
}

func (x *tree) grow(t *protocol.Turn) (*node, error) {
	list, err := x.Ideas(t, x.rng)
	if err != nil {
		return nil, err
	}
	at := &node{}
	for _, action := range list {
		at.list = append(at.list, candidate{action: action})
	}
	return at, nil
}

func (c *candidate) mean() float64 {
	if c.plays == 0 {
		return -1
	}
	return c.sum / c.plays
}

// spread returns the variance of the rewards about their candidates' means; the fewer there are, the nearer to the most that it
// can be.
func (n *node) spread() float64 {
	sum, plays := 0.25, 1.0
	for k := range n.list {
		if c := &n.list[k]; c.plays > 0 {
			sum += c.squares - c.sum*c.mean()
			plays += c.plays - 1
		}
	}
	return sum / plays
}

// pick returns the candidate to play out next: each once, then the one with the highest bound (Auer et al. 2002, UCB1).
func (n *node) pick() *candidate {
	pick, top := 0, -1.0
	n.plays++
	spread := n.spread()
	for k := range n.list {
		c := &n.list[k]
		if c.plays == 0 {
			return c
		}
		if bound := c.mean() + math.Sqrt(2*spread*math.Log(float64(n.plays))/c.plays); bound > top {
			pick, top = k, bound
		}
	}
	return &n.list[pick]
}

// choice returns the action that did best, or the first if that is no better by more than luck can do.
func (n *node) choice() json.RawMessage {
	first := &n.list[0]
	best := slices.MaxFunc(n.list, func(a, b candidate) int { return cmp.Compare(a.mean(), b.mean()) })
	if best.mean() <= first.mean()+certainty*math.Sqrt(n.spread()*(1/max(best.plays, 1)+1/max(first.plays, 1))) {
		return first.action
	}
	return best.action
}

// descent is one playout under way.
type descent struct {
	path   []*candidate // chosen in the tree
	inside bool         // still in the tree
	grown  bool         // it has made its one new node
}

// playout plays a table to its end, or until it is judged: by the tree as far as it goes, one node beyond it, and then as
// assumed. The reward is noted with every choice made in the tree.
func (x *tree) playout(table game.Table) error {
	d := descent{inside: true}
	for table.Due() != 0 {
		turns := make([]game.Turn, 0, table.Seats())
		for seat := range table.Due().Each() {
			turn := protocol.Turn{
				Game: x.turn.Game, Config: x.turn.Config, Opponents: x.turn.Opponents, Seat: seat, Step: table.Step(),
				View: table.View(seat), Offer: table.Offer(seat),
			}
			if seat == x.turn.Seat {
				value, cut, err := x.Judge(&turn)
				if err != nil {
					return err
				}
				if cut {
					d.note(value)
					return nil
				}
			}
			action, err := x.action(&d, &turn, table)
			if err != nil {
				return err
			}
			turns = append(turns, game.Turn{Seat: seat, Action: action})
		}
		if _, err := table.Apply(turns); err != nil {
			return err
		}
	}
	result, _ := table.Result()
	d.note(x.Reward(result, x.turn.Seat))
	return nil
}

// action returns what a seat does in a playout.
func (x *tree) action(d *descent, t *protocol.Turn, table game.Table) (json.RawMessage, error) {
	if !d.inside || t.Seat != x.turn.Seat {
		return x.Assume(t, table, x.rng)
	}
	at := x.nodes[string(t.View)]
	if at == nil && !d.grown {
		var err error
		if at, err = x.grow(t); err != nil {
			return nil, err
		}
		x.nodes[string(t.View)] = at
		d.grown = true
	}
	if at == nil {
		d.inside = false
		return x.Assume(t, table, x.rng)
	}
	c := at.pick()
	d.path = append(d.path, c)
	return c.action, nil
}

func (d *descent) note(reward float64) {
	for _, c := range d.path {
		c.plays++
		c.sum += reward
		c.squares += reward * reward
	}
}
