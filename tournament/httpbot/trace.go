package httpbot

import (
	"crypto/tls"
	"net"
	"net/http/httptrace"
	"sync"
	"time"

	"github.com/molerun/molerun/tournament/runner"
)

// trace times the phases of one request. Its hooks may be called by other goroutines, and after the request is over.
type trace struct {
	now func() time.Time

	mu       sync.Mutex
	begin    time.Time
	dnsAt    time.Time
	dialAt   time.Time
	tlsAt    time.Time
	gotAt    time.Time
	wroteAt  time.Time
	firstAt  time.Time
	dns      time.Duration
	dial     time.Duration
	tls      time.Duration
	tlsOpen  bool // a handshake was begun and did not succeed
	conn     net.Conn
	finished bool
}

func (t *trace) hooks() *httptrace.ClientTrace {
	return &httptrace.ClientTrace{
		DNSStart: func(httptrace.DNSStartInfo) { t.mark(func(now time.Time) { t.dnsAt = now }) },
		DNSDone:  func(httptrace.DNSDoneInfo) { t.mark(func(now time.Time) { t.dns = now.Sub(t.dnsAt) }) },
		ConnectStart: func(string, string) {
			t.mark(func(now time.Time) {
				if t.dialAt.IsZero() {
					t.dialAt = now
				}
			})
		},
		ConnectDone:          func(string, string, error) { t.mark(func(now time.Time) { t.dial = now.Sub(t.dialAt) }) },
		TLSHandshakeStart:    func() { t.mark(func(now time.Time) { t.tlsAt, t.tlsOpen = now, true }) },
		TLSHandshakeDone:     t.tlsDone,
		GotConn:              t.gotConn,
		PutIdleConn:          t.putIdle,
		WroteRequest:         func(httptrace.WroteRequestInfo) { t.mark(func(now time.Time) { t.wroteAt = now }) },
		GotFirstResponseByte: func() { t.mark(func(now time.Time) { t.firstAt = now }) },
	}
}

// mark runs f with the time, unless the request is over.
func (t *trace) mark(f func(now time.Time)) {
	now := t.now()
	t.mu.Lock()
	defer t.mu.Unlock()
	if !t.finished {
		f(now)
	}
}

func (t *trace) tlsDone(_ tls.ConnectionState, err error) {
	t.mark(func(now time.Time) { t.tls, t.tlsOpen = now.Sub(t.tlsAt), err != nil })
}

// gotConn begins the phases of a connection anew: after a kept connection has failed there is a second.
func (t *trace) gotConn(info httptrace.GotConnInfo) {
	t.mark(func(now time.Time) {
		t.gotAt, t.wroteAt, t.firstAt, t.conn = now, time.Time{}, time.Time{}, info.Conn
		if c := connectionOf(info.Conn); c != nil {
			c.rests.Store(false)
		}
		if info.Reused { // a dial begun for this request may be under way; it is another's now
			t.dns, t.dial, t.tls, t.tlsOpen = 0, 0, 0, false
		}
	})
}

// putIdle may come when the request is over.
func (t *trace) putIdle(err error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if c := connectionOf(t.conn); c != nil && err == nil {
		c.rests.Store(true)
	}
}

// finish closes the ledger at end. written tells that nobody reads the request's bytes any more.
func (t *trace) finish(end time.Time) (l runner.Ledger, written bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.finished = true
	l = runner.Ledger{Elapsed: end.Sub(t.begin), DNS: t.dns, Connect: t.dial, TLS: t.tls}
	l.Written = between(t.gotAt, t.wroteAt)
	l.FirstByte = between(t.wroteAt, t.firstAt)
	l.Body = between(t.firstAt, end)
	return l, !t.wroteAt.IsZero()
}

// between is 0 unless both ends happened, in order: a bot may answer before it has read the whole request.
func between(a, b time.Time) time.Duration {
	if a.IsZero() || b.IsZero() || b.Before(a) {
		return 0
	}
	return b.Sub(a)
}

// roundTrip asks the kernel about the connection used; 0 if it cannot be known.
func (t *trace) roundTrip() time.Duration {
	t.mu.Lock()
	conn := t.conn
	t.mu.Unlock()
	c := connectionOf(conn)
	if c == nil {
		return 0
	}
	tcp, ok := c.Conn.(*net.TCPConn)
	if !ok {
		return 0
	}
	return smoothedRoundTrip(tcp)
}
