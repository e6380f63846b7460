package store

import (
	"context"

	"github.com/molerun/molerun/tournament"
)

// MatchesByID are the matches of these ids, at most [MaxPage], with their seats, in no order; unknown ids are left out.
func (s *Store) MatchesByID(ctx context.Context, ids []string) ([]tournament.Match, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	var rows []matchRow
	if err := s.with(ctx).Where("id IN ?", ids[:min(len(ids), MaxPage)]).Find(&rows).Error; err != nil {
		return nil, err
	}
	return matches(s.with(ctx), rows)
}
