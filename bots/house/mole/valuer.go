package mole

import (
	"math/rand/v2"

	"github.com/molerun/molerun/bots/house/search"
	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/engines/mole"
)

// Valuer returns the valuer of Mole: the thinker with fewer directions to the end of the round, and from there the odds of the race
// for points.
func Valuer() search.Valuer {
	r := race{}
	sim := search.Sim[mole.Config, mole.State, mole.Action, mole.View, mole.Event]{Rules: mole.Rules{}, Act: act, Leaf: r.leaf}
	return search.Valuer{Name: "coarse thinker, a round", Version: 1, Ideas: answers, Play: sim.Play}
}

// act is [Thinker] with fewer directions.
func act(s *mole.State, _ game.Seat, luck *game.Rand) []mole.Action {
	p := position{State: *s, table: newTable(s)}
	p.look()
	return []mole.Action{p.think(coarseFan, rand.New(luck))}
}

// moleWinsRound takes both sides of a round to be as good: how often the mole wins between coarse thinkers is not measured.
const moleWinsRound = 0.5

// race keeps the odds of seat 0 to win the match, half for a draw.
type race map[lap]float64

// lap is a race for points at the beginning of a round.
type lap struct{ a, b, left, mole, points, lead int16 }

func (r race) leaf(root, s *mole.State) ([]float64, bool) {
	if s.Round == root.Round {
		return nil, false
	}
	p := r.odds(lap{s.Score[0], s.Score[1], s.MaxRounds - s.Round + 1, int16(s.Mole), s.Points, s.Lead})
	return []float64{p, 1 - p}, true
}

func (r race) odds(x lap) float64 {
	for x.a > x.points && x.b > x.points { // the lead alone counts
		x.a--
		x.b--
	}
	ahead := x.a - x.b
	if x.left == 0 || max(x.a, x.b) >= x.points && max(ahead, -ahead) >= x.lead {
		return 0.5 + 0.5*float64(max(-1, min(ahead, 1)))
	}
	if p, ok := r[x]; ok {
		return p
	}
	won, lost := x, x
	won.left--
	lost.left--
	if lost.mole = 1 - x.mole; x.mole == 0 {
		won.a++
	} else {
		won.b++
	}
	p := moleWinsRound*r.odds(won) + (1-moleWinsRound)*r.odds(lost)
	r[x] = p
	return p
}
