package molehill

import "github.com/molerun/molerun/engines/game"

// The factors of a table, in the order of the weights.
const (
	byPoints = iota // as the mole, so far
	byFirst         // the mole of the first round
)

// Factors writes what speaks for a seat. Only the deal draws anything.
func (Rules) Factors(s *State, seat game.Seat, out []float64) {
	points := 0
	switch {
	case s.Mole == int8(seat):
		points = int(s.score())
	case s.Round == 1:
		points = int(s.Scores[0])
	}
	out[byPoints] = float64(points) / 10
	if (s.Mole == int8(seat)) == (s.Round == 0) {
		out[byFirst] = 1
	}
}

// Weights returns what `go run -C bench ./luck -fit -games molehill -matches 100` prints.
func (Rules) Weights() []float64 { return []float64{0, 0.12} }
