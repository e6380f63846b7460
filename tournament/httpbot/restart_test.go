package httpbot_test

import (
	"bufio"
	"crypto/rand"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"os"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"golang.org/x/net/dns/dnsmessage"

	"github.com/molerun/molerun/internal/must"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/httpbot"
)

// spot is a port of this machine that is taken and where nobody listens until somebody does: until then it refuses.
type spot struct {
	fd   int
	addr string
}

func newSpot(t *testing.T) spot {
	t.Helper()
	fd := must.Get(syscall.Socket(syscall.AF_INET, syscall.SOCK_STREAM, 0))(t)
	must.OK(t, syscall.Bind(fd, &syscall.SockaddrInet4{Addr: [4]byte{127, 0, 0, 1}}))
	name := must.Get(syscall.Getsockname(fd))(t)
	return spot{fd, fmt.Sprintf("127.0.0.1:%d", name.(*syscall.SockaddrInet4).Port)}
}

func (s spot) listen(t *testing.T) net.Listener {
	t.Helper()
	f := os.NewFile(uintptr(s.fd), "spot")
	defer f.Close()
	must.OK(t, syscall.Listen(s.fd, 16))
	return must.Get(net.FileListener(f))(t)
}

// away is a bot that fails in one way, so many times, and then answers. It counts how often it was tried.
type away struct {
	times int32
	tried atomic.Int32
}

func (a *away) still() bool { return a.tried.Add(1) <= a.times }

// TestABotThatRestartsLosesNothing has what restarting looks like from here, with and without something that stands before the bot: the
// message waits for the bot, under one id, on the bot's time.
func TestABotThatRestartsLosesNothing(t *testing.T) {
	const answer = okHeader + "Content-Length: 12\r\n\r\n{\"choose\":1}"
	status := func(code int) func(net.Conn, *away) {
		return func(c net.Conn, a *away) {
			for r := bufio.NewReader(c); swallow(r) != nil; {
				if !a.still() {
					_, _ = io.WriteString(c, answer)
					continue
				}
				_, _ = fmt.Fprintf(c, "HTTP/1.1 %d No\r\nContent-Type: text/html\r\nContent-Length: 6\r\n\r\n<html>", code)
			}
		}
	}
	for name, serve := range map[string]func(c net.Conn, a *away){
		"closed as soon as it is made": func(c net.Conn, a *away) {
			if !a.still() {
				answering(answer)(c, 0)
			}
		},
		"reset as soon as it is made": func(c net.Conn, a *away) {
			if a.still() {
				reset(c)
				return
			}
			answering(answer)(c, 0)
		},
		"closed when the message was read": func(c net.Conn, a *away) {
			if swallow(bufio.NewReader(c)) != nil && !a.still() {
				_, _ = io.WriteString(c, answer)
			}
		},
		"reset when the message was read": func(c net.Conn, a *away) {
			if swallow(bufio.NewReader(c)); a.still() {
				reset(c)
				return
			}
			_, _ = io.WriteString(c, answer)
		},
		"a balancer, of a connection that rested": status(408),
		"nginx":                       status(502),
		"HAProxy":                     status(503),
		"a proxy that gave up":        status(504),
		"Cloudflare, nobody listens":  status(521),
		"Cloudflare, an empty reply":  status(520),
		"Cloudflare, no tunnel there": status(530),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			a := &away{times: 4}
			url := raw(t, func(c net.Conn, _ int) { serve(c, a) })
			r := within(t, player(t, shared(t, httpbot.Options{}), url), time.Minute)
			if r.Fault != "" || *r.Choose != 1 || a.tried.Load() != 5 {
				t.Errorf("got %s (%s) after %d tries, want the answer at the fifth", r.Fault, r.Reason, a.tried.Load())
			}
			// While this machine stood still the wait is nobody's.
			if l := r.Ledger; l.Elapsed+l.Stalled < 4*50*time.Millisecond {
				t.Errorf("charged %v, with stalls of %v, for four waits of 50 ms; want all of it: it is the bot's time", l.Elapsed, l.Stalled)
			}
		})
	}
	t.Run("nobody listens", func(t *testing.T) {
		t.Parallel()
		s := newSpot(t)
		back := make(chan net.Listener)
		go func() {
			time.Sleep(250 * time.Millisecond)
			back <- s.listen(t)
		}()
		go func() {
			l := <-back
			defer l.Close()
			c, err := l.Accept()
			if err != nil {
				return
			}
			defer c.Close()
			answering(answer)(c, 0)
		}()
		r := within(t, player(t, shared(t, httpbot.Options{}), "http://"+s.addr), time.Minute)
		if r.Fault != "" || *r.Choose != 1 {
			t.Errorf("got %s (%s), want the answer", r.Fault, r.Reason)
		}
		if r.Ledger.Connect <= 0 || r.Ledger.Connect > r.Ledger.Elapsed+r.Ledger.Stalled {
			t.Errorf("the ledger says %+v, want the wait among the time to connect", r.Ledger)
		}
	})
	t.Run("an encrypted connection that ends in its handshake", func(t *testing.T) {
		t.Parallel()
		secure := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, `{"choose":1}`) }))
		a := &away{times: 4}
		secure.Listener = flaky{secure.Listener, a}
		secure.Config.ErrorLog = quiet()
		secure.StartTLS()
		defer secure.Close()
		c := shared(t, httpbot.Options{Roots: secure.Client().Transport.(*http.Transport).TLSClientConfig.RootCAs})
		r := within(t, player(t, c, secure.URL), time.Minute)
		if r.Fault != "" || a.tried.Load() != 5 || r.Ledger.TLS <= 0 {
			t.Errorf("got %s (%s) after %d handshakes, want the answer after the fifth; %+v", r.Fault, r.Reason, a.tried.Load(), r.Ledger)
		}
	})
	for name, code := range map[string]dnsmessage.RCode{"name servers that fail": dnsmessage.RCodeServerFailure, "a container's name that is gone": dnsmessage.RCodeNameError} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			url := web(t, func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, `{"choose":1}`) })
			a := &away{times: 12} // a look-up asks several times by itself
			c := shared(t, httpbot.Options{Resolver: faltering(code, a)})
			r := within(t, player(t, c, strings.Replace(url, "127.0.0.1", "bot.example", 1)), time.Minute)
			if r.Fault != "" || a.tried.Load() <= a.times {
				t.Errorf("got %s (%s) after %d questions, want the answer", r.Fault, r.Reason, a.tried.Load())
			}
		})
	}
}

// flaky hangs up on its first connections.
type flaky struct {
	net.Listener
	away *away
}

func (f flaky) Accept() (net.Conn, error) {
	for {
		c, err := f.Listener.Accept()
		if err != nil || !f.away.still() {
			return c, err
		}
		_ = c.Close()
	}
}

// faltering refuses the first questions with a code and answers the others with this machine.
func faltering(code dnsmessage.RCode, a *away) *net.Resolver {
	return dnsOf(func(m *dnsmessage.Message) {
		if a.still() {
			m.RCode = code
			return
		}
		addAddress(m, [4]byte{127, 0, 0, 1})
	})
}

// What no restart explains is not tried again; above all, no address that the guard refuses.
func TestWhatNoRestartExplainsIsNotTriedAgain(t *testing.T) {
	for name, code := range map[string]int{"an error of its own": 500, "not there": 404, "unauthorised": 401, "a redirect": 302, "too many": 429, "not made": 501} {
		var asked atomic.Int32
		url := web(t, func(w http.ResponseWriter, _ *http.Request) { asked.Add(1); w.WriteHeader(code) })
		if r := within(t, player(t, shared(t, httpbot.Options{}), url), 5*time.Second); r.Fault != tournament.FaultStatus || asked.Load() != 1 {
			t.Errorf("%s: got %s (%s) after %d asks, want %s after one", name, r.Fault, r.Reason, asked.Load(), tournament.FaultStatus)
		}
	}
	var handshakes atomic.Int32
	secure := httptest.NewUnstartedServer(http.NotFoundHandler())
	secure.Config.ErrorLog = quiet()
	secure.TLS = &tls.Config{GetConfigForClient: func(*tls.ClientHelloInfo) (*tls.Config, error) { handshakes.Add(1); return nil, nil }}
	secure.StartTLS()
	defer secure.Close()
	if r := within(t, player(t, shared(t, httpbot.Options{}), secure.URL), 5*time.Second); r.Fault != tournament.FaultTLS || handshakes.Load() != 1 {
		t.Errorf("a certificate of nobody's: got %s (%s) after %d handshakes, want %s after one", r.Fault, r.Reason, handshakes.Load(), tournament.FaultTLS)
	}
	for name, row := range map[string]struct {
		guard httpbot.Guard
		reply func(*dnsmessage.Message)
	}{
		"a name that leads into our network":    {httpbot.Guard{}, func(m *dnsmessage.Message) { addAddress(m, [4]byte{127, 0, 0, 1}) }},
		"a name that no public name server has": {httpbot.Guard{}, func(m *dnsmessage.Message) { m.RCode = dnsmessage.RCodeNameError }},
		"our own listener":                      {httpbot.Guard{AllowPrivate: httpbot.Loopback().AllowPrivate, Deny: []netip.AddrPort{netip.MustParseAddrPort("127.0.0.1:80")}}, func(m *dnsmessage.Message) { addAddress(m, [4]byte{127, 0, 0, 1}) }},
	} {
		var asked atomic.Int32
		c := httpbot.NewClient(httpbot.Options{Guard: row.guard, Resolver: dnsOf(func(m *dnsmessage.Message) {
			if m.Questions[0].Type == dnsmessage.TypeA {
				asked.Add(1)
			}
			row.reply(m)
		})})
		r := within(t, player(t, c, "http://bot.example./"), 5*time.Second)
		c.Close()
		if r.Fault != tournament.FaultConnect || asked.Load() != 1 || strings.Contains(r.Reason, "tried") {
			t.Errorf("%s: got %s (%s) after %d questions, want %s after one", name, r.Fault, r.Reason, asked.Load(), tournament.FaultConnect)
		}
	}
}

// A check that falls into a restart does not fail; one of a dead bot ends long before its deadline would.
func TestAGreetingOutlivesARestart(t *testing.T) {
	a := &away{times: 5}
	greets := echo("")
	url := web(t, func(w http.ResponseWriter, r *http.Request) {
		if a.still() {
			w.WriteHeader(http.StatusBadGateway)
			return
		}
		greets(w, r)
	})
	if _, err := httpbot.Greet(t.Context(), httpbot.Config{URL: url, Client: shared(t, httpbot.Options{})}, rand.Reader); err != nil {
		t.Errorf("a bot that was away for a moment: %v", err)
	}
	dead := "http://" + newSpot(t).addr
	if _, err := httpbot.Greet(t.Context(), httpbot.Config{URL: dead, Client: shared(t, httpbot.Options{})}, rand.Reader); !errors.Is(err, tournament.ErrBot) || !strings.Contains(err.Error(), "nothing listens") {
		t.Errorf("a dead bot: %v, want that nothing listens", err)
	}
}

// Webhooks have a schedule of their own: a delivery that fails is over at once.
func TestADeliveryIsNotTriedAgain(t *testing.T) {
	a := &away{times: 1}
	url := web(t, func(w http.ResponseWriter, _ *http.Request) {
		if a.still() {
			w.WriteHeader(http.StatusServiceUnavailable)
		}
	})
	got, err := httpbot.Deliver(t.Context(), httpbot.Config{URL: url, Client: shared(t, httpbot.Options{})}, "id", []byte(`{}`))
	if err != nil || got.HTTPStatus != 503 || a.tried.Load() != 1 {
		t.Errorf("got %+v, %v after %d tries, want status 503 after one", got, err, a.tried.Load())
	}
}

// A bot that fails at each turn is not called slow because the deadline falls into its next try, wherever it falls; and one that was away for
// a moment, and then slow, is.
func TestTheKindOfAFaultDoesNotDependOnWhereTheDeadlineFalls(t *testing.T) {
	const work = 100 * time.Millisecond
	const answer = okHeader + "Content-Length: 12\r\n\r\n{\"choose\":1}"
	crash := func(c net.Conn, _ int) { swallow(bufio.NewReader(c)); time.Sleep(work) }
	unavailable := func(c net.Conn, number int) {
		for r := bufio.NewReader(c); swallow(r) != nil; {
			time.Sleep(work)
			_, _ = io.WriteString(c, "HTTP/1.1 503 No\r\nContent-Length: 0\r\n\r\n")
		}
	}
	for _, row := range []struct {
		name     string
		serve    func(c net.Conn, number int)
		greeted  bool // the turn goes over a connection that has carried an answer
		limits   []time.Duration
		fault    tournament.Fault
		has, not string
	}{
		{"crashes", crash, false, []time.Duration{220, 280, 340, 420}, tournament.FaultConnect, "closed before an answer began", "deadline"},
		{"crashes over a kept connection", func(c net.Conn, number int) {
			if number == 0 {
				swallow(bufio.NewReader(c))
				_, _ = io.WriteString(c, answer)
			}
			crash(c, number)
		}, true, []time.Duration{190, 230, 330, 380}, tournament.FaultConnect, "closed before an answer began", "deadline"},
		{"answers 503", unavailable, false, []time.Duration{220, 280, 340, 420}, tournament.FaultStatus, "status 503, want 200", "deadline"},
		{"was away, then slow", func(c net.Conn, number int) {
			if swallow(bufio.NewReader(c)); number > 0 {
				_, _ = io.Copy(io.Discard, c)
			}
		}, false, []time.Duration{600, 900}, tournament.FaultTimeout, "no answer had begun at the deadline; this was try 2, and the one before failed: the connection was closed", "tried"},
		{"hung up while it rested, then slow", func(c net.Conn, number int) {
			r := bufio.NewReader(c)
			if swallow(r); number == 0 {
				_, _ = io.WriteString(c, answer)
				swallow(r)
				return
			}
			_, _ = io.Copy(io.Discard, c)
		}, true, []time.Duration{600}, tournament.FaultTimeout, "no answer had begun at the deadline", "failed"},
	} {
		for _, limit := range row.limits {
			t.Run(fmt.Sprintf("%s, %d ms", row.name, limit), func(t *testing.T) {
				t.Parallel()
				bot := player(t, shared(t, httpbot.Options{}), raw(t, row.serve))
				if row.greeted {
					if r := within(t, bot, time.Minute); r.Fault != "" {
						t.Fatalf("the first turn: got %s (%s), want the answer", r.Fault, r.Reason)
					}
				}
				r := within(t, bot, limit*time.Millisecond)
				if r.Fault != row.fault || !strings.Contains(r.Reason, row.has) || strings.Contains(r.Reason, row.not) {
					t.Errorf("got %s (%s), want %s: …%s…", r.Fault, r.Reason, row.fault, row.has)
				}
			})
		}
	}
}
