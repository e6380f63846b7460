package gate

import (
	"errors"
	"fmt"
	"io"
	"log/slog"
	"time"

	"github.com/gin-gonic/gin"
	"github.com/prometheus/client_golang/prometheus"

	"github.com/molerun/molerun/api/httpx"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/store"
)

// Anybody marks a route that needs no token; a bad token is still refused.
const Anybody tournament.Scope = ""

// Route is one line of an API. The handler or the store decides what a caller may do with a single thing, beyond their role.
type Route struct {
	Method string
	Path   string
	Need   tournament.Scope // what a token needs, and with it its user's role
	// Do carries out the request. It must write through db, which ties its writes to the request's idempotency key and
	// precondition.
	Do    func(db *store.Store, c *gin.Context) error
	Quiet bool // a write that leaves no audit line: it changes nothing that lasts, or a record says it already
	// Session makes whoever the browser is logged in as the caller: what is asked counts for their account, not for their address, at which
	// there may be a class.
	Session bool
	Follows bool // a page that follows what happens, or what such a page loads: many at one address may look at it
	Probe   bool // health probes: no limits, and no database look-up for a token
}

// Gate checks every request: who asks, whether they may, whether it is within the limits, and whether it was carried out
// before. It turns errors into problems.
type Gate struct {
	Config
	pools pools
	gets  map[string]Route // by path, once mounted

	duration *prometheus.HistogramVec
	inFlight prometheus.Gauge

	everything, following, relays                                             *httpx.Limiter
	register, logins, failedAuth, badInvites, outbound, seats, reviews, cards *httpx.SharedLimiter
}

// Config holds what a gate needs. Every field is required.
type Config struct {
	Store   *store.Store
	Now     func() time.Time
	Rand    io.Reader // safe for concurrent use
	Log     *slog.Logger
	Limits  Limits
	Metrics prometheus.Registerer
	// Session makes whoever a browser is logged in as the request's caller, if it is.
	Session func(c *gin.Context) error
	// Page answers with the page of a problem.
	Page func(c *gin.Context, k httpx.Kind, detail string) error
}

// New makes a gate and registers its metrics.
func New(cfg Config) (*Gate, error) {
	g := &Gate{Config: cfg, pools: newPools(cfg.Limits), gets: map[string]Route{}}
	if err := g.measure(cfg.Metrics); err != nil {
		return nil, err
	}
	return g, g.limit(cfg.Limits)
}

// limit makes the limiters.
func (g *Gate) limit(l Limits) error {
	var err error
	for _, x := range []struct {
		name string
		rate httpx.Rate
		to   **httpx.SharedLimiter
	}{
		{"register", l.Register, &g.register},
		{"login", l.Login, &g.logins},
		{"failed-auth", l.FailedAuth, &g.failedAuth},
		{"bad-invites", l.BadInvites, &g.badInvites},
		{"outbound", l.Outbound, &g.outbound},
		{"seat", l.Seat, &g.seats},
		{"review", l.Review, &g.reviews},
		{"card", l.Card, &g.cards},
	} {
		if *x.to, err = httpx.NewSharedLimiter(x.name, x.rate, g.Store); err != nil {
			return fmt.Errorf("api: %w", err)
		}
	}
	var bad [3]error
	g.everything, bad[0] = httpx.NewLimiter("default", l.Default, l.Keys)
	g.following, bad[1] = httpx.NewLimiter("following", l.Following, l.Keys)
	g.relays, bad[2] = httpx.NewLimiter("relay", l.Relay, l.Keys)
	if err := errors.Join(bad[:]...); err != nil {
		return fmt.Errorf("api: %w", err)
	}
	return nil
}

// measure registers the metrics of requests. No label holds an id.
func (g *Gate) measure(reg prometheus.Registerer) error {
	g.duration = prometheus.NewHistogramVec(prometheus.HistogramOpts{
		Name: "molerun_http_request_duration_seconds", Help: "Time to answer API requests, by route template.",
		Buckets: []float64{.001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10, 20},
	}, []string{"method", "route", "code"})
	g.inFlight = prometheus.NewGauge(prometheus.GaugeOpts{
		Name: "molerun_http_requests_in_flight", Help: "API requests being answered now.",
	})
	for _, c := range []prometheus.Collector{g.duration, g.inFlight} {
		if err := reg.Register(c); err != nil {
			return fmt.Errorf("api: metrics: %w", err)
		}
	}
	return nil
}
