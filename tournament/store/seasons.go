package store

import (
	"context"
	"fmt"
	"time"

	"github.com/molerun/molerun/tournament"
)

type seasonRow struct {
	LadderID   string
	Number     int
	FromSeq    int64
	Advantages string
	BeganAt    time.Time
}

func (seasonRow) TableName() string { return "seasons" }

func (r seasonRow) season() (tournament.Season, error) {
	list, err := advantagesOf(r.Advantages)
	return tournament.Season{LadderID: r.LadderID, Number: r.Number, FromSeq: r.FromSeq, Advantages: list, BeganAt: utc(r.BeganAt)}, err
}

// Seasons are all seasons of a ladder, the first first.
func (s *Store) Seasons(ctx context.Context, ladderID string) ([]tournament.Season, error) {
	l, err := s.Ladder(ctx, ladderID)
	if err != nil {
		return nil, err
	}
	later, err := s.Reader(ctx).LaterSeasons(ladderID)
	return append([]tournament.Season{{LadderID: l.ID, Number: 1, FromSeq: 1, BeganAt: l.CreatedAt}}, later...), err
}

// LaterSeasons are the seasons of a ladder after the first, in order.
func (r Reader) LaterSeasons(ladderID string) (out []tournament.Season, err error) {
	var rows []seasonRow
	if err := r.db.Where("ladder_id = ?", ladderID).Order("number").Find(&rows).Error; err != nil {
		return nil, err
	}
	for _, x := range rows {
		season, err := x.season()
		if err != nil {
			return nil, fmt.Errorf("season %d of ladder %s: %w", x.Number, ladderID, err)
		}
		out = append(out, season)
	}
	return out, nil
}

// AddSeason adds a season, which is its ladder's from now on, and returns it as it was written.
func (tx *Tx) AddSeason(x tournament.Season) (tournament.Season, error) {
	text, err := advantagesText(x.Advantages)
	if err != nil {
		return x, err
	}
	r := seasonRow{LadderID: x.LadderID, Number: x.Number, FromSeq: x.FromSeq, Advantages: text, BeganAt: utc(x.BeganAt)}
	if err := tx.db.Create(&r).Error; err != nil {
		return x, err
	}
	if x, err = r.season(); err != nil {
		return x, err
	}
	return x, tx.db.Model(&ladderRow{}).Where("id = ?", x.LadderID).Update("season", x.Number).Error
}
