package mole

import (
	"fmt"
	"math/rand/v2"

	json2 "github.com/go-json-experiment/json"

	"github.com/molerun/molerun/bots/house/search"
	"github.com/molerun/molerun/bots/protocol"
	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/engines/mole"
)

// How many flicks are searched: those that thinker likes best, one close to each of the first of them, and some of any kind.
const (
	bestFlicks = 20
	nearFlicks = 6
	wildFlicks = 4
)

// Searcher searches over thinker's flicks and others by the exact physics under the match's noise, with thinker, who looks in fewer
// directions, in both seats to the end of the round.
func Searcher(t *protocol.Turn, rng *rand.Rand, playouts int) (protocol.Answer, error) {
	root, err := readPosition(t, rng)
	if err != nil {
		return protocol.Answer{}, err
	}
	return search.Choose(game.Wrap(mole.Rules{}), outlook{root, t.Seat}, playouts, t, rng)
}

// outlook is the position searched and whose turn it is.
type outlook struct {
	root *position
	seat game.Seat
}

// Ideas returns thinker's best flicks and others; of places it draws some like thinker's.
func (outlook) Ideas(t *protocol.Turn, rng *rand.Rand) ([]protocol.Answer, error) {
	s, err := readPosition(t, rng)
	if err != nil {
		return nil, err
	}
	list := s.trials(rng)
	out := make([]protocol.Answer, len(list))
	for k, a := range list {
		if out[k], err = s.legal(t, a); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// trials lists the actions to search.
func (s *position) trials(rng *rand.Rand) []mole.Action {
	var list []mole.Action
	if s.Phase == mole.PhasePlace {
		for range bestFlicks {
			list = append(list, s.fence(rng))
		}
	} else {
		var ideas []idea
		s.ideas(fineFan, rng, func(x shot, worth float64) { ideas = append(ideas, idea{x, worth}) })
		for _, k := range search.Ranked(ideas, bestFlicks, rng, func(i idea) float64 { return i.worth }) {
			list = append(list, s.action(ideas[k].shot))
		}
		for _, a := range list[:min(nearFlicks, len(list))] {
			if a.Type == mole.Flick {
				list = append(list, s.near(a, rng))
			}
		}
	}
	dice := game.Stream(search.Seed(rng), 0, "wild")
	for range wildFlicks {
		list = append(list, mole.Rules{}.Sample(&s.State, mole.Rules{}.Due(&s.State).Lowest(), dice))
	}
	return list
}

// near draws a flick close to another.
func (s *position) near(a mole.Action, rng *rand.Rand) mole.Action {
	a.Angle = (a.Angle + int32(3000*rng.NormFloat64()) + 360_000) % 360_000
	a.Speed = int32(min(max(float64(a.Speed)*(1+0.15*rng.NormFloat64()), 1), s.fast[min(a.Coin, 1)]))
	return a
}

// Assume takes both for a thinker who looks in fewer directions.
func (outlook) Assume(t *protocol.Turn, rng *rand.Rand) (protocol.Answer, error) {
	s, err := readPosition(t, rng)
	if err != nil {
		return protocol.Answer{}, err
	}
	return s.legal(t, s.think(coarseFan, rng))
}

// Likely returns 1: nothing is hidden.
func (outlook) Likely(game.Table) float64 { return 1 }

// Judge cuts at the end of the round: 1 if the seat has won it, ½ for a tie.
func (o outlook) Judge(t *protocol.Turn) (float64, bool, error) {
	var now struct {
		Round    int16     `json:"round"`
		MoleSeat game.Seat `json:"mole_seat"`
		Score    [2]int16  `json:"score"`
	}
	if err := json2.Unmarshal(t.View, &now); err != nil {
		return 0, false, fmt.Errorf("view: %w", err)
	}
	mole := game.Seat(o.root.Mole)
	switch {
	case now.Round == int16(o.root.Round):
		return 0, false, nil
	case now.MoleSeat == mole && now.Score == o.root.Score:
		return 0.5, true, nil
	case (now.MoleSeat == mole) == (mole == o.seat):
		return 1, true, nil
	}
	return 0, true, nil
}

// Reward returns a win or none.
func (o outlook) Reward(r game.Result, seat game.Seat) float64 {
	switch {
	case r.Rank[1-seat] == r.Rank[seat]:
		return 0.5
	case r.Rank[seat] == 1:
		return 1
	}
	return 0
}
