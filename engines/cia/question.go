package cia

import (
	"strconv"

	"github.com/molerun/molerun/engines/game"
)

// Questions asks of each other seat which agent it was dealt. Every deal of the agents that are not the seat's own counts once, whatever
// has been played.
func (Rules) Questions(s *State, seat game.Seat) []game.Question {
	open := s.InPlay
	if seat >= 0 {
		open &^= s.Extra[seat].With(s.Agent[seat])
	}
	var out []game.Question
	for other := range s.seats().Without(seat).Each() {
		could := open
		if seat == game.Everything || s.Phase == PhaseOver {
			could = Agents(0).With(s.Agent[other])
		}
		q := game.Question{About: strconv.Itoa(int(other))}
		for m := could; m != 0; m &= m - 1 {
			q.Answers = append(q.Answers, m.Lowest().String())
			q.P = append(q.P, 1/float64(could.Len()))
		}
		out = append(out, q)
	}
	return out
}
