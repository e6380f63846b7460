package logins

import (
	"context"
	"errors"
	"fmt"
	"time"

	"gorm.io/gorm"

	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/store/database"
)

// Logins are the logins and sessions of a database. They are safe for concurrent use.
type Logins struct{ db *database.DB }

// New returns the logins of a database.
func New(db *database.DB) *Logins { return &Logins{db: db} }

type loginRow struct {
	Hash string `gorm:"primaryKey"`
	tournament.Login
	NextAt time.Time
}

type sessionRow struct {
	Hash, UserID string
	ExpiresAt    time.Time
}

func (r sessionRow) session() tournament.Session {
	return tournament.Session{ID: r.Hash[:tournament.LoginIDLen], BeganAt: r.ExpiresAt.Add(-tournament.SessionTime), ExpiresAt: r.ExpiresAt}
}

// BeginLogin keeps a login until it ends by itself, and forgets those that have.
func (l *Logins) BeginLogin(ctx context.Context, secret tournament.LoginSecret, x tournament.Login) error {
	now := l.db.Now()
	return l.db.InTx(ctx, func(tx *database.Tx) error {
		if err := tx.SQL.Where("expires_at <= ?", now).Delete(&loginRow{}).Error; err != nil {
			return err
		}
		return tx.SQL.Create(&loginRow{Hash: secret.Hash(), Login: x, NextAt: now.Add(x.Every)}).Error
	})
}

// Login returns a login that has not ended; else it is [tournament.ErrNotFound].
func (l *Logins) Login(ctx context.Context, secret tournament.LoginSecret) (tournament.Login, error) {
	var r loginRow
	err := l.db.SQL(ctx).Where("hash = ? AND expires_at > ?", secret.Hash(), l.db.Now()).Take(&r).Error
	return r.Login, found(err)
}

// TakeLogin uses up a login in some state: whoever comes second finds none ([tournament.ErrNotFound]).
func (l *Logins) TakeLogin(ctx context.Context, secret tournament.LoginSecret, state tournament.LoginState) (tournament.Login, error) {
	return database.Transact(ctx, l.db.InTx, func(tx *database.Tx) (tournament.Login, error) { return Take(tx, l.db.Now(), secret, state) })
}

// Take is [Logins.TakeLogin] as a part of a transaction.
func Take(tx *database.Tx, now time.Time, secret tournament.LoginSecret, state tournament.LoginState) (tournament.Login, error) {
	var r loginRow
	err := tx.Locked(tx.SQL, database.Logins, secret.Hash()).Where("hash = ? AND state = ? AND expires_at > ?", secret.Hash(), string(state), now).Take(&r).Error
	if err == nil {
		err = tx.SQL.Where("hash = ?", r.Hash).Delete(&loginRow{}).Error
	}
	return r.Login, found(err)
}

// LoginTurn reports whether the issuer may be asked about a device already, and if so begins its next interval. A login that does
// not exist, or that waits for nobody, is [tournament.ErrNotFound].
func (l *Logins) LoginTurn(ctx context.Context, secret tournament.LoginSecret) (bool, tournament.Login, error) {
	x, err := l.Login(ctx, secret)
	if err != nil {
		return false, x, err
	}
	now := l.db.Now()
	got := l.db.SQL(ctx).Model(&loginRow{}).Where("hash = ? AND next_at <= ?", secret.Hash(), now).Update("next_at", now.Add(x.Every))
	return got.RowsAffected == 1, x, got.Error
}

// SlowLogin makes a device wait longer between two looks from now on.
func (l *Logins) SlowLogin(ctx context.Context, secret tournament.LoginSecret, every time.Duration) error {
	row := loginRow{Hash: secret.Hash(), Login: tournament.Login{Every: every}, NextAt: l.db.Now().Add(every)}
	return database.Save(l.db.SQL(ctx), &row, "every_us", "next_at")
}

// ProveLogin writes who a device's login is.
func (l *Logins) ProveLogin(ctx context.Context, secret tournament.LoginSecret, who tournament.Identity) error {
	proved := loginRow{Hash: secret.Hash(), Login: tournament.Login{State: tournament.LoginProved, Identity: who}}
	return database.Changed(l.db.SQL(ctx).Where("state = ?", tournament.LoginDevice).Select("state", "issuer", "subject").Updates(&proved),
		found(gorm.ErrRecordNotFound))
}

// maxSessions is how many sessions a user has at most: all can be shown.
const maxSessions = 50

// BeginSession logs a browser in as a user, and forgets sessions that have ended. Beyond [maxSessions] the oldest ends.
func (l *Logins) BeginSession(ctx context.Context, secret tournament.LoginSecret, userID string) error {
	return l.db.InTx(ctx, func(tx *database.Tx) error { return Begin(tx, l.db.Now(), secret, userID) })
}

// Begin is [Logins.BeginSession] as a part of a transaction.
func Begin(tx *database.Tx, now time.Time, secret tournament.LoginSecret, userID string) error {
	return keep(tx, now, &sessionRow{Hash: secret.Hash(), UserID: userID, ExpiresAt: now.Add(tournament.SessionTime)}, userID, maxSessions)
}

// SessionOf returns the id of the user whom a session has logged in; one that has ended is [tournament.ErrNotFound].
func (l *Logins) SessionOf(ctx context.Context, secret tournament.LoginSecret) (string, error) {
	var r sessionRow
	err := l.db.SQL(ctx).Where("hash = ? AND expires_at > ?", secret.Hash(), l.db.Now()).Take(&r).Error
	return r.UserID, found(err)
}

// EndSession logs a browser out; ending what has ended changes nothing.
func (l *Logins) EndSession(ctx context.Context, secret tournament.LoginSecret) error {
	return l.db.SQL(ctx).Where("hash = ?", secret.Hash()).Delete(&sessionRow{}).Error
}

// Sessions returns the sessions of a user that have not ended, the newest first.
func (l *Logins) Sessions(ctx context.Context, userID string) ([]tournament.Session, error) {
	rows, err := database.All[sessionRow](l.db.SQL(ctx).Where("user_id = ? AND expires_at > ?", userID, l.db.Now()).Order("expires_at DESC, hash"))
	return database.Map(rows, sessionRow.session), err
}

// EndSessionOf ends a user's session by its id; one that no session of theirs has is [tournament.ErrNotFound].
func (l *Logins) EndSessionOf(ctx context.Context, userID, id string) error {
	return database.Changed(l.db.SQL(ctx).Where("user_id = ? AND substr(hash, 1, ?) = ?", userID, tournament.LoginIDLen, id).Delete(&sessionRow{}),
		fmt.Errorf("%w: there is no session %q", tournament.ErrNotFound, id))
}

// EndSessions ends all sessions of a user, and the links to new ones.
func EndSessions(tx *database.Tx, userID string) error {
	if err := tx.SQL.Where("user_id = ?", userID).Delete(&loginLinkRow{}).Error; err != nil {
		return err
	}
	return tx.SQL.Where("user_id = ?", userID).Delete(&sessionRow{}).Error
}

// found says what is missing without its key, which is a secret's hash.
func found(err error) error {
	if errors.Is(err, gorm.ErrRecordNotFound) {
		return fmt.Errorf("%w: there is no such login, or it has ended", tournament.ErrNotFound)
	}
	return err
}
