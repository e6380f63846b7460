package house

import (
	"math"
	"math/bits"
	"math/rand/v2"

	"github.com/molerun/molerun/bots/protocol"
	"github.com/molerun/molerun/engines/game"
)

// thinkerSpy plays for its odds to be first, which are small differences early and all that counts late. It keeps a
// [surveillance] of everybody in its memo, fills in the dossier by that, and pays a little not to be seen through itself.
type thinkerSpy struct {
	*stakeout
	eye  *surveillance
	odds [][spies]float64 // by seat and agent
	tell []float64        // what each entry of the offer gives away
	card float64          // what a card is worth
	next []int            // the agent that the next seat is taken to run, by roll
	luck *rand.Rand
}

func thinkerCIA(t *protocol.Turn, rng *rand.Rand) (protocol.Answer, error) {
	mind, err := newThinkerSpy(t, rng)
	if err != nil {
		return protocol.Answer{}, err
	}
	answer, err := mind.decide(mind, t.Offer, rng)
	answer.Memo = mind.eye.memo()
	return answer, err
}

func newThinkerSpy(t *protocol.Turn, rng *rand.Rand) (*thinkerSpy, error) {
	s, err := readStakeout(t)
	if err != nil {
		return nil, err
	}
	return &thinkerSpy{stakeout: s, eye: watch(t, s), luck: rng}, nil
}

// value is the odds to be first: a race in which luck counts the less the nearer the finish.
func (m *thinkerSpy) value(r *ring) float64 {
	lead, _ := r.leaders()
	over := over(r, m.track)
	luck := m.chance(lead)
	own, all := 0.0, 0.0
	for in := r.in; in != 0; in &= in - 1 {
		a := bits.TrailingZeros8(in)
		x := float64(r.stone[a] - lead)
		if !over {
			x += 0.35 * float64(worth(r.at[a]))
		} else {
			x *= 5
		}
		w := math.Exp(x / luck)
		all += w
		if m.mine>>a&1 == 1 {
			own += w
		}
	}
	return own / all
}

// chance is how many points luck can still make up for.
func (m *thinkerSpy) chance(lead int) float64 {
	return 1.5 + float64(0.12*float64(max(m.track-lead, 0)))
}

// gain: a card is worth what a point and a half make of the odds.
func (m *thinkerSpy) gain() float64 {
	if m.card == 0 {
		p := m.value(&m.ring)
		lead, _ := m.leaders()
		m.card = 1.5 * p * (1 - p) / m.chance(lead)
	}
	return m.card
}

func (m *thinkerSpy) suspicion(seat game.Seat, agent int) float64 {
	if m.odds == nil {
		m.odds = m.eye.suspicions(m.stakeout)
	}
	return m.odds[seat][agent]
}

func (m *thinkerSpy) shows(list []errand, k int) float64 {
	if list[k].Type != "move" {
		return 0
	}
	if m.tell == nil {
		all := make([]strides, len(list))
		for i := range list {
			all[i] = list[i].Steps
		}
		for _, row := range likelihoods(&m.ring, all) {
			mean := 0.0
			for in := m.in; in != 0; in &= in - 1 {
				mean += row[bits.TrailingZeros8(in)]
			}
			own := row[bits.TrailingZeros8(m.mine)]
			m.tell = append(m.tell, max(0, math.Log(own*float64(bits.OnesCount8(m.in))/mean)))
		}
	}
	if m.file && !m.view.Filed { // others gain points by it
		return 0.004 * m.tell[k]
	}
	return 0.001 * m.tell[k]
}

// rolls are the faces of the die.
var rolls = [...]string{"1-3", "2", "3", "4", "5", "6"}

func (m *thinkerSpy) width() int { return 12 }

// foresee lets the next seat move, once with every roll, for an agent drawn by what is known of it. Whoever has scored
// moves the safe first, which counts as an advantage.
func (m *thinkerSpy) foresee(r *ring, scored bool) float64 {
	mover := (m.view.Turn + 1) % game.Seat(len(m.view.Hands)) //nolint:gosec // at most 7
	if over(r, m.track) || mover == m.seat {
		return m.value(r)
	}
	if m.next == nil {
		for range rolls {
			m.next = append(m.next, m.guess(mover))
		}
	}
	sum := 0.0
	for i, roll := range rolls {
		board := *r
		board.flags = 0
		if scored {
			board.safe = -1
		}
		reply := bestMove(&board, roll, m.next[i])
		sum += m.value(&reply)
	}
	if scored && m.opens(r) {
		sum += 0.08 * float64(len(rolls))
	}
	return sum / float64(len(rolls))
}

// opens tells whether the seat has set the oldest flag left, so that it moves the safe.
func (m *thinkerSpy) opens(r *ring) bool {
	for _, f := range m.view.Flags {
		if r.flags>>index(spyNames[:], f.Agent)&1 == 1 {
			return f.Seat == m.seat
		}
	}
	return true
}

// guess draws an agent that seat may run.
func (m *thinkerSpy) guess(seat game.Seat) int {
	x := m.luck.Float64()
	for in := m.in; in != 0; in &= in - 1 {
		a := bits.TrailingZeros8(in)
		if x -= m.suspicion(seat, a); x < 0 {
			return a
		}
	}
	return bits.TrailingZeros8(m.in &^ m.mine)
}

// bestMove is the board after the move that brings an agent most ahead, the first of equal ones in the order of [moves]. In
// effect it walks all moves, but carries what they have in common.
func bestMove(r *ring, roll string, agent int) ring {
	m := mover{ring: r, agent: agent, top: math.Inf(-1)}
	for in := r.in; in != 0; in &= in - 1 {
		a := bits.TrailingZeros8(in)
		if a != agent {
			m.rival = max(m.rival, r.stone[a])
		}
		for k := range m.at[a] {
			at := (r.at[a] + int8(k)) % buildings //nolint:gosec // below 7
			m.at[a][k], m.stone[a][k] = at, max(0, r.stone[a]+worth(at))
		}
	}
	m.spread(r.in, int8(points(roll)), 0, false) //nolint:gosec // at most 6
	best := *r
	best.walk(&m.best)
	best.settle()
	return best
}

// mover searches the moves of a number of points for one agent.
type mover struct {
	*ring
	agent int
	rival int            // best stone of the others
	at    [spies][7]int8 // by agent and steps: the building, and the stone if it is scored there
	stone [spies][7]int
	steps strides
	best  strides
	top   float64
}

// spread gives n points to the agents of left. rival is the best stone of the others served, if scored; hit tells whether
// anybody is moved to the safe.
func (m *mover) spread(left uint8, n int8, rival int, hit bool) {
	a := bits.TrailingZeros8(left)
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
		if left&(left-1)>>m.agent&1 == 1 {
			least, most = 0, n-k
		}
		for own := least; own <= most; own++ {
			next := worth(m.at[m.agent][own])
			calm = max(calm, lead(m.ring.stone[m.agent]-m.rival, next))
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

// over tells whether a stone has come round.
func over(r *ring, track int) bool {
	for _, stone := range r.stone {
		if stone >= track {
			return true
		}
	}
	return false
}
