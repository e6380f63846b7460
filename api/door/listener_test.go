package door_test

import (
	"bufio"
	"errors"
	"io"
	"net"
	"net/http"
	"net/netip"
	"slices"
	"syscall"
	"testing"
	"time"

	"github.com/molerun/molerun/api/door"
)

// serving is a server behind a door; its handler reads the body and answers 204, and ends a connection as the API does.
func serving(t *testing.T, n door.Limits) *door.Listener {
	t.Helper()
	tcp, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	l := door.Listen(tcp, n)
	server := &http.Server{ReadHeaderTimeout: time.Minute, Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if len(r.TransferEncoding) > 0 {
			w.Header().Set("Connection", "close")
		}
		_, _ = io.Copy(io.Discard, r.Body)
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
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Close() })
	if err := c.SetDeadline(time.Now().Add(30 * time.Second)); err != nil {
		t.Fatal(err)
	}
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
	l := serving(t, door.Limits{All: 40, Each: 4, Proxies: []netip.Prefix{netip.MustParsePrefix("127.0.9.0/24")}})
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

// answers are the statuses of all answers on a connection, and whether it was reset after them.
func answers(c net.Conn) ([]int, bool) {
	var statuses []int
	for r := bufio.NewReader(c); ; {
		answer, err := http.ReadResponse(r, nil)
		if err != nil {
			return statuses, errors.Is(err, syscall.ECONNRESET)
		}
		_, _ = io.Copy(io.Discard, answer.Body)
		statuses = append(statuses, answer.StatusCode)
	}
}

// Requests of one connection, as they stand: those after one that is ambiguous are not read, in whatever pieces they come.
func TestAmbiguousRequestsOfAConnectionEndIt(t *testing.T) {
	const good = "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 29\r\n\r\nTransfer-Encoding: chunked\r\n\r\n"
	const chunks = "5\r\nhello\r\n0\r\n\r\n"
	both := "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n" + chunks
	for name, row := range map[string]struct {
		sent string
		want []int
	}{
		"a body that looks like a header":   {good + good, []int{204, 204}},
		"both":                              {both, []int{400}},
		"both, the other way round":         {"POST / HTTP/1.1\r\nHost: x\r\ntransfer-encoding: chunked\r\nCONTENT-LENGTH: 3\r\n\r\n" + chunks, []int{400}},
		"both, with bare line feeds":        {"POST / HTTP/1.1\nHost: x\nContent-Length: 3\nTransfer-Encoding: chunked\n\n" + chunks, []int{400}},
		"both, folded":                      {"POST / HTTP/1.1\r\nHost: x\r\nContent-Length:\r\n 3\r\nTransfer-Encoding:\r\n chunked\r\n\r\n" + chunks, []int{400}},
		"an empty length beside chunks":     {"POST / HTTP/1.1\r\nHost: x\r\nContent-Length:\r\nTransfer-Encoding: chunked\r\n\r\n" + chunks, []int{400}},
		"both in the second":                {good + both, []int{204, 400}},
		"chunks alone, and nothing after":   {"POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n" + chunks + both, []int{204}},
		"chunks where they are not known":   {"POST / HTTP/1.0\r\nHost: x\r\nConnection: keep-alive\r\nTransfer-Encoding: chunked\r\n\r\n" + both, []int{400}},
		"a length that is none, and chunks": {"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: x\r\n\r\n" + both, []int{400}},
	} {
		for _, piece := range []int{1, 7, 1 << 20} {
			l := serving(t, door.Limits{All: 10})
			c := comes(t, l, "127.0.0.1")
			go func() {
				for rest := row.sent; rest != ""; {
					n := min(piece, len(rest))
					if _, err := io.WriteString(c, rest[:n]); err != nil {
						return
					}
					rest = rest[n:]
				}
				_ = c.(*net.TCPConn).CloseWrite()
			}()
			got, lost := answers(c)
			// The server hangs up without a word on a request whose first bytes came with its ambiguous ones; and a reset, by what it
			// has not read, may take its last answer.
			if len(got) == 0 && !lost {
				t.Errorf("%s, in pieces of %d: no answer, and no reset", name, piece)
			}
			if len(got) > len(row.want) || !slices.Equal(got, row.want[:len(got)]) && !slices.Equal(got, row.want[1:]) {
				t.Errorf("%s, in pieces of %d: got %v, want %v", name, piece, got, row.want)
			}
		}
	}
}
