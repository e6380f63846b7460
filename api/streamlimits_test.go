package api_test

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/molerun/molerun/api"
	"github.com/molerun/molerun/api/gate"
	"github.com/molerun/molerun/api/wire"
	"github.com/molerun/molerun/internal/must"
	"github.com/molerun/molerun/tournament"
)

func TestStreamsAreLimitedByCaller(t *testing.T) {
	onOneWith(t, limited(func(l *gate.Limits) { l.Streams, l.AllStreams = 2, 4 }), func(w *world) {
		l := w.goLive(w.api)
		var open []*watcher
		for i, who := range []string{owner, owner, rival, organiser} {
			open = append(open, l.watch(who, "/v1/events", ""))
			if i == 1 {
				l.refused(owner, "2 streams are open already")
			}
		}
		l.refused(other, "all places for streams are taken")
		open[0].close()
		w.until("the place is free again", func() bool {
			s := l.watch(other, "/v1/events", "")
			defer s.close()
			return s.answer.StatusCode == http.StatusOK
		})
		for _, s := range open {
			s.close()
		}
		w.until("no stream is left", func() bool { return w.metric("molerun_streams") == 0 })
	})
}

// browser asks as a browser that is logged in.
type browser tournament.LoginSecret

// RoundTrip implements [http.RoundTripper].
func (b browser) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("Cookie", "molerun_session="+string(b))
	return http.DefaultTransport.RoundTrip(r)
}

// A class behind one address watches live pages: those logged in have places of their own, whichever page it is.
func TestLiveStreamsOfWhoIsLoggedInCountForTheirAccount(t *testing.T) {
	onOneWith(t, func(c *api.Config) { withLogin(c); c.Limits.Streams, c.Limits.AllStreams = 3, 100 }, func(w *world) {
		l := w.goLive(w.api)
		cup, list := w.started(func(*tournament.Tournament) {}, owner, other)
		for _, who := range []string{"", string(w.browser(owner)), string(w.browser(rival))} {
			client := l.server.Client()
			if who != "" {
				client = &http.Client{Transport: browser(who)}
			}
			for i, path := range []string{"/v1/events", "/v1/tournaments/" + cup.ID + "/events", "/v1/matches/" + list[0].ID + "/events", "/v1/events"} {
				s := watch(t, client, l.server.URL+path, "", "")
				defer s.close()
				if want := map[bool]int{true: 200, false: 429}[i < 3]; s.answer.StatusCode != want {
					t.Errorf("stream %d of the browser %q, %s: got %d, want %d", i+1, who, path, s.answer.StatusCode, want)
				}
			}
		}
	})
}

// refused wants no stream to be opened, for a reason.
func (l *live) refused(who, why string) {
	l.t.Helper()
	s := l.watch(who, "/v1/events", "")
	defer s.close()
	body, _ := io.ReadAll(s.answer.Body)
	same(l.t, who, s.answer.StatusCode, http.StatusTooManyRequests)
	if s.answer.Header.Get("Retry-After") != "30" || !strings.Contains(string(body), why) {
		l.t.Errorf("%s: got %v %s, want to come again because %s", who, s.answer.Header, body, why)
	}
}

// Readers without a token take no place from those with one, nor both from relays.
func TestStrangersLeaveStreamsToUsersAndBothToRelays(t *testing.T) {
	onOneWith(t, limited(func(l *gate.Limits) { l.Streams, l.AllStreams, l.Poll = 4, 4, time.Minute }), func(w *world) {
		l := w.goLive(w.api)
		var open []*watcher
		defer func() {
			for _, s := range open {
				s.close()
			}
		}()
		fills := func(who string) (n int) {
			for ; ; n++ {
				s := l.watch(who, "/v1/events", "")
				open = append(open, s)
				if s.answer.StatusCode != http.StatusOK {
					return n
				}
			}
		}
		alone := fills(anon)
		same(t, "a user beside strangers opened", fills(owner), alone)
		fills(other)
		fills(rival)
		l.refused(admin, "all places for streams are taken")
		w.letter(owner, "fox") // it lies there: the relay's request below, which holds nothing, is given it at once
		w.do(owner, "POST", "/v1/relays/fox/fetch", map[string]any{"relay": relayID, "holds": []string{}, "room": 8}).want(200, "")
	})
}

// A stream ends within seconds of the token that opened it, and so does what a relay waits for; others' go on.
func TestStreamsEndWithTheirToken(t *testing.T) {
	for name, ending := range map[string]func(w *world, id string){
		"revoked": func(w *world, id string) { w.do(owner, "DELETE", "/v1/tokens/"+id, nil).want(204, "") },
		"expired": func(w *world, _ string) { w.clk.Move(2 * time.Hour) },
		"disabled": func(w *world, _ string) {
			w.do(admin, "POST", "/v1/users/"+w.users[owner].ID+"/disable", map[string]any{"reason": "x"}).want(200, "")
		},
	} {
		t.Run(name, func(t *testing.T) {
			onOneWith(t, limited(func(l *gate.Limits) { l.Poll = 10 * time.Minute }), func(w *world) {
				l := w.goLive(w.api)
				made := into[wire.TokenCreated](w.do(owner, "POST", "/v1/tokens", map[string]any{"expires_at": w.clk.Now().Add(time.Hour)}).want(201, ""))
				stays, nobodys := l.watch(rival, "/v1/events", ""), l.watch(anon, "/v1/events", "")
				defer stays.close()
				defer nobodys.close()
				s := watch(t, l.server.Client(), l.server.URL+"/v1/events", made.Token, "")
				defer s.close()
				polled := make(chan int, 1)
				bounded, stop := context.WithTimeout(t.Context(), time.Minute)
				defer stop()
				go func() {
					r, err := http.NewRequestWithContext(bounded, "POST", l.server.URL+"/v1/relays/fox/fetch", strings.NewReader(`{"relay":"`+relayID+`","holds":[],"room":8}`))
					if err != nil {
						t.Error(err)
					}
					r.Header.Set("Content-Type", "application/json")
					answer, err := l.server.Client().Do(withToken(r, made.Token))
					if err != nil {
						t.Error(err)
						polled <- 0
						return
					}
					_ = answer.Body.Close()
					polled <- answer.StatusCode
				}()
				w.until("the relay is let in", func() bool { return w.relays.Load() > 0 })
				ending(w, made.ID)
				if m, ok := s.next(); !ok || m.kind != "bye" || m.data != `{"reason":"token_ended"}` {
					t.Errorf("got %+v, want a goodbye because of the token", m)
				}
				same(t, "the relay's request ended with", <-polled, http.StatusOK)
				w.until("the streams of others alone are open", func() bool { return w.metric("molerun_streams") == 2 })
			})
		})
	}
}

// metric is the sum of a metric over its labels, of which one may be named with its value.
func (w *world) metric(name string, label ...string) (sum float64) {
	w.t.Helper()
	families, err := w.reg.Gather()
	must.OK(w.t, err)
	for _, f := range families {
		for _, m := range f.GetMetric() {
			has := len(label) == 0
			for _, l := range m.GetLabel() {
				has = has || (l.GetName() == label[0] && l.GetValue() == label[1])
			}
			if f.GetName() == name && has {
				sum += m.GetGauge().GetValue() + m.GetCounter().GetValue()
			}
		}
	}
	return sum
}

func TestAServerThatStopsSaysGoodbye(t *testing.T) {
	onOne(t, func(w *world) {
		s := w.goLive(w.api).watch(anon, "/v1/events", "")
		defer s.close()
		w.api.Drain()
		m, ok := s.next()
		holds(t, "there is a goodbye", ok)
		same(t, "its reason, without a number", m, message{kind: "bye", data: `{"reason":"shutdown"}`})
		if _, more := s.next(); more {
			t.Error("the stream goes on")
		}
	})
}

// pipes is a network without buffers: what nobody reads cannot be sent.
type pipes struct {
	accept chan net.Conn
	done   chan struct{}
	once   sync.Once
}

func (p *pipes) Accept() (net.Conn, error) {
	select {
	case c := <-p.accept:
		return c, nil
	case <-p.done:
		return nil, net.ErrClosed
	}
}
func (p *pipes) Close() error   { p.once.Do(func() { close(p.done) }); return nil }
func (p *pipes) Addr() net.Addr { return &net.UnixAddr{Name: "pipe"} }
func (p *pipes) dial(context.Context, string, string) (net.Conn, error) {
	ours, theirs := net.Pipe()
	select {
	case p.accept <- theirs:
		return ours, nil
	case <-p.done:
		return nil, errors.New("closed")
	}
}

func TestWhoDoesNotReadIsCutOff(t *testing.T) {
	onOneWith(t, limited(func(l *gate.Limits) { l.SlowReader = 50 * time.Millisecond }), func(w *world) {
		l := &pipes{accept: make(chan net.Conn), done: make(chan struct{})}
		server := api.NewHTTPServer("", w.api)
		var serving sync.WaitGroup
		serving.Go(func() { _ = server.Serve(l) })
		defer serving.Wait()
		defer server.Close()
		c, err := l.dial(t.Context(), "", "")
		must.OK(t, err)
		defer c.Close()
		_, err = io.WriteString(c, "GET /v1/events HTTP/1.1\r\nHost: x\r\nAccept: text/event-stream\r\n\r\n")
		must.OK(t, err)
		w.until("it is cut off with the reason", func() bool { return w.metric("molerun_stream_ends_total", "reason", "slow_reader") == 1 })
		w.until("the log says why", func() bool { return strings.Contains(w.log.String(), `"reason":"slow_reader"`) })
	})
}

// dawdler takes what it is sent, but as long as it says.
type dawdler struct {
	*httptest.ResponseRecorder
	take func()
}

func (d *dawdler) Write(b []byte) (int, error) { d.take(); return d.ResponseRecorder.Write(b) }

func TestWhoReadsSlowlyIsToldSo(t *testing.T) {
	onOne(t, func(w *world) {
		w.cup(func(*tournament.Tournament) {})
		r := httptest.NewRequestWithContext(t.Context(), "GET", "/v1/events?after=0", nil)
		r.Header.Set("Accept", "text/event-stream")
		d := &dawdler{httptest.NewRecorder(), func() { w.clk.Move(w.cfg.Limits.SlowReader/2 + time.Second) }}
		w.api.ServeHTTP(d, r) // ends by itself
		if got := d.Body.String(); !strings.Contains(got, "id: 1\nevent: tournament.created\n") || !strings.HasSuffix(got, "event: bye\ndata: {\"reason\":\"slow_reader\"}\n\n") {
			t.Errorf("got %q, want what there was and the reason for the end", got)
		}
	})
}

func TestAStreamOutlivesTheTimeoutsOfRequests(t *testing.T) {
	onOne(t, func(w *world) {
		const limit = 100 * time.Millisecond
		l := w.goLive(w.api)
		server := httptest.NewUnstartedServer(w.api)
		server.Config.ReadTimeout, server.Config.WriteTimeout = limit, limit
		server.Start()
		defer server.Close()
		defer server.Client().CloseIdleConnections()
		defer w.api.Drain()
		s := watch(t, server.Client(), server.URL+"/v1/events?after=0", "", "")
		defer s.close()
		w.cup(func(*tournament.Tournament) {})
		s.take(0, 1)
		time.Sleep(3 * limit) // any request would have been ended
		w.cup(func(*tournament.Tournament) {})
		s.take(1, 1)
		_ = l
	})
}
