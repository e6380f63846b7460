package httpbot_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/molerun/molerun/bots/protocol"
	"github.com/molerun/molerun/internal/must"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/httpbot"
)

// mailbox is one whose relay is a function.
type mailbox func(ctx context.Context, address string, l tournament.Message) (tournament.MessageAnswer, error)

func (f mailbox) Exchange(ctx context.Context, address string, l tournament.Message) (tournament.MessageAnswer, error) {
	return f(ctx, address, l)
}

var (
	foxBox   = tournament.RelayAddress("0192d4c1-0000-7000-8000-000000000001", "Fox")
	agentBox = tournament.AgentAddress("0192d4c1-0000-7000-8000-000000000001", "Fox")
)

func TestAMessageByRelayIsSignedAndItsAnswerJudgedAsByAConnection(t *testing.T) {
	keys := must.Get(protocol.ParseKeys(secret))(t)
	long := strings.Repeat(" ", protocol.MaxAnswerBytes+1)
	for _, row := range []struct {
		name   string
		answer tournament.MessageAnswer
		fault  tournament.Fault
		part   string
	}{
		{"well", tournament.MessageAnswer{Status: 200, Body: []byte(`{"choose":1}`)}, "", ""},
		{"plain by name", tournament.MessageAnswer{Status: 200, Encoding: "identity", Body: []byte(`{"choose":1}`)}, "", ""},
		{"compressed", tournament.MessageAnswer{Status: 200, Encoding: "gzip", Body: []byte("x")}, tournament.FaultBadJSON, "compressed"},
		{"too long", tournament.MessageAnswer{Status: 200, Body: []byte(long)}, tournament.FaultTooLarge, "larger"},
		{"a redirect", tournament.MessageAnswer{Status: 302}, tournament.FaultStatus, "not followed"},
		{"the bot is down", tournament.MessageAnswer{Status: 502}, tournament.FaultStatus, "502"},
		{"a byte order mark", tournament.MessageAnswer{Status: 200, Body: []byte("\ufeff{\"choose\":1}")}, "", ""},
		{"no JSON", tournament.MessageAnswer{Status: 200, Body: []byte("hello")}, tournament.FaultBadJSON, "the answer"},
	} {
		box := mailbox(func(_ context.Context, address string, l tournament.Message) (tournament.MessageAnswer, error) {
			head := http.Header{}
			for k, v := range l.Head {
				head.Set(k, v)
			}
			if err := keys.Verify(head, l.Body, time.Now()); err != nil || address != foxBox || head.Get("Content-Type") != "application/json" {
				t.Errorf("%s: got %v to %s (%v), want a signed message to %s", row.name, l.Head, address, err, foxBox)
			}
			return row.answer, nil
		})
		reply := within(t, player(t, shared(t, httpbot.Options{Mailbox: box}), foxBox), 300*time.Millisecond)
		if reply.Fault != row.fault || !strings.Contains(reply.Reason, row.part) || row.fault == "" && *reply.Choose != 1 {
			t.Errorf("%s: got %+v, want fault %q …%s…", row.name, reply, row.fault, row.part)
		}
		if reply.Ledger.RoundTrip != 0 {
			t.Errorf("%s: %v forgiven, want nothing: no connection was measured", row.name, reply.Ledger.RoundTrip)
		}
	}
}

func TestWhoIsToBlameWhenNoAnswerComesByRelay(t *testing.T) {
	late := func(ctx context.Context, _ string, _ tournament.Message) (tournament.MessageAnswer, error) {
		<-ctx.Done()
		return tournament.MessageAnswer{}, ctx.Err()
	}
	after := func(first tournament.MessageAnswer, err error) mailbox {
		a := &away{times: 1}
		return func(ctx context.Context, address string, m tournament.Message) (tournament.MessageAnswer, error) {
			if a.still() {
				return first, err
			}
			return late(ctx, address, m)
		}
	}
	fails := func(err error) mailbox {
		return func(context.Context, string, tournament.Message) (tournament.MessageAnswer, error) {
			return tournament.MessageAnswer{}, err
		}
	}
	for _, row := range []struct {
		name  string
		at    string
		box   mailbox
		fault tournament.Fault
		part  string
	}{
		{"nobody fetched it", foxBox, fails(fmt.Errorf("%w: x", tournament.ErrNoRelay)), tournament.FaultConnect, "molerun connect"},
		{"fetched and not answered", foxBox, late, tournament.FaultTimeout, "no answer had begun"},
		{"our database", foxBox, fails(errors.New("connection to 10.0.0.1 refused")), tournament.FaultPlatform, "the platform's mailbox for relays failed"},
		{"an agent did not ask", agentBox, fails(fmt.Errorf("%w: x", tournament.ErrNoRelay)), tournament.FaultConnect, "its agent did not ask for its turns"},
		{"the bot behind it failed, and the deadline cut off the next try", foxBox, after(tournament.MessageAnswer{Status: 503}, nil), tournament.FaultStatus, "status 503, want 200; tried 2 times"},
		{"an agent asked late and did not act", agentBox, after(tournament.MessageAnswer{}, tournament.ErrNoRelay), tournament.FaultTimeout, "did not act in time"},
		{"an agent asked and did not act", agentBox, late, tournament.FaultTimeout, "did not act in time"},
	} {
		reply := within(t, player(t, shared(t, httpbot.Options{Mailbox: row.box}), row.at), 400*time.Millisecond)
		if reply.Fault != row.fault || !strings.Contains(reply.Reason, row.part) || strings.Contains(reply.Reason, "10.0") {
			t.Errorf("%s: got %s %q, want %s …%s…", row.name, reply.Fault, reply.Reason, row.fault, row.part)
		}
	}
}

// A relay that restarts is away like a bot that does, and so is a bot of which an older relay says 502.
func TestAMessageWaitsForARelay(t *testing.T) {
	for name, first := range map[string]func() (tournament.MessageAnswer, error){
		"no relay is there": func() (tournament.MessageAnswer, error) {
			return tournament.MessageAnswer{}, fmt.Errorf("%w: x", tournament.ErrNoRelay)
		},
		"no bot is there": func() (tournament.MessageAnswer, error) { return tournament.MessageAnswer{Status: 502}, nil },
	} {
		a := &away{times: 2}
		box := mailbox(func(context.Context, string, tournament.Message) (tournament.MessageAnswer, error) {
			if a.still() {
				return first()
			}
			return tournament.MessageAnswer{Status: 200, Body: []byte(`{"choose":1}`)}, nil
		})
		reply := within(t, player(t, shared(t, httpbot.Options{Mailbox: box}), foxBox), time.Minute)
		if reply.Fault != "" || a.tried.Load() != 3 {
			t.Errorf("%s: got %s (%s) after %d tries, want the answer at the third", name, reply.Fault, reply.Reason, a.tried.Load())
		}
	}
}

func TestWithoutAMailboxTheAddressOfOneIsRefused(t *testing.T) {
	c := shared(t, httpbot.Options{})
	if _, err := httpbot.New(httpbot.Config{URL: foxBox, Client: c}); !errors.Is(err, tournament.ErrBot) {
		t.Errorf("got %v, want %v", err, tournament.ErrBot)
	}
	if err := httpbot.CheckURL(foxBox, httpbot.Loopback()); !errors.Is(err, tournament.ErrBot) {
		t.Errorf("CheckURL: got %v, want %v: owners write relay:NAME", err, tournament.ErrBot)
	}
}

// While nobody serves the API, a turn by relay waits, and the bot pays for none of that.
func TestATurnByRelayWaitsForTheAPIAtNoCost(t *testing.T) {
	const limit = 400 * time.Millisecond
	a := &away{times: 3}
	box := mailbox(func(ctx context.Context, _ string, _ tournament.Message) (tournament.MessageAnswer, error) {
		if a.still() {
			<-ctx.Done()
			return tournament.MessageAnswer{}, fmt.Errorf("%w: x", tournament.ErrUnserved)
		}
		return tournament.MessageAnswer{Status: 200, Body: []byte(`{"choose":1}`)}, nil
	})
	reply := within(t, player(t, shared(t, httpbot.Options{Mailbox: box}), foxBox), limit)
	if reply.Fault != "" || reply.Ledger.Elapsed > limit/2 || reply.Ledger.Stalled < 3*limit-limit/10 {
		t.Errorf("got %q (%s), charged %v of %v; want an answer, and three tries that cost nothing", reply.Fault, reply.Reason, reply.Ledger.Elapsed, reply.Ledger.Stalled)
	}
	late := mailbox(func(context.Context, string, tournament.Message) (tournament.MessageAnswer, error) {
		return tournament.MessageAnswer{Status: 200, Body: []byte(`{"choose":1}`), Free: time.Hour}, nil
	})
	reply = within(t, player(t, shared(t, httpbot.Options{Mailbox: late}), foxBox), time.Second)
	if reply.Fault != "" || reply.Ledger.Elapsed != 0 || reply.Ledger.Stalled <= 0 {
		t.Errorf("got %q (%s), charged %v of %v; want an answer that cost nothing", reply.Fault, reply.Reason, reply.Ledger.Elapsed, reply.Ledger.Stalled)
	}
	slow := mailbox(func(ctx context.Context, _ string, _ tournament.Message) (tournament.MessageAnswer, error) {
		<-ctx.Done()
		time.Sleep(100 * time.Millisecond) // to see whether the API was there
		return tournament.MessageAnswer{}, ctx.Err()
	})
	reply = within(t, player(t, shared(t, httpbot.Options{Mailbox: slow}), foxBox), time.Second/10)
	if reply.Fault != tournament.FaultTimeout || reply.Ledger.Elapsed > time.Second/10 {
		t.Errorf("got %q after %v, want a timeout, and no more than its time", reply.Fault, reply.Ledger.Elapsed)
	}
	forever := mailbox(func(context.Context, string, tournament.Message) (tournament.MessageAnswer, error) {
		return tournament.MessageAnswer{}, tournament.ErrUnserved
	})
	reply = within(t, player(t, shared(t, httpbot.Options{Mailbox: forever, Patience: 20 * time.Millisecond}), foxBox), time.Second)
	if reply.Fault != tournament.FaultPlatform || !strings.Contains(reply.Reason, "the platform's API was away") {
		t.Errorf("got %q (%s), want the platform's fault", reply.Fault, reply.Reason)
	}
}
