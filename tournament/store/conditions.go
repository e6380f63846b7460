package store

import (
	"context"
	"fmt"
	"slices"

	"gorm.io/gorm"

	"github.com/molerun/molerun/tournament"
)

// conditions are what must hold, and what is written along, in every transaction of a store: a request has a store of its own,
// with its quota, its precondition and its idempotency key, for the one transaction it makes.
type conditions struct{ before, after []func(*Tx) error }

// bound is the same database with more conditions; what is nil adds none.
func (s *Store) bound(before, after func(*Tx) error) *Store {
	all := conditions{before: slices.Clone(s.conditions.before), after: slices.Clone(s.conditions.after)}
	if before != nil {
		all.before = append(all.before, before)
	}
	if after != nil {
		all.after = append(all.after, after)
	}
	return &Store{database: s.database, conditions: all}
}

// Apart is the same database without conditions, for what is no part of a request: they hold in the transaction before.
func (s *Store) Apart() *Store { return &Store{database: s.database} }

// under runs f between the conditions of the store.
func (tx *Tx) under(f func(*Tx) error) error {
	for _, hold := range tx.s.conditions.before {
		if err := hold(tx); err != nil {
			return err
		}
	}
	if err := f(tx); err != nil {
		return err
	}
	for _, along := range tx.s.conditions.after {
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
	Series      Kind = "series"
	Tokens      Kind = "tokens"
)

// WithQuota is a store whose every transaction fails with [tournament.ErrLimit] if the user has quota live things of a kind: tokens that are neither revoked nor expired, tournaments announced by hand that are not over, schedules that have
// not ended, series. The user's row is locked, so that requests at once cannot share the last place.
func (s *Store) WithQuota(userID string, kind Kind, quota int) *Store {
	return s.bound(func(tx *Tx) error {
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
		case Series:
			db = db.Model(&seriesRow{}).Where("organiser_id = ?", userID)
			way = "delete one first (DELETE /v1/series/{id})"
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

// WithUnchanged is a store whose every transaction fails with [tournament.ErrChanged] if a thing is not as it is now: its row, and the rows of what belongs to it. The rows are locked.
func (s *Store) WithUnchanged(ctx context.Context, kind Kind, id string) (*Store, error) {
	seen, err := stampOf(func() *gorm.DB { return s.with(ctx) }, kind, id)
	if err != nil {
		return nil, err
	}
	return s.bound(func(tx *Tx) error {
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
	var with []map[string]any
	var err error
	switch kind {
	case Bots:
		err = db().Table("versions").Where("bot_id = ?", id).Order("id").Find(&with).Error
	case Tournaments:
		err = db().Table("texts").Where("tournament_id = ?", id).Find(&with).Error
	case Series:
		err = db().Table("series_tournaments").Where("series_id = ?", id).Order("place").Find(&with).Error
	case Users, Schedules, Tokens:
	}
	return fmt.Sprint(row, with), err
}
