package api_test

import (
	"bufio"
	"errors"
	"io"
	"net"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/molerun/molerun/api"
	"github.com/molerun/molerun/api/connlimit"
	"github.com/molerun/molerun/internal/must"
)

// No row can be read as two requests by a proxy: it is refused, or nothing after it is read.
func TestAmbiguousRequestsEndTheirConnection(t *testing.T) {
	onOne(t, func(w *world) {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		must.OK(t, err)
		server := api.NewHTTPServer("", w.api)
		ended := make(chan error, 1)
		go func() { ended <- server.Serve(connlimit.Listen(l, connlimit.Limits{Total: 100})) }()
		defer func() {
			if err := server.Close(); err != nil {
				t.Error(err)
			}
			if err := <-ended; !errors.Is(err, http.ErrServerClosed) {
				t.Error(err)
			}
		}()
		const head, body = "POST /v1/users HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n", `{"name":"ab"}`
		for name, row := range map[string]struct {
			request string
			status  int
		}{
			"plain":                {head + "Connection: close\r\nContent-Length: 13\r\n\r\n" + body, 201},
			"two lengths":          {head + "Content-Length: 13\r\nContent-Length: 14\r\n\r\n" + body, 400},
			"signed length":        {head + "Content-Length: +13\r\n\r\n" + body, 400},
			"list of lengths":      {head + "Content-Length: 13, 13\r\n\r\n" + body, 400},
			"space before colon":   {head + "Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n", 400},
			"two encodings":        {head + "Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n", 501},
			"chunks":               {head + "Transfer-Encoding: chunked\r\n\r\nd\r\n{\"name\":\"cd\"}\r\n0\r\n\r\n", 201},
			"length and chunks":    {head + "Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\nd\r\n{\"name\":\"ef\"}\r\n0\r\n\r\n", 201},
			"chunks in HTTP/1.0":   {"GET /livez HTTP/1.0\r\nHost: x\r\nConnection: keep-alive\r\nTransfer-Encoding: chunked\r\n\r\n", 200},
			"no host":              {"GET /livez HTTP/1.1\r\nConnection: close\r\n\r\n", 400},
			"two hosts":            {"GET /livez HTTP/1.1\r\nHost: a\r\nHost: b\r\nConnection: close\r\n\r\n", 400},
			"headers over 16 KiB":  {"GET /livez HTTP/1.1\r\nHost: x\r\nConnection: close\r\nX-A: " + strings.Repeat("a", 24<<10) + "\r\n\r\n", 431},
			"NUL in a header":      {"GET /livez HTTP/1.1\r\nHost: x\r\nX-A: \x00\r\n\r\n", 400},
			"a line break in path": {"GET /livez\nX: y HTTP/1.1\r\nHost: x\r\n\r\n", 400},
		} {
			c, err := net.Dial("tcp", l.Addr().String())
			must.OK(t, err)
			_, err = c.Write([]byte(row.request + "GET /livez HTTP/1.1\r\nHost: x\r\n\r\n"))
			must.OK(t, err)
			answers := bufio.NewReader(c)
			got, err := http.ReadResponse(answers, nil)
			if err != nil {
				t.Errorf("%s: %v", name, err)
			} else {
				same(t, name, got.StatusCode, row.status)
				if !got.Close {
					t.Errorf("%s: the connection is kept", name)
				}
				_, _ = io.Copy(io.Discard, got.Body)
				got.Body.Close()
				if next, err := http.ReadResponse(answers, nil); err == nil {
					t.Errorf("%s: what came after it is answered %d", name, next.StatusCode)
				}
			}
			c.Close()
		}
	})
}

// TestSlowClientsHoldNobodyUp: a hundred connections that send half a header and no more do not keep others waiting, and
// are cut off.
func TestSlowClientsHoldNobodyUp(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	must.OK(t, err)
	server := api.NewHTTPServer("", http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) }))
	server.ReadHeaderTimeout = 300 * time.Millisecond // as the real one, but sooner
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(l) }()
	defer func() {
		if err := server.Close(); err != nil {
			t.Error(err)
		}
		if err := <-ended; !errors.Is(err, http.ErrServerClosed) {
			t.Errorf("Serve: %v", err)
		}
	}()
	slow := make([]net.Conn, 100)
	for i := range slow {
		slow[i], err = net.Dial("tcp", l.Addr().String())
		must.OK(t, err)
		defer slow[i].Close()
		_, err := slow[i].Write([]byte("GET /livez HTTP/1.1\r\nHost: x\r\nX-A: "))
		must.OK(t, err)
	}
	quick, err := net.Dial("tcp", l.Addr().String())
	must.OK(t, err)
	defer quick.Close()
	_, err = quick.Write([]byte("GET /livez HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"))
	must.OK(t, err)
	got, err := http.ReadResponse(bufio.NewReader(quick), nil)
	must.OK(t, err)
	got.Body.Close()
	if got.StatusCode != http.StatusNoContent {
		t.Errorf("got %d beside slow clients, want 204", got.StatusCode)
	}
	for _, c := range slow {
		must.OK(t, c.SetReadDeadline(time.Now().Add(time.Minute)))
		if _, err := io.Copy(io.Discard, c); errors.Is(err, os.ErrDeadlineExceeded) {
			t.Fatal("a slow client was not cut off")
		}
	}
}
