package httpbot

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/internal/must"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/runner"
)

// ahead is a clock that can be put forward; looks counts how often it was asked.
type ahead struct{ by, looks atomic.Int64 }

func (a *ahead) now() time.Time {
	a.looks.Add(1)
	return time.Now().Add(time.Duration(a.by.Load()))
}

// until waits for a condition.
func until(t *testing.T, what string, ok func() bool) {
	t.Helper()
	for end := time.Now().Add(90 * time.Second); !ok(); time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("waited 90 s for %s", what)
		}
	}
}

// asked asks a decision of the bot at url, by the clock a.
func asked(ctx context.Context, t *testing.T, c *Client, url string, a *ahead) <-chan runner.Reply {
	t.Helper()
	b := must.Get(New(Config{URL: url, Client: c, Now: a.now}))(t)
	some := json.RawMessage(`{}`)
	out := make(chan runner.Reply, 1)
	go func() {
		out <- b.Ask(ctx, runner.Briefing{Config: some, Info: game.Info{ID: "toy"}}, runner.Ask{Decision: "dec_1", View: some, Offer: some})
	}()
	return out
}

// A host that answers nobody must not make its matches void, nor win its bots time to think. Of our own places a bot that
// waited has its whole time left, and no excuse.
func TestWaitingForAPlaceIsThePlatformsTimeButAtAHostItsOwn(t *testing.T) {
	release, arrived := make(chan struct{}), make(chan struct{}, 2)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		arrived <- struct{}{}
		<-release
		_, _ = io.WriteString(w, `{"choose":0}`)
	}))
	defer server.Close()
	for name, row := range map[string]struct {
		o     Options
		never tournament.Fault // there was no place until the deadline
		late  tournament.Fault // the place came late
	}{
		"per host": {Options{PerHost: 1}, tournament.FaultTimeout, tournament.FaultTimeout},
		"in all":   {Options{Asks: 1, Patience: 200 * time.Millisecond}, tournament.FaultPlatform, ""},
	} {
		t.Run(name, func(t *testing.T) {
			row.o.Guard = Loopback()
			client := newClient(t, row.o)
			ctx, cancel := context.WithTimeout(t.Context(), 90*time.Second)
			defer cancel()
			first := asked(ctx, t, client, server.URL, new(ahead))
			<-arrived

			soon, stop := context.WithTimeout(ctx, 10*time.Millisecond)
			defer stop()
			if r := <-asked(soon, t, client, server.URL, new(ahead)); r.Fault != row.never || (r.Ledger.Elapsed == 0) != (row.never == tournament.FaultPlatform) {
				t.Errorf("no place: got %s (%s) after %s, want %s", r.Fault, r.Reason, r.Ledger.Elapsed, row.never)
			}
			client.patience = time.Minute
			clock, leaving := new(ahead), new(ahead)
			stopped, shut := context.WithCancel(ctx)
			third := asked(stopped, t, client, server.URL, leaving)
			until(t, "the third to wait", func() bool { return leaving.looks.Load() >= 2 })
			shut()
			if r := <-third; r.Fault != tournament.FaultPlatform {
				t.Errorf("shut down while waiting: got %s (%s), want %s", r.Fault, r.Reason, tournament.FaultPlatform)
			}

			second := asked(ctx, t, client, server.URL, clock)
			until(t, "the second to wait", func() bool { return clock.looks.Load() >= 2 }) // come, begun to wait
			clock.by.Store(int64(time.Hour))
			release <- struct{}{}
			if r := <-first; r.Fault != "" {
				t.Errorf("the first: %s (%s)", r.Fault, r.Reason)
			}
			<-arrived
			release <- struct{}{}
			r := <-second
			if r.Fault != row.late || (r.Ledger.Elapsed >= time.Hour) != (row.late == tournament.FaultTimeout) {
				t.Errorf("asked late: got %s (%s) and %v in the ledger, want %q", r.Fault, r.Reason, r.Ledger.Elapsed, row.late)
			}
		})
	}
}

// Whoever calls bots at will, by hello or by webhooks, takes no place from matches.
func TestCallsTakeNoPlaceOfAsks(t *testing.T) {
	release, arrived := make(chan struct{}), make(chan struct{}, 2)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/slow" {
			arrived <- struct{}{}
			<-release
		}
		_, _ = io.WriteString(w, `{"choose":0}`)
	}))
	defer server.Close()
	client := newClient(t, Options{Guard: Loopback(), Asks: 1, Calls: 1, Patience: 50 * time.Millisecond})
	ctx, cancel := context.WithTimeout(t.Context(), 90*time.Second)
	defer cancel()
	greeted := make(chan error, 1)
	go func() {
		_, err := Greet(ctx, Config{URL: server.URL + "/slow", Client: client}, strings.NewReader(strings.Repeat("x", 24)))
		greeted <- err
	}()
	<-arrived
	if r := <-asked(ctx, t, client, server.URL, new(ahead)); r.Fault != "" {
		t.Errorf("beside a slow hello: %s (%s)", r.Fault, r.Reason)
	}
	if _, err := Greet(ctx, Config{URL: server.URL, Client: client}, strings.NewReader(strings.Repeat("x", 24))); !errors.Is(err, errPlatform) {
		t.Errorf("a second hello: %v, want to have found no place", err)
	}
	close(release)
	<-greeted
}

func TestAPlaceIsGivenBackByWhoGaveUpWaitingForTheNext(t *testing.T) {
	c := NewClient(Options{PerHost: 2, Asks: 1})
	defer c.Close()
	_, leave, _, err := c.enter(t.Context(), time.Now(), "a", c.asks, time.Now)
	must.OK(t, err)
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	for range 3 { // each has a place at the host and none in all
		if _, _, _, err := c.enter(gone, time.Now(), "a", c.asks, time.Now); err == nil || strings.Contains(err.Error(), errHostBusy.Error()) {
			t.Fatalf("got %v, want to have waited for a place in all", err)
		}
	}
	if leave(); len(c.hosts) != 0 {
		t.Errorf("%d hosts are remembered when nobody is left", len(c.hosts))
	}
}

// A cancelled context ends the one with a time of its own before its first use, so no message goes out any more.
func TestACancelledContextEndsItsOwnTimeoutAtOnce(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for range 100 {
		own, stop := withOwnTimeout(ctx, time.Hour)
		if own.Err() == nil {
			t.Fatal("it goes on")
		}
		stop()
	}
}
