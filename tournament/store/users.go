package store

import (
	"cmp"
	"context"
	"crypto/subtle"
	"encoding/hex"
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
	if err := errors.Join(s.Fill(&u.ID), s.Fill(&t.ID)); err != nil {
		return u, t, err
	}
	s.FillTime(&u.CreatedAt)
	s.FillTime(&t.CreatedAt)
	t.UserID, t.ExpiresAt, t.RevokedAt = u.ID, database.UTCPtr(t.ExpiresAt), database.UTCPtr(t.RevokedAt)
	t.Scopes = t.Scopes.And(tournament.AllScopes())
	err := s.InTx(ctx, func(tx *Tx) error {
		row := userRow{ID: u.ID, Name: u.Name, NameFolded: fold(u.Name), Role: string(u.Role), CreatedAt: u.CreatedAt}
		if err := tx.db.Create(&row).Error; err != nil {
			return database.Taken(err, "user", u.Name)
		}
		return createToken(tx.db, t)
	})
	return u, t, err
}

// Enrol makes a user of who has proved an identity; the login is used up. A name that exists in any case is
// [tournament.ErrTaken], and leaves the login as it was.
func (s *Store) Enrol(ctx context.Context, secret tournament.LoginSecret, u tournament.User) (tournament.User, error) {
	if err := s.Fill(&u.ID); err != nil {
		return u, err
	}
	s.FillTime(&u.CreatedAt)
	err := s.InTx(ctx, func(tx *Tx) error {
		login, err := logins.Take(tx.Tx, s.Now(), secret, tournament.LoginProved)
		if err != nil {
			return err
		}
		row := userRow{ID: u.ID, Name: u.Name, NameFolded: fold(u.Name), Role: string(u.Role), CreatedAt: u.CreatedAt}
		if err := tx.db.Create(&row).Error; err != nil {
			return database.Taken(err, "user", u.Name)
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
		var has int64
		if err := tx.db.Model(&identityRow{}).Where("user_id = ?", userID).Count(&has).Error; err != nil {
			return err
		}
		if has >= maxIdentities {
			return fmt.Errorf("%w: %d logins are linked to the account, the most there may be; end one first", tournament.ErrLimit, has)
		}
		tx.EmitLinked(userID, login.Identity.Issuer)
		return s.identify(tx, login.Identity, userID)
	})
}

// identify makes an identity a user's; that of another is [tournament.ErrTaken].
func (s *Store) identify(tx *Tx, who tournament.Identity, userID string) error {
	row := identityRow{Issuer: who.Issuer, Subject: who.Subject, UserID: userID, CreatedAt: s.Now()}
	return database.Taken(tx.db.Create(&row).Error, "identity at", who.Issuer)
}

// Identified returns the user whose identity this is.
func (s *Store) Identified(ctx context.Context, who tournament.Identity) (tournament.User, error) {
	var r identityRow
	if err := s.SQL(ctx).Where("issuer = ? AND subject = ?", who.Issuer, who.Subject).Take(&r).Error; err != nil {
		return tournament.User{}, database.NotFound(err, "identity at", who.Issuer)
	}
	return s.User(ctx, r.UserID)
}

// User returns a user by id.
func (s *Store) User(ctx context.Context, id string) (tournament.User, error) {
	var r userRow
	err := s.SQL(ctx).Where("id = ?", id).Take(&r).Error
	return r.user(), database.NotFound(err, "user", id)
}

// UserNamed returns a user by name; case does not count.
func (s *Store) UserNamed(ctx context.Context, name string) (tournament.User, error) {
	return userNamed(s.SQL(ctx), name)
}

func userNamed(db *gorm.DB, name string) (tournament.User, error) {
	var r userRow
	err := db.Where("name_folded = ?", fold(name)).Take(&r).Error
	return r.user(), database.NotFound(err, "user", name)
}

// SaveRole writes what a user may do. Recovery codes that they may have made as an administrator end.
func (s *Store) SaveRole(ctx context.Context, id string, role tournament.Role) error {
	return s.InTx(ctx, func(tx *Tx) error {
		u, err := tx.LockUser(id)
		if err != nil {
			return err
		}
		if err := tx.endCodesOf(u.Role); err != nil {
			return err
		}
		return tx.db.Model(&userRow{}).Where("id = ?", id).Update("role", string(role)).Error
	})
}

// fold returns the form of a name by which it is found and unique: case does not count.
func fold(name string) string { return strings.ToLower(name) }

type userRow struct {
	ID, Name, NameFolded, Role string
	CreatedAt                  time.Time
	DisabledAt                 *time.Time
	DisabledReason             string
	DeletedAt                  *time.Time
}

func (userRow) TableName() string { return "users" }

func (r userRow) user() tournament.User {
	return tournament.User{
		ID: r.ID, Name: r.Name, Role: tournament.Role(r.Role), CreatedAt: database.UTC(r.CreatedAt),
		DisabledAt: database.UTCPtr(r.DisabledAt), DisabledReason: r.DisabledReason,
		DeletedAt: database.UTCPtr(r.DeletedAt),
	}
}

// Users returns a page of users and the cursor of the next, "" after the last.
func (s *Store) Users(ctx context.Context, p database.Page) ([]tournament.User, string, error) {
	db, limit, err := p.ByID(s.SQL(ctx), "id")
	if err != nil {
		return nil, "", err
	}
	rows, next, err := database.Fetch(db, limit, func(r userRow) string { return database.Cursor(r.ID) })
	return database.Map(rows, userRow.user), next, err
}

// LockUser returns a user, the row locked.
func (tx *Tx) LockUser(id string) (tournament.User, error) {
	var r userRow
	err := tx.Locked(tx.db, Users, id).Where("id = ?", id).Take(&r).Error
	return r.user(), database.NotFound(err, "user", id)
}

// SaveDisabled writes since when and why a user is disabled. Recovery codes that they may have made as an administrator end.
func (tx *Tx) SaveDisabled(u tournament.User) error {
	if err := tx.endCodesOf(u.Role); err != nil {
		return err
	}
	return tx.db.Model(&userRow{}).Where("id = ?", u.ID).Updates(map[string]any{"disabled_at": database.UTCPtr(u.DisabledAt), "disabled_reason": u.DisabledReason}).Error
}

// EraseUser writes the name and the times of a user who is deleted, whose row is locked, and takes all else of theirs out of the
// database ([erasure.Erase]).
func (tx *Tx) EraseUser(u tournament.User) error {
	err := tx.db.Model(&userRow{}).Where("id = ?", u.ID).Updates(map[string]any{
		"name":            u.Name,
		"name_folded":     fold(u.Name),
		"disabled_at":     database.UTCPtr(u.DisabledAt),
		"disabled_reason": u.DisabledReason,
		"deleted_at":      database.UTCPtr(u.DeletedAt),
	}).Error
	if err != nil {
		return err
	}
	return erasure.Erase(tx.Tx, u.ID)
}

// TokenByID returns a token and its user. Whether it is revoked or expired is for the caller to see.
func (s *Store) TokenByID(ctx context.Context, id string) (tournament.Token, tournament.User, error) {
	var t tokenRow
	var u userRow
	if err := s.SQL(ctx).Where("id = ?", id).Take(&t).Error; err != nil {
		return tournament.Token{}, tournament.User{}, database.NotFound(err, "token", id)
	}
	if err := s.SQL(ctx).Where("id = ?", t.UserID).Take(&u).Error; err != nil {
		return tournament.Token{}, tournament.User{}, database.NotFound(err, "user", t.UserID)
	}
	token, err := t.token()
	return token, u.user(), err
}

// EndedTokens returns those of some tokens that are live no more: revoked, expired, or of a user who is disabled.
func (s *Store) EndedTokens(ctx context.Context, ids []string) ([]string, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	var live []string
	err := s.SQL(ctx).Model(&tokenRow{}).Joins("JOIN users ON users.id = tokens.user_id").
		Where("tokens.id IN ? AND tokens.revoked_at IS NULL AND (tokens.expires_at IS NULL OR tokens.expires_at > ?) AND users.disabled_at IS NULL", ids, s.Now()).
		Pluck("tokens.id", &live).Error
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
	if err := s.Fill(&t.ID); err != nil {
		return t, err
	}
	s.FillTime(&t.CreatedAt)
	t.ExpiresAt, t.RevokedAt = database.UTCPtr(t.ExpiresAt), database.UTCPtr(t.RevokedAt)
	t.Scopes = t.Scopes.And(tournament.AllScopes())
	err := s.InTx(ctx, func(tx *Tx) error { return createToken(tx.db, t) })
	if errors.Is(err, gorm.ErrForeignKeyViolated) {
		err = fmt.Errorf("%w: user %q", tournament.ErrNotFound, t.UserID)
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
		var r tokenRow
		if err := tx.db.Where("id = ? AND user_id = ? AND kind = 'recovery' AND revoked_at IS NULL AND expires_at > ?", codeID, u.ID, s.Now()).Take(&r).Error; err != nil {
			return database.NotFound(err, "recovery code", codeID)
		}
		code, err := r.token()
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
		Update("last_used_at", database.UTC(now)).Error
}

// Tokens returns a user's tokens, the last first, revoked ones too; recovery codes are none.
func (s *Store) Tokens(ctx context.Context, userID string) ([]tournament.Token, error) {
	var rows []tokenRow
	if err := s.SQL(ctx).Where("user_id = ? AND kind = ?", userID, access).Order("id DESC").Find(&rows).Error; err != nil {
		return nil, err
	}
	return database.TryMap(rows, tokenRow.token)
}

// RevokeToken ends a user's token; revoking again changes nothing. Another user's token is [tournament.ErrNotFound].
func (s *Store) RevokeToken(ctx context.Context, userID, tokenID string) error {
	return s.InTx(ctx, func(tx *Tx) error {
		var r tokenRow
		if err := tx.db.Where("id = ? AND user_id = ?", tokenID, userID).Take(&r).Error; err != nil {
			return database.NotFound(err, "token", tokenID)
		}
		return tx.db.Model(&tokenRow{}).Where("id = ? AND revoked_at IS NULL", tokenID).Update("revoked_at", s.Now()).Error
	})
}

func createToken(db *gorm.DB, t tournament.Token) error {
	row := newTokenRow(t)
	return database.Taken(db.Create(&row).Error, "token", t.ID)
}

type identityRow struct {
	Issuer, Subject, UserID string
	CreatedAt               time.Time
}

func (identityRow) TableName() string { return "identities" }

func (r identityRow) linked() tournament.LinkedIdentity {
	return tournament.LinkedIdentity{Identity: tournament.Identity{Issuer: r.Issuer, Subject: r.Subject}, LinkedAt: database.UTC(r.CreatedAt)}
}

type tokenRow struct {
	ID, UserID, Kind, Hash, Note                        string
	MayBot, MayEnter, MayAccount, MayOrganise, MayAdmin bool
	BotID                                               *string
	CreatedAt                                           time.Time
	ExpiresAt, LastUsedAt, RevokedAt                    *time.Time
}

func (tokenRow) TableName() string { return "tokens" }

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
	r := tokenRow{
		ID:         t.ID,
		UserID:     t.UserID,
		Kind:       cmp.Or(string(t.Kind), access),
		Hash:       hex.EncodeToString(t.Hash[:]),
		Note:       t.Note,
		CreatedAt:  database.UTC(t.CreatedAt),
		ExpiresAt:  database.UTCPtr(t.ExpiresAt),
		LastUsedAt: database.UTCPtr(t.LastUsedAt),
		RevokedAt:  database.UTCPtr(t.RevokedAt),
	}
	if t.BotID != "" {
		r.BotID = &t.BotID
	}
	for s, may := range r.scopes() {
		*may = t.Scopes.Has(s)
	}
	return r
}

func (r tokenRow) token() (tournament.Token, error) {
	t := tournament.Token{
		ID:         r.ID,
		UserID:     r.UserID,
		Note:       r.Note,
		CreatedAt:  database.UTC(r.CreatedAt),
		ExpiresAt:  database.UTCPtr(r.ExpiresAt),
		LastUsedAt: database.UTCPtr(r.LastUsedAt),
		RevokedAt:  database.UTCPtr(r.RevokedAt),
	}
	if r.Kind != access {
		t.Kind = tournament.TokenKind(r.Kind)
	}
	if r.BotID != nil {
		t.BotID = *r.BotID
	}
	may := r.scopes()
	t.Scopes = slices.DeleteFunc(tournament.AllScopes(), func(s tournament.Scope) bool { return may[s] != nil && !*may[s] })
	return t, database.Unhex(t.Hash[:], r.Hash, "token "+r.ID)
}
