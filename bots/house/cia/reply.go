package cia

import (
	"math"

	"github.com/molerun/molerun/engines/cia"
)

// bestMove returns the board after the [bestSteps].
func bestMove(b *board, roll string, agent cia.Agent) board {
	best, by := *b, bestSteps(b, roll, agent)
	best.walk(&by)
	best.settle()
	return best
}

// bestSteps returns the move that brings an agent most ahead, the first of equal ones in the order of [moves]. In effect it walks
// all moves, but carries what they have in common.
func bestSteps(b *board, roll string, agent cia.Agent) steps {
	m := mover{board: b, agent: agent, top: math.Inf(-1)}
	for in := b.in; in != 0; in &= in - 1 {
		a := in.Lowest()
		if a != agent {
			m.rival = max(m.rival, b.stone[a])
		}
		for k := range m.at[a] {
			at := b.at[a].Step(int8(k))
			m.at[a][k] = at
			m.stone[a][k] = max(0, b.stone[a]+at.Value())
		}
	}
	m.spread(b.in, points(roll), 0, false)
	return m.best
}

// mover searches the moves of a number of points for one agent.
type mover struct {
	*board
	agent cia.Agent
	rival int16                          // best stone of the others
	at    [cia.NumAgents][7]cia.Building // by agent and steps: the building, and the stone if it is scored there
	stone [cia.NumAgents][7]int16
	steps steps
	best  steps
	top   float64
}

// spread gives n points to the agents of left. rival is the best stone of the others served, if scored; hit reports whether
// anybody is moved to the safe.
func (m *mover) spread(left cia.Agents, n int8, rival int16, hit bool) {
	a := left.Lowest()
	least := int8(0)
	if left&(left-1) == 0 {
		least = n // the last takes all
	}
	for k := n; k >= least; k-- {
		m.steps[a] = k
		hit, rival := hit || k > 0 && m.at[a][k] == m.safe, rival
		if a != m.agent {
			rival = max(rival, m.stone[a][k])
		}
		calm, scored := math.Inf(-1), math.Inf(-1) // no move of the rest is worth more
		least, most := m.steps[m.agent], m.steps[m.agent]
		if (left & (left - 1)).Has(m.agent) {
			least, most = 0, n-k
		}
		for own := least; own <= most; own++ {
			next := m.at[m.agent][own].Value()
			calm = max(calm, lead(m.board.stone[m.agent]-m.rival, next))
			scored = max(scored, lead(m.stone[m.agent][own]-rival, next))
		}
		switch {
		case (hit || calm <= m.top) && scored <= m.top:
		case left&(left-1) != 0:
			m.spread(left&(left-1), n-k, rival, hit)
		case hit && scored > m.top:
			m.best, m.top = m.steps, scored
		case !hit && calm > m.top:
			m.best, m.top = m.steps, calm
		}
	}
	m.steps[a] = 0
}
