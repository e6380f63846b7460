package molehill

import "github.com/molerun/molerun/engines/game"

// Score returns the points of both rounds: a seat scores in the round in which it is the mole.
func (r Rules) Score(s *State, seat game.Seat) game.Score {
	v := r.View(s, seat)
	var points [2]int
	for round, n := range v.Scores {
		seat := v.MoleSeat
		if round+1 != v.Round {
			seat = 1 - seat
		}
		points[seat] = n
	}
	if len(v.Scores) < v.Round {
		points[v.MoleSeat] = v.Score
	}
	return game.Score{Of: "points", Sides: game.BySeat(points[:]...)}
}

// EndingWords says how a match ends.
func (Rules) EndingWords(why string) string {
	if why == "two_rounds" {
		return "each has been the mole once"
	}
	return ""
}

// Key describes rounds that end, and jumps.
func (e Event) Key() string {
	switch {
	case e.Kind == "score" && e.Rounds == 2:
		return "The second round ends"
	case e.Kind == "score":
		return "The first round ends"
	case e.Kind == "played" && e.Action.Type == Jump:
		return "The mole jumps"
	}
	return ""
}
