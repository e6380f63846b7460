package tournament

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"math/big"
	"slices"
	"strings"
	"time"
)

// Token lets a program act for a user. Only the SHA-256 of its secret is stored.
type Token struct {
	ID         string // public: part of the token's text, used to find it
	UserID     string
	Kind       TokenKind `gorm:"-"`
	Hash       [32]byte  `gorm:"serializer:db"`
	Note       string    // its owner's name for it
	Scopes     Scopes    `gorm:"-"`               // what it may do, as far as its user's role allows it
	BotID      string    `gorm:"serializer:null"` // the only bot it is for; "": all of its user's
	CreatedAt  time.Time
	ExpiresAt  *time.Time // nil: never
	LastUsedAt *time.Time // to the minute; nil: never
	RevokedAt  *time.Time
}

// TokenKind is what a token is good for.
type TokenKind string

// The kinds.
const (
	TokenAccess   TokenKind = ""         // requests
	TokenRecovery TokenKind = "recovery" // a code that gives its user one new token, and nothing else
)

// RecoveryLife is how long a recovery code can be used.
const RecoveryLife = 24 * time.Hour

// TokenIDLen is how many digits the id of a token has.
const TokenIDLen = 15

// The text of a token: mr_, the public id, the secret, and the CRC-32 of all before it, in base 62 with fixed widths.
// The checksum lets scanners tell a leaked token from noise; it adds no secrecy.
const (
	tokenPrefix  = "mr_"
	tokenIDBytes = 11 // 88 random bits: an id, not a secret
	secretBytes  = 32
	secretLen    = 43
	checksumLen  = 6
	tokenLen     = len(tokenPrefix) + TokenIDLen + secretLen + checksumLen
	base62Digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
)

// base62 writes b as a number of exactly width digits.
func base62(b []byte, width int) string {
	n, mod, base := new(big.Int).SetBytes(b), new(big.Int), big.NewInt(int64(len(base62Digits)))
	out := make([]byte, width)
	for i := width - 1; i >= 0; i-- {
		n.DivMod(n, base, mod)
		out[i] = base62Digits[mod.Int64()]
	}
	return string(out)
}

func checksum(text string) string {
	sum := crc32.ChecksumIEEE([]byte(text))
	return base62([]byte{byte(sum >> 24), byte(sum >> 16), byte(sum >> 8), byte(sum)}, checksumLen)
}

// NewToken makes a token's text, its id and the SHA-256 of its secret. Only the last two may be stored.
func NewToken(random io.Reader) (text, id string, hash [32]byte, err error) {
	b := make([]byte, tokenIDBytes+secretBytes)
	if _, err := io.ReadFull(random, b); err != nil {
		return "", "", hash, fmt.Errorf("token: %w", err)
	}
	id = base62(b[:tokenIDBytes], TokenIDLen)
	secret := base62(b[tokenIDBytes:], secretLen)
	text = tokenPrefix + id + secret
	return text + checksum(text), id, sha256.Sum256([]byte(secret)), nil
}

// ParseToken splits the text of a token; false if it cannot be one.
func ParseToken(text string) (string, [32]byte, bool) {
	var hash [32]byte
	if len(text) != tokenLen || !strings.HasPrefix(text, tokenPrefix) {
		return "", hash, false
	}
	head, sum := text[:tokenLen-checksumLen], text[tokenLen-checksumLen:]
	if checksum(head) != sum || strings.Trim(head[len(tokenPrefix):], base62Digits) != "" {
		return "", hash, false
	}
	rest := head[len(tokenPrefix):]
	return rest[:TokenIDLen], sha256.Sum256([]byte(rest[TokenIDLen:])), true
}

// Scope is one thing that a token may do, of what its user's role allows.
type Scope string

// The scopes.
const (
	ScopeRead     Scope = "read"     // see what is the user's own; every token may
	ScopeBot      Scope = "bot"      // register bots, change and retire them, carry their messages
	ScopeEnter    Scope = "enter"    // enter bots and take them out, check them in, challenge others
	ScopeAccount  Scope = "account"  // tokens, webhooks, and the account itself
	ScopeOrganise Scope = "organise" // tournaments, schedules and series
	ScopeAdmin    Scope = "admin"    // what administrators do, and what is others'
)

// Role returns the lowest role that has the scope.
func (s Scope) Role() Role {
	switch s {
	case ScopeOrganise:
		return RoleOrganiser
	case ScopeAdmin:
		return RoleAdmin
	case ScopeRead, ScopeBot, ScopeEnter, ScopeAccount:
	}
	return RoleOwner
}

// Scopes is a set of scopes. It has [ScopeRead] even if it does not list it.
type Scopes []Scope

// AllScopes returns all scopes, in the order in which they are listed.
func AllScopes() Scopes {
	return Scopes{ScopeRead, ScopeBot, ScopeEnter, ScopeAccount, ScopeOrganise, ScopeAdmin}
}

// BotScopes returns the widest set of a token that is for one bot.
func BotScopes() Scopes { return Scopes{ScopeRead, ScopeBot, ScopeEnter} }

// Has reports whether s is in the set.
func (x Scopes) Has(s Scope) bool { return s == ScopeRead || slices.Contains(x, s) }

// And returns what both sets have, in order, each once.
func (x Scopes) And(y Scopes) Scopes {
	return slices.DeleteFunc(AllScopes(), func(s Scope) bool { return !x.Has(s) || !y.Has(s) })
}

// Of returns what is left of the set for a user of a role.
func (x Scopes) Of(role Role) Scopes {
	return slices.DeleteFunc(x.And(AllScopes()), func(s Scope) bool { return !role.Reaches(s.Role()) })
}

// String returns the set in words.
func (x Scopes) String() string { return Listed(x) }

// How long tokens last that are made with another token, unless that one's end comes first.
const (
	DefaultTokenLife = 90 * 24 * time.Hour
	maxTokenLife     = 366 * 24 * time.Hour
)

// maxTokenNote bounds the note of a token, in bytes.
const maxTokenNote = 80

// TokenSpec is what somebody asks of a new token.
type TokenSpec struct {
	Note      string
	Scopes    Scopes     // nil: those of the token that makes it; of these, what one bot needs, if there is a BotID
	BotID     string     // the only bot it is for; "": all of the user's
	ExpiresAt *time.Time // nil: after [DefaultTokenLife]
	Lasting   bool       // it never expires
}

// Derive returns a token that may be made with t, for the same user. It never has more than t: a scope beyond is [ErrScope]; all
// other refusals come together, each a [FieldError].
func (t Token) Derive(role Role, x TokenSpec, now time.Time) (Token, error) {
	made := Token{UserID: t.UserID, Note: x.Note, Scopes: x.Scopes, BotID: x.BotID}
	if x.Scopes == nil {
		made.Scopes = t.Scopes
		if x.BotID != "" {
			made.Scopes = t.Scopes.And(BotScopes())
		}
	}
	var wrong error
	if x.Note != "" {
		wrong = CheckText("/note", x.Note, maxTokenNote)
	}
	if x.Scopes != nil && len(x.Scopes) == 0 { // whoever counts out what a token may do does not ask for everything
		wrong = errors.Join(wrong, &FieldError{"/scopes", "is empty: name what the token may do, or leave it out for all that this one may"})
	}
	for i, s := range x.Scopes {
		pointer := fmt.Sprintf("/scopes/%d", i)
		if !slices.Contains(AllScopes(), s) {
			wrong = errors.Join(wrong, &FieldError{pointer, fmt.Sprintf("%q is none of %s", s, AllScopes())})
		} else if x.BotID != "" && !BotScopes().Has(s) {
			wrong = errors.Join(wrong, &FieldError{pointer, fmt.Sprintf("a token for one bot cannot have %s", s)})
		}
	}
	expires, err := t.end(x, now)
	if wrong = errors.Join(wrong, err); wrong != nil {
		return made, wrong
	}
	made.ExpiresAt = expires
	has := t.Scopes.Of(role)
	for _, s := range x.Scopes {
		if !has.Has(s) {
			return made, fmt.Errorf("%w: this token may %s; it cannot make one that may %s", ErrScope, has, s)
		}
	}
	if t.BotID != "" && x.BotID != t.BotID {
		return made, fmt.Errorf("%w: this token is for one bot; it cannot make one for another", ErrScope)
	}
	return made, nil
}

// end returns when a token ends that is made with t; nil means never.
func (t Token) end(x TokenSpec, now time.Time) (*time.Time, error) {
	longest := now.Add(maxTokenLife)
	if t.ExpiresAt != nil && t.ExpiresAt.Before(longest) {
		longest = *t.ExpiresAt
	}
	switch at := x.ExpiresAt; {
	case x.Lasting && at != nil:
		return nil, &FieldError{"/lasting", "leave it out or expires_at: the two contradict each other"}
	case x.Lasting && t.ExpiresAt != nil:
		return nil, &FieldError{"/lasting", "the token you use ends itself; only one that does not can make such a one"}
	case x.Lasting:
		return nil, nil
	case at == nil && longest.Before(now.Add(DefaultTokenLife)):
		return &longest, nil
	case at == nil:
		return new(now.Add(DefaultTokenLife)), nil
	case !at.After(now):
		return nil, &FieldError{"/expires_at", "lies in the past"}
	case at.After(longest):
		return nil, &FieldError{"/expires_at", "is after " + longest.UTC().Format(time.RFC3339) + ": a token lasts 366 days at most, and no longer than the one it is made with"}
	}
	return x.ExpiresAt, nil
}
