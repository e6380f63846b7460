package store

import (
	"context"
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/store/database"
	"github.com/molerun/molerun/tournament/store/logins"
	"github.com/molerun/molerun/tournament/store/outbox"
)

// maxIdentities bounds the identities of a user.
const maxIdentities = 20

// WithToken returns a store whose every transaction fails with [tournament.ErrNotFound] if a token has ended: what is made with it is
// made before that, or never. The user's row is locked.
func (s *Store) WithToken(t tournament.Token) *Store {
	return s.bound(func(tx *database.Tx) error {
		if err := lockEnabled(tx, t.UserID); err != nil {
			return err
		}
		live := tx.SQL.Where("id = ? AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > ?)", t.ID, s.Now())
		return database.NotFound(live.Take(&tokenRow{}).Error, "token", t.ID)
	}, nil)
}

// WithIdentity returns a store whose every transaction fails with [tournament.ErrNotFound] if an identity is no longer a user's, as
// [Store.WithToken] does for a token.
func (s *Store) WithIdentity(who tournament.Identity, userID string) *Store {
	return s.bound(func(tx *database.Tx) error {
		if err := lockEnabled(tx, userID); err != nil {
			return err
		}
		linked := tx.SQL.Where("issuer = ? AND subject = ? AND user_id = ?", who.Issuer, who.Subject, userID)
		return database.NotFound(linked.Take(&identityRow{}).Error, "identity at", who.Issuer)
	}, nil)
}

func lockEnabled(tx *database.Tx, userID string) error {
	err := tx.Locked(tx.SQL, database.Users, userID).Where("id = ? AND disabled_at IS NULL", userID).Take(&userRow{}).Error
	return database.NotFound(err, "user", userID)
}

// lockUndeleted locks a user whose things are counted, so that two requests at once cannot share the last place.
func lockUndeleted(tx *database.Tx, userID string) error {
	err := tx.Locked(tx.SQL, database.Users, userID).Where("id = ? AND deleted_at IS NULL", userID).Take(&userRow{}).Error
	return database.NotFound(err, "user", userID)
}

// Identities returns a user's identities, the newest first.
func (s *Store) Identities(ctx context.Context, userID string) ([]tournament.LinkedIdentity, error) {
	rows, err := database.All[identityRow](s.SQL(ctx).Where("user_id = ?", userID).Order("created_at DESC, issuer, subject"))
	return database.Map(rows, func(r identityRow) tournament.LinkedIdentity { return r.LinkedIdentity }), err
}

// EndIdentity takes an identity, by its id, from a user, and ends the sessions, of which any may have begun with it. An id that
// no identity of the user has is [tournament.ErrNotFound].
func (s *Store) EndIdentity(ctx context.Context, userID, id string) error {
	return s.InTx(ctx, func(tx *Tx) error {
		if _, err := tx.LockUser(userID); err != nil {
			return err
		}
		rows, err := database.All[identityRow](tx.db.Where("user_id = ?", userID))
		if err != nil {
			return err
		}
		at := slices.IndexFunc(rows, func(r identityRow) bool { return r.ID() == id })
		if at < 0 {
			return fmt.Errorf("%w: there is no login %q", tournament.ErrNotFound, id)
		}
		if err := tx.db.Where("issuer = ? AND subject = ?", rows[at].Issuer, rows[at].Subject).Delete(&identityRow{}).Error; err != nil {
			return err
		}
		return logins.EndSessions(tx.Tx, userID)
	})
}

// AddLoginLink keeps a link of a user who is not disabled ([logins.Logins.AddLink]).
func (s *Store) AddLoginLink(ctx context.Context, code tournament.LoginSecret, userID string, ends time.Time) error {
	enabled := s.bound(func(tx *database.Tx) error { return lockEnabled(tx, userID) }, nil)
	return enabled.AddLink(ctx, code, userID, ends)
}

// Enter uses a link up and logs a browser in as its user. A link that was used or has ended, and that of a user who is disabled,
// is [tournament.ErrNotFound].
func (s *Store) Enter(ctx context.Context, code, session tournament.LoginSecret) (tournament.User, error) {
	userID, err := s.LinkOf(ctx, code)
	if err != nil {
		return tournament.User{}, err
	}
	err = s.InTx(ctx, func(tx *Tx) error {
		if err := lockEnabled(tx.Tx, userID); err != nil {
			return err
		}
		if err := logins.TakeLink(tx.Tx, s.Now(), code, userID); err != nil {
			return err
		}
		return logins.Begin(tx.Tx, s.Now(), session, userID)
	})
	if err != nil {
		return tournament.User{}, err
	}
	return s.User(ctx, userID)
}

// Rotate ends all that lets somebody act for a user ([Tx.endAccess]) and makes one token. It returns the token's text, which is
// kept nowhere.
func (s *Store) Rotate(ctx context.Context, random io.Reader, made tournament.Token) (tournament.Token, string, error) {
	text, id, hash, err := tournament.NewToken(random)
	if err != nil {
		return made, "", err
	}
	made.ID, made.Hash = id, hash
	s.FillTime(&made.CreatedAt)
	err = s.InTx(ctx, func(tx *Tx) error {
		u, err := tx.LockUser(made.UserID)
		if err != nil {
			return err
		}
		if err := tx.endAccess(u); err != nil {
			return err
		}
		return createToken(tx.db, made)
	})
	return made, text, err
}

// endAccess ends whatever lets somebody act for a user, whose row is locked, or was made to do so: tokens, recovery codes, sessions
// and identities. Webhooks are disabled, because they tell somebody what happens. See docs/decisions/0033.
func (tx *Tx) endAccess(u tournament.User) error {
	if err := tx.revokeTokens(u.ID, "1 = 1"); err != nil {
		return err
	}
	if err := tx.endCodesOf(u); err != nil {
		return err
	}
	if err := logins.EndSessions(tx.Tx, u.ID); err != nil {
		return err
	}
	if err := tx.db.Where("user_id = ?", u.ID).Delete(&identityRow{}).Error; err != nil {
		return err
	}
	return outbox.DisableWebhooks(tx.Tx, u.ID, "every way into the account was ended; enable the webhook if it is yours")
}

// endCodesOf ends what somebody may have made that lets others into accounts: an administrator recovery codes and links of logins for anybody, an
// organiser links for who came by a class link of theirs.
func (tx *Tx) endCodesOf(u tournament.User) error {
	switch u.Role {
	case tournament.RoleAdmin:
		if err := tx.db.Exec("DELETE FROM login_links").Error; err != nil {
			return err
		}
		return tx.db.Model(&tokenRow{}).Where("kind = 'recovery' AND revoked_at IS NULL").Update("revoked_at", tx.s.Now()).Error
	case tournament.RoleOrganiser:
		return tx.db.Exec("DELETE FROM login_links WHERE user_id IN (SELECT a.user_id FROM class_accounts a JOIN class_links l ON l.id = a.link_id WHERE l.organiser_id = ?)", u.ID).Error
	case tournament.RoleOwner:
	}
	return nil
}
