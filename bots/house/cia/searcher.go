package cia

import (
	"fmt"
	"math/rand/v2"

	json2 "github.com/go-json-experiment/json"

	"github.com/molerun/molerun/bots/house/search"
	"github.com/molerun/molerun/bots/protocol"
	"github.com/molerun/molerun/engines/cia"
	"github.com/molerun/molerun/engines/game"
)

// What the search is limited to.
const (
	mostIdeas = 6
	horizon   = 1 // turns of each seat
)

// Searcher searches over the best moves that thinker foresees. The others' agents are drawn by thinker's suspicions, and playouts are
// cut off when every seat has had its turns: there thinker's odds to be first are the value.
func Searcher(t *protocol.Turn, rng *rand.Rand, playouts int) (protocol.Answer, error) {
	mind, err := newThinkerMind(t, rng)
	if err != nil {
		return protocol.Answer{}, err
	}
	playouts = max(1, 2*playouts/mind.seats()) // the more seats the longer is each
	answer, err := search.Choose(game.Wrap(cia.Rules{}), outlook{mind}, playouts, t, rng)
	answer.Memo = mind.eye.memo()
	return answer, err
}

// outlook is what thinker makes of the turn searched.
type outlook struct{ *thinkerMind }

// Ideas returns the moves after which thinker's boards are best.
func (outlook) Ideas(t *protocol.Turn, rng *rand.Rand) ([]protocol.Answer, error) {
	mind, err := newThinkerMind(t, rng)
	if err != nil {
		return nil, err
	}
	return mind.ranked(mind, t.Offer, rng, mostIdeas)
}

// Assume takes all for thinkers who have seen nothing yet.
func (outlook) Assume(t *protocol.Turn, rng *rand.Rand) (protocol.Answer, error) {
	return Thinker(t, rng)
}

// Likely goes by the suspicions of all the others.
func (o outlook) Likely(table game.Table) float64 {
	p := 1.0
	for at := range game.FirstSeats(o.seats()).Without(o.seat).Each() {
		var view struct {
			Me struct {
				Agent string `json:"agent"`
			} `json:"me"`
		}
		if json2.Unmarshal(table.View(at), &view) != nil {
			continue
		}
		if agent, ok := cia.ParseAgent(view.Me.Agent); ok {
			p *= o.suspicion(at, agent)
		}
	}
	return p
}

// Judge returns thinker's odds to be first.
func (o outlook) Judge(t *protocol.Turn) (float64, bool, error) {
	if t.Seat != o.seat {
		return 0, false, nil
	}
	var now struct {
		Turns int32 `json:"turns"`
	}
	if err := json2.Unmarshal(t.View, &now); err != nil {
		return 0, false, fmt.Errorf("view: %w", err)
	}
	if int(now.Turns) < int(o.view.Turns)+horizon*o.seats() {
		return 0, false, nil
	}
	s, err := readPosition(t)
	if err != nil {
		return 0, false, err
	}
	return (&thinkerMind{position: s}).value(&s.board), true, nil
}

// Reward returns a win or none; if a free agent is ahead of everybody nobody has won.
func (outlook) Reward(r game.Result, seat game.Seat) float64 {
	if r.Rank[seat] == 1 && r.Why != "free_agent" {
		return 1
	}
	return 0
}
