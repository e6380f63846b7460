package cia

import (
	"github.com/molerun/molerun/engines/game"
)

// The factors of a table, in the order of the weights.
const (
	byStone = iota
	byBuilding
	byTurn
	byNext
	bySafe
	byHand
	factors
)

// Factors writes how far a seat's stone is and where its agent stands, once whoever is to move has made the move that brings its own
// agent most ahead. All count the more the nearer the first stone is to the end of the track.
func (Rules) Factors(s *State, seat game.Seat, out []float64) {
	b := board{at: s.Pos, stone: s.Stone}
	scored := false
	if s.Phase == PhaseMove {
		b, scored = s.bestMove()
	}
	lead := int16(0)
	for m := s.InPlay; m != 0; m &= m - 1 {
		lead = max(lead, b.stone[m.Lowest()])
	}
	g := 10 / (1.5 + 0.12*float64(max(s.Track-lead, 0)))
	best, next := -100, int16(0)
	for m := s.Extra[seat].With(s.Agent[seat]); m != 0; m &= m - 1 {
		a := m.Lowest()
		if n := int(b.stone[a]); n > best {
			best, next = n, b.at[a].Value()
		}
	}
	if s.Filed {
		best += int(s.Bonus) * s.unmasked(seat)
	}
	out[byStone] = g * float64(best) / 10
	out[byBuilding] = g * float64(next) / 10
	switch seat {
	case s.Turn:
		out[byTurn] = g / 10
		if scored {
			out[bySafe] = g / 10
		}
	case s.left(s.Turn):
		out[byNext] = g / 10
	}
	out[byHand] = g * float64(s.HandN[seat]) / 10
}

// board is where agents and stones are after a move.
type board struct {
	at    [NumAgents]Building
	stone [NumAgents]int16
}

// bestMove returns the board after the move of the roll that brings the mover's agent most ahead of the best other stone, what its building
// is worth counting 0.3, and whether it scores.
func (s *State) bestMove() (board, bool) {
	x := mover{s: s, agent: s.Agent[s.Turn], top: -1000}
	x.now.at = s.Pos
	_, most := s.points()
	x.spread(s.InPlay, int8(most), s.FlagN > 0)
	out, scored := board{at: x.best, stone: s.Stone}, x.scored
	if scored {
		for m := s.InPlay; m != 0; m &= m - 1 {
			a := m.Lowest()
			out.stone[a] = max(0, out.stone[a]+out.at[a].Value())
		}
	}
	return out, scored
}

type mover struct {
	s      *State
	agent  Agent
	now    board
	best   [NumAgents]Building
	scored bool
	top    int
}

// spread gives n points to the agents of left.
func (x *mover) spread(left Agents, n int8, hit bool) {
	if left == 0 {
		x.judge(hit)
		return
	}
	a := left.Lowest()
	least := int8(0)
	if left&(left-1) == 0 {
		least = n
	}
	from := x.s.Pos[a]
	for k := least; k <= n; k++ {
		x.now.at[a] = from.step(k)
		x.spread(left&(left-1), n-k, hit || k > 0 && x.now.at[a] == x.s.Safe)
	}
	x.now.at[a] = from
}

func (x *mover) judge(hit bool) {
	own, rival := int16(0), int16(0)
	for m := x.s.InPlay; m != 0; m &= m - 1 {
		a := m.Lowest()
		stone := x.s.Stone[a]
		if hit {
			stone = max(0, stone+x.now.at[a].Value())
		}
		if a == x.agent {
			own = stone
		} else {
			rival = max(rival, stone)
		}
	}
	if worth := 10*int(own-rival) + 3*int(x.now.at[x.agent].Value()); worth > x.top {
		x.top, x.best, x.scored = worth, x.now.at, hit
	}
}

// Weights returns what `go run -C bench ./luck -fit cia` prints.
func (Rules) Weights() []float64 { return []float64{0.30, 0.01, 0.02, -0.02, -0.16, 0} }
