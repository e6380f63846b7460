package demol

import (
	"strconv"

	"github.com/molerun/molerun/engines/game"
)

// Questions asks of each other seat whether it is an agent or a mole: a set of moles counts by the ways in which it may have played the
// fails, as [Rules.Resample] draws.
func (Rules) Questions(s *State, seat game.Seat) []game.Question {
	e := s.evidence(seat)
	if seat == game.Everything {
		e.moles, e.agents = s.Moles, s.seats()&^s.Moles
	}
	var total float64
	var moles [MaxSeats]float64
	for m := range e.teams() {
		ways := float64(e.ways(m))
		total += ways
		for other := range m.Each() {
			moles[other] += ways
		}
	}
	var out []game.Question
	for other := range s.seats().Without(seat).Each() {
		q, p := game.Question{About: strconv.Itoa(int(other))}, moles[other]/total
		if p < 1 {
			q.Answers, q.P = append(q.Answers, agent), append(q.P, 1-p)
		}
		if p > 0 {
			q.Answers, q.P = append(q.Answers, mole), append(q.P, p)
		}
		out = append(out, q)
	}
	return out
}
