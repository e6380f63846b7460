package gate

import (
	"time"

	"github.com/molerun/molerun/api/httpx"
)

// Limits bounds what callers may ask for. Each process counts the default rate for itself, so n processes together allow n
// times as much; the other rates and the quotas hold over all processes.
type Limits struct {
	Default    httpx.Rate // every request but those of Following and Relay, per user or, without a token, per address
	Following  httpx.Rate // pages that follow what happens; counted like Default, but separately: a class watches from one address
	Register   httpx.Rate // new users per address
	Login      httpx.Rate // logins that begin, per address
	FailedAuth httpx.Rate // bad tokens per address; good ones still pass
	BadInvites httpx.Rate // wrong invitation codes per user; the right one still passes
	Outbound   httpx.Rate // requests that make us call a bot, per user
	Relay      httpx.Rate // requests of relays to their mailboxes, per user; counted like Default, but separately
	Seat       httpx.Rate // seats that people take, per user or, where nobody is logged in, per address
	Review     httpx.Rate // matches to be reviewed, per user or, without a token, per address
	Card       httpx.Rate // cards to be checked, per user
	Steps      httpx.Rate // recorded steps that are played again for a user or, without a token, an address
	Keys       int        // callers remembered per rate; the longest unseen is forgotten
	Bots       int        // bots per owner that are not retired
	Tokens     int        // live tokens per user
	Versions   int        // versions per bot
	Matches    int        // most matches of a full tournament
	Webhooks   int        // per user

	Cache int // bytes: what is kept of matches, pages and pictures for later requests

	Streams    int           // open at once, per user or, without a token, per address, while few are open: see [connlimit.Pool]
	AllStreams int           // open at once in this process, of each kind: without a token, with one, and relays that wait
	Calls      int           // calls to bots and webhooks at once for one user's requests, while few are made
	AllCalls   int           // in this process
	SlowReader time.Duration // how long a stream's reader may take to accept what it is sent

	Cards        int // per user
	CardsWaiting int // for a check, at once

	Reviews int // that may wait at once; owners of a bot in the match may ask for more

	Guests int // people without an account who may play at once; 0: nobody may

	Tournaments int // announced and not over, per organiser; tournaments made by schedules do not count
	Schedules   int // not ended, per organiser
	Series      int // per organiser
	ClassLinks  int // that make accounts, per organiser

	Poll time.Duration // how long a relay waits for messages, and the page of a seat for news; less than [tournament.RelayGone]
}

// FollowingPerRequest lets a caller make so many requests of pages that follow what happens for each other one. A page that follows a
// match makes two a second.
const FollowingPerRequest = 5

// DefaultLimits suits a public service.
func DefaultLimits() Limits {
	return Limits{
		Default:    httpx.Rate{Count: 600, Per: time.Minute},
		Following:  httpx.Rate{Count: 600 * FollowingPerRequest, Per: time.Minute},
		Register:   httpx.Rate{Count: 10, Per: time.Hour},
		Login:      httpx.Rate{Count: 60, Per: time.Hour},
		FailedAuth: httpx.Rate{Count: 10, Per: time.Minute},
		BadInvites: httpx.Rate{Count: 10, Per: time.Minute},
		Outbound:   httpx.Rate{Count: 30, Per: time.Minute},
		Relay:      httpx.Rate{Count: 6000, Per: time.Minute},
		Seat:       httpx.Rate{Count: 20, Per: time.Hour},
		Review:     httpx.Rate{Count: 20, Per: time.Hour},
		Card:       httpx.Rate{Count: 10, Per: time.Hour},
		Steps:      httpx.Rate{Count: 300_000, Per: time.Minute},
		Keys:       20_000,
		Cache:      128 << 20,
		Bots:       20,
		Tokens:     50,
		Versions:   500,
		Matches:    20_000,
		Cards:      20, CardsWaiting: 100,
		Reviews:     100,
		Tournaments: 50,
		Schedules:   20,
		Series:      50,
		ClassLinks:  20,
		Webhooks:    10,
		Streams:     20,
		AllStreams:  2000,
		Calls:       3,
		AllCalls:    32,
		SlowReader:  10 * time.Second,
		Poll:        10 * time.Second,
	}
}
