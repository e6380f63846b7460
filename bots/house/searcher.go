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

// The budget of the house's searcher a decision, and how many actions it looks at in one place. In De Mol and CIA it plays
// out with greedy in every seat: whom random seats send on missions tells nothing. That costs more, and in De Mol most at
// large tables, where the playouts become fewer.
const (
	searchPlayouts   = 160
	greedyPlayouts   = 32
	searchCandidates = 24
)

// search is the tree for one decision: a node for each place where the seat may have to decide again, known by all
// that the seat would see there. What it cannot see is drawn anew for every playout, and the others play as [search.assume]
// says, so that they are part of the luck.
type search struct {
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
	action json.RawMessage
	plays  float64
	sum    float64 // of rewards, 0 to 1 each
}

// decide guesses a table from the view and spends the budget on playouts from there. Of more than searchCandidates actions
// it looks at so many, drawn by lot; greedy's choice is always among them, and stays unless another did clearly better.
func (s searcher) decide(t *protocol.Turn, rng *rand.Rand) (protocol.Answer, error) {
	if t.Game == "mole" {
		return s.mole(t, rng)
	}
	if t.Game == "molemajority" {
		return s.majority(t, rng)
	}
	list, err := candidates(t, rng)
	if err != nil {
		return protocol.Answer{}, err
	}
	if len(list) == 1 {
		return protocol.Answer{Action: list[0].action}, nil
	}
	engine, ok := catalog.Find(t.Game)
	if !ok {
		return protocol.Answer{}, fmt.Errorf("%w: %s", errGame, protocol.Quote(t.Game))
	}
	root, err := engine.Guess(t.Config, len(t.Opponents)+1, t.Seat, t.View, luck(rng))
	if err != nil {
		return protocol.Answer{}, fmt.Errorf("guess: %w", err)
	}
	top := &node{list: list}
	x := search{turn: t, rng: rng, nodes: map[string]*node{string(root.View(t.Seat)): top}}
	for range s.budget(t) {
		if err := x.playout(root.Resample(t.Seat, luck(rng))); err != nil {
			return protocol.Answer{}, fmt.Errorf("playout: %w", err)
		}
	}
	best := slices.MaxFunc(list, func(a, b candidate) int { return cmp.Compare(a.mean(), b.mean()) })
	if first := list[0]; best.mean() < first.mean()+0.5/math.Sqrt(best.plays)+0.5/math.Sqrt(first.plays) {
		best = first // no better by more than luck can do
	}
	return protocol.Answer{Action: best.action}, nil
}

// budget is the number of playouts for a turn.
func (s searcher) budget(t *protocol.Turn) int {
	n := len(t.Opponents) + 1
	switch t.Game {
	case "demol":
		return min(s.playouts, greedyPlayouts, max(2, 400/choose(n, molesAt(n))))
	case "cia":
		return min(s.playouts, greedyPlayouts)
	}
	return s.playouts
}

func (c *candidate) mean() float64 {
	if c.plays == 0 {
		return -1
	}
	return c.sum / c.plays
}

// candidates are the actions to look at, greedy's own choice first.
func candidates(t *protocol.Turn, rng *rand.Rand) (list []candidate, err error) {
	offer, err := kit.ParseOffer(t.Offer)
	if err != nil {
		return nil, err
	}
	add := func(action json.RawMessage) {
		if !slices.ContainsFunc(list, func(c candidate) bool { return bytes.Equal(c.action, action) }) {
			list = append(list, candidate{action: action})
		}
	}
	if b, ok := Find("greedy"); ok && slices.Contains(b.Games, t.Game) {
		answer, err := greedy(t, rng)
		if err != nil {
			return nil, err
		}
		action, err := kit.Chosen(t.Offer, answer)
		if err != nil {
			return nil, err
		}
		add(action)
	}
	if len(offer.List) == 0 {
		for range searchCandidates - len(list) {
			answer, err := kit.Random(t.Offer, rng)
			if err != nil {
				return nil, err
			}
			add(answer.Action)
		}
		return list, nil
	}
	for _, k := range rng.Perm(len(offer.List)) {
		if len(list) < searchCandidates {
			add(offer.List[k])
		}
	}
	return list, nil
}

// pick is the candidate to play out next: each once, then the one with the highest bound (Auer et al. 2002, UCB1).
func (n *node) pick() *candidate {
	pick, top := 0, -1.0
	n.plays++
	for k := range n.list {
		c := &n.list[k]
		if c.plays == 0 {
			return c
		}
		if bound := c.mean() + math.Sqrt(0.5*math.Log(float64(n.plays))/c.plays); bound > top {
			pick, top = k, bound
		}
	}
	return &n.list[pick]
}

// playout plays a table to its end: by the tree as far as it goes, one node beyond it, and then as assumed. The reward is
// noted with every choice made in the tree.
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
	r := reward(result, x.turn.Seat)
	for _, c := range path {
		c.plays++
		c.sum += r
	}
	return nil
}

// node is the node of a turn. A playout makes one new node at most; beyond it there is none.
func (x *search) node(t *protocol.Turn, grown *bool) (*node, error) {
	if at := x.nodes[string(t.View)]; at != nil {
		return at, nil
	}
	if *grown {
		return nil, nil //nolint:nilnil // outside the tree
	}
	list, err := candidates(t, x.rng)
	if err != nil {
		return nil, err
	}
	at := &node{list: list}
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

// reward is half for the share of the others that the seat is ahead of, half for its lead in points; nothing where nobody
// has won.
func reward(r game.Result, seat game.Seat) float64 {
	if r.Why == "free_agent" {
		return 0
	}
	beaten, others, rival := 0.0, 0, 0.0
	for other, rank := range r.Rank {
		if other == int(seat) || len(r.Team) > 0 && r.Team[other] == r.Team[seat] {
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
