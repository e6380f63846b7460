package tournament

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"io"
	"time"
)

// Identity is who somebody is at an issuer of OpenID Connect. The subject means nothing to another issuer.
type Identity struct {
	Issuer  string
	Subject string
}

// ID names the identity where the subject is nobody's business: 60 bits of a hash, in hex.
func (i Identity) ID() string {
	sum := sha256.Sum256([]byte(i.Issuer + "\x00" + i.Subject))
	return hex.EncodeToString(sum[:])[:LoginIDLen]
}

// LinkedIdentity is an identity that enters an account.
type LinkedIdentity struct {
	Identity
	LinkedAt time.Time `gorm:"column:created_at"`
}

// Session is a browser that is logged in.
type Session struct {
	ID                 string // the first digits of the hash of its secret
	BeganAt, ExpiresAt time.Time
}

// LoginIDLen is how many hex digits the id of an identity or a session has.
const LoginIDLen = 15

// LoginState is how far a login has come.
type LoginState string

// The states of a login.
const (
	LoginSent   LoginState = "sent"   // the browser was sent to the issuer
	LoginDevice LoginState = "device" // the command line waits until somebody has agreed at the issuer
	LoginProved LoginState = "proved" // the issuer has said who it is; no user has this identity yet
)

// LoginTime is how long a login may take from its first request.
const LoginTime = 10 * time.Minute

// SessionTime is how long a browser stays logged in.
const SessionTime = 7 * 24 * time.Hour

// How long a link that logs a browser in can be used.
const (
	DefaultLinkLife = 15 * time.Minute
	minLinkLife     = time.Minute
	maxLinkLife     = 7 * 24 * time.Hour
)

// LinkLife returns how long a link is to live that somebody asks for; 0 asks for nothing in particular. pointer is the place of
// the length in the request, in milliseconds.
func LinkLife(pointer string, asked time.Duration) (time.Duration, error) {
	switch {
	case asked == 0:
		return DefaultLinkLife, nil
	case asked < minLinkLife || asked > maxLinkLife:
		return 0, &FieldError{pointer, OutsideTimes(asked, minLinkLife, maxLinkLife) + ": a minute to seven days"}
	}
	return asked, nil
}

// Login is a login under way. Its secret is with the browser or the command line alone.
type Login struct {
	State      LoginState
	Identity   Identity      `gorm:"embedded"` // once proved
	DeviceCode string        // what the issuer knows a device by; it is worth nothing without the platform's secret there
	Every      time.Duration `gorm:"column:every_us;serializer:db"` // how long a device waits between two looks
	ExpiresAt  time.Time
}

// LoginSecret proves a login, a session or a link to one: 32 random bytes, of which only the hash is stored.
type LoginSecret string

// loginSecretBytes is the length of a [LoginSecret] before it is written as text.
const loginSecretBytes = 32

// NewLoginSecret draws a secret.
func NewLoginSecret(rand io.Reader) (LoginSecret, error) {
	b := make([]byte, loginSecretBytes)
	if _, err := io.ReadFull(rand, b); err != nil {
		return "", fmt.Errorf("no randomness: %w", err)
	}
	return LoginSecret(base64.RawURLEncoding.EncodeToString(b)), nil
}

// Hash returns the SHA-256 of the secret as hex. A text that is no secret has a hash that no row has.
func (s LoginSecret) Hash() string {
	sum := sha256.Sum256([]byte(s))
	return hex.EncodeToString(sum[:])
}
