package store

import (
	"context"
	"errors"
	"fmt"
	"time"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/store/database"
)

// WithQuota returns a store whose every transaction fails with [tournament.ErrLimit] if the user has quota live things of a kind:
// tokens that are neither revoked nor expired, tournaments announced by hand that are not over, schedules that have not
// ended, series. The user's row is locked, so that requests at once cannot share the last place.
func (s *Store) WithQuota(userID string, kind Kind, quota int) *Store {
	return s.bound(func(tx *database.Tx) error {
		if err := lockUndeleted(tx, userID); err != nil {
			return err
		}
		db, way := tx.SQL, ""
		switch kind {
		case Tokens:
			db = db.Model(&tokenRow{}).Where("user_id = ? AND kind = 'access' AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > ?)", userID, s.Now())
			way = "revoke one first"
		case Tournaments:
			db = db.Model(&tournamentRow{}).Where("organiser_id = ? AND schedule_id IS NULL AND status IN ?", userID,
				[]tournament.Status{tournament.Scheduled, tournament.Running})
			way = "wait for one to end, or cancel one"
		case Schedules:
			db = db.Model(&scheduleRow{}).Where("organiser_id = ? AND ended_at IS NULL", userID)
			way = "cancel one first"
		case Series:
			db = db.Model(&seriesRow{}).Where("organiser_id = ?", userID)
			way = "delete one first"
		case ClassLinks:
			db = db.Model(&classLinkRow{}).Where("organiser_id = ? AND ended_at IS NULL AND expires_at > ?", userID, s.Now())
			way = "end one first"
		default: // bots have theirs in [Store.CreateBot]
			return fmt.Errorf("there is no quota of %s", kind)
		}
		return database.UnderQuota(db, quota, fmt.Sprint("live ", kind), way)
	}, nil)
}

// WithUnchanged returns a store whose every transaction fails with [tournament.ErrChanged] if a thing is not as it is now: its
// row, and the rows of what belongs to it. The rows are locked.
func (s *Store) WithUnchanged(ctx context.Context, kind Kind, id string) (*Store, error) {
	seen, err := stampOf(func(Kind, string) *gorm.DB { return s.SQL(ctx) }, kind, id)
	if err != nil {
		return nil, err
	}
	return s.bound(func(tx *database.Tx) error {
		now, err := stampOf(func(k Kind, what string) *gorm.DB { return tx.Locked(tx.SQL, k, what) }, kind, id)
		if err == nil && now != seen {
			err = fmt.Errorf("%w: somebody else changed it first; read it again", tournament.ErrChanged)
		}
		return err
	}, nil), nil
}

// stampOf returns all that is in the rows of a thing, as text. db gives the connection for the rows of a kind.
func stampOf(db func(k Kind, what string) *gorm.DB, kind Kind, id string) (string, error) {
	row := map[string]any{}
	if err := db(kind, id).Table(string(kind)).Where("id = ?", id).Take(&row).Error; err != nil {
		return "", database.NotFound(err, string(kind), id)
	}
	var with []map[string]any
	var err error
	switch kind {
	case Bots:
		err = db(kind, id).Table("versions").Where("bot_id = ?", id).Order("id").Find(&with).Error
	case Tournaments:
		err = db(kind, id).Table("texts").Where("tournament_id = ?", id).Find(&with).Error
	case Series:
		err = db(kind, id).Table("series_tournaments").Where("series_id = ?", id).Order("place").Find(&with).Error
	default: // it is all in its row
	}
	return fmt.Sprint(row, with), err
}

type rateRow struct {
	Name, Caller string
	FullUS       int64 `gorm:"column:full_us"`
}

// Spend uses one up of what a caller may have of a rate: count at once, refilled evenly over per, counted for all processes
// together. It returns whether there was one, and how long it takes now until all are back.
func (s *Store) Spend(ctx context.Context, name, caller string, count int, per time.Duration) (bool, time.Duration, error) {
	s.tidy(ctx)
	now, each := s.Now().UnixMicro(), per.Microseconds()/int64(count)
	// One statement decides and writes: from the later of now and full_us, one more must end within per.
	const later = "CASE WHEN rates.full_us > CAST(@now AS BIGINT) THEN rates.full_us ELSE CAST(@now AS BIGINT) END + CAST(@each AS BIGINT)"
	end, err := database.First[int64](s.SQL(ctx).Raw("INSERT INTO rates (name, caller, full_us) VALUES (@name, @caller, CAST(@first AS BIGINT))"+
		" ON CONFLICT (name, caller) DO UPDATE SET full_us = "+later+" WHERE "+later+" <= CAST(@last AS BIGINT) RETURNING full_us",
		map[string]any{"name": name, "caller": caller, "now": now, "each": each, "first": now + each, "last": now + per.Microseconds()}))
	if err != nil {
		return false, 0, err
	}
	if end != nil {
		return true, time.Duration(*end-now) * time.Microsecond, nil
	}
	full, err := s.Spent(ctx, name, caller)
	return false, full, err
}

// Spent returns how long it takes until a caller has all of a rate again; nothing is used up.
func (s *Store) Spent(ctx context.Context, name, caller string) (time.Duration, error) {
	r, err := database.FirstOr(s.SQL(ctx).Where("name = ? AND caller = ?", name, caller), rateRow{})
	return max(0, time.Duration(r.FullUS-s.Now().UnixMicro())*time.Microsecond), err
}

// tidyEvery is how often a process deletes what has served its time.
const tidyEvery = time.Minute

// tidy deletes rates that are full again, idempotency keys of yesterday, old health checks, messages nobody waits for and old
// events, once a minute at most. What fails is done the next time: nothing depends on it.
func (s *Store) tidy(ctx context.Context) {
	now := s.Now()
	last := s.tidied.Load()
	if now.UnixMicro()-last < tidyEvery.Microseconds() || !s.tidied.CompareAndSwap(last, now.UnixMicro()) {
		return
	}
	db := s.SQL(ctx)
	db.Where("full_us < ?", now.UnixMicro()).Delete(&rateRow{})
	db.Where("created_at < ?", now.Add(-keepKeys)).Delete(&idempotencyKeyRow{})
	db.Table("bot_checks").Where("checked_at < ?", now.Add(-tournament.KeepChecks)).Delete(&tournament.Check{})
	s.Boxes.Tidy(ctx)
	s.Outbox.Tidy(ctx)
}

const (
	// keepKeys is how long the answer to a request with an idempotency key is kept.
	keepKeys = 24 * time.Hour
	// abandonedAfter is when a request that never ended is given up: its process is gone, or can commit nothing any more.
	abandonedAfter = time.Minute
)

type idempotencyKeyRow struct {
	ID, Request, Attempt   string
	CarriedOut             bool
	Answer                 string
	CreatedAt, AttemptedAt time.Time
}

// KeyClaim is the right to carry a request out once. With an Answer it has been carried out.
type KeyClaim struct {
	Answer      string
	id, attempt string
}

// ClaimKey asks to carry out a request under an idempotency key; both are hex hashes. The claim is new, or has the answer
// of the first time. It is [tournament.ErrKeyUsed] for another request, [tournament.ErrBusy] while the first is under way,
// and [tournament.ErrAnswer] if that was carried out by a process that died before it could tell. A key lives for a day.
func (s *Store) ClaimKey(ctx context.Context, id, request string) (KeyClaim, error) {
	var c KeyClaim
	s.tidy(ctx)
	attempt, err := s.NewID()
	if err != nil {
		return c, err
	}
	err = s.InTx(ctx, func(tx *Tx) error {
		now := s.Now()
		fresh := idempotencyKeyRow{ID: id, Request: request, Attempt: attempt, CreatedAt: now, AttemptedAt: now}
		c = KeyClaim{id: id, attempt: attempt}
		made := tx.db.Clauses(clause.OnConflict{DoNothing: true}).Create(&fresh)
		if made.Error != nil || made.RowsAffected == 1 {
			return made.Error
		}
		var r idempotencyKeyRow
		switch err := tx.Locked(tx.db, database.Keys, id).Where("id = ?", id).Take(&r).Error; {
		case errors.Is(err, gorm.ErrRecordNotFound): // the first was refused after our insert had met its key: the key is free
			return underWay()
		case err != nil:
			return err
		case !r.CreatedAt.After(now.Add(-keepKeys)): // as if it were not there
		case r.Request != request:
			return fmt.Errorf("%w: this Idempotency-Key was sent with another body or to another path; take a new one for a new request", tournament.ErrKeyUsed)
		case r.Answer != "":
			c.Answer = r.Answer
			return nil
		case r.CarriedOut && now.Sub(r.AttemptedAt) > abandonedAfter:
			return fmt.Errorf("%w: this request was carried out, but the answer was lost with the process that made it; look for what it made", tournament.ErrAnswer)
		case now.Sub(r.AttemptedAt) <= abandonedAfter:
			return underWay()
		default:
			fresh.CreatedAt = r.CreatedAt
		}
		return tx.db.Model(&idempotencyKeyRow{}).Where("id = ?", id).Select("*").Updates(&fresh).Error
	})
	return c, err
}

func underWay() error {
	return fmt.Errorf("%w: the first request with this Idempotency-Key is under way; ask again soon", tournament.ErrBusy)
}

// WithClaim returns a store whose every transaction notes that the request is carried out, and fails if another attempt has taken
// over: so it is carried out once, whoever dies when.
func (s *Store) WithClaim(c KeyClaim) *Store {
	return s.bound(nil, func(tx *database.Tx) error {
		return database.Changed(tx.SQL.Model(&idempotencyKeyRow{}).Where("id = ? AND attempt = ?", c.id, c.attempt).Update("carried_out", true),
			fmt.Errorf("%w: another request with this Idempotency-Key has taken over", tournament.ErrBusy))
	})
}

// AnswerKey keeps the answer of a request that was carried out.
func (s *Store) AnswerKey(ctx context.Context, c KeyClaim, answer string) error {
	return s.SQL(ctx).Where("attempt = ?", c.attempt).Select("answer", "carried_out").Updates(&idempotencyKeyRow{ID: c.id, Answer: answer, CarriedOut: true}).Error
}

// FreeKey gives a claim up whose request was refused; if it was carried out all the same, the key stays.
func (s *Store) FreeKey(ctx context.Context, c KeyClaim) error {
	return s.SQL(ctx).Where("id = ? AND attempt = ? AND NOT carried_out", c.id, c.attempt).Delete(&idempotencyKeyRow{}).Error
}
