package httpbot

import (
	"context"
	"crypto/tls"
	"errors"
	"net"
	"sync"
	"sync/atomic"

	lru "github.com/hashicorp/golang-lru/v2"
	"golang.org/x/sync/semaphore"
	"golang.org/x/time/rate"
)

// Of one host, by the name and port it is called by. A host that has every connection closed gets so many new ones a second
// after the first burst; waiting for the next is its bots' own time.
const (
	newPerSecond = 200
	newAtOnce    = 1000
	pacedHosts   = 4096 // remembered; the longest uncalled is forgotten
)

// errSockets is the want of a socket within the bound of ours.
var errSockets = errors.New("all sockets for bots are in use")

// dialer connects within the guard, the bound on sockets and the pace of each host.
type dialer struct {
	net     net.Dialer
	sockets *semaphore.Weighted
	paces   *lru.Cache[string, *rate.Limiter]
	spare   func() // closes connections that rest and ends dials that nobody waits for
}

func newDialer(o Options) *dialer {
	paces, err := lru.New[string, *rate.Limiter](pacedHosts)
	if err != nil {
		panic("httpbot: " + err.Error()) // a size below 1
	}
	return &dialer{
		net:     net.Dialer{Timeout: connectLimit, KeepAlive: keepAlive, Resolver: o.Resolver, Control: o.Guard.Control()},
		sockets: semaphore.NewWeighted(int64(o.Sockets)),
		paces:   paces,
	}
}

// dial needs two sockets, for names are looked up and addresses tried two at a time; a connection keeps one. Where there
// are none it gives up at once: who asks waits in the platform's time, of which a dial knows nothing.
func (d *dialer) dial(ctx context.Context, network, address string) (net.Conn, error) {
	if err := d.pace(address).Wait(ctx); err != nil {
		return nil, err
	}
	if !d.sockets.TryAcquire(2) {
		d.spare()
		if !d.sockets.TryAcquire(2) {
			return nil, &net.OpError{Op: "dial", Net: network, Err: errSockets}
		}
	}
	raw, err := d.net.DialContext(ctx, network, address)
	if err != nil {
		d.sockets.Release(2)
		return nil, err
	}
	d.sockets.Release(1)
	return &connection{Conn: raw, free: sync.OnceFunc(func() { d.sockets.Release(1) })}, nil
}

func (d *dialer) pace(address string) *rate.Limiter {
	fresh := rate.NewLimiter(newPerSecond, newAtOnce)
	if old, found, _ := d.paces.PeekOrAdd(address, fresh); found {
		d.paces.Get(address) // counts as called
		return old
	}
	return fresh
}

// connection is a connection to a bot.
type connection struct {
	net.Conn
	free  func()
	rests atomic.Bool // kept for the next request
}

// Close ends a connection that rests in the usual way. Any other is over because of the bot: its answer said so, was
// refused, or did not come in time. That one is reset, for whoever closes first in the usual way holds a local port for a
// minute more, and a bot that has us do so for every decision would use them up.
func (c *connection) Close() error {
	defer c.free()
	if tcp, ok := c.Conn.(*net.TCPConn); ok && !c.rests.Load() {
		_ = tcp.SetLinger(0)
	}
	return c.Conn.Close()
}

// connectionOf is what lies under a connection of the transport; nil if it is none of ours.
func connectionOf(c net.Conn) *connection {
	if secure, ok := c.(*tls.Conn); ok {
		c = secure.NetConn()
	}
	out, _ := c.(*connection)
	return out
}
