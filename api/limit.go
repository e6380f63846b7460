package api

import (
	"fmt"
	"net/netip"
	"time"

	lru "github.com/hashicorp/golang-lru/v2"
	"golang.org/x/time/rate"
)

// Rate is how many requests a caller may make: Count at once, refilled evenly over Per.
type Rate struct {
	Count int
	Per   time.Duration
}

// Limits bounds what callers may ask for. Every replica counts for itself.
type Limits struct {
	Default    Rate // every request, per user or, without a token, per address
	Register   Rate // new users per address
	FailedAuth Rate // bad tokens per address; when used up, the address must wait even with a good one
	Outbound   Rate // requests that make us call a bot, per user
	Keys       int  // callers remembered per rate; the longest unseen is forgotten
	Bots       int  // bots per owner that are not retired
	Tokens     int  // live tokens per user
	Matches    int  // that a tournament may hold at capacity
	Webhooks   int  // per user

	Streams    int           // open at once, per user or, without a token, per address
	AllStreams int           // open at once in this process
	SlowReader time.Duration // that a reader of a stream has to take what it is sent
}

// DefaultLimits suits a public service.
func DefaultLimits() Limits {
	return Limits{
		Default: Rate{600, time.Minute}, Register: Rate{10, time.Hour}, FailedAuth: Rate{10, time.Minute}, Outbound: Rate{30, time.Minute},
		Keys: 20_000, Bots: 20, Tokens: 2, Matches: 20_000, Webhooks: 10,
		Streams: 20, AllStreams: 2000, SlowReader: 10 * time.Second,
	}
}

// limiter counts one kind of request per caller.
type limiter struct {
	name string
	rate Rate
	seen *lru.Cache[string, *rate.Limiter]
}

func newLimiter(name string, r Rate, keys int) (*limiter, error) {
	if r.Count < 1 || r.Per <= 0 {
		return nil, fmt.Errorf("api: limit %s: want a count and a time above zero", name)
	}
	seen, err := lru.New[string, *rate.Limiter](keys)
	if err != nil {
		return nil, fmt.Errorf("api: limit %s: %w", name, err)
	}
	return &limiter{name, r, seen}, nil
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
	return l.state(b, b.AllowN(now, 1), now)
}

// peek uses none up.
func (l *limiter) peek(key string, now time.Time) quota {
	b := l.bucket(key)
	return l.state(b, b.TokensAt(now) >= 1, now)
}

func (l *limiter) state(b *rate.Limiter, ok bool, now time.Time) quota {
	have := b.TokensAt(now)
	missing := float64(l.rate.Count) - have
	if !ok {
		missing = 1 - have
	}
	each := l.rate.Per.Seconds() / float64(l.rate.Count)
	return quota{ok, max(0, int(have)), time.Duration(max(0, missing) * each * float64(time.Second))}
}

// policy is the RateLimit-Policy of this limit.
func (l *limiter) policy() string {
	return fmt.Sprintf("%q;q=%d;w=%d", l.name, l.rate.Count, int(l.rate.Per.Seconds()))
}

// header is the RateLimit field for a caller.
func (l *limiter) header(q quota) string {
	return fmt.Sprintf("%q;r=%d;t=%d", l.name, q.left, int(q.reset.Seconds()+0.999))
}

// addressKey is the caller's address as limits count it: a whole /64 of IPv6 is one caller.
func addressKey(ip string) string {
	a, err := netip.ParseAddr(ip)
	if err != nil {
		return "ip:unknown"
	}
	a = a.Unmap().WithZone("")
	if a.Is6() {
		if p, err := a.Prefix(64); err == nil {
			return "ip:" + p.String()
		}
	}
	return "ip:" + a.String()
}
