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

// searcher plays by information-set Monte Carlo. Its budget is a number of playouts a decision and no time: with the same
// seed and turn the answer is the same on any machine.
type searcher struct{ playouts int }

// The budget of the house's searcher a decision, and how many actions it looks at. In De Mol it plays out with greedy in
// every seat: whom random seats send on missions tells nothing. That costs more, and most at large tables, where the
// playouts become fewer. Elsewhere greedy is too slow for playouts, and everybody plays at random.
const (
	searchPlayouts   = 160
	greedyPlayouts   = 32
	searchCandidates = 24
)

// candidate is an action in the search, and how its playouts went.
type candidate struct {
	action json.RawMessage
	plays  float64
	sum    float64 // of rewards, 0 to 1 each
}

// decide looks one level of choice ahead: it guesses a table from the view, redraws for each playout
// all that the seat cannot know, plays one candidate there, chosen by its upper confidence bound (Auer et al. 2002, UCB1),
// and lets the house play the match to its end. Of more than searchCandidates actions it looks at so many, drawn by lot;
// greedy's choice is always among them.
func (s searcher) decide(t *protocol.Turn, rng *rand.Rand) (protocol.Answer, error) {
	if t.Game == "molemajority" {
		return s.majority(t, rng)
	}
	offer, err := kit.ParseOffer(t.Offer)
	if err != nil {
		return protocol.Answer{}, err
	}
	list, err := candidates(t, offer, rng)
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
	for n := range s.budget(t) {
		c := &list[pickUpper(list, n)]
		reward, err := playout(t, root.Resample(t.Seat, luck(rng)), c.action, rng)
		if err != nil {
			return protocol.Answer{}, err
		}
		c.plays++
		c.sum += reward
	}
	top := slices.MaxFunc(list, func(a, b candidate) int { return cmp.Compare(a.mean(), b.mean()) })
	if first := list[0]; top.mean() < first.mean()+0.5/math.Sqrt(top.plays)+0.5/math.Sqrt(first.plays) {
		top = first // no better by more than luck can do
	}
	return protocol.Answer{Action: top.action}, nil
}

// budget is the number of playouts for a turn.
func (s searcher) budget(t *protocol.Turn) int {
	if t.Game != "demol" {
		return s.playouts
	}
	n := len(t.Opponents) + 1
	return min(s.playouts, greedyPlayouts, max(2, 400/choose(n, molesAt(n))))
}

func (c *candidate) mean() float64 {
	if c.plays == 0 {
		return -1
	}
	return c.sum / c.plays
}

// candidates are the actions to look at, greedy's own choice first.
func candidates(t *protocol.Turn, offer kit.Offer, rng *rand.Rand) (list []candidate, err error) {
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

// pickUpper is the candidate to play out next: each once, then the one with the highest bound.
func pickUpper(list []candidate, played int) int {
	pick, top := 0, -1.0
	for k := range list {
		c := &list[k]
		if c.plays == 0 {
			return k
		}
		if bound := c.mean() + math.Sqrt(0.5*math.Log(float64(played))/c.plays); bound > top {
			pick, top = k, bound
		}
	}
	return pick
}

// playout plays action for the turn's seat, goes on to the end of the match and returns the seat's reward.
func playout(t *protocol.Turn, table game.Table, action json.RawMessage, rng *rand.Rand) (float64, error) {
	for first := true; table.Due() != 0; first = false {
		turns := make([]game.Turn, 0, table.Seats())
		for seat := range table.Due().Each() {
			turn := game.Turn{Seat: seat, Action: action}
			if !first || seat != t.Seat {
				var err error
				if turn.Action, err = assumed(t, table, seat, rng); err != nil {
					return 0, fmt.Errorf("playout: %w", err)
				}
			}
			turns = append(turns, turn)
		}
		if _, err := table.Apply(turns); err != nil {
			return 0, fmt.Errorf("playout: %w", err)
		}
	}
	result, _ := table.Result()
	return reward(result, t.Seat), nil
}

// assumed is what a seat is taken to do in a playout.
func assumed(t *protocol.Turn, table game.Table, seat game.Seat, rng *rand.Rand) (json.RawMessage, error) {
	if t.Game != "demol" {
		return table.House(seat), nil
	}
	turn := protocol.Turn{Game: t.Game, Config: t.Config, Seat: seat, Step: table.Step(), View: table.View(seat), Offer: table.Offer(seat)}
	answer, err := greedyDemol(&turn, rng)
	if err != nil {
		return nil, err
	}
	return kit.Chosen(turn.Offer, answer)
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
