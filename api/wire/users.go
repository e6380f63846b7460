package wire

import "time"

// Token is a token without its secret.
type Token struct {
	ID         string     `json:"id"`
	Note       string     `json:"note"`
	Scopes     []string   `json:"scopes" enums:"read,bot,enter,account,organise,admin"` // what it may do; every token may read
	BotID      string     `json:"bot_id,omitempty" format:"uuid"`                       // the only bot it is for; all of yours, if left out
	CreatedAt  time.Time  `json:"created_at" format:"date-time"`
	ExpiresAt  *time.Time `json:"expires_at,omitempty" format:"date-time"`
	LastUsedAt *time.Time `json:"last_used_at,omitempty" format:"date-time"` // to the minute
	RevokedAt  *time.Time `json:"revoked_at,omitempty" format:"date-time"`
} // @name Token

// TokenCreate asks for a token.
type TokenCreate struct {
	Note      string     `json:"note,omitempty" maxLength:"80"`                                  // your name for it
	Scopes    []string   `json:"scopes,omitempty" enums:"read,bot,enter,account,organise,admin"` // what it may do; if left out, all that the token may that makes it
	BotID     string     `json:"bot_id,omitempty" format:"uuid"`                                 // a bot of yours: the token is for this one alone, with no other scopes than read, bot and enter
	ExpiresAt *time.Time `json:"expires_at,omitempty" format:"date-time"`                        // in 90 days, if left out; in 366 days at most
	Lasting   bool       `json:"lasting,omitempty"`                                              // it never expires; only a token that does not can make such a one
} // @name TokenCreate

// TokenCreated is a token with its text, which is shown only now.
type TokenCreated struct {
	ID        string     `json:"id"`
	Token     string     `json:"token" example:"mr_…"`
	Note      string     `json:"note"`
	Scopes    []string   `json:"scopes" enums:"read,bot,enter,account,organise,admin"` // what it may do
	BotID     string     `json:"bot_id,omitempty" format:"uuid"`                       // the only bot it is for
	CreatedAt time.Time  `json:"created_at" format:"date-time"`
	ExpiresAt *time.Time `json:"expires_at,omitempty" format:"date-time"`
} // @name TokenCreated

// User is an account.
type User struct {
	ID        string    `json:"id"`
	Name      string    `json:"name" example:"ada"`
	Role      string    `json:"role" enums:"owner,organiser,admin"`
	CreatedAt time.Time `json:"created_at" format:"date-time"`

	DisabledAt     *time.Time `json:"disabled_at,omitempty" format:"date-time"` // since when it is disabled
	DisabledReason string     `json:"disabled_reason,omitempty"`
} // @name User

// Me is the caller's account and the ways into it beside tokens.
type Me struct {
	User
	Logins   []Login   `json:"logins,omitempty"`   // to tokens with the scope account alone
	Sessions []Session `json:"sessions,omitempty"` // to tokens with the scope account alone
} // @name Me

// Login is an identity at an issuer that enters the account.
type Login struct {
	ID       string    `json:"id"`
	Issuer   string    `json:"issuer" example:"https://id.example.org"`
	Subject  string    `json:"subject"` // what the issuer knows the person by
	LinkedAt time.Time `json:"linked_at" format:"date-time"`
} // @name Login

// Session is a browser that is logged in.
type Session struct {
	ID        string    `json:"id"`
	BeganAt   time.Time `json:"began_at" format:"date-time"`
	ExpiresAt time.Time `json:"expires_at" format:"date-time"`
} // @name Session

// UserCreate asks for an account.
type UserCreate struct {
	Name string `json:"name" example:"ada" minLength:"2" maxLength:"32"` // letters, digits, - and _; unique, ignoring case
} // @name UserCreate

// UserCreated is a new account with its first token.
type UserCreated struct {
	User  User         `json:"user"`
	Token TokenCreated `json:"token"`
} // @name UserCreated

// UserDelete asks to delete the caller's account.
type UserDelete struct {
	Name string `json:"name" example:"ada" minLength:"2" maxLength:"32"` // of the account, to confirm it
} // @name UserDelete

// Rotate asks to end all other ways into the caller's account.
type Rotate struct {
	Name string `json:"name" example:"ada" minLength:"2" maxLength:"32"` // of the account, to confirm it
} // @name Rotate

// RecoveryCode gives a lost account back. It is shown only now.
type RecoveryCode struct {
	Name      string    `json:"name" example:"ada"` // of the account
	Code      string    `json:"code" example:"mr_…"`
	ExpiresAt time.Time `json:"expires_at" format:"date-time"`
} // @name RecoveryCode

// Recovery asks for a token by a recovery code.
type Recovery struct {
	Name string `json:"name" example:"ada" minLength:"2" maxLength:"32"`
	Code string `json:"code" example:"mr_…" maxLength:"80"`
} // @name Recovery
