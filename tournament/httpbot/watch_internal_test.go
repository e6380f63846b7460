package httpbot

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"

	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/internal/must"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/runner"
)

// A stall is reported to whoever asks first, the watch or a bot's answer; only what lies in a bot's time counts.
func TestAStallCountsAsFarAsItLiesInABotsTime(t *testing.T) {
	begin := time.Now()
	at := func(ms int) time.Time { return begin.Add(time.Duration(ms) * time.Millisecond) }
	clock := begin
	w := &watch{now: func() time.Time { return clock }, last: begin}
	for _, ms := range []int{20, 40, 110, 1110, 1130} { // alive, but for a second from 110
		clock = at(ms)
		w.look()
	}
	for _, row := range []struct {
		name           string
		from, to, want int
	}{
		{"the whole of it", 0, 1130, 1000},
		{"its end", 610, 1130, 500},
		{"its beginning", 0, 210, 100},
		{"inside it", 310, 410, 100},
		{"before it", 0, 100, 0},
		{"after it", 1110, 1130, 0},
	} {
		if got := w.between(at(row.from), at(row.to)); got != at(row.want).Sub(begin) {
			t.Errorf("%s: got %v, want %d ms", row.name, got, row.want)
		}
	}
	clock = at(3130) // nobody has looked for two seconds
	if got := w.between(at(1000), clock); got != 2110*time.Millisecond {
		t.Errorf("with a stall that nobody has noted: got %v, want 2.11 s", got)
	}
	w.look()
	if got := w.between(at(1000), clock); got != 2110*time.Millisecond {
		t.Errorf("once it is noted: got %v, want 2.11 s", got)
	}
	if w.total != 3*time.Second {
		t.Errorf("in all %v, want 3 s", w.total)
	}
}

// By the kernel's word the time of a stall counts, for the kernel saw through it. Only where bytes came just as a long one
// ended may the kernel have stood still too.
func TestTheKernelSeesThroughAStallUnlessItStoodStillToo(t *testing.T) {
	begin := time.Now()
	at := func(ms int) time.Time { return begin.Add(time.Duration(ms) * time.Millisecond) }
	w := &watch{now: func() time.Time { return at(9000) }, last: at(9000), stalled: []span{{at(100), at(2100)}, {at(3000), at(3500)}}}
	for _, row := range []struct {
		name       string
		came, want int
	}{
		{"in the middle of it", 300, 0},
		{"just as it ended", 2101, 2000},
		{"just before we knew of its end", 2050, 1950},
		{"well after it", 2300, 0},
		{"just after a short one", 3501, 0},
	} {
		if got := w.machine(at(50), at(row.came)); got != at(row.want).Sub(begin) {
			t.Errorf("%s: got %v, want %d ms", row.name, got, row.want)
		}
	}
}

func TestLatenessIsSmoothed(t *testing.T) {
	clock := time.Now()
	w := &watch{now: func() time.Time { return clock }, last: clock}
	look := func(n int, gap time.Duration) time.Duration {
		for range n {
			clock = clock.Add(gap)
			w.look()
		}
		return w.late
	}
	must.Same(t, "on time: late", look(100, beat), 0)
	if got := look(1, time.Second); got > 20*time.Millisecond {
		t.Errorf("late once by a second: %v late, want little", got)
	}
	if got := look(500, beat+80*time.Millisecond); got < 79*time.Millisecond || got > 81*time.Millisecond {
		t.Errorf("late by 80 ms for long: %v late, want 80 ms", got)
	}
	if got := look(500, beat); got > time.Millisecond {
		t.Errorf("well again: %v late, want 0", got)
	}
}

// lateBox hands an answer on as the time for it is over.
type lateBox struct{}

func (lateBox) Exchange(ctx context.Context, _ string, _ tournament.Message) (tournament.MessageAnswer, error) {
	<-ctx.Done()
	return tournament.MessageAnswer{Status: 200, Body: []byte(`{"choose":0}`)}, nil
}

// stallClient makes a client believe that its process stood still then, and at no other time.
func stallClient(client *Client, spans ...span) {
	client.watch.mu.Lock()
	defer client.watch.mu.Unlock()
	client.watch.stalled = spans
}

func TestAnAnswerByRelayThatAStallMadeLateCounts(t *testing.T) {
	for stalled, want := range map[bool]tournament.Fault{true: "", false: tournament.FaultTimeout} {
		client := NewClient(Options{Guard: Loopback(), Mailbox: lateBox{}})
		if stalled {
			stallClient(client, span{time.Now(), time.Now().Add(time.Hour)})
		}
		ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
		r := <-asked(ctx, t, client, tournament.RelayAddress("0192d4c1-0000-7000-8000-000000000001", "Fox"), new(ahead))
		cancel()
		client.Close()
		if r.Fault != want {
			t.Errorf("a stall: %v: got %q (%s), want %q", stalled, r.Fault, r.Reason, want)
		}
	}
}

// TestAStallAtAnyLookAtTheClockIsNobodysFault lets the process stand still once, for longer than the bot has time, wherever the code
// that asks it looks at the clock: right before, and right after.
func TestAStallAtAnyLookAtTheClockIsNobodysFault(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(w, `{"choose":0}`)
	}))
	defer server.Close()
	const limit = 2 * time.Second
	some := json.RawMessage(`{}`)
	ask := func(client *Client, at int, after bool) (runner.Reply, int) {
		looks := 0
		now := func() time.Time {
			looks++
			begin := time.Now()
			if looks != at {
				return begin
			}
			time.Sleep(limit + 200*time.Millisecond)
			end := time.Now()
			stallClient(client, span{begin, end})
			if after {
				return begin
			}
			return end
		}
		b, err := New(Config{URL: server.URL, Client: client, Now: now})
		if err != nil {
			t.Error(err)
			return runner.Reply{}, 0
		}
		ctx, cancel := context.WithTimeout(t.Context(), limit)
		defer cancel()
		r := b.Ask(ctx, runner.Briefing{Config: some, Info: game.Info{ID: "toy"}}, runner.Ask{Decision: "dec_1", View: some, Offer: some, Limit: limit})
		return r, looks
	}
	var wg sync.WaitGroup
	for _, kept := range []bool{false, true} {
		first := NewClient(Options{Guard: Loopback()})
		_, looks := ask(first, 0, false)
		if kept {
			_, looks = ask(first, 0, false)
		}
		first.Close()
		for i := range 2 * looks {
			wg.Go(func() { // most of them sleep
				at, after := 1+i/2, i%2 == 1
				client := newClient(t, Options{Guard: Loopback()})
				if kept {
					ask(client, 0, false)
				}
				if r, _ := ask(client, at, after); r.Fault != "" || r.Ledger.Elapsed > limit {
					t.Errorf("a kept connection %v, look %d, after it %v: %q (%s), charged %v", kept, at, after, r.Fault, r.Reason, r.Ledger.Elapsed)
				}
			})
		}
	}
	wg.Wait()
}

// Nor is one while a bot's place at its host is waited for.
func TestAStallWhileAPlaceIsWaitedForIsNobodysFault(t *testing.T) {
	release, arrived := make(chan struct{}), make(chan struct{}, 2)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		arrived <- struct{}{}
		<-release
		_, _ = io.WriteString(w, `{"choose":0}`)
	}))
	defer server.Close()
	client := newClient(t, Options{Guard: Loopback(), PerHost: 1})
	first := asked(t.Context(), t, client, server.URL, new(ahead))
	<-arrived
	stallClient(client, span{time.Now(), time.Now().Add(time.Hour)})
	soon, stop := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer stop()
	second := asked(soon, t, client, server.URL, new(ahead))
	<-soon.Done()
	close(release)
	if r := <-first; r.Fault != "" {
		t.Errorf("the first: %s (%s)", r.Fault, r.Reason)
	}
	if r := <-second; r.Fault != "" {
		t.Errorf("got %s (%s), charged %v, want its answer", r.Fault, r.Reason, r.Ledger.Elapsed)
	}
}
