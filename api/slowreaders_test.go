package api_test

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/molerun/molerun/api"
	"github.com/molerun/molerun/api/gate"
	"github.com/molerun/molerun/internal/must"
	"github.com/molerun/molerun/tournament"
)

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
		says(t, w.log.String(), `"reason":"slow_reader"`)
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
		d := &dawdler{httptest.NewRecorder(), func() { w.clk.move(w.cfg.Limits.SlowReader/2 + time.Second) }}
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
