package api_test

import (
	"bufio"
	"errors"
	"net"
	"net/http"
	"strings"
	"testing"

	"github.com/molerun/molerun/api"
)

// One connection, one request as it stands: what is refused here cannot be read as two requests behind a proxy.
func TestAmbiguousRequestsAreRefused(t *testing.T) {
	onBoth(t, func(w *world) {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		server := api.NewHTTPServer("", w.api)
		ended := make(chan error, 1)
		go func() { ended <- server.Serve(l) }()
		defer func() {
			if err := server.Close(); err != nil {
				t.Error(err)
			}
			if err := <-ended; !errors.Is(err, http.ErrServerClosed) {
				t.Error(err)
			}
		}()
		const head, body = "POST /v1/users HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nConnection: close\r\n", `{"name":"ab"}`
		for name, row := range map[string]struct {
			request string
			status  int
		}{
			"plain":                {head + "Content-Length: 13\r\n\r\n" + body, 201},
			"two lengths":          {head + "Content-Length: 13\r\nContent-Length: 14\r\n\r\n" + body, 400},
			"signed length":        {head + "Content-Length: +13\r\n\r\n" + body, 400},
			"list of lengths":      {head + "Content-Length: 13, 13\r\n\r\n" + body, 400},
			"space before colon":   {head + "Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n", 400},
			"two encodings":        {head + "Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n", 501},
			"no host":              {"GET /livez HTTP/1.1\r\nConnection: close\r\n\r\n", 400},
			"two hosts":            {"GET /livez HTTP/1.1\r\nHost: a\r\nHost: b\r\nConnection: close\r\n\r\n", 400},
			"headers over 16 KiB":  {"GET /livez HTTP/1.1\r\nHost: x\r\nConnection: close\r\nX-A: " + strings.Repeat("a", 24<<10) + "\r\n\r\n", 431},
			"NUL in a header":      {"GET /livez HTTP/1.1\r\nHost: x\r\nX-A: \x00\r\n\r\n", 400},
			"a line break in path": {"GET /livez\nX: y HTTP/1.1\r\nHost: x\r\n\r\n", 400},
		} {
			c, err := net.Dial("tcp", l.Addr().String())
			if err != nil {
				t.Fatal(err)
			}
			if _, err := c.Write([]byte(row.request)); err != nil {
				t.Fatal(err)
			}
			got, err := http.ReadResponse(bufio.NewReader(c), nil)
			if err != nil {
				t.Errorf("%s: %v", name, err)
			} else {
				if got.StatusCode != row.status {
					t.Errorf("%s: got %d, want %d", name, got.StatusCode, row.status)
				}
				got.Body.Close()
			}
			c.Close()
		}
	})
}
