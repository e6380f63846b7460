package demol

import "github.com/molerun/molerun/engines/game"

// The factors of a table, in the order of the weights.
const (
	byRole = iota
	byLeader
	byNextLeader
	byMissions
	factors
)

// Factors writes the role of a seat, as the table is large, whether the leader and the next are of its team, and the missions that went its team's way.
func (Rules) Factors(s *State, seat game.Seat, out []float64) {
	sign := -0.5
	if s.Moles.Has(seat) {
		sign = 0.5
	}
	out[byRole] = sign
	out[byLeader], out[byNextLeader] = -sign, -sign
	if s.Moles.Has(s.Leader) {
		out[byLeader] = sign
	}
	if s.Moles.Has((s.Leader + 1) % game.Seat(s.Seats)) {
		out[byNextLeader] = sign
	}
	successes, fails := s.score()
	out[byMissions] = float64(sign * float64(fails-successes))
}

// Weights returns what `go run -C bench ./luck -fit demol` prints.
func (Rules) Weights() []float64 { return []float64{-0.35, 0.26, 0, 0.5} }
