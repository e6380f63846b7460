package mole

import "github.com/molerun/molerun/engines/game"

// Score returns the points of both seats, from all rounds. Nothing is hidden, and a match may have thousands of steps: no view is made for it.
func (Rules) Score(s *State, _ game.Seat) game.Score {
	return game.Score{Of: "points", Sides: game.BySeat(s.Score[:]...)}
}

// EndingWords says how a match ends.
func (Rules) EndingWords(why string) string {
	return map[string]string{"points": "enough points, with the lead that it takes", "max_rounds": "this was the last round"}[why]
}

// Key describes rounds that end.
func (e *Event) Key() string {
	if e.Kind == "round" {
		return winners[e.Winner]
	}
	return ""
}
