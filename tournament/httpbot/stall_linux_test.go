package httpbot

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/internal/must"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/runner"
)

// askOnce returns the program of the test below: it asks one decision, for which there is less time than it is stopped.
func askOnce(t *testing.T, url string) {
	client := newClient(t, Options{Guard: Loopback()})
	client.dialer.blind = os.Getenv("MOLERUN_TEST_BLIND") != ""
	ctx, cancel := context.WithTimeout(t.Context(), stoppedFor/3)
	defer cancel()
	r := <-asked(ctx, t, client, url, new(ahead))
	out := must.Get(json.Marshal(r))(t)
	if _, err := os.Stdout.Write(append(append([]byte("\nreply "), out...), '\n')); err != nil {
		t.Fatal(err)
	}
}

const stoppedFor = 1500 * time.Millisecond

// A bot whose asker is stopped for longer than the bot has time, right before it answers or even before it is asked, has no
// fault, and the clock shows what it took itself.
func TestNoBotPaysForAStoppedWorker(t *testing.T) {
	if url := os.Getenv("MOLERUN_TEST_ASK"); url != "" {
		askOnce(t, url)
		return
	}
	const thought = 20 * time.Millisecond
	Stamped(t) // the sockets of the children come and go, and with the last the kernel's stamps
	for name, row := range map[string]struct {
		atAccept bool // stopped as the connection is made, else as the message has come
		blind    bool
	}{
		"before it answers":                        {false, false},
		"before it answers, no kernel's word":      {false, true},
		"before it has the turn":                   {true, false},
		"before it has the turn, no kernel's word": {true, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			l := listen(t)
			child := exec.Command(os.Args[0], "-test.run=^TestNoBotPaysForAStoppedWorker$", "-test.timeout=60s")
			child.Env = append(os.Environ(), "MOLERUN_TEST_ASK=http://"+l.Addr().String())
			if row.blind {
				child.Env = append(child.Env, "MOLERUN_TEST_BLIND=1")
			}
			var out strings.Builder
			child.Stdout = &out
			must.OK(t, child.Start())
			stop := sync.OnceFunc(func() {
				if err := child.Process.Signal(syscall.SIGSTOP); err != nil {
					t.Error(err)
				}
				time.AfterFunc(stoppedFor, func() { _ = child.Process.Signal(syscall.SIGCONT) })
			})
			go answerAll(l, func() {
				if row.atAccept {
					stop()
				}
			}, func() {
				if !row.atAccept {
					stop()
				}
				time.Sleep(thought)
			})
			if err := child.Wait(); err != nil {
				t.Errorf("the asking process: %v", err)
			}
			_, text, _ := strings.Cut(out.String(), "\nreply ")
			var r runner.Reply
			if err := json.NewDecoder(strings.NewReader(text)).Decode(&r); err != nil {
				t.Fatalf("%v in %s", err, out.String())
			}
			if r.Fault != "" {
				t.Errorf("the bot has the fault %s (%s)", r.Fault, r.Reason)
			}
			if r.Ledger.Elapsed > stoppedFor/5 { // it is a third that makes a fault
				t.Errorf("the bot took %v, the ledger says %v: %+v", thought, r.Ledger.Elapsed, r.Ledger)
			}
			if r.Ledger.Kernel == row.blind {
				t.Errorf("by the kernel's word %v, want %v", r.Ledger.Kernel, !row.blind)
			}
		})
	}
}

// answerAll takes connections one after another, and on each reads a message, thinks and answers it.
func answerAll(l net.Listener, taken, think func()) {
	for {
		c, err := l.Accept()
		if err != nil {
			return
		}
		taken()
		r := bufio.NewReader(c)
		if request, err := http.ReadRequest(r); err == nil { // else it was given up before the message was sent
			_, _ = io.Copy(io.Discard, request.Body)
			think()
			_, _ = io.WriteString(c, "HTTP/1.1 200 OK\r\nContent-Length: 12\r\n\r\n{\"choose\":1}")
			_, _ = io.Copy(io.Discard, r)
		}
		_ = c.Close()
	}
}

// A bot that does not answer at all has its timeout, stopped asker or not.
func TestAStallExcusesNobodyForEver(t *testing.T) {
	client := newClient(t, Options{Guard: Loopback(), Patience: 300 * time.Millisecond})
	l := listen(t)
	stallClient(client, span{time.Now().Add(-time.Hour), time.Now().Add(time.Hour)})
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	begin := time.Now()
	r := <-asked(ctx, t, client, "http://"+l.Addr().String(), new(ahead))
	if r.Fault != tournament.FaultTimeout {
		t.Errorf("got %s (%s), want %s", r.Fault, r.Reason, tournament.FaultTimeout)
	}
	if took := time.Since(begin); took > 20*time.Second {
		t.Errorf("it took %v", took)
	}
}

// Nor is the rest of an answer waited for without end that began while a stall was made up for.
func TestAnAnswerThatBeginsAfterAStallMustEnd(t *testing.T) {
	client := newClient(t, Options{Guard: Loopback(), Patience: 300 * time.Millisecond})
	l := listen(t)
	go func() {
		c, err := l.Accept()
		if err != nil {
			return
		}
		defer c.Close()
		time.Sleep(150 * time.Millisecond)
		_, _ = io.WriteString(c, "HTTP/1.1 200 OK\r\nContent-Length: 12\r\n\r\n{")
		_, _ = io.Copy(io.Discard, c)
	}()
	stallClient(client, span{time.Now().Add(-time.Hour), time.Now().Add(time.Hour)})
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	select {
	case r := <-asked(ctx, t, client, "http://"+l.Addr().String(), new(ahead)):
		if r.Fault != tournament.FaultTimeout {
			t.Errorf("got %s (%s), want %s", r.Fault, r.Reason, tournament.FaultTimeout)
		}
	case <-time.After(20 * time.Second):
		t.Error("it was still waited for after 20 s")
	}
}

// The asking goroutine may lose the processor after it has set the bot's time, and before a word of the question is sent.
func TestTheTimeOfABotBeginsWhenItsQuestionIsSent(t *testing.T) {
	client := newClient(t, Options{Guard: Loopback()})
	l := listen(t)
	go answerAll(l, func() {}, func() {})
	b := must.Get(New(Config{URL: "http://" + l.Addr().String(), Client: client}))(t)
	const limit = time.Minute
	ctx, cancel := context.WithDeadline(t.Context(), time.Now().Add(-limit)) // set two minutes ago
	defer cancel()
	some := json.RawMessage(`{}`)
	r := b.Ask(ctx, runner.Briefing{Config: some, Info: game.Info{ID: "toy"}}, runner.Ask{Decision: "dec_1", View: some, Offer: some, Limit: limit})
	if r.Fault != "" || r.Choose == nil {
		t.Errorf("the bot has the fault %s (%s), want its answer: %+v", r.Fault, r.Reason, r)
	}
}
