package rating

import "github.com/molerun/molerun/engines/game"

// Match is a finished match as the ladder sees it.
type Match struct {
	Seats []Seat // by seat; at least two, unless Void
	Void  bool   // a fault of the platform: nobody's rating changes
}

// Seat is one seat of a finished match.
type Seat struct {
	Player  int    // index into the players
	Rank    int    // 1 is best, ties share, a team shares
	Team    string // empty in games without teams
	Retired bool   // the house played it to the end
}

// freeAgent is the reason a match of CIA ends with when an agent that no seat runs is ahead of all of them.
const freeAgent = "free_agent"

// Of returns the match that gave result, with players by seat. Where a free agent was ahead, nobody has won and the game ranks
// everybody alike; the ladder ranks the players among themselves by their points, and the free agent is not there.
func Of(result game.Result, players []int, retired game.Seats) Match {
	m := Match{Seats: make([]Seat, len(result.Rank))}
	for i := range m.Seats {
		s := Seat{Player: players[i], Rank: result.Rank[i], Retired: retired.Has(game.Seat(i))} //nolint:gosec // at most game.MaxSeats seats
		if len(result.Team) > 0 {
			s.Team = result.Team[i]
		}
		if result.Why == freeAgent {
			s.Rank = 1
			for _, p := range result.Points {
				if p > result.Points[i] {
					s.Rank++
				}
			}
		}
		m.Seats[i] = s
	}
	return m
}

// Teams reports whether teams decide the match; at a table of two each seat is for itself.
func (m Match) Teams() bool {
	if len(m.Seats) == 2 {
		return false
	}
	for _, s := range m.Seats {
		if s.Team != "" {
			return true
		}
	}
	return false
}

// Places returns the place of each seat after retirement, as [Placing] gives it.
func (m Match) Places() []int {
	var retired game.Seats
	rank := make([]int, len(m.Seats))
	for i, s := range m.Seats {
		rank[i] = s.Rank
		if s.Retired {
			retired = retired.With(game.Seat(i)) //nolint:gosec // at most game.MaxSeats seats
		}
	}
	return Placing(game.Result{Rank: rank}, retired)
}
