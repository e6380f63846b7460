package store

import (
	"context"
	"fmt"

	"gorm.io/gorm"

	"github.com/molerun/molerun/tournament"
)

// conditions are what must hold, and what is written along, in every transaction under a context: an API request carries
// its quota, its precondition and its idempotency key down to the one transaction it makes.
type conditions struct{ before, after []func(*Tx) error }

type conditionsKey struct{}

func with(ctx context.Context, before, after func(*Tx) error) context.Context {
	old, _ := ctx.Value(conditionsKey{}).(conditions)
	var all conditions
	all.before, all.after = append(all.before, old.before...), append(all.after, old.after...)
	if before != nil {
		all.before = append(all.before, before)
	}
	if after != nil {
		all.after = append(all.after, after)
	}
	return context.WithValue(ctx, conditionsKey{}, all)
}

// Apart is a context whose transactions are no part of a request: its conditions hold in the one before.
func Apart(ctx context.Context) context.Context {
	return context.WithValue(ctx, conditionsKey{}, conditions{})
}

// under runs f between what the context asks for.
func (tx *Tx) under(ctx context.Context, f func(*Tx) error) error {
	c, _ := ctx.Value(conditionsKey{}).(conditions)
	for _, hold := range c.before {
		if err := hold(tx); err != nil {
			return err
		}
	}
	if err := f(tx); err != nil {
		return err
	}
	for _, along := range c.after {
		if err := along(tx); err != nil {
			return err
		}
	}
	return nil
}

// Kind is a kind of thing that a user has, or that can be asked to be unchanged.
type Kind string

// The kinds.
const (
	Users       Kind = "users"
	Bots        Kind = "bots"
	Tournaments Kind = "tournaments"
	Schedules   Kind = "schedules"
	Tokens      Kind = "tokens"
)

// WithQuota makes every transaction under the context fail with [tournament.ErrLimit] if the user has quota live things of
// a kind: tokens that are neither revoked nor expired, tournaments announced by hand that are not over, schedules that have
// not ended. The user's row is locked, so that requests at once cannot share the last place.
func (s *Store) WithQuota(ctx context.Context, userID string, kind Kind, quota int) context.Context {
	return with(ctx, func(tx *Tx) error {
		if err := locked(tx.db).Where("id = ?", userID).Take(&userRow{}).Error; err != nil {
			return found(err, "user", userID)
		}
		var has int64
		db, way := tx.db, ""
		switch kind {
		case Tokens:
			db = db.Model(&tokenRow{}).Where("user_id = ? AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > ?)", userID, s.now())
			way = "revoke one first (DELETE /v1/tokens/{id})"
		case Tournaments:
			db = db.Model(&tournamentRow{}).Where("organiser_id = ? AND schedule_id IS NULL AND status IN ?", userID,
				[]tournament.Status{tournament.Scheduled, tournament.Running})
			way = "wait for one to end, or cancel one"
		case Schedules:
			db = db.Model(&scheduleRow{}).Where("organiser_id = ? AND ended_at IS NULL", userID)
			way = "cancel one first"
		case Users, Bots: // bots have theirs in [Store.CreateBot]
			return fmt.Errorf("there is no quota of %s", kind)
		}
		if err := db.Count(&has).Error; err != nil {
			return err
		}
		if has >= int64(quota) {
			return fmt.Errorf("%w: you have %d live %s, and may have %d; %s", tournament.ErrLimit, has, kind, quota, way)
		}
		return nil
	}, nil)
}

// WithUnchanged makes every transaction under the context fail with [tournament.ErrChanged] if a thing is not as it is now:
// its row, and for a bot those of its versions. The rows are locked.
func (s *Store) WithUnchanged(ctx context.Context, kind Kind, id string) (context.Context, error) {
	seen, err := stampOf(func() *gorm.DB { return s.with(ctx) }, kind, id)
	if err != nil {
		return ctx, err
	}
	return with(ctx, func(tx *Tx) error {
		now, err := stampOf(func() *gorm.DB { return locked(tx.db) }, kind, id)
		if err == nil && now != seen {
			err = fmt.Errorf("%w: somebody was faster; read it again", tournament.ErrChanged)
		}
		return err
	}, nil), nil
}

// stampOf is all that is in the rows of a thing, as text.
func stampOf(db func() *gorm.DB, kind Kind, id string) (string, error) {
	row := map[string]any{}
	if err := db().Table(string(kind)).Where("id = ?", id).Take(&row).Error; err != nil {
		return "", found(err, string(kind), id)
	}
	if kind != Bots {
		return fmt.Sprint(row), nil
	}
	var versions []map[string]any
	err := db().Table("versions").Where("bot_id = ?", id).Order("id").Find(&versions).Error
	return fmt.Sprint(row, versions), err
}
