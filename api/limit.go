package api

import (
	"context"
	"fmt"
	"time"

	lru "github.com/hashicorp/golang-lru/v2"
	"golang.org/x/time/rate"

	"github.com/molerun/molerun/tournament/store"
)

// Rate is how many requests a caller may make: Count at once, refilled evenly over Per.
type Rate struct {
	Count int
	Per   time.Duration
}

// Limits bounds what callers may ask for. The default rate is counted by each process for itself, so n processes together
// let n times as much through; the other rates and the quotas hold over all of them.
type Limits struct {
	Default    Rate // every request, per user or, without a token, per address
	Register   Rate // new users per address
	FailedAuth Rate // bad tokens per address; good ones pass all the same
	BadInvites Rate // wrong invitation codes per user; the right one passes all the same
	Outbound   Rate // requests that make us call a bot, per user
	Relay      Rate // what relays ask of their mailboxes, per user; counted like Default, which it is not part of
	Keys       int  // callers remembered per rate; the longest unseen is forgotten
	Bots       int  // bots per owner that are not retired
	Tokens     int  // live tokens per user
	Versions   int  // versions per bot
	Matches    int  // that a tournament may hold at capacity
	Webhooks   int  // per user

	Streams    int           // open at once, per user or, without a token, per address, while few are: see [door.Pool]
	AllStreams int           // open at once in this process, of each kind: without a token, with one, and relays that wait
	Calls      int           // to bots and webhooks that requests of a user make at once, while few are made
	AllCalls   int           // in this process
	SlowReader time.Duration // that a reader of a stream has to take what it is sent

	Tournaments int // per organiser that are announced and not over, beside those that schedules make
	Schedules   int // per organiser that have not ended

	Poll time.Duration // that a relay waits for messages, below [tournament.RelayGone]
}

// DefaultLimits suits a public service.
func DefaultLimits() Limits {
	return Limits{
		Default: Rate{600, time.Minute}, Register: Rate{10, time.Hour}, FailedAuth: Rate{10, time.Minute}, BadInvites: Rate{10, time.Minute},
		Outbound: Rate{30, time.Minute}, Relay: Rate{6000, time.Minute},
		Keys: 20_000, Bots: 20, Tokens: 2, Versions: 500, Matches: 20_000, Tournaments: 50, Schedules: 20, Webhooks: 10,
		Streams: 20, AllStreams: 2000, Calls: 3, AllCalls: 32, SlowReader: 10 * time.Second, Poll: 10 * time.Second,
	}
}

// limit is one kind of request that is counted.
type limit struct {
	name string
	rate Rate
}

func newLimit(name string, r Rate) (limit, error) {
	if r.Count < 1 || r.Per <= 0 || r.Per/time.Duration(r.Count) < time.Microsecond {
		return limit{}, fmt.Errorf("api: limit %s: want a count and a time above zero, at most one a microsecond", name)
	}
	return limit{name, r}, nil
}

// shared counts one kind of request per caller for all processes together, in the database.
type shared struct {
	limit
	store *store.Store
}

// take uses one up, if there is one.
func (l *shared) take(ctx context.Context, key string) (quota, error) {
	ok, full, err := l.store.Spend(ctx, l.name, key, l.rate.Count, l.rate.Per)
	return l.state(ok, full), err
}

// each is how long one takes to come back.
func (l *shared) each() time.Duration {
	return (l.rate.Per / time.Duration(l.rate.Count)).Truncate(time.Microsecond)
}

// state is where a caller stands to whom all will be back after full.
func (l *shared) state(ok bool, full time.Duration) quota {
	reset := full
	if !ok {
		reset = full + l.each() - l.rate.Per
	}
	return quota{ok, max(0, int((l.rate.Per-full)/l.each())), max(0, reset)}
}

// limiter counts one kind of request per caller in memory.
type limiter struct {
	limit
	seen *lru.Cache[string, *rate.Limiter]
}

func newLimiter(name string, r Rate, keys int) (*limiter, error) {
	base, err := newLimit(name, r)
	if err != nil {
		return nil, err
	}
	seen, err := lru.New[string, *rate.Limiter](keys)
	if err != nil {
		return nil, fmt.Errorf("api: limit %s: %w", name, err)
	}
	return &limiter{base, seen}, nil
}

func (l *limiter) bucket(key string) *rate.Limiter {
	fresh := rate.NewLimiter(rate.Limit(float64(l.rate.Count)/l.rate.Per.Seconds()), l.rate.Count)
	if old, found, _ := l.seen.PeekOrAdd(key, fresh); found {
		l.seen.Get(key) // counts as seen
		return old
	}
	return fresh
}

// quota is where a caller stands: what is left, and when one more (or, with some left, all of them) will be there.
type quota struct {
	ok    bool
	left  int
	reset time.Duration
}

// take uses one up, if there is one.
func (l *limiter) take(key string, now time.Time) quota {
	b := l.bucket(key)
	ok := b.AllowN(now, 1)
	have := b.TokensAt(now)
	missing := float64(l.rate.Count) - have
	if !ok {
		missing = 1 - have
	}
	each := l.rate.Per.Seconds() / float64(l.rate.Count)
	return quota{ok, max(0, int(have)), time.Duration(max(0, missing) * each * float64(time.Second))}
}

// policy is the RateLimit-Policy of this limit.
func (l *limit) policy() string {
	return fmt.Sprintf("%q;q=%d;w=%d", l.name, l.rate.Count, int(l.rate.Per.Seconds()))
}

// header is the RateLimit field for a caller.
func (l *limit) header(q quota) string {
	return fmt.Sprintf("%q;r=%d;t=%d", l.name, q.left, int(q.reset.Seconds()+0.999))
}
