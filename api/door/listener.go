package door

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
	All  int // open at once
	Each int // of one address while few are open: see [Pool]; 0: as many as All
	// Proxies are networks whose connections carry many callers: of those only All is bounded.
	Proxies []netip.Prefix
}

// Listener accepts connections within its limits and closes all others at once; every request on them is looked at before
// it is read.
type Listener struct {
	net.Listener
	pool           *Pool
	proxies        []netip.Prefix
	perCaller, all atomic.Uint64
}

// Listen bounds the connections of l.
func Listen(l net.Listener, n Limits) *Listener {
	if n.Each <= 0 {
		n.Each = n.All
	}
	return &Listener{Listener: l, pool: NewPool(n.Each, n.All), proxies: n.Proxies}
}

// Open is how many connections are open.
func (l *Listener) Open() int { return l.pool.Taken() }

// Refused is how many connections were closed because their address had its share of them, and because there was no place
// at all.
func (l *Listener) Refused() (perCaller, all uint64) { return l.perCaller.Load(), l.all.Load() }

// Accept waits for the next connection for which there is a place.
func (l *Listener) Accept() (net.Conn, error) {
	for {
		c, err := l.Listener.Accept()
		if err != nil {
			return nil, err
		}
		leave, err := l.pool.Take(l.keys(c.RemoteAddr())...)
		if err == nil {
			return &conn{Conn: c, leave: sync.OnceFunc(leave)}, nil
		}
		l.refuse(c, err)
	}
}

// refuse resets the connection: an answer would have to wait for the request.
func (l *Listener) refuse(c net.Conn, why error) {
	var full *FullError
	if errors.As(why, &full) && full.All {
		l.all.Add(1)
	} else {
		l.perCaller.Add(1)
	}
	if tcp, ok := c.(*net.TCPConn); ok {
		_ = tcp.SetLinger(0)
	}
	_ = c.Close()
}

// keys name who is at the other end; none for a proxy.
func (l *Listener) keys(a net.Addr) []string {
	at, err := netip.ParseAddrPort(a.String())
	if err != nil {
		return []string{a.String()}
	}
	caller := at.Addr().Unmap().WithZone("")
	if slices.ContainsFunc(l.proxies, func(p netip.Prefix) bool { return p.Contains(caller) }) {
		return nil
	}
	return Keys(caller)
}

// conn is a connection that has a place.
type conn struct {
	net.Conn
	leave func()
	heads heads
	bad   error // why nothing more of it is read
}

// Read fails where a request is ambiguous, before the server has all of its header: it answers 400 then and closes.
func (c *conn) Read(b []byte) (int, error) {
	if c.bad != nil {
		return 0, c.bad // net/http drops the error of what it reads while a handler runs, and reads on
	}
	n, err := c.Conn.Read(b)
	if c.bad = c.heads.see(b[:n]); c.bad != nil {
		return 0, c.bad
	}
	return n, err
}

// CloseWrite lets the server end its answer before it hangs up.
func (c *conn) CloseWrite() error {
	if half, ok := c.Conn.(interface{ CloseWrite() error }); ok {
		return half.CloseWrite()
	}
	return nil
}

// Close gives the place back.
func (c *conn) Close() error {
	defer c.leave()
	return c.Conn.Close()
}
