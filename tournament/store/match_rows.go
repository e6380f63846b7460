package store

import (
	"slices"

	"gorm.io/gorm"

	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/store/database"
)

// matchRow is a match with what only the store wants to know of it.
type matchRow struct {
	tournament.Match
	Worker       string
	LeaseUntilMS int64 `gorm:"column:lease_until_ms"`
	JobID        int64
}

// matchSeatRow is a seat of a match.
type matchSeatRow struct {
	MatchID string
	tournament.MatchSeat
	Place *int
}

// seat gives a match its seats, which are in order.
func seat(m *tournament.Match, seats []matchSeatRow) {
	for _, s := range seats {
		m.Seats = append(m.Seats, s.MatchSeat)
		if s.Place != nil {
			m.Rank = append(m.Rank, *s.Place)
		}
	}
}

// seated gives matches their seats, with one query for all.
func seated(db *gorm.DB, list ...*tournament.Match) error {
	of := make(map[string][]matchSeatRow, len(list))
	for part := range slices.Chunk(list, 500) { // SQLite and Postgres bound the parameters of a statement
		ids := database.Map(part, func(m *tournament.Match) string { return m.ID })
		seats, err := database.All[matchSeatRow](db.Where("match_id IN ?", ids).Order("match_id, seat"))
		if err != nil {
			return err
		}
		for _, s := range seats {
			of[s.MatchID] = append(of[s.MatchID], s)
		}
	}
	for _, m := range list {
		seat(m, of[m.ID])
	}
	return nil
}

// matches returns the matches of a query with their seats, for which seats is asked.
func matches(db, seats *gorm.DB) ([]tournament.Match, error) {
	list, err := database.All[tournament.Match](db)
	if err != nil {
		return nil, err
	}
	return list, seated(seats, pointers(list)...)
}

func pointers[T any](list []T) []*T {
	out := make([]*T, len(list))
	for i := range list {
		out[i] = &list[i]
	}
	return out
}
