package rating

import (
	"fmt"

	"github.com/molerun/molerun/engines/game"
)

// maxRating bounds what a state may hold, so that no sum can overflow: a billion Elo, far above any ladder.
const maxRating Milli = 1_000_000_000_000

// check refuses what cannot be rated and says what and where.
func check(m Match, players []State, p Params) error {
	if err := m.check(len(players)); err != nil {
		return err
	}
	for i, s := range m.Seats {
		if st := players[s.Player]; st.Games < 0 || st.Rating > maxRating || st.Rating < -maxRating {
			return fmt.Errorf("seat %d: player %d has an impossible state: %d milli-Elo after %d games", i, s.Player, st.Rating, st.Games)
		}
	}
	return p.check(len(m.Seats))
}

// Check refuses a match that cannot be rated among so many players: [ErrMatch], with what is wrong and at which seat.
func (m Match) Check(players int) error {
	if err := m.check(players); err != nil {
		return fmt.Errorf("%w: %w", ErrMatch, err)
	}
	return nil
}

func (m Match) check(players int) error {
	if len(m.Seats) > game.MaxSeats || (len(m.Seats) < 2 && !m.Void) {
		return fmt.Errorf("a rated match has 2 to %d seats, this one has %d", game.MaxSeats, len(m.Seats))
	}
	for i, s := range m.Seats {
		if s.Player < 0 || s.Player >= players {
			return fmt.Errorf("seat %d: player %d is outside 0..%d", i, s.Player, players-1)
		}
		if s.Rank < 1 && !m.Void {
			return fmt.Errorf("seat %d: rank %d; 1 is best", i, s.Rank)
		}
	}
	if m.Void || !m.Teams() {
		return nil
	}
	return checkTeams(m.Seats)
}

func (p Params) check(seats int) error {
	if n := len(p.Tables[seats].Seat); n != 0 && n != seats {
		return fmt.Errorf("seat advantages for %d seats: %d given", seats, n)
	}
	return nil
}

// checkTeams wants exactly two teams, each with one rank.
func checkTeams(seats []Seat) error {
	var first, second *Seat
	for i := range seats {
		s := &seats[i]
		switch {
		case s.Team == "":
			return fmt.Errorf("seat %d has no team though others have one", i)
		case first == nil:
			first = s
		case s.Team != first.Team && second == nil:
			second = s
		}
		mate := first
		if s.Team != first.Team {
			mate = second
		}
		if s.Team != mate.Team {
			return fmt.Errorf("seat %d: team %q is the third, after %q and %q", i, s.Team, first.Team, second.Team)
		}
		if s.Rank != mate.Rank {
			return fmt.Errorf("seat %d: rank %d, though its team %q has rank %d", i, s.Rank, s.Team, mate.Rank)
		}
	}
	if second == nil {
		return fmt.Errorf("every seat is on team %q; a team game has two", first.Team)
	}
	return nil
}
