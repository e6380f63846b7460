package httpbot

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/molerun/molerun/tournament"
)

// chooser returns a bot that keeps connections.
func chooser(t *testing.T) string {
	t.Helper()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, `{"choose":0}`) }))
	t.Cleanup(s.Close)
	return s.URL
}

// lacking makes the first n dials of a client fail for want of descriptors; each takes as long as the clock is put forward.
func lacking(c *Client, n int32, clock *ahead, takes time.Duration) *atomic.Int32 {
	tries := new(atomic.Int32)
	c.dialer.net.ControlContext = func(context.Context, string, string, syscall.RawConn) error {
		if tries.Add(1) <= n {
			clock.by.Add(int64(takes))
			return syscall.EMFILE
		}
		return nil
	}
	return tries
}

// The deadline is over while we lack descriptors; the bot has all of its time all the same.
func TestAWantOfOursIsWaitedOutInOurTime(t *testing.T) {
	client := newClient(t, Options{Guard: Loopback(), Patience: time.Minute})
	client.again = 500 * time.Millisecond
	lacking(client, 5, new(ahead), 0)
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Second)
	defer cancel()
	begin := time.Now()
	r := <-asked(ctx, t, client, chooser(t), new(ahead))
	if r.Fault != "" {
		t.Fatalf("got %s (%s), want the answer", r.Fault, r.Reason)
	}
	if lost := time.Since(begin) - r.Ledger.Elapsed; lost < 5*client.again {
		t.Errorf("%v were not charged, want the %v of waiting", lost, 5*client.again)
	}
}

// What a failed try took is the bot's: its name server may be slow.
func TestATryThatFailsForAWantOfOursIsCharged(t *testing.T) {
	client, clock := NewClient(Options{Guard: Loopback(), Patience: time.Minute}), new(ahead)
	defer client.Close()
	lacking(client, 3, clock, time.Hour)
	ctx, cancel := context.WithTimeout(t.Context(), 24*time.Hour)
	defer cancel()
	if r := <-asked(ctx, t, client, chooser(t), clock); r.Fault != "" || r.Ledger.Elapsed < 3*time.Hour {
		t.Errorf("got %s (%s) and %v in the ledger, want the answer after three hours", r.Fault, r.Reason, r.Ledger.Elapsed)
	}
}

func TestAWantOfOursThatLastsIsThePlatformsFault(t *testing.T) {
	client := newClient(t, Options{Guard: Loopback(), Patience: 100 * time.Millisecond})
	tries := lacking(client, 1<<30, new(ahead), 0)
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	if r := <-asked(ctx, t, client, chooser(t), new(ahead)); r.Fault != tournament.FaultPlatform || tries.Load() < 2 {
		t.Errorf("got %s (%s) after %d tries, want %s after some", r.Fault, r.Reason, tries.Load(), tournament.FaultPlatform)
	}
}

func TestConnectionsThatRestGiveWay(t *testing.T) {
	client := newClient(t, Options{Guard: Loopback(), Sockets: 3})
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	for i := range 6 {
		if r := <-asked(ctx, t, client, chooser(t), new(ahead)); r.Fault != "" {
			t.Errorf("host %d, each of which keeps a connection: %s (%s)", i, r.Fault, r.Reason)
		}
	}
}

// A host that takes no more connections leaves us dialling when nobody waits any more; such dials give way too.
func TestDialsThatNobodyWaitsForGiveWay(t *testing.T) {
	client := newClient(t, Options{Guard: Loopback(), Sockets: 2})
	hangs, answers := chooser(t), chooser(t)
	client.dialer.net.ControlContext = func(ctx context.Context, _, address string, _ syscall.RawConn) error {
		if strings.HasSuffix(hangs, address) {
			<-ctx.Done()
		}
		return ctx.Err()
	}
	soon, stop := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer stop()
	if r := <-asked(soon, t, client, hangs, new(ahead)); r.Fault != tournament.FaultTimeout {
		t.Fatalf("the host that hangs: got %s (%s), want %s", r.Fault, r.Reason, tournament.FaultTimeout)
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	begin := time.Now()
	if r := <-asked(ctx, t, client, answers, new(ahead)); r.Fault != "" || time.Since(begin) > connectLimit {
		t.Errorf("another host: got %s (%s) after %v, want an answer before the dial is over by itself", r.Fault, r.Reason, time.Since(begin))
	}
}

// A host that wants a new connection for every message waits for the next in its own time.
func TestNewConnectionsOfAHostArePaced(t *testing.T) {
	client, url := NewClient(Options{Guard: Loopback()}), chooser(t)
	defer client.Close()
	pace := client.dialer.pace(strings.TrimPrefix(url, "http://"))
	pace.ReserveN(time.Now(), newAtOnce)
	pace.ReserveN(time.Now(), newAtOnce)
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if r := <-asked(ctx, t, client, url, new(ahead)); r.Fault != tournament.FaultTimeout || r.Ledger.Elapsed == 0 {
		t.Errorf("got %s (%s) with %v in the ledger, want %s in the bot's time", r.Fault, r.Reason, r.Ledger.Elapsed, tournament.FaultTimeout)
	}
	fine, done := context.WithTimeout(t.Context(), time.Minute)
	defer done()
	if r := <-asked(fine, t, client, chooser(t), new(ahead)); r.Fault != "" {
		t.Errorf("another host: %s (%s)", r.Fault, r.Reason)
	}
}
