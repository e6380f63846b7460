package httpbot_test

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/molerun/molerun/internal/must"
	"github.com/molerun/molerun/tournament/httpbot"
)

// waitsToForget counts the sockets of this machine in TIME_WAIT towards a port: each keeps a local port for a minute.
func waitsToForget(t *testing.T, port string) (n int) {
	t.Helper()
	table := must.Get(os.ReadFile("/proc/net/tcp"))(t)
	var number int
	if _, err := fmt.Sscan(port, &number); err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(table)) {
		f := strings.Fields(line) // sl, local, remote, state
		if len(f) > 3 && f[3] == "06" && strings.HasSuffix(f[2], fmt.Sprintf(":%04X", number)) {
			n++
		}
	}
	return n
}

// A bot that ends every connection and leaves closing it to us would have us hold a local port for each.
func TestABotThatEndsEveryConnectionHoldsNoLocalPorts(t *testing.T) {
	for name, head := range map[string]string{
		"says close":         okHeader + "Connection: close\r\n",
		"another status":     "HTTP/1.1 500 No\r\n",
		"says nothing of it": okHeader, // the pool is closed at the end
	} {
		t.Run(name, func(t *testing.T) {
			url := raw(t, func(c net.Conn, _ int) {
				for r := bufio.NewReader(c); swallow(r) != nil; {
					_, _ = io.WriteString(c, head+"Content-Length: 12\r\n\r\n{\"choose\":1}")
				}
				_, _ = io.Copy(io.Discard, c)
			})
			client := httpbot.NewClient(httpbot.Options{Guard: httpbot.Loopback()})
			defer client.Close()
			bot := player(t, client, url)
			const asks = 30
			for range asks {
				within(t, bot, 30*time.Second)
			}
			time.Sleep(50 * time.Millisecond) // closing goes on behind the answer
			if n := waitsToForget(t, url[strings.LastIndex(url, ":")+1:]); n > 1 {
				t.Errorf("%d local ports are held after %d asks", n, asks)
			}
		})
	}
}

// What is kept for the next message and not needed is closed, not reset: a reset reads like a crash in a bot's log.
func TestAConnectionAtRestIsClosedInPeace(t *testing.T) {
	ended := make(chan error, 1)
	url := raw(t, func(c net.Conn, _ int) {
		r := bufio.NewReader(c)
		if swallow(r) != nil {
			_, _ = io.WriteString(c, okHeader+"Content-Length: 12\r\n\r\n{\"choose\":1}")
			_, err := r.ReadByte()
			ended <- err
		}
	})
	client := httpbot.NewClient(httpbot.Options{Guard: httpbot.Loopback()})
	if r := within(t, player(t, client, url), 30*time.Second); r.Fault != "" {
		t.Fatalf("%s (%s)", r.Fault, r.Reason)
	}
	client.Close()
	if err := <-ended; !errors.Is(err, io.EOF) {
		t.Errorf("the bot reads %v, want %v", err, io.EOF)
	}
}

// asksWithoutFiles returns the program of the test below: it has no descriptor left when it asks, and some a moment later.
func asksWithoutFiles(t *testing.T) {
	url := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, `{"choose":0}`) })).URL
	must.OK(t, syscall.Setrlimit(syscall.RLIMIT_NOFILE, &syscall.Rlimit{Cur: 48, Max: 48}))
	var files []*os.File
	for {
		f, err := os.Open(os.DevNull)
		if errors.Is(err, syscall.EMFILE) {
			break
		}
		if err != nil || len(files) > 48 {
			t.Fatalf("%d files are open: %v", len(files), err)
		}
		files = append(files, f)
	}
	time.AfterFunc(300*time.Millisecond, func() {
		for _, f := range files {
			_ = f.Close()
		}
	})
	client := httpbot.NewClient(httpbot.Options{Guard: httpbot.Loopback()})
	if r := within(t, player(t, client, url), 30*time.Second); r.Fault != "" {
		t.Fatalf("%s (%s)", r.Fault, r.Reason)
	}
	fmt.Println("the bot was asked")
}

func TestAnAskOutlivesAWantOfDescriptors(t *testing.T) {
	if os.Getenv("MOLERUN_TEST_WITHOUT_FILES") != "" {
		asksWithoutFiles(t)
		return
	}
	c := exec.Command(os.Args[0], "-test.run=^"+t.Name()+"$", "-test.timeout=60s")
	c.Env = append(os.Environ(), "MOLERUN_TEST_WITHOUT_FILES=1")
	if out, _ := c.CombinedOutput(); !strings.Contains(string(out), "the bot was asked") {
		t.Errorf("a process without descriptors:\n%s", out)
	}
}
