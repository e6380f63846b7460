package wire

import (
	"time"

	"github.com/molerun/molerun/api/op"
)

// The operations on users.
var (
	// @Summary	End a login of mine
	// @Description	The identity enters the account no more, and all browsers are logged out. GET /v1/me lists logins.
	DeleteLogin = op.Delete[KeyOf]("/v1/me/logins/{id}", "account")

	// @Summary	End a session of mine
	// @Description	The browser is logged out. GET /v1/me lists sessions.
	DeleteSession = op.Delete[KeyOf]("/v1/me/sessions/{id}", "account")

	// @Summary	End all other ways into my account
	// @Description	As after a leak: ends all tokens of the account, the one you use too, its recovery codes, logins and sessions, and disables its
	// @Description	webhooks. Gives one new token, which is shown only now: it may what yours may, and ends when yours would. Bots, their versions and
	// @Description	their secrets stay; look at them. The body has the name of the account, to confirm it.
	RotateAccount = op.Create[Rotate, TokenCreated]("/v1/me/rotate", "account")

	// @Summary	What the platform keeps of me
	// @Description	JSON lines, sent while they are read: the account, its tokens, sessions and webhooks without their secrets, its logins, its bots with
	// @Description	versions, entries, rating changes and matches (those whose seats are open to all), and the audit lines of what it did. The last
	// @Description	line is the end; without it, the export is not whole.
	ExportMe = op.Get[op.None, string]("/v1/me/export", "account", op.Answering("application/x-ndjson"))

	// @Summary	Make a recovery code for a user
	// @Description	For administrators, for a user who has lost every token: the code gives one new token (POST /v1/recovery), once, within
	// @Description	24 hours. It ends the codes before it. The account of an administrator is given back on the platform's machine alone.
	CreateRecovery = op.Create[op.One, RecoveryCode]("/v1/users/{id}/recovery", "admin")

	// @Summary	Use a recovery code
	// @Description	Gives a new token with all scopes, which is shown only now, and ends all other ways into the account: tokens, codes, logins and
	// @Description	sessions; webhooks are disabled. A code can be used once.
	RecoverAccount = op.Create[Recovery, TokenCreated]("/v1/recovery", "", op.Refusing(401))

	// @Summary	My tokens
	// @Description	Including revoked and expired ones, the newest first, with what they may do and when they were used last, to the
	// @Description	minute. Secrets are not stored and cannot be shown.
	ListTokens = op.Get[op.Paging, Page[Token]]("/v1/tokens", "account")

	// @Summary	Make a token
	// @Description	A token can never grant more than the token that created it. Without scopes it grants as much. Without expires_at it lasts 90 days;
	// @Description	it lasts 366 days at most, and no longer than the token that created it. The token is shown only now.
	CreateToken = op.Create[TokenCreate, TokenCreated]("/v1/tokens", "account")

	// @Summary	Revoke a token
	// @Description	Takes effect with the next request. Revoking the token you are using is allowed. What was made with the token stays; if the
	// @Description	token leaked, POST /v1/me/rotate ends that too.
	DeleteToken = op.Delete[KeyOf]("/v1/tokens/{id}", "account")

	// @Summary	Register
	// @Description	Open to everyone, a few times an hour from one address, unless the platform demands a login or takes no new accounts
	// @Description	(403). The token is shown only now.
	CreateUser = op.Create[UserCreate, UserCreated]("/v1/users", "", op.Refusing(403))

	// @Summary	Who am I
	// @Description	With a token that has the scope account, also which logins enter the account, and which browsers are logged in.
	GetMe = op.Get[op.None, Me]("/v1/me", "read")

	// @Summary	Delete my account
	// @Description	Permanent; the body has the name of the account, to confirm it. All tokens, webhooks and logins end; all bots are retired and
	// @Description	withdrawn from tournaments; challenges become void, matches of tournaments and ladders that have begun are played to the end.
	// @Description	Addresses, secrets and notes are deleted, and the name is free again. Names of bots, matches and their records stay. Who
	// @Description	organises what is not over, and an administrator, is refused.
	DeleteMe = op.Delete[UserDelete]("/v1/me", "account", op.Refusing(409))

	// @Summary	All users
	// @Description	For administrators.
	ListUsers = op.Get[op.Paging, Page[User]]("/v1/users", "admin")

	// @Summary	One user
	// @Description	For administrators.
	GetUser = op.Get[op.One, User]("/v1/users/{id}", "admin")

	// @Summary	Disable a user
	// @Description	For administrators, with a reason that the user sees. The user's tokens are refused from now on; their bots are banned
	// @Description	and withdrawn from tournaments. Challenges that they asked for or have a bot in become void, even running ones; so do
	// @Description	ladder matches that have not begun. Tournament and ladder matches that have begun are played to the end.
	DisableUser = op.Post[op.WithID[CancelRequest], User]("/v1/users/{id}/disable", "admin")

	// @Summary	Enable a user again
	// @Description	For administrators. Lifts the bans that came with the disabling: bots return, on their ladders too, after two health
	// @Description	checks. Void matches stay void, and the bots do not return to tournaments.
	EnableUser = op.Post[op.One, User]("/v1/users/{id}/enable", "admin")
)

// KeyOf names a login, a session or a token, whose ids are keys of their own form.
type KeyOf struct {
	ID string `uri:"id" json:"-"`
}

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
	BotID     *string    `json:"bot_id,omitempty" format:"uuid"`                                 // a bot of yours: the token is for this one alone, with no other scopes than read, bot and enter
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
