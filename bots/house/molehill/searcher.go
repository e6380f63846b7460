package molehill

import (
	"fmt"
	"math"
	"math/rand/v2"

	json2 "github.com/go-json-experiment/json"

	"github.com/molerun/molerun/bots/house/search"
	"github.com/molerun/molerun/bots/kit"
	"github.com/molerun/molerun/bots/protocol"
	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/engines/molehill"
)

// MostPlayouts is the searcher's budget a decision. Nothing is hidden, and luck decides only between equals: a few are enough.
const MostPlayouts = 16

// What the search is limited to.
const (
	mostIdeas = 8
	usual     = 8 // points of a mole, of which the first round's lead is counted
)

// Searcher searches over the actions that thinker likes best, with thinker in both seats to the end of the round.
func Searcher(t *protocol.Turn, rng *rand.Rand, playouts int) (protocol.Answer, error) {
	p, err := readPosition(t)
	if err != nil {
		return protocol.Answer{}, err
	}
	return search.Choose(game.Wrap(molehill.Rules{}), outlook{p, t.Seat}, min(playouts, MostPlayouts), t, rng)
}

// outlook is the position searched and whose turn it is.
type outlook struct {
	*position
	seat game.Seat
}

// Ideas returns the actions that thinker likes best.
func (outlook) Ideas(t *protocol.Turn, rng *rand.Rand) ([]protocol.Answer, error) {
	p, err := readPosition(t)
	if err != nil {
		return nil, err
	}
	var out []protocol.Answer
	for _, k := range search.Ranked(p.offer(), mostIdeas, rng, p.thinks(false)) {
		out = append(out, kit.Pick(k))
	}
	return out, nil
}

// Assume takes both for thinker.
func (outlook) Assume(t *protocol.Turn, rng *rand.Rand) (protocol.Answer, error) {
	return Thinker(t, rng)
}

// Likely returns 1: nothing is hidden.
func (outlook) Likely(game.Table) float64 { return 1 }

// Judge cuts at the end of the first round.
func (o outlook) Judge(t *protocol.Turn) (float64, bool, error) {
	if o.Round == 1 {
		return 0, false, nil
	}
	var now struct {
		Scores []float64 `json:"scores"`
	}
	if err := json2.Unmarshal(t.View, &now); err != nil {
		return 0, false, fmt.Errorf("view: %w", err)
	}
	if len(now.Scores) == 0 {
		return 0, false, nil
	}
	lead := now.Scores[0] - usual
	if game.Seat(o.Mole) != o.seat {
		lead = -lead
	}
	return chance(lead), true, nil
}

// Reward is half for a win and half for the lead in points.
func (outlook) Reward(r game.Result, seat game.Seat) float64 {
	lead, beaten := r.Points[seat]-r.Points[1-seat], 0.5
	switch {
	case lead > 0:
		beaten = 1
	case lead < 0:
		beaten = 0
	}
	return 0.5*beaten + 0.5*chance(lead)
}

// chance returns the odds to win with a lead in points.
func chance(lead float64) float64 { return 1 / (1 + math.Exp(-lead/4)) }
