package httpbot

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/internal/must"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/runner"
)

// The kernel's stamp is taken as an age beside a clock read now. A clock that was stepped in between gives an age that cannot
// be, and then the time is that at which we read.
func TestASteppedClockBendsNoTime(t *testing.T) {
	begun := time.Now()
	read := begun.Add(time.Second)
	for name, row := range map[string]struct {
		stamp  time.Time
		want   time.Time
		kernel bool
	}{
		"it came before we read":        {begun.Add(300 * time.Millisecond), begun.Add(300 * time.Millisecond), true},
		"it came as we read":            {read, read, true},
		"before we knew that we wrote":  {begun, begun, true},
		"the clock was stepped back":    {read.Add(time.Nanosecond), read, false},
		"an hour back":                  {begun.Add(time.Hour), read, false},
		"the clock was stepped forward": {begun.Add(-time.Nanosecond), read, false},
		"an hour forward":               {begun.Add(-time.Hour), read, false},
	} {
		m := times{now: func() time.Time { return read }}
		m.left(begun, begun.Add(time.Millisecond))
		m.came(row.stamp.UnixNano())
		if m.kernel != row.kernel || !m.last.Equal(row.want) {
			t.Errorf("%s: came %v after we began to write, the kernel's word %v; want %v, %v", name, m.last.Sub(begun), m.kernel, row.want.Sub(begun), row.kernel)
		}
	}
	m := times{now: func() time.Time { return read }}
	if m.came(0); m.kernel || !m.last.Equal(read) {
		t.Errorf("no stamp: %v, the kernel's word %v; want when we read", m.last, m.kernel)
	}
}

// serving counts the connections of a server.
func serving(t *testing.T, s *httptest.Server) *atomic.Int32 {
	made := new(atomic.Int32)
	s.Config.ConnState = func(_ net.Conn, state http.ConnState) {
		if state == http.StateNew {
			made.Add(1)
		}
	}
	t.Cleanup(s.Close)
	return made
}

func choosing(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, `{"choose":0}`) }

// Stamped waits until the kernel says when bytes come, and keeps it so until the test ends: Linux begins a while after the first socket has
// asked for it.
func Stamped(t *testing.T) {
	t.Helper()
	s := httptest.NewServer(http.HandlerFunc(choosing))
	t.Cleanup(s.Close)
	client := NewClient(Options{Guard: Loopback()})
	t.Cleanup(client.Close)
	for end := time.Now().Add(10 * time.Second); runtime.GOOS == "linux"; {
		if r := <-asked(t.Context(), t, client, s.URL, new(ahead)); r.Ledger.Kernel {
			return
		}
		if time.Now().After(end) {
			t.Fatal("the kernel did not say in ten seconds when an answer came")
		}
	}
}

func TestAnEncryptedConnectionIsKeptAndTimedByTheKernelToo(t *testing.T) {
	s := httptest.NewUnstartedServer(http.HandlerFunc(choosing))
	made := serving(t, s)
	s.StartTLS()
	Stamped(t)
	client := newClient(t, Options{Guard: Loopback(), Roots: s.Client().Transport.(*http.Transport).TLSClientConfig.RootCAs})
	for i := range 3 {
		r := <-asked(t.Context(), t, client, s.URL, new(ahead))
		if r.Fault != "" {
			t.Fatalf("ask %d: %s (%s)", i, r.Fault, r.Reason)
		}
		if r.Ledger.Kernel != (runtime.GOOS == "linux") {
			t.Errorf("ask %d: by the kernel's word %v, want so on Linux", i, r.Ledger.Kernel)
		}
		if again := r.Ledger.TLS == 0; again != (i > 0) {
			t.Errorf("ask %d: a handshake of %v", i, r.Ledger.TLS)
		}
	}
	must.Same(t, "connections for three asks one after another", made.Load(), 1)
}

// After a stall all bots would need new connections at once, and pay for making them.
func TestAConnectionWhoseAnswerIsReadAfterTheDeadlineIsKept(t *testing.T) {
	s := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		time.Sleep(150 * time.Millisecond)
		choosing(w, r)
	}))
	made := serving(t, s)
	s.Start()
	client := newClient(t, Options{Guard: Loopback()})
	for _, row := range []struct {
		limit time.Duration
		stood []span
		want  tournament.Fault
	}{
		{50 * time.Millisecond, []span{{time.Now().Add(-time.Hour), time.Now().Add(time.Hour)}}, tournament.FaultTimeout},
		{time.Minute, nil, ""},
	} {
		stallClient(client, row.stood...)
		ctx, cancel := context.WithTimeout(t.Context(), row.limit)
		if r := <-asked(ctx, t, client, s.URL, new(ahead)); r.Fault != row.want {
			t.Errorf("within %v: got %q (%s), want %q", row.limit, r.Fault, r.Reason, row.want)
		}
		cancel()
	}
	must.Same(t, "connections", made.Load(), 1)
}

func TestWhatRestsThroughTwoSweepsIsClosed(t *testing.T) {
	s := httptest.NewUnstartedServer(http.HandlerFunc(choosing))
	made := serving(t, s)
	s.Start()
	client := newClient(t, Options{Guard: Loopback()})
	for i, row := range []struct{ sweeps, connections int32 }{{0, 1}, {1, 1}, {1, 1}, {2, 2}} {
		for range row.sweeps {
			client.sweep()
		}
		if r := <-asked(t.Context(), t, client, s.URL, new(ahead)); r.Fault != "" {
			t.Fatalf("%s (%s)", r.Fault, r.Reason)
		}
		must.Same(t, fmt.Sprintf("ask %d, after %d sweeps: connections in all", i, row.sweeps), made.Load(), row.connections)
	}
	client.Close()
	if client.resting.Len() != 0 || len(client.hosts) != 0 {
		t.Errorf("after Close %d connections rest, %d hosts are known", client.resting.Len(), len(client.hosts))
	}
}

// So many hosts keep a connection; the next takes the place of the one that has rested longest.
func TestConnectionsAtRestAreBoundedOverAllHosts(t *testing.T) {
	client := newClient(t, Options{Guard: Loopback()})
	client.maxRest = 2
	var made []*atomic.Int32
	var urls []string
	for range 3 {
		s := httptest.NewUnstartedServer(http.HandlerFunc(choosing))
		made = append(made, serving(t, s))
		s.Start()
		urls = append(urls, s.URL)
	}
	for _, i := range []int{0, 1, 2, 1, 0} {
		if r := <-asked(t.Context(), t, client, urls[i], new(ahead)); r.Fault != "" {
			t.Fatalf("%s (%s)", r.Fault, r.Reason)
		}
	}
	for i, want := range []int32{2, 1, 1} {
		must.Same(t, fmt.Sprintf("host %d: connections", i), made[i].Load(), want)
	}
}

// A bot that takes a message slowly may think about its beginning meanwhile: that is its time.
func TestABotThatDoesNotReadIsCharged(t *testing.T) {
	const slow = 200 * time.Millisecond
	l := listen(t)
	go func() {
		c, err := l.Accept()
		if err != nil {
			return
		}
		defer c.Close()
		in := bufio.NewReader(c)
		_, _ = in.Peek(1) // the message has begun, however long it took to write
		time.Sleep(slow)
		request, err := http.ReadRequest(in)
		if err != nil {
			return
		}
		_, _ = io.Copy(io.Discard, request.Body)
		_, _ = io.WriteString(c, "HTTP/1.1 200 OK\r\nContent-Length: 12\r\n\r\n{\"choose\":1}")
	}()
	client := newClient(t, Options{Guard: Loopback()})
	b := must.Get(New(Config{URL: "http://" + l.Addr().String(), Client: client}))(t)
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	long := json.RawMessage(`"` + strings.Repeat("x", 32<<20) + `"`) // more than the kernel's buffers take
	r := b.Ask(ctx, runner.Briefing{Config: json.RawMessage(`{}`), Info: game.Info{ID: "toy"}}, runner.Ask{View: long, Offer: json.RawMessage(`{}`)})
	if r.Fault != "" || r.Ledger.Elapsed+r.Ledger.Stalled < slow/4 || r.Ledger.Written < slow/4 {
		t.Errorf("got %s (%s), %v elapsed, of which %v until the message was with the kernel; want about %v of both", r.Fault, r.Reason, r.Ledger.Elapsed, r.Ledger.Written, slow)
	}
}

// Whoever is late to read is not the bot: what the kernel had before the deadline counts.
func TestWhatCameBeforeTheDeadlineIsReadAfterIt(t *testing.T) {
	l := listen(t)
	client := newClient(t, Options{Guard: Loopback()})
	k := must.Get(client.dialer.dial(t.Context(), l.Addr().String()))(t)
	defer k.abort()
	bot := must.Get(l.Accept())(t)
	defer bot.Close()
	if _, err := io.WriteString(bot, "HTTP"); err != nil {
		t.Fatal(err)
	}
	k.socket.restart(time.Now)
	k.budget = maxHeaderBytes
	k.more = func() time.Duration { return 0 }
	k.interrupt()
	var b [16]byte
	if n, err := k.Read(b[:]); err != nil || string(b[:n]) != "HTTP" {
		t.Errorf("after the deadline: %q, %v; want what was there before", b[:n], err)
	}
	if n, err := k.Read(b[:]); n != 0 || !isLate(err) {
		t.Errorf("when nothing more is there: %d bytes, %v; want that it is late", n, err)
	}
}

// newClient returns a client that is closed when the test ends.
func newClient(t testing.TB, o Options) *Client {
	c := NewClient(o)
	t.Cleanup(c.Close)
	return c
}

// listen returns a listener that is closed when the test ends.
func listen(t testing.TB) net.Listener {
	t.Helper()
	l := must.Get(net.Listen("tcp", "127.0.0.1:0"))(t)
	t.Cleanup(func() { _ = l.Close() })
	return l
}
