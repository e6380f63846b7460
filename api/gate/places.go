package gate

import (
	"context"
	"errors"
	"fmt"
	"net/netip"
	"time"

	"github.com/gin-gonic/gin"

	"github.com/molerun/molerun/api/connlimit"
	"github.com/molerun/molerun/api/httpx"
)

// pools hold the places of long requests. Each kind has its own pool, so that none can fill another's: readers without a
// token take nothing from those with one, and neither takes anything from relays, on which bots depend.
type pools struct {
	anonymous, users, relays, calls, exports *connlimit.Pool
}

func newPools(l Limits) pools {
	return pools{
		anonymous: connlimit.NewPool(l.Streams, l.AllStreams),
		users:     connlimit.NewPool(l.Streams, l.AllStreams),
		relays:    connlimit.NewPool(l.Streams, l.AllStreams),
		calls:     connlimit.NewPool(l.Calls, l.AllCalls),
		exports:   connlimit.NewPool(exportsEach, exportsAll),
	}
}

// Exports at once, of a caller and of a process: each keeps a processor and a connection to the database busy.
const (
	exportsEach = 2
	exportsAll  = 8
)

// When a caller should try again if there is no place: streams last long, calls only seconds.
const (
	streamWait = 30 * time.Second
	callWait   = 5 * time.Second
)

// hold takes a place for the caller of a request, until the function that it returns is called; what is the kind's name in
// the plural.
func hold(c *gin.Context, pool *connlimit.Pool, what string, wait time.Duration) (func(), error) {
	release, err := pool.Acquire(httpx.CallerOf(c)...)
	var full *connlimit.FullError
	switch {
	case !errors.As(err, &full):
		return release, err
	case full.Total:
		return nil, fmt.Errorf("%w: all places for %s are taken", &httpx.WaitError{Wait: wait}, what)
	}
	return nil, fmt.Errorf("%w: %d %s are open already, which is the share of a user or an address; close one first", &httpx.WaitError{Wait: wait}, full.Held, what)
}

// HoldRelay takes a place for a relay that waits for messages.
func (g *Gate) HoldRelay(ctx context.Context) (func(), error) {
	return hold(requestOf(ctx), g.pools.relays, "messages of relays", streamWait)
}

// HoldStream takes a place for a stream.
func (g *Gate) HoldStream(ctx context.Context) (func(), error) {
	pool := g.pools.users
	if Who(ctx) == nil {
		pool = g.pools.anonymous
	}
	return hold(requestOf(ctx), pool, "streams", streamWait)
}

// HoldExport takes a place for an export.
func (g *Gate) HoldExport(ctx context.Context) (func(), error) {
	return hold(requestOf(ctx), g.pools.exports, "exports", streamWait)
}

// HoldCall counts a request that makes us call a bot or a webhook, and takes a place for the call. A slow bot delays only its
// owner's calls.
func (g *Gate) HoldCall(ctx context.Context) (func(), error) {
	if err := g.outbound.Spend(requestOf(ctx), "user:"+UserID(ctx)); err != nil {
		return nil, err
	}
	return hold(requestOf(ctx), g.pools.calls, "calls to bots", callWait)
}

// callerAt returns the caller as far as the address identifies them: an IPv4 address, or a /64 of IPv6, which is one caller, and its /56.
func callerAt(c *gin.Context) httpx.Caller {
	a, err := netip.ParseAddr(c.ClientIP())
	if err != nil {
		return httpx.Caller{"ip:unknown"}
	}
	var out httpx.Caller
	for _, key := range connlimit.CallerKeys(a) {
		out = append(out, "ip:"+key)
	}
	return out
}

// TakeSeat counts a seat that a person takes, and returns what names their account or, without one, their address.
func (g *Gate) TakeSeat(c *gin.Context) (string, error) {
	key := httpx.CallerOf(c)[0]
	return key, g.seats.Spend(c, key)
}

// AskReview counts a match that the caller wants reviewed.
func (g *Gate) AskReview(ctx context.Context) error {
	c := requestOf(ctx)
	return g.reviews.Spend(c, httpx.CallerOf(c)[0])
}

// UploadCard counts a card that the caller wants checked.
func (g *Gate) UploadCard(ctx context.Context) error {
	c := requestOf(ctx)
	return g.cards.Spend(c, httpx.CallerOf(c)[0])
}
