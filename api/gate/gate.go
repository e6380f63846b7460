package gate

import (
	"io"
	"log/slog"
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
