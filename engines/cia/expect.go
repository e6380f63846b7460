package cia

import (
	"github.com/molerun/molerun/engines/game"
)

// The factors of a table, in the order of the weights.
const (
	byStone    = iota
	byRace     // the stone, the more the nearer the end of the track is
	byFinish   // the stone, once the mover can end the match
	byProspect // of the agent's building
	byTurn
	byNext
	bySafe // the mover moves the safe after its move
	byHand
)

// Factors writes how far a seat's stone is and where its agent stands once the mover has made the move that brings its own agent most
// ahead.
func (Rules) Factors(s *State, seat game.Seat, out []float64) {
	b, scored := standing{at: s.Pos, stone: s.Stone}, false
	if s.Phase == PhaseMove {
		b, scored = s.bestMove()
	}
	first := int16(0)
	for m := s.InPlay; m != 0; m &= m - 1 {
		first = max(first, b.stone[m.Lowest()])
	}
	race := 1 / (1.5 + float64(0.12*float64(max(s.Track-first, 0)))) // as the thinker of bots/house/cia sees it
	stone, prospect := int16(-4), 0.0
	for m := s.Extra[seat].With(s.Agent[seat]); m != 0; m &= m - 1 {
		if a := m.Lowest(); b.stone[a] > stone {
			stone, prospect = b.stone[a], b.at[a].Prospect()
		}
	}
	points := float64(stone)
	if s.Filed {
		points += float64(int(s.Bonus) * s.unmasked(seat))
	}
	out[byStone], out[byRace] = points/10, float64(race*points)
	if first >= s.Track {
		out[byFinish] = points
	}
	out[byProspect] = float64(race * prospect)
	switch seat {
	case s.Turn:
		out[byTurn] = race
		if scored {
			out[bySafe] = race
		}
	case s.left(s.Turn):
		out[byNext] = race
	}
	out[byHand] = float64(race * float64(s.HandN[seat]))
}

// prospects come from a logistic regression on the winners, over the turns of 1,500 matches between two thinkers of the house;
// TestTheProspectsTellMoreThanTheStones of bots/house/cia tries them.
var prospects = [Buildings]float64{0, 0.75, 1.4, 2.2, 2.65, 2.65, 2.6, 2.4, 1.3, 0.55, 0, -0.3}

// Prospect returns about how many points an agent will gain for being there: buildings in the middle pay soon, and from the highest any seat sends
// the agent on to the ruin.
func (b Building) Prospect() float64 { return prospects[b] }

// standing is where agents and stones are after a move.
type standing struct {
	at    [NumAgents]Building
	stone [NumAgents]int16
}

// bestMove returns the board after the move of the roll that brings the mover's agent most ahead of the best other stone, with 0.3 of what
// its building is worth, and whether the move scores.
func (s *State) bestMove() (standing, bool) {
	x := mover{s: s, agent: s.Agent[s.Turn], top: -1000}
	x.now.at = s.Pos
	_, most := s.points()
	x.spread(s.InPlay, int8(most), s.FlagN > 0)
	out, scored := standing{at: x.best, stone: s.Stone}, x.scored
	if scored {
		for m := s.InPlay; m != 0; m &= m - 1 {
			a := m.Lowest()
			out.stone[a] = max(0, out.stone[a]+out.at[a].Value())
		}
	}
	return out, scored
}

// mover searches the moves of a roll.
type mover struct {
	s      *State
	agent  Agent
	now    standing
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
		x.now.at[a] = from.Step(k)
		x.spread(left&(left-1), n-k, hit || k > 0 && x.now.at[a] == x.s.Safe)
	}
	x.now.at[a] = from
}

// judge keeps the move if it is the best so far; hit reports whether it scores.
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

// Weights returns what `go run -C bench ./luck -fit -games cia -matches 1500` prints.
func (Rules) Weights() []float64 { return []float64{0.15, 0.22, 0.24, 0.40, -0.25, 0.25, 0.11, 0} }
