package pages

import (
	"net/url"
	"time"

	"github.com/molerun/molerun/tournament"
)

// Login is a page on the way of a login.
type Login struct {
	Page
	Problem string // why the last step was refused
	Asks    bool   // for the name of a new account, or a token of an old one
	May     bool   // the platform makes new accounts
	Name    string // as it was filled in; of a link, whom it logs in
	Code    string // of a link that logs in
	Base    string // without an issuer: the platform's address, for the command that makes a link
	Path    string // where a form was sent without a session
	Kept    url.Values
}

// Class is the page of a class link.
type Class struct {
	Page
	Code     string
	Note     string // the maker's name for it
	LoggedIn string // the account of the browser; "" without a session
	Name     string // as it was filled in
	Problem  string // why no account was made
	Events   []ClassEvent
}

// ClassEvent is an event that the accounts of a class may enter.
type ClassEvent struct {
	Path, Name string
	StartsAt   time.Time
	Status     tournament.Status
	Over       bool // nobody enters it any more
	Again      bool // it is a schedule: all its tournaments
}

// Mine is the page behind the login.
type Mine struct {
	Page
	User     tournament.User
	Base     string // the platform's address
	Device   bool   // it knows logins on devices
	Problem  string // why no token was made
	Done     string // what was done just before
	Bots     []MyBot
	Names    map[string]string // of the user's bots that are not retired or have a token, by id
	Tokens   []tournament.Token
	Form     TokenForm
	Logins   []tournament.LinkedIdentity
	Sessions []tournament.Session
	Hooks    []MyHook
}

// MyBot is a bot as its owner sees it.
type MyBot struct {
	tournament.Bot
	Ratings  []MyRating // the most played ladder first
	Versions []tournament.Version
	Checks   []tournament.Check
	Lost     []MyLoss
}

// Trouble says what is wrong with a bot; "" where nothing is.
func (b MyBot) Trouble() string {
	if b.Reason != "" || len(b.Checks) == 0 || b.Checks[0].Failure == "" {
		return b.Reason
	}
	return "the last check failed: " + b.Checks[0].Failure
}

// MyRating holds a bot's rating on a ladder.
type MyRating struct {
	Ladder string
	Milli  int64
}

// MyLoss is a match that a bot lost.
type MyLoss struct {
	Match, Game  string
	Against      []string
	EndedAt      *time.Time
	Seat, Faults int
	Reviewed     bool    // there is a review
	Costly       *Costly // the decision of the seat that cost most, if one is certain to have cost anything
}

// MyHook is a webhook with its last deliveries.
type MyHook struct {
	tournament.Webhook
	Sent []tournament.Delivery
}

// TokenForm asks for a new token, as it was filled in.
type TokenForm struct {
	Note, Days   string
	Most         int // days
	Scopes, Bots []TokenChoice
}

// TokenChoice is a scope or a bot that a token may be for.
type TokenChoice struct {
	Value, Words string
	Chosen       bool
}

// MadeToken is the page of a new token. It alone shows the token's text.
type MadeToken struct {
	Page
	tournament.Token
	Text string
	Role tournament.Role // of its user
	Base string          // the platform's public address
}
