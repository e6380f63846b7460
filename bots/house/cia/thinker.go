package cia

import (
	"math"
	"math/rand/v2"

	"github.com/molerun/molerun/bots/protocol"
	"github.com/molerun/molerun/engines/cia"
	"github.com/molerun/molerun/engines/game"
)

// thinkerMind is the mind of [Thinker].
type thinkerMind struct {
	*position
	eye  *surveillance
	odds [][cia.NumAgents]float64 // by seat and agent
	tell []float64                // what each entry of the offer gives away
	card float64                  // what a card is worth
	next []cia.Agent              // the agent that the next seat is taken to run, by roll
	rng  *rand.Rand
}

// Thinker plays for its odds to be first, which are small differences early and all that counts late. It keeps a
// [surveillance] of everybody in its memo, fills in the dossier by that, and pays a little not to be seen through itself.
func Thinker(t *protocol.Turn, rng *rand.Rand) (protocol.Answer, error) {
	mind, err := newThinkerMind(t, rng)
	if err != nil {
		return protocol.Answer{}, err
	}
	answer, err := mind.decide(mind, t.Offer, rng)
	answer.Memo = mind.eye.memo()
	return answer, err
}

func newThinkerMind(t *protocol.Turn, rng *rand.Rand) (*thinkerMind, error) {
	s, err := readPosition(t)
	if err != nil {
		return nil, err
	}
	return &thinkerMind{position: s, eye: watch(t, s), rng: rng}, nil
}

// value returns the odds to be first: a race in which luck counts the less the nearer the finish.
func (m *thinkerMind) value(b *board) float64 {
	w := b.odds(m.config.Track)
	own := 0.0
	for in := m.mine; in != 0; in &= in - 1 {
		own += w[in.Lowest()]
	}
	return own
}

// odds returns each agent's to be first.
func (b *board) odds(track int16) (w [cia.NumAgents]float64) {
	lead, _ := b.leaders()
	over, luck := b.over(track), chance(track, lead)
	all := 0.0
	for in := b.in; in != 0; in &= in - 1 {
		a := in.Lowest()
		x := float64(b.stone[a] - lead)
		if !over {
			x += float64(0.35 * float64(b.at[a].Value()))
		} else {
			x *= 5
		}
		w[a] = math.Exp(x / luck)
		all += w[a]
	}
	for a := range w {
		w[a] /= all
	}
	return w
}

// chance returns how many points luck can still make up for.
func chance(track, lead int16) float64 {
	return 1.5 + float64(0.12*float64(max(track-lead, 0)))
}

// gain: a card is worth what a point and a half make of the odds.
func (m *thinkerMind) gain() float64 {
	if m.card == 0 {
		p := m.value(&m.board)
		lead, _ := m.leaders()
		m.card = 1.5 * p * (1 - p) / chance(m.config.Track, lead)
	}
	return m.card
}

func (m *thinkerMind) suspicion(seat game.Seat, agent cia.Agent) float64 {
	if m.odds == nil {
		m.odds = m.eye.suspicions(m.position)
	}
	return m.odds[seat][agent]
}

func (m *thinkerMind) shows(list []cia.Action, k int) float64 {
	if list[k].Kind != cia.ActMove {
		return 0
	}
	if m.tell == nil {
		all := make([]steps, len(list))
		for i := range list {
			all[i] = list[i].Steps
		}
		for _, row := range likelihoods(&m.board, all) {
			mean := 0.0
			for in := m.in; in != 0; in &= in - 1 {
				mean += row[in.Lowest()]
			}
			own := row[m.agent]
			m.tell = append(m.tell, max(0, math.Log(own*float64(m.in.Len())/mean)))
		}
	}
	if m.config.Dossier && !m.view.Filed { // others gain points by it
		return 0.004 * m.tell[k]
	}
	return 0.001 * m.tell[k]
}

func (m *thinkerMind) width() int { return 12 }

// foresee lets the next seat move, once with every roll, for an agent drawn by what is known of it. Whoever has scored
// moves the safe first, which counts as an advantage.
func (m *thinkerMind) foresee(b *board, scored bool) float64 {
	mover := (m.view.Turn + 1) % game.Seat(m.seats())
	if b.over(m.config.Track) || mover == m.seat {
		return m.value(b)
	}
	if m.next == nil {
		for range rolls {
			m.next = append(m.next, m.guess(mover))
		}
	}
	sum := 0.0
	for i, roll := range rolls {
		next := *b
		next.flags = 0
		if scored {
			next.safe = -1
		}
		reply := bestMove(&next, roll, m.next[i])
		sum += m.value(&reply)
	}
	if scored && m.opens(b) {
		sum += 0.08 * float64(len(rolls))
	}
	return sum / float64(len(rolls))
}

// opens reports whether the seat has set the oldest flag left, so that it moves the safe.
func (m *thinkerMind) opens(b *board) bool {
	for _, f := range m.view.Flags {
		if a, ok := cia.ParseAgent(f.Agent); ok && b.flags.Has(a) {
			return f.Seat == m.seat
		}
	}
	return true
}

// guess draws an agent that seat may run.
func (m *thinkerMind) guess(seat game.Seat) cia.Agent {
	x := m.rng.Float64()
	for in := m.in; in != 0; in &= in - 1 {
		a := in.Lowest()
		if x -= m.suspicion(seat, a); x < 0 {
			return a
		}
	}
	return (m.in &^ m.mine).Lowest()
}
