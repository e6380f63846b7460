package check_test

import (
	"bufio"
	"bytes"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/molerun/molerun/bots/house"
	"github.com/molerun/molerun/bots/kit"
	"github.com/molerun/molerun/bots/protocol"
	"github.com/molerun/molerun/cli/author/check"
	"github.com/molerun/molerun/engines/catalog"
	"github.com/molerun/molerun/internal/must"
	"github.com/molerun/molerun/tournament/httpbot"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const secret = "whsec_BwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwc="

// good returns a bot without a fault for one game; handlers that spoil it are wrapped around.
func good(t *testing.T, secrets ...string) http.Handler {
	t.Helper()
	random, _ := house.Find("random")
	bot := random.Kit(1)
	bot.Games = map[string]kit.Decide{"molehill": bot.Games["molehill"]}
	h, err := kit.Handler(bot, secrets...)
	must.OK(t, err)
	return h
}

// at asks for a check of a bot at a URL.
func at(url string, secrets ...string) check.Options {
	return check.Options{URL: url, Secrets: secrets, Games: catalog.All(), Guard: httpbot.Loopback(), Now: time.Now, Random: rand.Reader}
}

func run(t *testing.T, h http.Handler, only []string, secrets ...string) check.Report {
	t.Helper()
	server := httptest.NewServer(h)
	defer server.Close()
	heard := 0
	o := at(server.URL, secrets...)
	o.Only = only
	report, err := check.Run(t.Context(), o, func(check.Finding) { heard++ })
	must.OK(t, err)
	if heard != len(report.Findings) {
		t.Errorf("told %d findings, reported %d", heard, len(report.Findings))
	}
	return report
}

// found looks for a finding of a level about something; every finding that is not OK must say what to do next.
func found(t *testing.T, r check.Report, l check.Level, what, part string) bool {
	t.Helper()
	is := false
	for _, f := range r.Findings {
		is = is || f.Level == l && f.What == what && strings.Contains(f.Where+": "+f.Detail, part)
		if (f.Level == check.OK) != (f.Next == "") {
			t.Errorf("got %+v, want a next step with what is not right, and with that alone", f)
		}
	}
	return is
}

// spoilt changes what a bot is told (body) or what it answers (back, which may be nil for no change).
func spoilt(h http.Handler, change func(m map[string]any, answer []byte) (status int, back []byte)) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		r.Body = io.NopCloser(bytes.NewReader(body))
		rec := httptest.NewRecorder()
		h.ServeHTTP(rec, r)
		var m map[string]any
		_ = json.Unmarshal(body, &m)
		status, back := change(m, rec.Body.Bytes())
		if status == 0 {
			status = rec.Code
		}
		if back == nil {
			back = rec.Body.Bytes()
		}
		w.WriteHeader(status)
		_, _ = w.Write(back)
	})
}

// turns changes the answers to turns alone.
func turns(change func(m, answer map[string]any)) func(map[string]any, []byte) (int, []byte) {
	return func(m map[string]any, back []byte) (int, []byte) {
		var answer map[string]any
		if m["type"] != "turn" || json.Unmarshal(back, &answer) != nil {
			return 0, nil
		}
		change(m, answer)
		b, _ := json.Marshal(answer)
		return 0, b
	}
}

// guarded refuses what ok does not take; ok sees the headers and the body.
func guarded(t *testing.T, ok func(http.Header, []byte) bool) http.Handler {
	inner := good(t)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		if !ok(r.Header, body) {
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		r.Body = io.NopCloser(bytes.NewReader(body))
		inner.ServeHTTP(w, r)
	})
}

func dateless(t *testing.T) http.Handler {
	keys, err := protocol.ParseKeys(secret)
	must.OK(t, err)
	return guarded(t, func(h http.Header, body []byte) bool {
		return keys.Verify(h, body, time.Now()) == nil || keys.Verify(h, body, time.Now().Add(-10*time.Minute)) == nil
	})
}

func single(t *testing.T) http.Handler {
	keys, err := protocol.ParseKeys(secret)
	must.OK(t, err)
	return guarded(t, func(h http.Header, body []byte) bool {
		return !strings.Contains(h.Get(protocol.HeaderSignature), " ") && keys.Verify(h, body, time.Now()) == nil
	})
}

// hasty serves h as long as it refuses nothing; what it refuses, it refuses before it has read the body, as a program on a plain HTTP
// library may. Then the connection is kept, or closed.
func hasty(t *testing.T, h http.Handler, refuses func(*http.Request) bool, keeps bool) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	must.OK(t, err)
	var wg sync.WaitGroup
	serve := func(conn net.Conn) {
		defer conn.Close()
		in := bufio.NewReader(conn)
		for {
			request, err := http.ReadRequest(in)
			if err != nil {
				_, _ = io.WriteString(conn, "HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
				return
			}
			if refuses(request) {
				_, _ = io.WriteString(conn, "HTTP/1.1 401 Unauthorized\r\nContent-Length: 0\r\n\r\n")
				if !keeps {
					return
				}
				continue // the body is still there
			}
			rec := httptest.NewRecorder()
			h.ServeHTTP(rec, request)
			_, _ = io.Copy(io.Discard, request.Body)
			fmt.Fprintf(conn, "HTTP/1.1 %d X\r\nContent-Length: %d\r\n\r\n%s", rec.Code, rec.Body.Len(), rec.Body)
		}
	}
	wg.Go(func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			wg.Go(func() { serve(conn) })
		}
	})
	t.Cleanup(wg.Wait)
	t.Cleanup(func() { _ = l.Close() })
	return "http://" + l.Addr().String()
}
