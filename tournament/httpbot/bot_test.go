package httpbot_test

import (
	"bufio"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"io"
	"log"
	"net"
	"net/http"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/iotest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/molerun/molerun/bots/protocol"
	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/internal/must"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/httpbot"
	"github.com/molerun/molerun/tournament/runner"
)

func quiet() *log.Logger { return log.New(io.Discard, "", 0) }

// message is what arrived at a bot.
type message struct {
	header http.Header
	body   []byte
}

// recording serves answer and keeps the messages in order.
func recording(t *testing.T, answer string) (url string, got func() []message) {
	var mu sync.Mutex
	var list []message
	url = web(t, func(w http.ResponseWriter, r *http.Request) {
		b, _ := io.ReadAll(r.Body)
		mu.Lock()
		list = append(list, message{r.Header.Clone(), b})
		mu.Unlock()
		_, _ = io.WriteString(w, answer)
	})
	return url, func() []message { mu.Lock(); defer mu.Unlock(); return list }
}

func keys(t *testing.T, secrets ...string) protocol.Keys {
	t.Helper()
	return must.Get(protocol.ParseKeys(secrets...))(t)
}

func TestATurnArrivesWholeAndSigned(t *testing.T) {
	url, got := recording(t, `{"action":{"type":"move","to":"e5"},"say":"hi","memo":"m","debug":"d","build":"b","then":[{"type":"rod"}]}`)
	r := within(t, player(t, shared(t, httpbot.Options{}), url), 5*time.Second)
	if r.Fault != "" {
		t.Fatalf("%s (%s)", r.Fault, r.Reason)
	}
	want := runner.Reply{Action: json.RawMessage(`{"type":"move","to":"e5"}`), Say: "hi", Memo: "m", Debug: "d", Build: "b", Then: []json.RawMessage{json.RawMessage(`{"type":"rod"}`)}, Ledger: r.Ledger}
	if d := cmp.Diff(want, r); d != "" {
		t.Errorf("reply (-want +got):\n%s", d)
	}
	m := got()[0]
	br, a := sample()
	var turn protocol.Turn
	must.OK(t, json.Unmarshal(m.body, &turn))
	wantTurn := protocol.Turn{
		Protocol: 1, Type: "turn", Match: br.Match, Game: "molehill", RulesVersion: 1, Config: br.Config, Seat: 1, Opponents: []protocol.Opponent{{Seat: 0, Alias: "vole"}},
		Step: 4, Decision: a.Decision, Clock: protocol.Clock{LimitMS: 1000, BankMS: 9000}, Previous: &protocol.Previous{Status: "ok", ElapsedMS: 3, ChargedMS: 2},
		Events: a.Events, View: a.View, Offer: a.Offer, Memo: "abc",
	}
	if d := cmp.Diff(wantTurn, turn); d != "" {
		t.Errorf("turn (-want +got):\n%s", d)
	}
	if err := keys(t, secret).Verify(m.header, m.body, time.Now()); err != nil {
		t.Errorf("the signature: %v", err)
	}
	for name, want := range map[string]string{"Webhook-Id": a.Decision, "Accept-Encoding": "identity", "Content-Type": "application/json", "X-Idempotency-Key": "", "Cookie": ""} {
		must.Same(t, name, m.header.Get(name), want)
	}
}

// A bot that wants the view in words is asked by the runner with them, and they go out; to others the key is not sent.
func TestTheViewInWordsGoesToThoseWhoWantIt(t *testing.T) {
	for _, wants := range []bool{true, false} {
		url, got := recording(t, `{"choose":0}`)
		bot := must.Get(httpbot.New(httpbot.Config{URL: url, Secrets: []string{secret}, Text: wants, Client: shared(t, httpbot.Options{})}))(t)
		br, a := sample()
		if bot.WantsText() {
			a.Text = "You are the mole on d5."
		}
		ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
		defer cancel()
		if r := bot.Ask(ctx, br, a); r.Fault != "" {
			t.Fatal(r.Reason)
		}
		if sent := strings.Contains(string(got()[0].body), `"text":"You are the mole on d5."`); sent != wants || strings.Contains(string(got()[0].body), `"text"`) != wants {
			t.Errorf("wants words %v: sent %s", wants, got()[0].body)
		}
	}
}

func TestWhileRotatingBothSecretsSign(t *testing.T) {
	old := "whsec_CAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAg="
	url, got := recording(t, `{"choose":0}`)
	bot := must.Get(httpbot.New(httpbot.Config{URL: url, Secrets: []string{secret, old}, Client: shared(t, httpbot.Options{})}))(t)
	if r := within(t, bot, 5*time.Second); r.Fault != "" {
		t.Fatal(r.Reason)
	}
	for _, one := range []string{secret, old} {
		if err := keys(t, one).Verify(got()[0].header, got()[0].body, time.Now()); err != nil {
			t.Errorf("a bot that knows one secret refuses: %v", err)
		}
	}
}

func TestWithoutSecretsNothingIsSigned(t *testing.T) {
	url, got := recording(t, `{"choose":0}`)
	bot := must.Get(httpbot.New(httpbot.Config{URL: url, Client: shared(t, httpbot.Options{})}))(t)
	within(t, bot, 5*time.Second)
	if h := got()[0].header; h.Get("Webhook-Signature") != "" || h.Get("Webhook-Id") == "" {
		t.Errorf("headers %v, want an id and no signature", h)
	}
}

func TestStartAndEndArrive(t *testing.T) {
	url, got := recording(t, `{}`)
	bot := player(t, shared(t, httpbot.Options{}), url)
	br, _ := sample()
	must.OK(t, bot.Start(context.Background(), br))
	bot.End(context.Background(), br, &game.Result{Rank: []int{2, 1}, Points: []float64{3, 4}, Why: "two_rounds"}, 1)
	bot.End(context.Background(), br, nil, 0)
	var start protocol.Start
	var end, void protocol.End
	for i, to := range []any{&start, &end, &void} {
		must.OK(t, json.Unmarshal(got()[i].body, to))
		if err := keys(t, secret).Verify(got()[i].header, got()[i].body, time.Now()); err != nil {
			t.Errorf("message %d: %v", i, err)
		}
	}
	if start.Type != "start" || start.Clock.BankMS != 10_000 || start.Commitment != strings.Repeat("0", 64) || len(start.Opponents) != 1 {
		t.Errorf("start: %+v", start)
	}
	if end.Type != "end" || end.Rank != 1 || end.Result == nil || end.Result.Why != "two_rounds" {
		t.Errorf("end: %+v", end)
	}
	if void.Result != nil {
		t.Errorf("voided: %+v", void)
	}
}

func TestAStartThatFailsTellsWhy(t *testing.T) {
	url := web(t, func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusTeapot) })
	br, _ := sample()
	err := player(t, shared(t, httpbot.Options{}), url).Start(context.Background(), br)
	if err == nil || !strings.Contains(err.Error(), "418") {
		t.Errorf("got %v, want the status", err)
	}
}

func TestTheLedgerIsInOrder(t *testing.T) {
	const thought = 10 * time.Millisecond
	httpbot.Stamped(t)
	url := web(t, func(w http.ResponseWriter, _ *http.Request) {
		time.Sleep(thought)
		_, _ = io.WriteString(w, `{"choose":0}`)
	})
	bot := player(t, shared(t, httpbot.Options{}), url)
	first := within(t, bot, 5*time.Second).Ledger
	kept := within(t, bot, 5*time.Second).Ledger
	if first.Connect <= 0 || first.DNS != 0 || first.TLS != 0 {
		t.Errorf("a first connection to an address: %+v", first)
	}
	if kept.Connect != 0 || kept.DNS != 0 || kept.TLS != 0 {
		t.Errorf("a kept connection: %+v", kept)
	}
	for name, l := range map[string]runner.Ledger{"first": first, "kept": kept} {
		if sum := l.DNS + l.Connect + l.TLS + l.Written + l.FirstByte + l.Body; sum > l.Elapsed+l.Stalled {
			t.Errorf("%s: the phases sum to %s of %s: %+v", name, sum, l.Elapsed+l.Stalled, l)
		}
		if l.FirstByte < thought/2 { // the kernel's word for when the request left is good to some milliseconds
			t.Errorf("%s: %s until the first byte, the bot took %s: %+v", name, l.FirstByte, thought, l)
		}
		if l.FirstByte < 0 || l.Written < 0 || l.Body < 0 {
			t.Errorf("%s: a phase is negative: %+v", name, l)
		}
		if runtime.GOOS == "linux" && l.RoundTrip <= 0 {
			t.Errorf("%s: no round trip: %+v", name, l)
		}
		if l.Kernel != (runtime.GOOS == "linux") {
			t.Errorf("%s: by the kernel's word: %v, want so on Linux: %+v", name, l.Kernel, l)
		}
	}
	if bot.RoundTrip() != kept.RoundTrip {
		t.Errorf("RoundTrip = %s, want the last one's %s", bot.RoundTrip(), kept.RoundTrip)
	}
}

// A server may close a kept connection just as a request goes out: that is nobody's fault, so the message is sent again.
func TestAClosedKeptConnectionIsRetriedUnderTheSameID(t *testing.T) {
	for name, closing := range map[string]func(net.Conn){"FIN": func(net.Conn) {}, "RST": reset} {
		t.Run(name, func(t *testing.T) {
			var mu sync.Mutex
			var ids []string
			url := raw(t, func(c net.Conn, number int) {
				r := bufio.NewReader(c)
				for count := 0; ; count++ {
					request, err := http.ReadRequest(r)
					if err != nil {
						return
					}
					_, _ = io.Copy(io.Discard, request.Body)
					mu.Lock()
					ids = append(ids, request.Header.Get("Webhook-Id"))
					mu.Unlock()
					if number == 0 && count == 1 { // the second request on the first connection gets no answer
						closing(c)
						return
					}
					_, _ = io.WriteString(c, okHeader+"Content-Length: 12\r\n\r\n{\"choose\":1}")
				}
			})
			bot := player(t, shared(t, httpbot.Options{}), url)
			for i := range 3 {
				if r := within(t, bot, 5*time.Second); r.Fault != "" {
					t.Fatalf("request %d: %s (%s)", i, r.Fault, r.Reason)
				}
			}
			_, a := sample()
			if d := cmp.Diff([]string{a.Decision, a.Decision, a.Decision, a.Decision}, ids); d != "" {
				t.Errorf("ids at the bot, one of them twice (-want +got):\n%s", d)
			}
		})
	}
}

// A bot that thinks, closes a kept connection and answers the message that is sent again has thought for all of that time.
func TestTheClockGoesOnWhenAMessageIsSentAgain(t *testing.T) {
	const thought = 150 * time.Millisecond
	url := raw(t, func(c net.Conn, number int) {
		r := bufio.NewReader(c)
		for count := 0; ; count++ {
			request, err := http.ReadRequest(r)
			if err != nil {
				return
			}
			_, _ = io.Copy(io.Discard, request.Body)
			if number == 0 && count == 1 {
				time.Sleep(thought)
				return
			}
			_, _ = io.WriteString(c, okHeader+"Content-Length: 12\r\n\r\n{\"choose\":1}")
		}
	})
	bot := player(t, shared(t, httpbot.Options{}), url)
	for i := range 2 {
		r := within(t, bot, 10*time.Second)
		if took := r.Ledger.Elapsed + r.Ledger.Stalled; r.Fault != "" || i == 1 && took < thought { // while this machine stood still the wait is nobody's
			t.Fatalf("request %d: %s (%s) after %s, want no fault, and at the second at least %s", i, r.Fault, r.Reason, took, thought)
		}
	}
}

// Once a byte of the answer was there, the failure is the bot's and nothing is sent again.
func TestNothingIsRetriedOnceAnAnswerHasBegun(t *testing.T) {
	for name, row := range map[string]struct {
		partial  string
		requests int32
	}{
		"fresh connection":   {"HTTP/1.1 200", 1},
		"kept connection":    {"HTTP/1.1 200", 2},
		"an error's head":    {"HTTP/1.1 502 Bad Gateway\r\nContent-Le", 1},
		"one byte of it":     {"H", 1},
		"another's protocol": {"SSH-2.0-OpenSSH_9.7\r\n", 1},
	} {
		t.Run(name, func(t *testing.T) {
			var count atomic.Int32
			url := raw(t, func(c net.Conn, _ int) {
				r := bufio.NewReader(c)
				for swallow(r) != nil {
					if count.Add(1) == row.requests {
						_, _ = io.WriteString(c, row.partial)
						return
					}
					_, _ = io.WriteString(c, okHeader+"Content-Length: 12\r\n\r\n{\"choose\":1}")
				}
			})
			bot := player(t, shared(t, httpbot.Options{}), url)
			var last runner.Reply
			for range row.requests {
				last = within(t, bot, 5*time.Second)
			}
			if last.Fault != tournament.FaultConnect || count.Load() != row.requests {
				t.Errorf("%s (%s) after %d requests, want %s after %d", last.Fault, last.Reason, count.Load(), tournament.FaultConnect, row.requests)
			}
		})
	}
}

func TestAnAnswerCompleteOnlyAfterTheDeadlineIsATimeout(t *testing.T) {
	url := web(t, func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, `{"choose":0}`) })
	deadline := time.Now().Add(time.Minute)
	bot := must.Get(httpbot.New(httpbot.Config{URL: url, Client: shared(t, httpbot.Options{}), Now: func() time.Time { return deadline }}))(t)
	ctx, cancel := context.WithDeadline(context.Background(), deadline)
	defer cancel()
	br, a := sample()
	if r := bot.Ask(ctx, br, a); r.Fault != tournament.FaultTimeout || r.Choose != nil {
		t.Errorf("got %s (%s), want %s: the clock stands at the deadline", r.Fault, r.Reason, tournament.FaultTimeout)
	}
}

func TestAShutdownIsNotTheBotsFault(t *testing.T) {
	arrived := make(chan struct{})
	url := raw(t, func(c net.Conn, _ int) { swallow(bufio.NewReader(c)); close(arrived); _, _ = io.Copy(io.Discard, c) })
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	go func() { <-arrived; cancel() }()
	br, a := sample()
	if r := player(t, shared(t, httpbot.Options{}), url).Ask(ctx, br, a); r.Fault != tournament.FaultPlatform {
		t.Errorf("got %s (%s), want %s", r.Fault, r.Reason, tournament.FaultPlatform)
	}
}

func TestManyMatchesAgainstOneBotKeepTheirConnections(t *testing.T) {
	var connections atomic.Int32
	url := raw(t, func(c net.Conn, _ int) {
		connections.Add(1)
		r := bufio.NewReader(c)
		for swallow(r) != nil {
			_, _ = io.WriteString(c, okHeader+"Content-Length: 12\r\n\r\n{\"choose\":1}")
		}
	})
	client := shared(t, httpbot.Options{})
	var group sync.WaitGroup
	for range 64 {
		bot := player(t, client, url)
		group.Go(func() {
			for range 20 {
				if r := within(t, bot, 10*time.Second); r.Fault != "" {
					t.Errorf("%s (%s)", r.Fault, r.Reason)
				}
			}
		})
	}
	group.Wait()
	if n := connections.Load(); n > 2*64 { // one that is dialled while another comes free is kept as well
		t.Errorf("%d connections for 64 matches of 20 decisions", n)
	}
}

// echo answers hello with more than the challenge.
func echo(more string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		var h protocol.Hello
		_ = json.NewDecoder(r.Body).Decode(&h)
		b, _ := json.Marshal(h.Challenge)
		_, _ = io.WriteString(w, `{"challenge":`+string(b)+more+`}`)
	}
}

func TestGreet(t *testing.T) {
	for _, row := range []struct {
		name    string
		serve   http.HandlerFunc
		refused string
	}{
		{"a card", echo(`,"name":"Mo","author":"Ann","build":"1","games":["molehill"],"text":true`), ""},
		{"another challenge", func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, `{"challenge":"x"}`) }, "does not echo"},
		{"not a bot", func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, `{}`) }, "/challenge: is missing"},
		{"a page", func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, `<html>`) }, "not valid JSON"},
		{"an error", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusUnauthorized) }, "401"},
		{"long name", echo(`,"name":"` + strings.Repeat("x", 65) + `"`), "name: 65 bytes, at most 64 are kept"},
		{"long game", echo(`,"games":["` + strings.Repeat("x", 65) + `"]`), "games: entry 0: 65 bytes, at most 64 are kept"},
		{"NUL in its name", echo(`,"name":"a\u0000b"`), "name: byte 1 is the character U+0000"},
		{"NUL in its author", echo(`,"author":"\u0000"`), "author: byte 0 is the character U+0000"},
		{"NUL in its build", echo(`,"build":"\u0000"`), "build: byte 0 is the character U+0000"},
		{"NUL in a game", echo(`,"games":["molehill","\u0000"]`), "games: entry 1: byte 0 is the character U+0000"},
		{"an author that reads backwards", echo(`,"author":"\u202eadmin"`), "author: byte 0 is the character U+202E"},
		{"NUL in an unknown key", echo(`,"a\u0000\u202e":1`), `at /a\x00\u202e: is not a known key`},
		{"unknown key", echo(`,"colour":"red"`), "colour"},
	} {
		t.Run(row.name, func(t *testing.T) {
			card, err := httpbot.Greet(context.Background(), httpbot.Config{URL: web(t, row.serve), Secrets: []string{secret}, Client: shared(t, httpbot.Options{})}, rand.Reader)
			if row.refused == "" {
				if want := (protocol.HelloAnswer{Challenge: card.Challenge, Name: "Mo", Author: "Ann", Build: "1", Games: []string{"molehill"}, Text: true}); err != nil || cmp.Diff(want, card) != "" {
					t.Fatalf("got %+v, %v, want %+v", card, err, want)
				}
				return
			}
			if !errors.Is(err, tournament.ErrBot) || !strings.Contains(err.Error(), row.refused) {
				t.Fatalf("got %v, want %v with %q", err, tournament.ErrBot, row.refused)
			}
		})
	}
}

func TestAHelloThatFailsByUsIsNotTheBotsFault(t *testing.T) {
	c := httpbot.Config{URL: web(t, func(http.ResponseWriter, *http.Request) {}), Client: shared(t, httpbot.Options{})}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := httpbot.Greet(ctx, c, rand.Reader); err == nil || errors.Is(err, tournament.ErrBot) {
		t.Errorf("shutting down: %v", err)
	}
	if _, err := httpbot.Greet(context.Background(), c, iotest.ErrReader(io.ErrUnexpectedEOF)); err == nil || errors.Is(err, tournament.ErrBot) {
		t.Errorf("no randomness: %v", err)
	}
}

func TestABadURLOrSecretMakesNoBot(t *testing.T) {
	c := shared(t, httpbot.Options{})
	if _, err := httpbot.New(httpbot.Config{URL: "ftp://x", Client: c}); !errors.Is(err, tournament.ErrBot) {
		t.Errorf("URL: %v", err)
	}
	if _, err := httpbot.New(httpbot.Config{URL: "http://127.0.0.1:8000", Secrets: []string{"x"}, Client: c}); !errors.Is(err, protocol.ErrSecret) {
		t.Errorf("secret: %v", err)
	}
}
