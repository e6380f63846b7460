package wire

import "time"

// Token is a token without its secret.
type Token struct {
	ID        string     `json:"id"`
	Note      string     `json:"note"`
	CreatedAt time.Time  `json:"created_at" format:"date-time"`
	ExpiresAt *time.Time `json:"expires_at,omitempty" format:"date-time"`
	RevokedAt *time.Time `json:"revoked_at,omitempty" format:"date-time"`
} // @name Token

// TokenCreate asks for a token.
type TokenCreate struct {
	Note      string     `json:"note,omitempty" maxLength:"80"`           // your name for it
	ExpiresAt *time.Time `json:"expires_at,omitempty" format:"date-time"` // never, if left out
} // @name TokenCreate

// TokenCreated is a token with its text, which is shown only now.
type TokenCreated struct {
	ID        string     `json:"id"`
	Token     string     `json:"token" example:"mr_…"`
	Note      string     `json:"note"`
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

// UserCreate asks for an account.
type UserCreate struct {
	Name string `json:"name" example:"ada" minLength:"2" maxLength:"32"` // letters, digits, - and _; unique, ignoring case
} // @name UserCreate

// UserCreated is a new account with its first token.
type UserCreated struct {
	User  User         `json:"user"`
	Token TokenCreated `json:"token"`
} // @name UserCreated
