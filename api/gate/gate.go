package gate

import (
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

	everything, relays                                                        *httpx.Limiter
	register, logins, failedAuth, badInvites, outbound, seats, reviews, cards *httpx.SharedLimiter
}
