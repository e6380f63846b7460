package store

import (
	"context"
	"fmt"
	"time"

	"gorm.io/gorm/clause"

	"github.com/molerun/molerun/tournament"
)

const (
	// keepKeys is how long the answer to a request with an idempotency key is kept.
	keepKeys = 24 * time.Hour
	// abandonedAfter is when a request that never ended is given up: its process is gone, or can commit nothing any more.
	abandonedAfter = time.Minute
)

type keyRow struct {
	ID, Request, Attempt   string
	CarriedOut             bool
	Answer                 string
	CreatedAt, AttemptedAt time.Time
}

func (keyRow) TableName() string { return "idempotency_keys" }

// KeyClaim is the right to carry a request out once. With an Answer it has been carried out.
type KeyClaim struct {
	Answer      string
	id, attempt string
}

// ClaimKey asks to carry out a request under an idempotency key; both are hex hashes. The claim is new, or has the answer
// of the first time. It is [tournament.ErrKeyUsed] for another request, [tournament.ErrBusy] while the first is under way,
// and [tournament.ErrAnswer] if that was carried out by a process that died before it could tell. A key lives for a day.
func (s *Store) ClaimKey(ctx context.Context, id, request string) (c KeyClaim, err error) {
	s.tidy(ctx)
	attempt, err := s.ids.next()
	if err != nil {
		return c, err
	}
	err = s.InTx(ctx, func(tx *Tx) error {
		now := s.now()
		fresh := keyRow{ID: id, Request: request, Attempt: attempt, CreatedAt: now, AttemptedAt: now}
		c = KeyClaim{id: id, attempt: attempt}
		made := tx.db.Clauses(clause.OnConflict{DoNothing: true}).Create(&fresh)
		if made.Error != nil || made.RowsAffected == 1 {
			return made.Error
		}
		var r keyRow
		if err := locked(tx.db).Where("id = ?", id).Take(&r).Error; err != nil {
			return found(err, "idempotency key", id)
		}
		switch {
		case !r.CreatedAt.After(now.Add(-keepKeys)): // as if it were not there
		case r.Request != request:
			return fmt.Errorf("%w: this Idempotency-Key was sent with another body or to another path; take a new one for a new request", tournament.ErrKeyUsed)
		case r.Answer != "":
			c.Answer = r.Answer
			return nil
		case r.CarriedOut && now.Sub(r.AttemptedAt) > abandonedAfter:
			return fmt.Errorf("%w: this request was carried out, but the answer was lost with the process that made it; look for what it made", tournament.ErrAnswer)
		case now.Sub(r.AttemptedAt) <= abandonedAfter:
			return fmt.Errorf("%w: the first request with this Idempotency-Key is under way; ask again soon", tournament.ErrBusy)
		default:
			fresh.CreatedAt = r.CreatedAt
		}
		return tx.db.Model(&keyRow{}).Where("id = ?", id).Select("*").Updates(&fresh).Error
	})
	return c, err
}

// WithClaim is a store whose every transaction notes that the request is carried out, and fails if another attempt has taken
// over: so it is carried out once, whoever dies when.
func (s *Store) WithClaim(c KeyClaim) *Store {
	return s.bound(nil, func(tx *Tx) error {
		done := tx.db.Model(&keyRow{}).Where("id = ? AND attempt = ?", c.id, c.attempt).Update("carried_out", true)
		if done.Error == nil && done.RowsAffected == 0 {
			return fmt.Errorf("%w: another request with this Idempotency-Key has taken over", tournament.ErrBusy)
		}
		return done.Error
	})
}

// AnswerKey keeps the answer of a request that was carried out.
func (s *Store) AnswerKey(ctx context.Context, c KeyClaim, answer string) error {
	return s.with(ctx).Model(&keyRow{}).Where("id = ? AND attempt = ?", c.id, c.attempt).
		Updates(map[string]any{"answer": answer, "carried_out": true}).Error
}

// FreeKey gives a claim up whose request was refused; if it was carried out all the same, the key stays.
func (s *Store) FreeKey(ctx context.Context, c KeyClaim) error {
	return s.with(ctx).Where("id = ? AND attempt = ? AND NOT carried_out", c.id, c.attempt).Delete(&keyRow{}).Error
}
