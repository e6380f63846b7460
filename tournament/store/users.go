package store

import (
	"cmp"
	"context"
	"crypto/subtle"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"gorm.io/gorm"

	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/store/database"
	"github.com/molerun/molerun/tournament/store/erasure"
	"github.com/molerun/molerun/tournament/store/logins"
)

// CreateUser adds a user with a first token. Empty ids and times are filled in; the token gets the user's id. A name that
// exists in any case is [tournament.ErrTaken].
func (s *Store) CreateUser(ctx context.Context, u tournament.User, t tournament.Token) (tournament.User, tournament.Token, error) {
	if err := errors.Join(s.Fill(&u.ID, &u.CreatedAt), s.Fill(&t.ID, &t.CreatedAt)); err != nil {
		return u, t, err
	}
	t.UserID, t.ExpiresAt, t.RevokedAt = u.ID, database.UTCPtr(t.ExpiresAt), database.UTCPtr(t.RevokedAt)
	t.Scopes = t.Scopes.And(tournament.AllScopes())
	err := s.InTx(ctx, func(tx *Tx) error {
		if err := createUser(tx.db, u); err != nil {
			return err
		}
		return createToken(tx.db, t)
	})
	return u, t, err
}

// Enrol makes a user of a person who has proved an identity; the login is used up. A name that exists in any case is
// [tournament.ErrTaken], and leaves the login as it was.
func (s *Store) Enrol(ctx context.Context, secret tournament.LoginSecret, u tournament.User) (tournament.User, error) {
	if err := s.Fill(&u.ID, &u.CreatedAt); err != nil {
		return u, err
	}
	err := s.InTx(ctx, func(tx *Tx) error {
		login, err := logins.Take(tx.Tx, s.Now(), secret, tournament.LoginProved)
		if err != nil {
			return err
		}
		if err := createUser(tx.db, u); err != nil {
			return err
		}
		return s.identify(tx, login.Identity, u.ID)
	})
	return u, err
}

// Link gives a user the identity that a login has proved, and tells them; the login is used up.
func (s *Store) Link(ctx context.Context, secret tournament.LoginSecret, userID string) error {
	return s.InTx(ctx, func(tx *Tx) error {
		login, err := logins.Take(tx.Tx, s.Now(), secret, tournament.LoginProved)
		if err != nil {
			return err
		}
		has := tx.db.Model(&identityRow{}).Where("user_id = ?", userID)
		if err := database.UnderQuota(has, maxIdentities, "linked logins", "end one first"); err != nil {
			return err
		}
		tx.EmitLinked(userID, login.Identity.Issuer)
		return s.identify(tx, login.Identity, userID)
	})
}

// identify makes an identity a user's; that of another is [tournament.ErrTaken].
func (s *Store) identify(tx *Tx, who tournament.Identity, userID string) error {
	row := identityRow{LinkedIdentity: tournament.LinkedIdentity{Identity: who, LinkedAt: s.Now()}, UserID: userID}
	return database.Taken(tx.db.Create(&row).Error, "identity at", who.Issuer)
}

// Identified returns the user whose identity this is.
func (s *Store) Identified(ctx context.Context, who tournament.Identity) (tournament.User, error) {
	r, err := database.Take[identityRow](s.SQL(ctx).Where("issuer = ? AND subject = ?", who.Issuer, who.Subject), "identity at", who.Issuer)
	if err != nil {
		return tournament.User{}, err
	}
	return s.User(ctx, r.UserID)
}

// User returns a user by id.
func (s *Store) User(ctx context.Context, id string) (tournament.User, error) {
	return s.Reader(ctx).User(id)
}

// User returns a user by id.
func (r Reader) User(id string) (tournament.User, error) {
	return database.ByID[tournament.User](r.db, "user", id)
}

// UserNamed returns a user by name; case does not count.
func (s *Store) UserNamed(ctx context.Context, name string) (tournament.User, error) {
	return userNamed(s.SQL(ctx), name)
}

func userNamed(db *gorm.DB, name string) (tournament.User, error) {
	return database.Take[tournament.User](db.Where("name_folded = ?", fold(name)), "user", name)
}

// SaveRole writes what a user may do. What they may have made that lets others into accounts ends, and so do links into their own: others make these
// for an owner of bots alone.
func (s *Store) SaveRole(ctx context.Context, id string, role tournament.Role) error {
	return s.InTx(ctx, func(tx *Tx) error {
		u, err := tx.LockUser(id)
		if err != nil {
			return err
		}
		if err := tx.endCodesOf(u); err != nil {
			return err
		}
		if err := tx.db.Exec("DELETE FROM login_links WHERE user_id = ?", id).Error; err != nil {
			return err
		}
		return database.Save(tx.db, &tournament.User{ID: id, Role: role}, "role")
	})
}

// fold returns the form of a name by which it is found and unique: case does not count.
func fold(name string) string { return strings.ToLower(name) }

// userRow is a user with the name as it is unique.
type userRow struct {
	tournament.User
	NameFolded string
}

func createUser(db *gorm.DB, u tournament.User) error {
	return database.Taken(db.Create(&userRow{User: u, NameFolded: fold(u.Name)}).Error, "user", u.Name)
}

// Users returns a page of users and the cursor of the next, "" after the last.
func (s *Store) Users(ctx context.Context, p database.Page) ([]tournament.User, string, error) {
	return database.List(s.SQL(ctx), p, "id", func(u tournament.User) string { return u.ID })
}

// LockUser returns a user, the row locked.
func (tx *Tx) LockUser(id string) (tournament.User, error) {
	return database.ByID[tournament.User](tx.Locked(tx.db, Users, id), "user", id)
}

// SaveDisabled writes since when and why a user is disabled. What they may have made that lets others into accounts ends.
func (tx *Tx) SaveDisabled(u tournament.User) error {
	if err := tx.endCodesOf(u); err != nil {
		return err
	}
	return database.Save(tx.db, &u, "disabled_at", "disabled_reason")
}

// EraseUser writes the name and the times of a user who is deleted, whose row is locked, and takes all else of theirs out of the
// database ([erasure.Erase]).
func (tx *Tx) EraseUser(u tournament.User) error {
	row := userRow{User: u, NameFolded: fold(u.Name)}
	if err := database.Save(tx.db, &row, "name", "name_folded", "disabled_at", "disabled_reason", "deleted_at"); err != nil {
		return err
	}
	if err := tx.endCodesOf(u); err != nil {
		return err
	}
	return erasure.Erase(tx.Tx, u.ID)
}

// TokenByID returns a token and its user. Whether it is revoked or expired is for the caller to see.
func (s *Store) TokenByID(ctx context.Context, id string) (tournament.Token, tournament.User, error) {
	t, err := database.ByID[tokenRow](s.SQL(ctx), "token", id)
	if err != nil {
		return tournament.Token{}, tournament.User{}, err
	}
	u, err := s.User(ctx, t.UserID)
	return t.token(), u, err
}

// EndedTokens returns those of some tokens that are live no more: revoked, expired, or of a user who is disabled.
func (s *Store) EndedTokens(ctx context.Context, ids []string) ([]string, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	live, err := database.Pluck[string](s.SQL(ctx).Model(&tokenRow{}).Joins("JOIN users ON users.id = tokens.user_id").
		Where("tokens.id IN ? AND tokens.revoked_at IS NULL AND (tokens.expires_at IS NULL OR tokens.expires_at > ?) AND users.disabled_at IS NULL", ids, s.Now()), "tokens.id")
	if err != nil {
		return nil, err
	}
	slices.Sort(live)
	return slices.DeleteFunc(slices.Clone(ids), func(id string) bool {
		_, found := slices.BinarySearch(live, id)
		return found
	}), nil
}

// CreateToken adds a token to the user it names. Empty id and time are filled in.
func (s *Store) CreateToken(ctx context.Context, t tournament.Token) (tournament.Token, error) {
	if err := s.Fill(&t.ID, &t.CreatedAt); err != nil {
		return t, err
	}
	t.ExpiresAt, t.RevokedAt = database.UTCPtr(t.ExpiresAt), database.UTCPtr(t.RevokedAt)
	t.Scopes = t.Scopes.And(tournament.AllScopes())
	err := s.InTx(ctx, func(tx *Tx) error { return createToken(tx.db, t) })
	if errors.Is(err, gorm.ErrForeignKeyViolated) {
		err = fmt.Errorf("%w: there is no user %q", tournament.ErrNotFound, t.UserID)
	}
	return t, err
}

// AddToken makes a token of what is asked for, with an id and a secret of its own. It returns its text, which is kept nowhere.
func (s *Store) AddToken(ctx context.Context, random io.Reader, t tournament.Token) (tournament.Token, string, error) {
	text, id, hash, err := tournament.NewToken(random)
	if err != nil {
		return t, "", err
	}
	t.ID, t.Hash = id, hash
	t, err = s.CreateToken(ctx, t)
	return t, text, err
}

// AddRecovery adds a recovery code for a user, in the place of those before.
func (s *Store) AddRecovery(ctx context.Context, t tournament.Token) error {
	s.FillTime(&t.CreatedAt)
	return s.InTx(ctx, func(tx *Tx) error {
		if _, err := tx.LockUser(t.UserID); err != nil {
			return err
		}
		if err := tx.revokeTokens(t.UserID, "kind <> 'access'"); err != nil {
			return err
		}
		return createToken(tx.db, t)
	})
}

// Recover takes a recovery code, by its id and hash, of the user of a name: all that lets somebody act for the user ends
// ([Tx.endAccess]), and made takes its place. A code that is not of this user, used, or expired is [tournament.ErrNotFound].
func (s *Store) Recover(ctx context.Context, name, codeID string, hash [32]byte, made tournament.Token) (tournament.User, tournament.Token, error) {
	s.FillTime(&made.CreatedAt)
	var u tournament.User
	err := s.InTx(ctx, func(tx *Tx) error {
		owner, err := userNamed(tx.db, name)
		if err != nil {
			return err
		}
		if u, err = tx.LockUser(owner.ID); err != nil {
			return err
		}
		live := tx.db.Where("id = ? AND user_id = ? AND kind = 'recovery' AND revoked_at IS NULL AND expires_at > ?", codeID, u.ID, s.Now())
		code, err := database.Take[tokenRow](live, "recovery code", codeID)
		if err != nil {
			return err
		}
		if subtle.ConstantTimeCompare(code.Hash[:], hash[:]) != 1 || u.DisabledAt != nil {
			return fmt.Errorf("%w: recovery code %q", tournament.ErrNotFound, codeID)
		}
		if err := tx.endAccess(u); err != nil {
			return err
		}
		made.UserID = u.ID
		return createToken(tx.db, made)
	})
	return u, made, err
}

// revokeTokens ends those of a user's tokens that a condition of ours names.
func (tx *Tx) revokeTokens(userID, condition string) error {
	return tx.db.Model(&tokenRow{}).Where("user_id = ? AND revoked_at IS NULL", userID).Where(condition).Update("revoked_at", tx.s.Now()).Error
}

// tokenUse is how exactly the last use of a token is kept, so that few requests write.
const tokenUse = time.Minute

// UseToken notes that a token is used now, if that is news by a minute.
func (s *Store) UseToken(ctx context.Context, t tournament.Token) error {
	now := s.Now()
	if t.LastUsedAt != nil && now.Sub(*t.LastUsedAt) < tokenUse {
		return nil
	}
	return s.WithoutHooks().SQL(ctx).Model(&tokenRow{}).Where("id = ? AND (last_used_at IS NULL OR last_used_at <= ?)", t.ID, now.Add(-tokenUse)).
		Update("last_used_at", now).Error
}

// Tokens returns a user's tokens, the last first, revoked ones too; recovery codes are none.
func (s *Store) Tokens(ctx context.Context, userID string) ([]tournament.Token, error) {
	rows, err := database.All[tokenRow](s.SQL(ctx).Where("user_id = ? AND kind = ?", userID, access).Order("id DESC"))
	return database.Map(rows, tokenRow.token), err
}

// RevokeToken ends a user's token; revoking again changes nothing. Another user's token is [tournament.ErrNotFound].
func (s *Store) RevokeToken(ctx context.Context, userID, tokenID string) error {
	return s.InTx(ctx, func(tx *Tx) error {
		if _, err := tx.LockUser(userID); err != nil { // what is made with it ([Store.WithToken]) is made before
			return err
		}
		if _, err := database.Take[tokenRow](tx.db.Where("id = ? AND user_id = ?", tokenID, userID), "token", tokenID); err != nil {
			return err
		}
		return tx.db.Model(&tokenRow{}).Where("id = ? AND revoked_at IS NULL", tokenID).Update("revoked_at", s.Now()).Error
	})
}

func createToken(db *gorm.DB, t tournament.Token) error {
	row := newTokenRow(t)
	return database.Taken(db.Create(&row).Error, "token", t.ID)
}

type identityRow struct {
	tournament.LinkedIdentity
	UserID string
}

// tokenRow is a token with its kind and its scopes as columns.
type tokenRow struct {
	tournament.Token
	KindColumn                                          string `gorm:"column:kind"`
	MayBot, MayEnter, MayAccount, MayOrganise, MayAdmin bool
}

// access is the column's word for [tournament.TokenAccess].
const access = "access"

// scopes returns the columns of the scopes; every token may read.
func (r *tokenRow) scopes() map[tournament.Scope]*bool {
	return map[tournament.Scope]*bool{
		tournament.ScopeBot:      &r.MayBot,
		tournament.ScopeEnter:    &r.MayEnter,
		tournament.ScopeAccount:  &r.MayAccount,
		tournament.ScopeOrganise: &r.MayOrganise,
		tournament.ScopeAdmin:    &r.MayAdmin,
	}
}

func newTokenRow(t tournament.Token) tokenRow {
	r := tokenRow{Token: t, KindColumn: cmp.Or(string(t.Kind), access)}
	for s, may := range r.scopes() {
		*may = t.Scopes.Has(s)
	}
	return r
}

func (r tokenRow) token() tournament.Token {
	t, may := r.Token, r.scopes()
	if r.KindColumn != access {
		t.Kind = tournament.TokenKind(r.KindColumn)
	}
	t.Scopes = slices.DeleteFunc(tournament.AllScopes(), func(s tournament.Scope) bool { return may[s] != nil && !*may[s] })
	return t
}
