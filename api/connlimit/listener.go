package connlimit

import (
	"errors"
	"net"
	"net/netip"
	"slices"
	"sync"
	"sync/atomic"
)

// Limits bounds the connections of a listener.
type Limits struct {
	Total      int // open at once
	PerAddress int // open from one address while few are open: see [Pool]; 0: as many as Total
	// Proxies are networks whose connections carry many callers: only Total bounds those.
	Proxies []netip.Prefix
}

// Listener accepts connections within its limits and resets all others at once.
type Listener struct {
	net.Listener
	pool              *Pool
	proxies           []netip.Prefix
	perAddress, total atomic.Uint64
}

// Listen bounds the connections of l.
func Listen(l net.Listener, n Limits) *Listener {
	if n.PerAddress <= 0 {
		n.PerAddress = n.Total
	}
	return &Listener{Listener: l, pool: NewPool(n.PerAddress, n.Total), proxies: n.Proxies}
}

// Open returns how many connections are open.
func (l *Listener) Open() int { return l.pool.InUse() }

// Refused returns how many connections were reset because their address had its share, and because all places were taken.
func (l *Listener) Refused() (perAddress, total uint64) { return l.perAddress.Load(), l.total.Load() }

// Accept waits for the next connection that is within the limits.
func (l *Listener) Accept() (net.Conn, error) {
	for {
		c, err := l.Listener.Accept()
		if err != nil {
			return nil, err
		}
		release, err := l.pool.Acquire(l.keys(c.RemoteAddr())...)
		if err == nil {
			return &conn{Conn: c, release: sync.OnceFunc(release)}, nil
		}
		l.refuse(c, err)
	}
}

// refuse resets the connection: an answer would have to wait for the request.
func (l *Listener) refuse(c net.Conn, why error) {
	var full *FullError
	if errors.As(why, &full) && full.Total {
		l.total.Add(1)
	} else {
		l.perAddress.Add(1)
	}
	if tcp, ok := c.(*net.TCPConn); ok {
		_ = tcp.SetLinger(0)
	}
	_ = c.Close()
}

// keys returns the keys of a caller's address; none for a proxy.
func (l *Listener) keys(a net.Addr) []string {
	at, err := netip.ParseAddrPort(a.String())
	if err != nil {
		return []string{a.String()}
	}
	caller := at.Addr().Unmap().WithZone("")
	if slices.ContainsFunc(l.proxies, func(p netip.Prefix) bool { return p.Contains(caller) }) {
		return nil
	}
	return CallerKeys(caller)
}

// conn gives its place back when it is closed.
type conn struct {
	net.Conn
	release func()
}

// CloseWrite lets net/http end an answer before it closes the connection; it looks for this method.
func (c *conn) CloseWrite() error {
	if half, ok := c.Conn.(interface{ CloseWrite() error }); ok {
		return half.CloseWrite()
	}
	return nil
}

// Close gives the place back.
func (c *conn) Close() error {
	defer c.release()
	return c.Conn.Close()
}
