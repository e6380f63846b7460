package gate

import (
	"cmp"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"time"

	"github.com/gin-gonic/gin"
	"github.com/prometheus/client_golang/prometheus"

	"github.com/molerun/molerun/api/httpx"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/store"
)

// Anybody marks a route that needs no token; a bad one is refused all the same.
const Anybody tournament.Role = ""

// Route is one line of an API. What a caller may do with a thing beyond their role is the handler's or the store's to say.
type Route struct {
	Method string
	Path   string
	Need   tournament.Role
	// Do carries the request out. What it writes it writes through db, which binds it to the request's idempotency key and
	// precondition.
	Do    func(db *store.Store, c *gin.Context) error
	Probe bool // health probes: no limits, no database for a token
}

// Config is what a gate is made of. Every field is needed.
type Config struct {
	Store   *store.Store
	Now     func() time.Time
	Rand    io.Reader // safe for concurrent use
	Log     *slog.Logger
	Limits  Limits
	Metrics prometheus.Registerer
}

// Gate is what every request passes: who asks, whether they may, whether it is not too much, and whether it was carried out
// before. What goes wrong becomes a problem here.
type Gate struct {
	store *store.Store
	now   func() time.Time
	rand  io.Reader
	log   *slog.Logger
	pools pools
	gets  map[string]Route // by path, once mounted

	duration *prometheus.HistogramVec
	inFlight prometheus.Gauge

	everything, relays                         *httpx.Limiter
	register, failedAuth, badInvites, outbound *httpx.SharedLimiter
}

// NewGate registers the metrics of requests.
func New(cfg Config) (*Gate, error) {
	g := &Gate{
		store: cfg.Store,
		now:   cfg.Now,
		rand:  cfg.Rand,
		log:   cfg.Log,
		pools: newPools(cfg.Limits),
		gets:  map[string]Route{},
	}
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
		{"failed-auth", l.FailedAuth, &g.failedAuth},
		{"bad-invites", l.BadInvites, &g.badInvites},
		{"outbound", l.Outbound, &g.outbound},
	} {
		if *x.to, err = httpx.NewSharedLimiter(x.name, x.rate, g.store); err != nil {
			return fmt.Errorf("api: %w", err)
		}
	}
	if g.everything, err = httpx.NewLimiter("default", l.Default, l.Keys); err != nil {
		return fmt.Errorf("api: %w", err)
	}
	if g.relays, err = httpx.NewLimiter("relay", l.Relay, l.Keys); err != nil {
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

// Mount puts routes behind the gate.
func (g *Gate) Mount(engine *gin.Engine, routes []Route) {
	engine.Use(g.observe, g.guard)
	for _, r := range routes {
		if r.Method == http.MethodGet {
			g.gets[r.Path] = r
		}
		engine.Handle(r.Method, r.Path, g.serve(r))
	}
	refuse := func(err error) gin.HandlerFunc {
		return g.serve(Route{Do: func(*store.Store, *gin.Context) error { return err }})
	}
	engine.NoRoute(refuse(httpx.ErrNoRoute))
	engine.NoMethod(refuse(httpx.ErrMethod))
}

// Register counts a new account against its address.
func (g *Gate) Register(c *gin.Context) error { return g.register.Spend(c, addressKey(c.ClientIP())) }

// WrongInvite counts a wrong invitation code against its caller: err, or when the rate is used up, that they must wait.
func (g *Gate) WrongInvite(c *gin.Context, err error) error {
	return cmp.Or(g.badInvites.Count(c.Request.Context(), "user:"+UserID(c)), err)
}
