package api_test

import (
	"bufio"
	"errors"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"

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
