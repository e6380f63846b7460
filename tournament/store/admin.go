package store

import (
	"context"

	"github.com/molerun/molerun/tournament"
)

// Users is a page of users and the cursor of the next, "" after the last.
func (s *Store) Users(ctx context.Context, p Page) ([]tournament.User, string, error) {
	db, limit, err := p.byID(s.with(ctx), "id")
	if err != nil {
		return nil, "", err
	}
	rows, next, err := fetch(db, limit, func(r userRow) string { return cursor(r.ID) })
	return each(rows, userRow.user), next, err
}

// LockUser is a user, the row locked.
func (tx *Tx) LockUser(id string) (tournament.User, error) {
	var r userRow
	err := locked(tx.db).Where("id = ?", id).Take(&r).Error
	return r.user(), found(err, "user", id)
}

// SaveDisabled writes since when and why a user is disabled.
func (tx *Tx) SaveDisabled(u tournament.User) error {
	return tx.db.Model(&userRow{}).Where("id = ?", u.ID).Updates(map[string]any{"disabled_at": utcPtr(u.DisabledAt), "disabled_reason": u.DisabledReason}).Error
}
