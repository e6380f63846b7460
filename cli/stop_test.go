package cli_test

import (
	"bufio"
	"context"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"

	"github.com/molerun/molerun/bots/house"
	"github.com/molerun/molerun/bots/kit"
	"github.com/molerun/molerun/internal/clitest"
	"github.com/molerun/molerun/internal/must"
)

// halfSent are requests that never come whole.
var halfSent = map[string]string{
	"half a line":  "GET /v1/gam",
	"half a head":  "GET /v1/games HTTP/1.1\r\nHost: here\r\nX-",
	"half a body":  "POST /v1/users HTTP/1.1\r\nHost: here\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{",
	"half a chunk": "POST /v1/users HTTP/1.1\r\nHost: here\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n40\r\n{",
}

// sends opens a connection and leaves a request unfinished there.
func sends(t *testing.T, base, text string) {
	t.Helper()
	c, err := net.Dial("tcp", strings.TrimPrefix(base, "http://"))
	must.OK(t, err)
	t.Cleanup(func() { _ = c.Close() })
	_, err = fmt.Fprint(c, text)
	must.OK(t, err)
}

// Whatever strangers leave unfinished, a process that has to stop stops well.
func TestAStopEndsWellWhateverIsHalfSent(t *testing.T) {
	t.Parallel()
	binary := molerun(t)
	for name, args := range map[string][]string{
		"serve": {"serve", "--migrate", "--listen", "127.0.0.1:0", "--metrics", "", "--workers", "1"},
		"house": {"house", "random", "--listen", "127.0.0.1:0"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := exec.Command(binary, args...)
			c.Dir = t.TempDir()
			c.Env = append(os.Environ(), "MOLERUN_SECRET="+starterSecret)
			p := clitest.Start(t, c)
			t.Cleanup(p.Kill)
			base := p.Line(t)
			for _, text := range halfSent {
				sends(t, base, text)
			}
			if answer, err := http.Get(base + "/v1/games"); err == nil { // what was sent before is there too, then
				_ = answer.Body.Close()
			}
			must.OK(t, c.Process.Signal(syscall.SIGTERM))
			if err := p.Wait(); err != nil {
				t.Errorf("it ended with %v\n%s", err, p.Log)
			}
		})
	}
}

// A second signal ends the wait for what is half sent and for a load balancer.
func TestASecondSignalEndsAtOnce(t *testing.T) {
	t.Parallel()
	c := exec.Command(molerun(t), "serve", "--migrate", "--listen", "127.0.0.1:0", "--metrics", "", "--workers", "0")
	c.Dir = t.TempDir()
	c.Env = append(os.Environ(), "MOLERUN_DRAIN_SECONDS=3600")
	p := clitest.Start(t, c)
	t.Cleanup(p.Kill)
	base := p.Line(t)
	must.OK(t, c.Process.Signal(syscall.SIGTERM))
	waitFor(t, func() bool { // it has heard the first
		answer, err := http.Get(base + "/readyz")
		must.OK(t, err)
		_ = answer.Body.Close()
		return answer.StatusCode == http.StatusServiceUnavailable
	}, p.Log)
	must.OK(t, c.Process.Signal(syscall.SIGTERM))
	_ = p.Wait()
	if status, ok := c.ProcessState.Sys().(syscall.WaitStatus); !ok || status.Signal() != syscall.SIGTERM {
		t.Errorf("it ended as %v, not by the second signal", c.ProcessState)
	}
}

// Help says to start as many as one likes on a machine: the address of metrics is no reason against it.
func TestProcessesOfOneMachineShareNoPort(t *testing.T) {
	t.Parallel()
	binary, listens := molerun(t), map[string]bool{}
	for range 2 {
		c := exec.Command(binary, "serve", "--migrate", "--listen", "127.0.0.1:0", "--workers", "1")
		c.Dir = t.TempDir()
		p := clitest.Start(t, c)
		t.Cleanup(p.Kill)
		p.Line(t)
		waitFor(t, func() bool { return strings.Contains(p.Log.String(), `"msg":"ready"`) }, p.Log)
		_, rest, _ := strings.Cut(p.Log.String(), `"metrics":"`)
		at, _, _ := strings.Cut(rest, `"`)
		answer, err := http.Get("http://" + at + "/metrics")
		if err != nil {
			t.Fatalf("metrics at %q: %v", at, err)
		}
		line, err := bufio.NewReader(answer.Body).ReadString('\n')
		_ = answer.Body.Close()
		if err != nil || !strings.HasPrefix(line, "# HELP") || listens[at] {
			t.Errorf("metrics at %s: %q (%v), there before: %v", at, line, err, listens[at])
		}
		listens[at] = true
	}
	// An address that was asked for is not exchanged for another.
	for at := range listens {
		if !strings.HasSuffix(at, ":9090") {
			if code, _, errs := call("", "work", "--database", "sqlite:"+t.TempDir()+"/m.db", "--metrics", at); code == 0 || !strings.Contains(errs, "--metrics") {
				t.Errorf("work at %s, which is taken: %d %s", at, code, errs)
			}
			break
		}
	}
}

// A command that is stopped says so, and not how Go calls it.
func TestAStoppedCommandSaysSo(t *testing.T) {
	dir := t.TempDir()
	url := mine(t, 0)
	exits(t, 0, "play", "molehill", "random", "random", "--out", dir)
	record := dir + "/molehill-0001.jsonl.gz"
	stopped, stop := context.WithCancel(t.Context())
	stop()
	for _, args := range [][]string{
		{"check", url},
		{"replay", "review", record},
		{"replay", "fork", record, "--at", "4"},
	} {
		if code, _, errs := callContext(stopped, args...); code != 1 || !strings.HasSuffix("\n"+errs, "\nmolerun: stopped\n") {
			t.Errorf("%q: exit code %d, %q", args, code, errs)
		}
	}
}

// A bot that sends more than its answers makes no lines of net/http's log.
func TestWhatABotSendsUnaskedIsNoLog(t *testing.T) {
	random, _ := house.Find("random")
	h, err := kit.Handler(random.Kit(1))
	must.OK(t, err)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		answer := httptest.NewRecorder()
		h.ServeHTTP(answer, r)
		c, _, err := w.(http.Hijacker).Hijack()
		if err != nil {
			return
		}
		defer c.Close() //nolint:errcheck // the client's end is gone, or closes it
		fmt.Fprintf(c, "HTTP/1.1 %d OK\r\nContent-Length: %d\r\n\r\n%sand more", answer.Code, answer.Body.Len(), answer.Body)
		_, _ = c.Read(make([]byte, 1)) // until the client has seen it
	}))
	defer server.Close()
	for _, args := range [][]string{{"check", server.URL, "--games", "cia"}, {"play", "cia", server.URL, "random"}} {
		c := exec.CommandContext(t.Context(), molerun(t), args...)
		c.Env = append(os.Environ(), "XDG_CACHE_HOME="+t.TempDir())
		said, _ := c.CombinedOutput() // such a bot may have faults
		if text := string(said); !strings.Contains(text, "cia") || strings.Contains(text, "nsolicited") {
			t.Errorf("%q: %s", args, text)
		}
	}
}
