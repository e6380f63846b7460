package connlimit_test

import (
	"bufio"
	"errors"
	"io"
	"net"
	"net/http"
	"net/netip"
	"syscall"
	"testing"
	"time"

	"github.com/molerun/molerun/api/connlimit"
	"github.com/molerun/molerun/internal/must"
)

// serving starts a server within limits that answers 204.
func serving(t *testing.T, n connlimit.Limits) *connlimit.Listener {
	t.Helper()
	tcp, err := net.Listen("tcp", "127.0.0.1:0")
	must.OK(t, err)
	l := connlimit.Listen(tcp, n)
	server := &http.Server{ReadHeaderTimeout: time.Minute, Handler: http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusNoContent)
	})}
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(l) }()
	t.Cleanup(func() {
		if err := server.Close(); err != nil {
			t.Error(err)
		}
		if err := <-ended; !errors.Is(err, http.ErrServerClosed) {
			t.Error(err)
		}
	})
	return l
}

// comes opens a connection from an address of this machine; nil if it was shut before it was open.
func comes(t *testing.T, l net.Listener, from string) net.Conn {
	t.Helper()
	d := net.Dialer{LocalAddr: net.TCPAddrFromAddrPort(netip.AddrPortFrom(netip.MustParseAddr(from), 0)), Timeout: 30 * time.Second}
	c, err := d.Dial("tcp", l.Addr().String())
	if errors.Is(err, syscall.ECONNRESET) {
		return nil
	}
	must.OK(t, err)
	t.Cleanup(func() { _ = c.Close() })
	must.OK(t, c.SetDeadline(time.Now().Add(30*time.Second)))
	return c
}

// served reports whether a request on the connection is answered.
func served(c net.Conn) bool {
	if c == nil {
		return false
	}
	if _, err := io.WriteString(c, "GET / HTTP/1.1\r\nHost: x\r\n\r\n"); err != nil {
		return false
	}
	answer, err := http.ReadResponse(bufio.NewReader(c), nil)
	return err == nil && answer.StatusCode == http.StatusNoContent
}

func TestConnectionsAreBoundedByAddressAndInAll(t *testing.T) {
	l := serving(t, connlimit.Limits{Total: 40, PerAddress: 4, Proxies: []netip.Prefix{netip.MustParsePrefix("127.0.9.0/24")}})
	var open []net.Conn
	for i := range 4 {
		c := comes(t, l, "127.0.0.1")
		if !served(c) {
			t.Errorf("connection %d of four is not served", i+1)
		}
		open = append(open, c)
	}
	if served(comes(t, l, "127.0.0.1")) {
		t.Error("a fifth connection is served")
	}
	if !served(comes(t, l, "127.0.0.2")) {
		t.Error("another address is not served")
	}
	if c, all := l.Refused(); c != 1 || all != 0 || l.Open() != 5 {
		t.Errorf("%d and %d were refused, %d are open, want 1, 0 and 5", c, all, l.Open())
	}
	_ = open[0].Close()
	for end := time.Now().Add(30 * time.Second); l.Open() > 4 && time.Now().Before(end); {
		time.Sleep(time.Millisecond)
	}
	if !served(comes(t, l, "127.0.0.1")) {
		t.Error("after one was closed, the next is not served")
	}
	for i := range 35 { // a proxy takes all there are
		if !served(comes(t, l, "127.0.9.1")) {
			t.Fatalf("connection %d of a proxy is not served", i+1)
		}
	}
	if served(comes(t, l, "127.0.9.1")) || served(comes(t, l, "127.0.0.3")) {
		t.Error("more than 40 are served")
	}
	if c, all := l.Refused(); c != 1 || all != 2 {
		t.Errorf("%d and %d were refused, want 1 and 2", c, all)
	}
}
