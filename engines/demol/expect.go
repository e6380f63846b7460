package demol

import "github.com/molerun/molerun/engines/game"

// The factors of a table, in the order of the weights: half of each for a team, half against the other.
const (
	byRole       = iota // a mole
	byLeader            // the leader is of the team
	byNextLeader        // and so is the next
	byMissions          // missions that went its way, more than the other's
)

// Factors writes what speaks for the team of a seat.
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

// Weights returns what `go run -C bench ./luck -fit -games demol -matches 300` prints.
func (Rules) Weights() []float64 { return []float64{-0.25, 0.14, 0.10, 0} }
