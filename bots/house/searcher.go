package house

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/molerun/molerun/bots/kit"
	"github.com/molerun/molerun/bots/protocol"
	"github.com/molerun/molerun/engines/catalog"
	"github.com/molerun/molerun/engines/game"
)

// searcher plays by information-set Monte Carlo tree search, the single-observer kind (Cowling, Powley, Whitehouse 2012). Its
// budget is a number of playouts a decision and no time: with the same seed and turn the answer is the same on any machine.
type searcher struct{ playouts int }

// The budget of the house's searcher a decision. Playouts of De Mol go to the end with greedy in every seat, since whom random
// seats send on missions tells nothing; that takes long, so that there are fewer. Those of CIA are cut off.
const (
	searchPlayouts = 160
	demolPlayouts  = 32

	certainty = 1.5 // standard errors that an action must be better by than the first idea
)

// outlook is what a search knows of one game beyond the rules.
type outlook interface {
	// ideas lists the actions to look at in a turn, another strategy's own choice first.
	ideas(t *protocol.Turn, rng *rand.Rand) ([]json.RawMessage, error)
	// likely weighs a table drawn, 0 to 1, by what the seat has seen others do.
	likely(table game.Table) float64
	// judge is the value of a turn of the seat's own, 0 to 1, that lies so far ahead that no playout goes on from there;
	// false if one does.
	judge(t *protocol.Turn) (value float64, cut bool, err error)
	// reward is the value of a match's end for the seat, 0 to 1.
	reward(r game.Result, seat game.Seat) float64
	// memo is what the seat wants to be told again in its next turn.
	memo() string
}

// search is the tree for one decision: a node for each place where the seat may have to decide again, known by all
// that the seat would see there. What it cannot see is drawn anew for every playout, and the others play as [search.assume]
// says, so that they are part of the luck.
type search struct {
	outlook
	turn  *protocol.Turn
	rng   *rand.Rand
	nodes map[string]*node // by view
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

// decide guesses a table from the view and spends the budget on playouts from there. The first idea stays unless another
// did better than luck can do.
func (s searcher) decide(t *protocol.Turn, rng *rand.Rand) (protocol.Answer, error) {
	if t.Game == "mole" {
		return s.mole(t, rng)
	}
	if t.Game == "molemajority" {
		return s.majority(t, rng)
	}
	look, err := newOutlook(t, rng)
	if err != nil {
		return protocol.Answer{}, err
	}
	x := search{outlook: look, turn: t, rng: rng, nodes: map[string]*node{}}
	top, err := x.grow(t)
	if err != nil {
		return protocol.Answer{}, err
	}
	if len(top.list) > 1 {
		if err := x.run(top, s.budget(t)); err != nil {
			return protocol.Answer{}, err
		}
	}
	return protocol.Answer{Action: top.choice(), Memo: look.memo()}, nil
}

func newOutlook(t *protocol.Turn, rng *rand.Rand) (outlook, error) {
	switch t.Game {
	case "cia":
		return newCIAOutlook(t, rng)
	case "demol":
		return newDemolOutlook(t, rng)
	}
	return plainOutlook{}, nil
}

// budget is the number of playouts for a turn.
func (s searcher) budget(t *protocol.Turn) int {
	if t.Game == "demol" {
		return min(s.playouts, demolPlayouts)
	}
	return s.playouts
}

// run spends the budget from a guess of the table.
func (x *search) run(top *node, playouts int) error {
	engine, ok := catalog.Find(x.turn.Game)
	if !ok {
		return fmt.Errorf("%w: %s", errGame, protocol.Quote(x.turn.Game))
	}
	root, err := engine.Guess(x.turn.Config, len(x.turn.Opponents)+1, x.turn.Seat, x.turn.View, luck(x.rng))
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

// draw is a table that the seat cannot tell from the root: of a few drawn evenly one by lot, the likelier the sooner.
func (x *search) draw(root game.Table) (table game.Table) {
	const draws = 8
	sum := 0.0
	for range draws {
		other := root.Resample(x.turn.Seat, luck(x.rng))
		w := x.likely(other)
		if sum += w; table == nil || x.rng.Float64()*sum < w {
			table = other
		}
		if w == 1 && sum == 1 {
			break // it cannot be likelier
		}
	}
	return table
}

func (x *search) grow(t *protocol.Turn) (*node, error) {
	list, err := x.ideas(t, x.rng)
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

// spread is the variance of the rewards about their candidates' means; the fewer there are, the nearer to the most that it
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

// pick is the candidate to play out next: each once, then the one with the highest bound (Auer et al. 2002, UCB1).
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

// choice is the action that did best, or the first if that is no better by more than luck can do.
func (n *node) choice() json.RawMessage {
	first := &n.list[0]
	best := slices.MaxFunc(n.list, func(a, b candidate) int { return cmp.Compare(a.mean(), b.mean()) })
	if best.mean() <= first.mean()+certainty*math.Sqrt(n.spread()*(1/max(best.plays, 1)+1/max(first.plays, 1))) {
		return first.action
	}
	return best.action
}

// playout plays a table to its end, or until it is judged: by the tree as far as it goes, one node beyond it, and then as
// assumed. The reward is noted with every choice made in the tree.
func (x *search) playout(table game.Table) error {
	var path []*candidate
	inside, grown := true, false
	for table.Due() != 0 {
		turns := make([]game.Turn, 0, table.Seats())
		for seat := range table.Due().Each() {
			turn := protocol.Turn{
				Game: x.turn.Game, Config: x.turn.Config, Opponents: x.turn.Opponents, Seat: seat, Step: table.Step(),
				View: table.View(seat), Offer: table.Offer(seat),
			}
			var at *node
			if seat == x.turn.Seat {
				value, cut, err := x.judge(&turn)
				if err != nil {
					return err
				}
				if cut {
					note(path, value)
					return nil
				}
			}
			if inside && seat == x.turn.Seat {
				var err error
				if at, err = x.node(&turn, &grown); err != nil {
					return err
				}
				inside = at != nil
			}
			if at != nil {
				c := at.pick()
				path = append(path, c)
				turns = append(turns, game.Turn{Seat: seat, Action: c.action})
				continue
			}
			action, err := x.assume(&turn, table)
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
	note(path, x.reward(result, x.turn.Seat))
	return nil
}

func note(path []*candidate, r float64) {
	for _, c := range path {
		c.plays++
		c.sum += r
		c.squares += r * r
	}
}

// node is the node of a turn. A playout makes one new node at most; beyond it there is none.
func (x *search) node(t *protocol.Turn, grown *bool) (*node, error) {
	if at := x.nodes[string(t.View)]; at != nil {
		return at, nil
	}
	if *grown {
		return nil, nil //nolint:nilnil // outside the tree
	}
	at, err := x.grow(t)
	if err != nil {
		return nil, err
	}
	x.nodes[string(t.View)], *grown = at, true
	return at, nil
}

// assume is what a seat is taken to do outside the tree.
func (x *search) assume(t *protocol.Turn, table game.Table) (json.RawMessage, error) {
	if t.Game == "molehill" {
		return table.House(t.Seat), nil
	}
	answer, err := greedy(t, x.rng)
	if err != nil {
		return nil, err
	}
	return kit.Chosen(t.Offer, answer)
}

// plainOutlook is for games where nothing is hidden: greedy's choice, others by lot, and playouts to the end.
type plainOutlook struct{}

func (plainOutlook) memo() string { return "" }

func (plainOutlook) likely(game.Table) float64 { return 1 }

func (plainOutlook) judge(*protocol.Turn) (float64, bool, error) { return 0, false, nil }

func (plainOutlook) ideas(t *protocol.Turn, rng *rand.Rand) (list []json.RawMessage, err error) {
	const most = 24
	offer, err := kit.ParseOffer(t.Offer)
	if err != nil {
		return nil, err
	}
	answer, err := greedy(t, rng)
	if err != nil {
		return nil, err
	}
	first, err := kit.Chosen(t.Offer, answer)
	if err != nil {
		return nil, err
	}
	list = append(list, first)
	for _, k := range rng.Perm(len(offer.List)) {
		if len(list) < most && !bytes.Equal(first, offer.List[k]) {
			list = append(list, offer.List[k])
		}
	}
	return list, nil
}

// reward is half for the share of the others that the seat is ahead of, half for its lead in points.
func (plainOutlook) reward(r game.Result, seat game.Seat) float64 {
	beaten, others, rival := 0.0, 0, 0.0
	for other, rank := range r.Rank {
		if other == int(seat) {
			continue
		}
		others++
		rival = max(rival, r.Points[other])
		switch {
		case rank > r.Rank[seat]:
			beaten++
		case rank == r.Rank[seat]:
			beaten += 0.5
		}
	}
	lead := 1 / (1 + math.Exp((rival-r.Points[seat])/4))
	return 0.5*beaten/float64(max(others, 1)) + 0.5*lead
}

func luck(rng *rand.Rand) (seed game.Seed) {
	for i := 0; i < len(seed); i += 8 {
		binary.LittleEndian.PutUint64(seed[i:], rng.Uint64())
	}
	return seed
}
