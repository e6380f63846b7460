package httpbot

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/http/httptrace"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/molerun/molerun/bots/protocol"
	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/tournament/runner"
)

// each runs f b.N times, spread over some goroutines; setup makes one worker's f.
func each(b *testing.B, workers int, setup func() func()) {
	work, done := make(chan struct{}), make(chan struct{})
	for range workers {
		f := setup()
		f() // connect
		go func() {
			for range work {
				f()
			}
			done <- struct{}{}
		}()
	}
	b.ReportAllocs()
	b.ResetTimer()
	for range b.N {
		work <- struct{}{}
	}
	close(work)
	for range workers {
		<-done
	}
}

// BenchmarkWaysToABot compares a decision by our client with one by the Transport of net/http over the same sockets, so that both have
// the kernel's times. Turns, signatures, guard and parser are the same; deadlines, pace, bounds and ledgers the Transport's way does
// without. Decision 0018 rests on the ratio.
func BenchmarkWaysToABot(b *testing.B) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var turn protocol.Turn
		if err := json.NewDecoder(r.Body).Decode(&turn); err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		_, _ = io.WriteString(w, `{"decision":`+strconv.Quote(turn.Decision)+`,"choose":3}`)
	}))
	defer server.Close()
	client := newClient(b, Options{Guard: Loopback()})
	transport := overSockets(client.dialer.net)
	defer transport.CloseIdleConnections()
	long := json.RawMessage(`{"x":"` + strings.Repeat("y", 1500) + `"}`)
	briefing, ask := runner.Briefing{Config: json.RawMessage(`{}`), Info: game.Info{ID: "toy"}}, runner.Ask{Decision: "dec_1", View: long, Offer: long}
	for _, workers := range []int{1, 64} {
		for _, way := range []string{"client", "transport"} {
			b.Run(fmt.Sprintf("%s/%d", way, workers), func(b *testing.B) {
				each(b, workers, func() func() {
					bot, err := New(Config{URL: server.URL, Secrets: []string{"whsec_bW9sZXJ1biBiZW5jaG1hcmsgc2VjcmV0ISE="}, Client: client})
					if err != nil {
						b.Fatal(err)
					}
					one := bot.Ask
					if way == "transport" {
						one = bot.askOver(transport)
					}
					return func() {
						ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
						defer cancel()
						if r := one(ctx, briefing, ask); r.Fault != "" || r.Choose == nil || *r.Choose != 3 {
							b.Errorf("%s: got %+v", way, r)
						}
					}
				})
			})
		}
	}
}

// writer lets a Transport read and write at the same time, as a socket alone cannot.
type writer struct {
	*socket
	out *socket
}

func (w *writer) Write(p []byte) (int, error) { return w.out.Write(p) }

// overSockets returns a Transport that reads and writes through our sockets.
func overSockets(d net.Dialer) *http.Transport {
	return &http.Transport{MaxIdleConnsPerHost: 64, DisableCompression: true, DialContext: func(ctx context.Context, network, address string) (net.Conn, error) {
		c, err := d.DialContext(ctx, network, address)
		if err != nil {
			return nil, err
		}
		in, err := newSocket(c.(*net.TCPConn), true)
		if err != nil {
			return nil, err
		}
		out, err := newSocket(c.(*net.TCPConn), false)
		in.restart(time.Now)
		out.restart(time.Now)
		return &writer{in, out}, err
	}}
}

// askOver returns b.Ask with the way to the bot replaced.
func (b *Bot) askOver(transport *http.Transport) func(context.Context, runner.Briefing, runner.Ask) runner.Reply {
	return func(ctx context.Context, br runner.Briefing, a runner.Ask) runner.Reply {
		l := b.line
		b.fill(br, a)
		l.out = b.turn.AppendJSON(l.out[:0])
		var s *socket
		ctx = httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{GotConn: func(i httptrace.GotConnInfo) { s = i.Conn.(*writer).socket }})
		request, err := http.NewRequestWithContext(ctx, http.MethodPost, l.url.String(), bytes.NewReader(l.out))
		if err != nil {
			return runner.Reply{Fault: "connect", Reason: err.Error()}
		}
		for _, h := range l.headers(a.Decision) {
			request.Header[http.CanonicalHeaderKey(h.name)] = []string{h.value}
		}
		response, err := transport.RoundTrip(request)
		if err != nil {
			return runner.Reply{Fault: "connect", Reason: err.Error()}
		}
		body, err := l.read(response.Body)
		_ = response.Body.Close()
		b.roundTrip = s.roundTrip()
		answer, _, parse := protocol.ParseAnswer(body)
		if err != nil || parse != nil {
			return runner.Reply{Fault: "bad_json", Reason: fmt.Sprint(err, parse)}
		}
		return runner.Reply{Choose: answer.Choose}
	}
}
