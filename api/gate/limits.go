package gate

import (
	"time"

	"github.com/molerun/molerun/api/httpx"
)

// Limits bounds what callers may ask for. The default rate is counted by each process for itself, so n processes together
// let n times as much through; the other rates and the quotas hold over all of them.
type Limits struct {
	Default    httpx.Rate // every request, per user or, without a token, per address
	Register   httpx.Rate // new users per address
	FailedAuth httpx.Rate // bad tokens per address; good ones pass all the same
	BadInvites httpx.Rate // wrong invitation codes per user; the right one passes all the same
	Outbound   httpx.Rate // requests that make us call a bot, per user
	Relay      httpx.Rate // what relays ask of their mailboxes, per user; counted like Default, which it is not part of
	Keys       int        // callers remembered per rate; the longest unseen is forgotten
	Bots       int        // bots per owner that are not retired
	Tokens     int        // live tokens per user
	Versions   int        // versions per bot
	Matches    int        // that a tournament may hold at capacity
	Webhooks   int        // per user

	Streams    int           // open at once, per user or, without a token, per address, while few are: see [door.Pool]
	AllStreams int           // open at once in this process, of each kind: without a token, with one, and relays that wait
	Calls      int           // to bots and webhooks that requests of a user make at once, while few are made
	AllCalls   int           // in this process
	SlowReader time.Duration // that a reader of a stream has to take what it is sent

	Tournaments int // per organiser that are announced and not over, beside those that schedules make
	Schedules   int // per organiser that have not ended
	Series      int // per organiser

	Poll time.Duration // that a relay waits for messages, below [tournament.RelayGone]
}

// DefaultLimits suits a public service.
func DefaultLimits() Limits {
	return Limits{
		Default:     httpx.Rate{Count: 600, Per: time.Minute},
		Register:    httpx.Rate{Count: 10, Per: time.Hour},
		FailedAuth:  httpx.Rate{Count: 10, Per: time.Minute},
		BadInvites:  httpx.Rate{Count: 10, Per: time.Minute},
		Outbound:    httpx.Rate{Count: 30, Per: time.Minute},
		Relay:       httpx.Rate{Count: 6000, Per: time.Minute},
		Keys:        20_000,
		Bots:        20,
		Tokens:      2,
		Versions:    500,
		Matches:     20_000,
		Tournaments: 50,
		Schedules:   20,
		Series:      50,
		Webhooks:    10,
		Streams:     20,
		AllStreams:  2000,
		Calls:       3,
		AllCalls:    32,
		SlowReader:  10 * time.Second,
		Poll:        10 * time.Second,
	}
}
