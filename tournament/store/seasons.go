package store

import (
	"context"
	"fmt"
	"time"

	"gorm.io/gorm"

	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/rating"
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
	later, err := laterSeasons(s.with(ctx), ladderID)
	return append([]tournament.Season{{LadderID: l.ID, Number: 1, FromSeq: 1, BeganAt: l.CreatedAt}}, later...), err
}

// laterSeasons are those after the first.
func laterSeasons(db *gorm.DB, ladderID string) (out []tournament.Season, err error) {
	var rows []seasonRow
	if err := db.Where("ladder_id = ?", ladderID).Order("number").Find(&rows).Error; err != nil {
		return nil, err
	}
	for _, r := range rows {
		x, err := r.season()
		if err != nil {
			return nil, fmt.Errorf("season %d of ladder %s: %w", r.Number, ladderID, err)
		}
		out = append(out, x)
	}
	return out, nil
}

// NewSeason ends the season of a ladder and begins the next: from the first match on that is not scheduled yet, the on-line
// ratings take the advantages of the last fit for known. Ratings go on as they are. A ladder without a fit, or one where
// nothing was scheduled in the season, is [tournament.ErrState].
func (s *Store) NewSeason(ctx context.Context, ladderID string) (next tournament.Season, err error) {
	err = s.InTx(ctx, func(tx *Tx) error {
		f, err := tx.fitHead(ladderID)
		if err != nil {
			return err
		}
		var l ladderRow // fitHead has locked it: no match is scheduled meanwhile
		if err := tx.db.Where("id = ?", ladderID).Take(&l).Error; err != nil {
			return err
		}
		if f.Matches == 0 {
			return fmt.Errorf("%w: ladder %q has no fit yet; there is one some seconds after its first rated match", tournament.ErrState, ladderID)
		}
		var begun int64
		if err := tx.db.Model(&seasonRow{}).Where("ladder_id = ? AND from_seq > ?", ladderID, l.LastSeq).Count(&begun).Error; err != nil {
			return err
		}
		if begun > 0 {
			return fmt.Errorf("%w: season %d of ladder %q has no match yet", tournament.ErrState, l.Season, ladderID)
		}
		text, err := advantagesText(f.Advantages)
		if err != nil {
			return err
		}
		r := seasonRow{l.ID, l.Season + 1, l.LastSeq + 1, text, s.now()}
		if err := tx.db.Create(&r).Error; err != nil {
			return err
		}
		if next, err = r.season(); err != nil {
			return err
		}
		return tx.db.Model(&ladderRow{}).Where("id = ?", l.ID).Update("season", r.Number).Error
	})
	return next, err
}

// params are what the on-line ratings of a season take for known.
func params(season tournament.Season) rating.Params {
	p := rating.Params{Tables: map[int]rating.Advantage{}}
	for _, a := range season.Advantages {
		at := p.Tables[a.Seats]
		if a.Team != "" {
			at.Team = map[string]float64{a.Team: a.Elo}
		} else {
			at.Seat = append(at.Seat, a.Elo) // they are stored by seat
		}
		p.Tables[a.Seats] = at
	}
	return p
}
