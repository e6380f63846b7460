package molehill

import (
	"encoding/json"
	"math"
	"math/rand/v2"

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
	// A playout averages one line of thinker's, with the weight of sureLines, and looseLines lines of greedy that errs. The latter separate
	// actions that end alike by thinker, which hardly draws anything.
	sureLines  = 12
	looseLines = 4
)

// Searcher searches over the actions that thinker likes best, with thinker in both seats to the end of the round, and with greedy that errs
// to the end of the match.
func Searcher(t *protocol.Turn, rng *rand.Rand, playouts int) (protocol.Answer, error) {
	v := Valuer()
	loose := v.Play
	sure := search.Sim[molehill.Config, molehill.State, molehill.Action, molehill.View, molehill.Event]{Rules: molehill.Rules{}, Act: think, Leaf: half}
	v.Play = func(table game.Table, seed game.Seed, seat game.Seat, actions []json.RawMessage) ([]float64, error) {
		out, err := sure.Play(table, seed, seat, actions)
		for i := range out {
			out[i] *= sureLines
		}
		luck := game.Stream(seed, 0, "loose")
		for range looseLines {
			if err != nil {
				return nil, err
			}
			var shares []float64
			shares, err = loose(table, search.SeedOf(luck), seat, actions)
			for i, share := range shares {
				out[i] += share
			}
		}
		for i := range out {
			out[i] /= sureLines + looseLines
		}
		return out, err
	}
	return search.Choose(game.Wrap(molehill.Rules{}), v, min(playouts, MostPlayouts), t, rng)
}

// answers returns the actions that thinker likes best.
func answers(t *protocol.Turn, rng *rand.Rand) ([]protocol.Answer, error) {
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

// think is [Thinker].
func think(s *molehill.State, _ game.Seat, luck *game.Rand) []molehill.Action {
	p := position{State: *s}
	return search.Pick(p.offer(), rand.New(luck), p.thinks(true))
}

// half values a match at the end of its first round by the points of its mole.
func half(_, s *molehill.State) ([]float64, bool) {
	if s.Round == 0 {
		return nil, false
	}
	p := 1 / (1 + math.Exp((usual-float64(s.Scores[0]))/4)) // of the mole of that round
	shares := []float64{p, p}
	shares[s.Mole] = 1 - p // who is the mole now was not then
	return shares, true
}
