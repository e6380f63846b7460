package httpbot

import (
	"context"
	"crypto/tls"
	"errors"
	"net"
	"net/http/httptrace"
	"sync"

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
	spare   func() // closes connections that rest
	blind   bool   // the kernel is not asked when bytes came: for tests of what holds without
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
// are none it gives up at once: the caller waits in the platform's time, of which a dial knows nothing.
func (d *dialer) dial(ctx context.Context, address string) (*connection, error) {
	turn := d.pace(address).Reserve()
	if pause(ctx, turn.Delay()); ctx.Err() != nil {
		turn.Cancel()
		return nil, ctx.Err()
	}
	if !d.sockets.TryAcquire(2) {
		d.spare()
		if !d.sockets.TryAcquire(2) {
			return nil, &net.OpError{Op: "dial", Net: "tcp", Err: errSockets}
		}
	}
	raw, err := d.net.DialContext(ctx, "tcp", address)
	if err != nil {
		d.sockets.Release(2)
		return nil, err
	}
	d.sockets.Release(1)
	free := sync.OnceFunc(func() { d.sockets.Release(1) })
	s, err := newSocket(raw.(*net.TCPConn), !d.blind) // what "tcp" gives
	if err != nil {
		_ = raw.Close()
		free()
		return nil, err
	}
	return newConnection(s, free), nil
}

// connect makes a new connection to the line's bot, encrypted where its URL says so, and times that in t.
func (c *Client) connect(ctx context.Context, l *line, t *trace) (*connection, error) {
	begin, before, dialing := t.now(), t.dns, httptrace.WithClientTrace(ctx, t.names())
	t.tlsOpen = false
	k, err := c.dialer.dial(dialing, l.address)
	t.dial += t.now().Sub(begin) - (t.dns - before)
	if err != nil {
		return nil, err
	}
	k.socket.restart(t.now)
	if l.url.Scheme != "https" {
		return k, nil
	}
	begin = t.now()
	t.tlsOpen = true
	config := c.tls.Clone()
	config.ServerName = l.url.Hostname()
	shaking, stop := context.WithTimeout(ctx, handshakeLimit)
	defer stop()
	secure := tls.Client(k.socket, config)
	k.stream = secure
	err = secure.HandshakeContext(shaking)
	t.tls, t.tlsOpen = t.tls+t.now().Sub(begin), err != nil
	if err != nil {
		k.abort()
		return nil, err
	}
	return k, nil
}

func (d *dialer) pace(address string) *rate.Limiter {
	fresh := rate.NewLimiter(newPerSecond, newAtOnce)
	if old, found, _ := d.paces.PeekOrAdd(address, fresh); found {
		d.paces.Get(address) // counts as called
		return old
	}
	return fresh
}
