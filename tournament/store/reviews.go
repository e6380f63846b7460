package store

import (
	"context"
	"fmt"
	"time"

	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/store/database"
)

type matchReviewRow struct {
	tournament.MatchReview
	FreeAtMS int64 `gorm:"column:free_at_ms"` // by the database's clock
}

// Review returns the review of a match; [tournament.ErrNotFound] if nobody has asked for one.
func (s *Store) Review(ctx context.Context, matchID string) (tournament.MatchReview, error) {
	row, err := database.Take[matchReviewRow](s.SQL(ctx).Where("match_id = ?", matchID), "review of match", matchID)
	return row.MatchReview, err
}

// Reviews returns the reviews of some matches, by the match's id, without those that nobody has asked for.
func (s *Store) Reviews(ctx context.Context, matchIDs []string) (map[string]tournament.MatchReview, error) {
	if len(matchIDs) == 0 {
		return nil, nil
	}
	rows, err := database.All[matchReviewRow](s.SQL(ctx).Where("match_id IN ?", matchIDs))
	return database.Index(rows, func(r matchReviewRow) (string, tournament.MatchReview) { return r.MatchID, r.MatchReview }), err
}

// AskReview has a match reviewed, and returns how far its review has come. What waits, is made or done stays as it is, but what failed waits
// again, and an owner's asking moves a stranger's up. While most reviews wait, that of a stranger is [tournament.ErrFull].
func (s *Store) AskReview(ctx context.Context, matchID string, byOwner bool, most int) (tournament.MatchReview, error) {
	var out tournament.MatchReview
	err := s.InTx(ctx, func(tx *Tx) error {
		if err := tx.Lock(Rows{Matches: {matchID}}); err != nil { // whoever asks at the same time waits here
			return err
		}
		last, err := database.First[matchReviewRow](tx.db.Where("match_id = ?", matchID))
		if err != nil {
			return err
		}
		if last != nil && last.State != tournament.ReviewFailed {
			out = last.MatchReview
			if !byOwner {
				return nil
			}
			return tx.db.Model(&matchReviewRow{}).Where("match_id = ? AND state = ?", matchID, tournament.ReviewWaiting).Update("by_owner", true).Error
		}
		waiting, err := database.Count(tx.db.Model(&matchReviewRow{}).Where("state = ?", tournament.ReviewWaiting))
		if err != nil {
			return err
		}
		if !byOwner && waiting >= most {
			return fmt.Errorf("%w: %d reviews wait already", tournament.ErrFull, waiting)
		}
		out = tournament.MatchReview{MatchID: matchID, State: tournament.ReviewWaiting, ByOwner: byOwner, AskedAt: s.Now()}
		return database.Upsert(tx.db, []string{"match_id"}).Create(&matchReviewRow{MatchReview: out}).Error
	})
	return out, err
}

// ClaimReview gives this process the review that is due, an owner's first and then the one that was asked for first, for as long as lasts:
// if nothing is saved until then, it is due again. It is nil if none is due.
func (s *Store) ClaimReview(ctx context.Context, lasts time.Duration) (*tournament.MatchReview, error) {
	row, err := claimDue[matchReviewRow](ctx, s, "match_reviews", "match_id", "by_owner DESC, asked_at, match_id", lasts)
	if err != nil || row == nil {
		return nil, err
	}
	return &row.MatchReview, nil
}

// SaveReview writes what came of the try that began with [Store.ClaimReview]; it is dropped if another has begun since. One that waits
// again is due after rest; without rest the worker has stopped, and that was no try.
func (s *Store) SaveReview(ctx context.Context, r tournament.MatchReview, rest time.Duration) error {
	row := matchReviewRow{MatchReview: r}
	switch {
	case r.State != tournament.ReviewWaiting:
		row.EndedAt = new(s.Now())
	case rest == 0:
		row.Tries--
	}
	return s.InTx(ctx, func(tx *Tx) error {
		saved := tx.db.Model(&matchReviewRow{}).Where("match_id = ? AND state = ? AND tries = ?", r.MatchID, tournament.ReviewRunning, r.Tries).
			Select("state", "tries", "reason", "report", "ended_at").Updates(&row)
		if saved.Error != nil || saved.RowsAffected == 0 {
			return saved.Error
		}
		return tx.db.Exec("UPDATE match_reviews SET free_at_ms = "+s.NowMS()+" + ? WHERE match_id = ?", rest.Milliseconds(), r.MatchID).Error
	})
}
