package api_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/molerun/molerun/api"
	"github.com/molerun/molerun/api/wire"
	"github.com/molerun/molerun/internal/directortest"
	"github.com/molerun/molerun/internal/must"
	"github.com/molerun/molerun/internal/storetest"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/store"
)

// message is one Server-Sent Event.
type message struct {
	id   string
	kind string
	data string
}

// watcher reads a stream as a browser does.
type watcher struct {
	t      testing.TB
	answer *http.Response
	lines  *bufio.Scanner
	stop   context.CancelFunc
	lastID string // what a browser would send when it comes again
}

// watch opens a stream; lastID "" sends none. Whatever the answer is, the caller looks at it. close it.
func watch(t testing.TB, client *http.Client, url, token, lastID string) *watcher {
	t.Helper()
	ctx, stop := context.WithTimeout(t.Context(), 2*time.Minute) // a stream that should end and does not fails its test
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	must.OK(t, err)
	r.Header.Set("Accept", "text/event-stream")
	if token != "" {
		r.Header.Set("Authorization", "Bearer "+token)
	}
	if lastID != "" {
		r.Header.Set("Last-Event-ID", lastID)
	}
	a, err := client.Do(r)
	if err != nil {
		stop()
		t.Fatal(err)
	}
	w := &watcher{t: t, answer: a, lines: bufio.NewScanner(a.Body), stop: stop, lastID: lastID}
	w.lines.Buffer(nil, 1<<20)
	return w
}

func (w *watcher) close() {
	w.stop()
	_ = w.answer.Body.Close()
}

// next is the next message with data; false at the end of the stream.
func (w *watcher) next() (m message, ok bool) {
	for w.lines.Scan() {
		line := w.lines.Text()
		name, value, _ := strings.Cut(line, ": ")
		switch {
		case line == "" && m.data != "":
			return m, true
		case line == "":
			m = message{}
		case name == "id":
			m.id, w.lastID = value, value
		case name == "event":
			m.kind = value
		case name == "data":
			m.data = value
		}
	}
	return m, false
}

// take reads n messages, whose numbers must follow on after.
func (w *watcher) take(after, n int) (out []message) {
	w.t.Helper()
	for range n {
		m, ok := w.next()
		if !ok {
			w.t.Fatalf("the stream ended after %d of %d messages", len(out), n)
		}
		if after++; m.id != strconv.Itoa(after) {
			w.t.Fatalf("got number %q (%s %s), want %d", m.id, m.kind, m.data, after)
		}
		out = append(out, m)
	}
	return out
}

// live is the API of a world on loopback, with its streams running.
type live struct {
	*world
	server *httptest.Server
}

// goLive serves an API until the test ends.
func (w *world) goLive(a *api.Server) *live {
	w.t.Helper()
	ctx, stop := context.WithCancel(w.t.Context())
	var running sync.WaitGroup
	running.Go(func() { a.Run(ctx) })
	l := &live{w, httptest.NewServer(a)}
	w.t.Cleanup(func() {
		a.Stop()
		l.server.Client().CloseIdleConnections()
		l.server.Close()
		stop()
		running.Wait()
	})
	return l
}

func (l *live) watch(who, path, lastID string) *watcher {
	l.t.Helper()
	return watch(l.t, l.server.Client(), l.server.URL+path, l.tokens[who], lastID)
}

// until waits for a condition; a minute without it is a failure.
func (w *world) until(what string, ok func() bool) {
	w.t.Helper()
	for end := time.Now().Add(time.Minute); !ok(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			w.t.Fatalf("waited a minute for: %s", what)
		}
	}
}

// release is a worker that stops in the middle of a match.
func (w *world) release(m tournament.Match) {
	w.t.Helper()
	must.OK(w.t, w.director.Release(w.t.Context(), m.ID, w.matchOf(m.ID).Epoch))
}

// goOn plays more steps of a match that w.play has left.
func (w *world) goOn(m tournament.Match, steps int) tournament.Match {
	w.t.Helper()
	w.release(m)
	m = w.matchOf(m.ID)
	w.play(m, steps)
	return m
}

func TestAMatchIsStreamedAsItGoes(t *testing.T) {
	onBoth(t, func(w *world) {
		_, list := w.started(func(*tournament.Tournament) {}, owner, other)
		m, l := list[0], w.goLive(w.api)
		path := "/v1/matches/" + m.ID + "/events"
		first := l.watch(anon, path, "")
		defer first.close()
		if h := first.answer.Header; first.answer.StatusCode != http.StatusOK || h.Get("Content-Type") != "text/event-stream" || h.Get("Cache-Control") != "no-store" {
			t.Fatalf("got %d %v, want a stream that nobody keeps", first.answer.StatusCode, h)
		}
		w.play(m, 1) // queued until now
		got := first.take(0, 1+2)
		second := l.watch(other, path, got[1].id) // as after a cut: what follows, and nothing twice
		defer second.close()
		second.take(2, 1)
		w.goOn(m, 100)
		rest := first.take(3, 2*3+2+1)
		second.take(3, 2*3+2+1)
		if end := rest[len(rest)-1]; end.kind != "end" || end.data != `{"status":"done"}` {
			t.Errorf("got %+v, want the end", end)
		}
		if _, more := first.next(); more {
			t.Error("the stream goes on after its end")
		}
		for i, msg := range append(got, rest[:len(rest)-1]...) {
			var e map[string]json.RawMessage
			must.OK(t, json.Unmarshal([]byte(msg.data), &e))
			if len(e) != 2 || string(e["index"]) != strconv.Itoa(i+1) || e["event"] == nil || msg.kind != "" {
				t.Errorf("message %d: got %+v, want its index and the event, and no time", i+1, msg)
			}
		}
		page := into[wire.MatchEvents](w.get(anon, path).want(200, ""))
		if len(page.Data) != 11 || fmt.Sprintf(`{"index":11,"event":%s}`, page.Data[10].Event) != rest[len(rest)-2].data {
			t.Errorf("the page has %+v, the stream %+v: want the same", page.Data, rest)
		}
		again := l.watch(anon, path, first.lastID)
		defer again.close()
		same(t, "a reader that returns after the end", again.answer.StatusCode, http.StatusNoContent)
	})
}

// A match that is voided ends its stream too, wherever it stood.
func TestTheStreamOfAVoidMatchEnds(t *testing.T) {
	onOne(t, func(w *world) {
		for _, steps := range []int{0, 2} {
			_, list := w.started(func(*tournament.Tournament) {}, owner, other)
			l := w.goLive(w.api)
			path := "/v1/matches/" + list[0].ID + "/events"
			if steps > 0 {
				w.play(list[0], steps)
			}
			w.do(admin, http.MethodPost, "/v1/matches/"+list[0].ID+"/void", map[string]any{"reason": "power cut"}).want(200, "")
			first := l.watch(anon, path, "")
			for {
				if _, more := first.next(); !more {
					break
				}
			}
			first.close()
			again := l.watch(anon, path, first.lastID)
			if again.answer.StatusCode != http.StatusNoContent {
				t.Errorf("after %d steps and the end, number %s: got %d, want 204", steps, first.lastID, again.answer.StatusCode)
			}
			again.close()
			page := into[wire.MatchEvents](w.get(anon, path+"?after="+first.lastID).want(200, ""))
			if !page.Over || len(page.Data) > 0 {
				t.Errorf("after %d steps and the end: the page has %+v, want nothing more", steps, page)
			}
		}
	})
}

func TestWhatASeatWasToldCanBeReadWhenTheMatchIsOpen(t *testing.T) {
	onOne(t, func(w *world) {
		_, list := w.started(func(*tournament.Tournament) {}, owner, other)
		path := "/v1/matches/" + list[0].ID + "/events?seat=1"
		w.play(list[0], 1)
		w.get(owner, path).want(409, "wrong_state")
		w.goOn(list[0], 100)
		said := into[wire.MatchEvents](w.get(anon, path).want(200, ""))
		if len(said.Data) != 1+1+2*4+2 || !strings.Contains(string(said.Data[1].Event), `"kind":"mask"`) {
			t.Errorf("got %+v, want the seat's own mask among them", said)
		}
		stream := w.goLive(w.api).watch(anon, path, "2")
		defer stream.close()
		if got := stream.take(2, 11); got[10].kind != "end" {
			t.Errorf("got %+v, want the same as a stream, to the end", got)
		}
	})
}

func TestTheFeedsTellWhatHappens(t *testing.T) {
	onOne(t, func(w *world) {
		l := w.goLive(w.api)
		w.cup(func(*tournament.Tournament) {}) // before anybody watches
		all := l.watch(anon, "/v1/events", "")
		defer all.close()
		cup, list := w.started(func(*tournament.Tournament) {}, owner, other)
		one := l.watch(rival, "/v1/tournaments/"+cup.ID+"/events", "")
		defer one.close()
		kinds := func(list []message) (out string) {
			for _, m := range list {
				out += " " + m.kind
			}
			return out
		}
		if got := kinds(one.take(0, 2)); got != " tournament.created tournament.started" {
			t.Errorf("got%s, want the tournament from its beginning", got)
		}
		w.play(list[0], 100)
		want := " match.started match.finished tournament.standings tournament.finished"
		got := one.take(2, 4)
		if kinds(got) != want {
			t.Errorf("got%s, want%s", kinds(got), want)
		}
		told := answer{t: t, what: "the event", body: []byte(got[1].data)}
		told.has("id", 4, "event", "match.finished", "match_id", list[0].ID, "tournament_id", cup.ID, "game", "masks")
		public := kinds(all.take(1, 7)) // the first
		if !strings.HasPrefix(public, " tournament.created tournament.started match.started match.finished") || !strings.Contains(public, " ladder.rated") {
			t.Errorf("got%s, want everything from now on", public)
		}
		past := l.watch(anon, "/v1/events?after=0", "")
		defer past.close()
		past.take(0, 8)
		page := into[wire.Events](w.get(anon, "/v1/events?after=6").want(200, ""))
		if len(page.Data) != 2 || page.Last != 8 || page.Data[0].ID != 7 {
			t.Errorf("got %+v, want the seventh and the eighth", page)
		}
	})
}

func TestNumbersThatAreNoPlaceInAStreamAreRefused(t *testing.T) {
	onOne(t, func(w *world) {
		_, list := w.started(func(*tournament.Tournament) {}, owner, other)
		l := w.goLive(w.api)
		for _, path := range []string{"/v1/events", "/v1/matches/" + list[0].ID + "/events", "/v1/tournaments/" + list[0].TournamentID + "/events"} {
			for _, id := range []string{"x", "-1", "01", "1.5", "99999999999999999999", "77", "9007199254740993"} {
				s := l.watch(anon, path, id)
				body, _ := io.ReadAll(s.answer.Body)
				s.close()
				if s.answer.StatusCode != http.StatusBadRequest || !strings.Contains(string(body), "Last-Event-ID") || strings.Contains(string(body), "?Last-Event-ID") {
					t.Errorf("%s after %q: got %d %s, want it refused", path, id, s.answer.StatusCode, body)
				}
			}
			w.get(anon, path+"?after=x").want(400, "bad_query").place("?after")
		}
		// A browser sends the last number it had by itself, long after the events of a tournament that is over are gone.
		feed := "/v1/tournaments/" + list[0].TournamentID
		w.do(organiser, "POST", feed+"/cancel", map[string]any{"reason": "rain"}).want(200, "")
		s := l.watch(anon, feed+"/events", "77")
		defer s.close()
		if s.answer.StatusCode != http.StatusOK {
			t.Errorf("got %d for a tournament that is over, want its stream", s.answer.StatusCode)
		}
	})
}

// Streams of another process tell what this one writes: the database is the truth, and Postgres wakes its listeners.
func TestStreamsOfAnotherProcessGoOnWhereThisOneStopped(t *testing.T) {
	storetest.Postgres(t, func(t *testing.T, open storetest.Open) {
		w := newWorld(t, open, func(*api.Config) {})
		cfg := w.cfg
		cfg.Store, cfg.Metrics = open(store.Options{Now: w.clk.Now}), prometheus.NewRegistry()
		cfg.Director = directortest.Of(cfg.Store, findGame)
		twin, err := api.New(cfg)
		must.OK(t, err)
		here, there := w.goLive(w.api), w.goLive(twin)
		cup, list := w.started(func(*tournament.Tournament) {}, owner, other)
		feed, game := "/v1/tournaments/"+cup.ID+"/events", "/v1/matches/"+list[0].ID+"/events"
		a, b := there.watch(anon, feed, ""), there.watch(anon, game, "")
		defer a.close()
		defer b.close()
		a.take(0, 2)
		w.play(list[0], 2)
		a.take(2, 1)
		b.take(0, 5)
		c, d := here.watch(anon, feed, a.lastID), here.watch(anon, game, b.lastID)
		defer c.close()
		defer d.close()
		w.goOn(list[0], 100)
		c.take(3, 3)
		d.take(5, 7)
		a.take(3, 3)
	})
}
