package httpbot

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/internal/must"
	"github.com/molerun/molerun/tournament/runner"
)

const (
	fairThought = 300 * time.Millisecond // what every bot takes
	fairLimit   = 2 * time.Second        // what it may take: a busy machine makes bots late, too
	fairAtOnce  = 64
)

// unrest is what goes on while bots are asked.
type unrest struct {
	span  time.Duration   // for so long new decisions are asked
	loops int             // processes that never rest
	stops []time.Duration // how long the asking process is stopped, one after another
}

// TestABotIsChargedWhatItTook says how far the clock is off for bots that think for 300 ms each time, while the asking process is
// stopped for seconds, with the kernel's word and without: no bot has a fault. Nightly it does so on a machine with eight busy
// loops, and with the kernel's word no more than one decision in a thousand may be off by more than 5 ms.
func TestABotIsChargedWhatItTook(t *testing.T) {
	switch os.Getenv("MOLERUN_TEST_FAIR") {
	case "ask":
		askFairly(t)
		return
	case "loop":
		for end := time.Now().Add(5 * time.Minute); time.Now().Before(end); {
			continue
		}
		return
	}
	is := unrest{span: 3 * time.Second, stops: []time.Duration{2500 * time.Millisecond}}
	nightly := os.Getenv("MOLERUN_NIGHTLY") != ""
	if nightly {
		is = unrest{span: time.Minute, loops: 8, stops: []time.Duration{2 * time.Second, 20 * time.Second, 5 * time.Second}}
	}
	for _, blind := range []bool{false, true} {
		l := must.Get(net.Listen("tcp", "127.0.0.1:0"))(t)
		var bots thinkers
		go bots.serve(l)
		off := is.charge(t, l.Addr().String(), blind, &bots)
		_ = l.Close()
		slices.Sort(off.by)
		within, _ := slices.BinarySearch(off.by, 5*time.Millisecond+1)
		share := float64(within) / float64(len(off.by))
		t.Logf("without the kernel's word %v: %d decisions, %.2f %% within 5 ms of what the bot took, 99.9 %% within %v, the worst %v off, %d faults",
			blind, len(off.by), 100*share, off.by[len(off.by)*999/1000], off.by[len(off.by)-1], off.faults)
		if off.faults > 0 {
			t.Errorf("without the kernel's word %v: %d faults of bots that always took 300 ms", blind, off.faults)
		}
		if nightly && !blind && share < .999 {
			t.Errorf("%.2f %% of the decisions are charged within 5 ms of what the bot took, want 99.9 %%", 100*share)
		}
	}
}

// thinkers are bots that answer each message 300 ms after its machine had it. On a busy machine a bot, too, gets to run late: they
// note from when to when they handed each answer to the kernel.
type thinkers struct {
	mu   sync.Mutex
	took [][2]time.Duration // by the number that the answer tells
}

func (b *thinkers) serve(l net.Listener) {
	for {
		c, err := l.Accept()
		if err != nil {
			return
		}
		go func() {
			defer c.Close()
			s, err := newSocket(c.(*net.TCPConn), true)
			if err != nil {
				return
			}
			r := bufio.NewReader(s)
			for {
				s.restart(time.Now)
				request, err := http.ReadRequest(r)
				if err != nil {
					return
				}
				_, _ = io.Copy(io.Discard, request.Body)
				if err := b.answer(c, s.last); err != nil {
					return
				}
			}
		}()
	}
}

// answer thinks until 300 ms after the question came.
func (b *thinkers) answer(c io.Writer, came time.Time) error {
	time.Sleep(time.Until(came.Add(fairThought)))
	b.mu.Lock()
	number := len(b.took)
	b.took = append(b.took, [2]time.Duration{})
	b.mu.Unlock()
	body := fmt.Sprintf(`{"choose":1,"memo":"%d"}`, number)
	message := fmt.Sprintf("HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n%s", len(body), body)
	from := time.Since(came)
	_, err := io.WriteString(c, message)
	to := time.Since(came)
	b.mu.Lock()
	defer b.mu.Unlock()
	b.took[number] = [2]time.Duration{from, to}
	return err
}

// off returns how far what was charged lies outside what an answer took.
func (b *thinkers) off(number int, charged time.Duration) time.Duration {
	b.mu.Lock()
	defer b.mu.Unlock()
	return max(b.took[number][0]-charged, charged-b.took[number][1], 0)
}

// offBy is how far the clock was off in each decision.
type offBy struct {
	by     []time.Duration
	faults int
}

// fairReply is what the asking process writes of each decision.
type fairReply struct {
	Elapsed time.Duration
	Answer  int // its number
	Fault   string
}

// charge lets a process ask, stops it again and again, and keeps the processors busy.
func (is unrest) charge(t *testing.T, address string, blind bool, bots *thinkers) offBy {
	t.Helper()
	start := func(role string, more ...string) *exec.Cmd {
		c := exec.Command(os.Args[0], "-test.run=^TestABotIsChargedWhatItTook$", "-test.timeout=300s")
		c.Env = append(append(os.Environ(), "MOLERUN_TEST_FAIR="+role), more...)
		return c
	}
	for range is.loops {
		loop := start("loop")
		must.OK(t, loop.Start())
		defer func() { _ = loop.Process.Kill(); _ = loop.Wait() }()
	}
	more := []string{"MOLERUN_TEST_ASK=http://" + address, "MOLERUN_TEST_SPAN=" + is.span.String()}
	if blind {
		more = append(more, "MOLERUN_TEST_BLIND=1")
	}
	asker := start("ask", more...)
	out := must.Get(asker.StdoutPipe())(t)
	must.OK(t, asker.Start())
	asked := make(chan struct{})
	begun := sync.OnceFunc(func() { close(asked) })
	go func() {
		<-asked
		for _, stop := range is.stops {
			time.Sleep(is.span / time.Duration(3*len(is.stops)))
			_ = asker.Process.Signal(syscall.SIGSTOP)
			time.Sleep(stop)
			_ = asker.Process.Signal(syscall.SIGCONT)
		}
	}()
	var off offBy
	var replies []fairReply
	lines := bufio.NewScanner(out)
	for lines.Scan() {
		var r fairReply
		if json.Unmarshal(lines.Bytes(), &r) != nil {
			continue // what package testing says
		}
		begun()
		if r.Fault != "" {
			off.faults++
			t.Logf("%s after %v", r.Fault, r.Elapsed)
			continue
		}
		replies = append(replies, r)
	}
	begun()
	if err := asker.Wait(); err != nil {
		t.Errorf("the asking process: %v", err)
	}
	for _, r := range replies {
		off.by = append(off.by, bots.off(r.Answer, r.Elapsed))
	}
	if len(off.by) < fairAtOnce {
		t.Fatalf("%d decisions: too few to say anything", len(off.by))
	}
	return off
}

// askFairly asks as many bots at once, one decision after another.
func askFairly(t *testing.T) {
	client := newClient(t, Options{Guard: Loopback(), PerHost: 2 * fairAtOnce})
	client.dialer.blind = os.Getenv("MOLERUN_TEST_BLIND") != ""
	var wg sync.WaitGroup
	var mu sync.Mutex
	lines := json.NewEncoder(os.Stdout)
	span := must.Get(time.ParseDuration(os.Getenv("MOLERUN_TEST_SPAN")))(t)
	some := json.RawMessage(`{}`)
	briefing := runner.Briefing{Config: some, Info: game.Info{ID: "toy"}}
	bots := make([]*Bot, fairAtOnce)
	for i := range bots {
		bots[i] = must.Get(New(Config{URL: os.Getenv("MOLERUN_TEST_ASK"), Client: client}))(t)
		wg.Go(func() {
			if err := bots[i].Start(t.Context(), briefing); err != nil { // as a match does: its connection is there before the first turn
				t.Error(err)
			}
		})
	}
	wg.Wait()
	end := time.Now().Add(span)
	for _, b := range bots {
		wg.Go(func() {
			for first := true; first || time.Now().Before(end); first = false {
				ctx, cancel := context.WithTimeout(t.Context(), fairLimit)
				r := b.Ask(ctx, briefing, runner.Ask{Decision: "dec_1", View: some, Offer: some, Limit: fairLimit})
				cancel()
				mu.Lock()
				_ = lines.Encode(fairly(r))
				mu.Unlock()
			}
		})
	}
	wg.Wait()
}

func fairly(r runner.Reply) fairReply {
	out := fairReply{Elapsed: r.Ledger.Elapsed, Fault: string(r.Fault)}
	out.Answer, _ = strconv.Atoi(r.Memo)
	return out
}
