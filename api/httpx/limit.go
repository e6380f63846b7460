package httpx

import (
	"context"
	"fmt"
	"time"

	"github.com/gin-gonic/gin"
	lru "github.com/hashicorp/golang-lru/v2"
	"golang.org/x/time/rate"
)

// Rate is how many requests a caller may make: Count at once, refilled evenly over Per.
type Rate struct {
	Count int
	Per   time.Duration
}

// limit is one kind of counted request.
type limit struct {
	name string
	rate Rate
}

func newLimit(name string, r Rate) (limit, error) {
	if r.Count < 1 || r.Per <= 0 || r.Per/time.Duration(r.Count) < time.Microsecond {
		return limit{}, fmt.Errorf("limit %s: want a count and a time above zero, at most one a microsecond", name)
	}
	return limit{name, r}, nil
}

// budget is what a caller has left, and when one more (or, with some left, all of them) will be available.
type budget struct {
	ok    bool
	left  int
	reset time.Duration
}

// err returns a [WaitError] if nothing was left.
func (b budget) err() error {
	if b.ok {
		return nil
	}
	return &WaitError{b.reset}
}

// tell says in the headers of an answer where its caller stands.
func (l *limit) tell(c *gin.Context, b budget) error {
	h := c.Writer.Header()
	h.Add("RateLimit-Policy", fmt.Sprintf("%q;q=%d;w=%d", l.name, l.rate.Count, int(l.rate.Per.Seconds())))
	h.Add("RateLimit", fmt.Sprintf("%q;r=%d;t=%d", l.name, b.left, int(b.reset.Seconds()+0.999)))
	return b.err()
}

// Limiter counts one kind of request per caller in memory.
type Limiter struct {
	limit
	seen *lru.Cache[string, *rate.Limiter]
}

// NewLimiter remembers this many callers; it forgets the longest unseen.
func NewLimiter(name string, r Rate, callers int) (*Limiter, error) {
	base, err := newLimit(name, r)
	if err != nil {
		return nil, err
	}
	seen, err := lru.New[string, *rate.Limiter](callers)
	if err != nil {
		return nil, fmt.Errorf("limit %s: %w", name, err)
	}
	return &Limiter{base, seen}, nil
}

// Spend counts a caller's request and puts what is left into the answer's headers. Nothing left is a [WaitError].
func (l *Limiter) Spend(c *gin.Context, key string, now time.Time) error {
	return l.tell(c, l.take(key, 1, now))
}

// Use uses up n for a caller, or all that they may have at once if n is more. It is a [WaitError] if less is left.
func (l *Limiter) Use(key string, n int, now time.Time) error { return l.take(key, n, now).err() }

func (l *Limiter) bucket(key string) *rate.Limiter {
	fresh := rate.NewLimiter(rate.Limit(float64(l.rate.Count)/l.rate.Per.Seconds()), l.rate.Count)
	if old, found, _ := l.seen.PeekOrAdd(key, fresh); found {
		l.seen.Get(key) // counts as seen
		return old
	}
	return fresh
}

// take uses n up, if there are so many.
func (l *Limiter) take(key string, n int, now time.Time) budget {
	b := l.bucket(key)
	n = min(n, l.rate.Count)
	ok := b.AllowN(now, n)
	have := b.TokensAt(now)
	missing := float64(l.rate.Count) - have
	if !ok {
		missing = float64(n) - have
	}
	each := l.rate.Per.Seconds() / float64(l.rate.Count)
	return budget{ok, max(0, int(have)), time.Duration(max(0, missing) * each * float64(time.Second))}
}

// Counter counts requests for all processes: it uses up one of count, if one is left, and says when all will be available
// again.
type Counter interface {
	Spend(ctx context.Context, name, key string, count int, per time.Duration) (ok bool, full time.Duration, err error)
}

// SharedLimiter counts one kind of request per caller for all processes together.
type SharedLimiter struct {
	limit
	counter Counter
}

// NewSharedLimiter returns a limiter that counts with counter.
func NewSharedLimiter(name string, r Rate, counter Counter) (*SharedLimiter, error) {
	base, err := newLimit(name, r)
	return &SharedLimiter{base, counter}, err
}

// Spend counts a caller's request and puts what is left into the answer's headers. Nothing left is a [WaitError].
func (l *SharedLimiter) Spend(c *gin.Context, key string) error {
	b, err := l.take(c.Request.Context(), key)
	if err != nil {
		return err
	}
	return l.tell(c, b)
}

// Count counts a caller's wrong guess without reporting what is left. Nothing left is a [WaitError].
func (l *SharedLimiter) Count(ctx context.Context, key string) error {
	b, err := l.take(ctx, key)
	if err != nil {
		return err
	}
	return b.err()
}

func (l *SharedLimiter) take(ctx context.Context, key string) (budget, error) {
	ok, full, err := l.counter.Spend(ctx, l.name, key, l.rate.Count, l.rate.Per)
	return l.state(ok, full), err
}

// each returns how long one request takes to come back into the budget.
func (l *SharedLimiter) each() time.Duration {
	return (l.rate.Per / time.Duration(l.rate.Count)).Truncate(time.Microsecond)
}

// state returns the budget of a caller whose whole rate will be back after full.
func (l *SharedLimiter) state(ok bool, full time.Duration) budget {
	reset := full
	if !ok {
		reset = full + l.each() - l.rate.Per
	}
	return budget{ok, max(0, int((l.rate.Per-full)/l.each())), max(0, reset)}
}
