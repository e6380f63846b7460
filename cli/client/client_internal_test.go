package client

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/molerun/molerun/api/wire"
)

// script answers each request with the next of some handlers, and notes how long its client waited before it.
type script struct {
	answers []http.HandlerFunc
	waited  []time.Duration
}

// run plays a script to a client that waits no time.
func (s *script) run(t *testing.T) *Client {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if len(s.answers) == 0 {
			t.Errorf("%s %s: one request too many", r.Method, r.URL.Path)
			return
		}
		next := s.answers[0]
		s.answers = s.answers[1:]
		next(w, r)
	}))
	t.Cleanup(server.Close)
	c := New(server.URL)
	c.after = func(d time.Duration) <-chan time.Time {
		s.waited = append(s.waited, d)
		now := make(chan time.Time, 1)
		now <- time.Time{}
		return now
	}
	return c
}

// events is a stream of one event, which goes on after a number.
func events(t *testing.T, after, id int) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if got := r.Header.Get("Last-Event-Id"); got != fmt.Sprint(after) {
			t.Errorf("went on after %q, want %d", got, after)
		}
		fmt.Fprintf(w, "retry: 2000\nid: %d\n\nid: %d\ndata: {\"id\":%d}\n\n", after, id, id)
	}
}

func problem(status int, code, retry string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		if retry != "" {
			w.Header().Set("Retry-After", retry)
		}
		w.WriteHeader(status)
		fmt.Fprintf(w, `{"code":%q,"status":%d,"detail":"so it is"}`, code, status)
	}
}

// cut closes the connection without an answer, as a process that is killed does.
func cut(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }

func badGateway(w http.ResponseWriter, _ *http.Request) {
	http.Error(w, "<html>", http.StatusBadGateway)
}

func TestAReaderFollowsAcrossARestartOfThePlatform(t *testing.T) {
	s := &script{answers: []http.HandlerFunc{
		events(t, 0, 1), problem(503, "not_ready", ""), cut, badGateway, problem(429, "rate_limited", "7"), events(t, 1, 2), events(t, 2, 3),
	}}
	var seen []int64
	err := s.run(t).Follow(t.Context(), "/v1/events", func(e wire.Event) (bool, error) {
		seen = append(seen, e.ID)
		return e.ID == 3, nil
	})
	if err != nil || fmt.Sprint(seen) != "[1 2 3]" {
		t.Errorf("got %v, %v, want every event once", seen, err)
	}
}

func TestWhatNoRestartMendsEndsAReader(t *testing.T) {
	for name, answers := range map[string][]http.HandlerFunc{
		"never there":   {badGateway},
		"not found":     {events(t, 0, 1), problem(404, "not_found", "")},
		"another past":  {events(t, 0, 1), problem(400, "bad_query", "")},
		"wait too long": {events(t, 0, 1), problem(429, "rate_limited", "3600")},
	} {
		s := &script{answers: answers}
		err := s.run(t).Follow(t.Context(), "/v1/events", func(wire.Event) (bool, error) { return false, nil })
		if err == nil || len(s.answers) > 0 {
			t.Errorf("%s: got %v, with %d answers left", name, err, len(s.answers))
		}
	}
}

func TestAReaderWaitsAsLongAsItIsTold(t *testing.T) {
	ok := func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, `{"name":"x"}`) }
	s := &script{answers: []http.HandlerFunc{problem(429, "rate_limited", "3"), problem(429, "rate_limited", "11"), ok}}
	c := s.run(t)
	var out struct{ Name string }
	if err := c.Get(t.Context(), "/v1/bots", &out); err != nil || out.Name != "x" || fmt.Sprint(s.waited) != "[3s 11s]" {
		t.Errorf("got %+v, %v after %v, want the answer after 3 s and 11 s", out, err, s.waited)
	}
	for _, x := range []struct{ method, retry string }{{http.MethodPost, "3"}, {http.MethodGet, ""}, {http.MethodGet, "3600"}, {http.MethodGet, "-1"}, {http.MethodGet, "soon"}} {
		s.answers = []http.HandlerFunc{problem(429, "rate_limited", x.retry)}
		if err := c.Call(t.Context(), x.method, "/v1/bots", nil, nil); err == nil || !strings.Contains(err.Error(), "rate_limited") {
			t.Errorf("%s, Retry-After %q: got %v, want the refusal at once", x.method, x.retry, err)
		}
	}
}
