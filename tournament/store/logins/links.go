package logins

import (
	"context"
	"time"

	"gorm.io/gorm"

	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/store/database"
)

// loginLinkRow is a link that logs a browser in once.
type loginLinkRow struct {
	Hash, UserID string
	ExpiresAt    time.Time
}

// maxLinks is how many links of a user can be used at a time.
const maxLinks = 10

// AddLink keeps a link that logs a browser in as a user, and forgets those that have ended. Beyond [maxLinks] of the user those go
// that would have ended first.
func (l *Logins) AddLink(ctx context.Context, code tournament.LoginSecret, userID string, ends time.Time) error {
	return l.db.InTx(ctx, func(tx *database.Tx) error {
		return keep(tx, l.db.Now(), &loginLinkRow{Hash: code.Hash(), UserID: userID, ExpiresAt: database.UTC(ends)}, userID, maxLinks)
	})
}

// keep keeps what is a user's until it ends, and forgets what has ended. Beyond most of the user's those go that would have ended first.
func keep[R any](tx *database.Tx, now time.Time, row *R, userID string, most int) error {
	if err := tx.SQL.Where("expires_at <= ?", now).Delete(new(R)).Error; err != nil {
		return err
	}
	if err := tx.SQL.Create(row).Error; err != nil {
		return err
	}
	kept := tx.SQL.Model(new(R)).Select("hash").Where("user_id = ?", userID).Order("expires_at DESC, hash").Limit(most)
	return tx.SQL.Where("user_id = ? AND hash NOT IN (?)", userID, kept).Delete(new(R)).Error
}

// LinkOf returns the id of the user as whom a link logs in. One that was used or has ended is [tournament.ErrNotFound].
func (l *Logins) LinkOf(ctx context.Context, code tournament.LoginSecret) (string, error) {
	var r loginLinkRow
	err := l.db.SQL(ctx).Where("hash = ? AND expires_at > ?", code.Hash(), l.db.Now()).Take(&r).Error
	return r.UserID, found(err)
}

// TakeLink uses up a user's link: whoever comes second finds none ([tournament.ErrNotFound]).
func TakeLink(tx *database.Tx, now time.Time, code tournament.LoginSecret, userID string) error {
	return database.Changed(tx.SQL.Where("hash = ? AND user_id = ? AND expires_at > ?", code.Hash(), userID, now).Delete(&loginLinkRow{}),
		found(gorm.ErrRecordNotFound))
}
