package cli_test

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
	"net"
	"net/http"
	"net/http/httptest"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/molerun/molerun/bots/kit"
	"github.com/molerun/molerun/bots/protocol"
	"github.com/molerun/molerun/internal/clitest"
	"github.com/molerun/molerun/internal/must"
)

// closing returns a bot that plays at random and closes the connection after every answer.
func closing(t *testing.T) string {
	t.Helper()
	h, err := kit.Handler(kit.Bot{Log: slog.New(slog.DiscardHandler), Games: map[string]kit.Decide{
		"molehill": func(_ context.Context, turn *protocol.Turn) (protocol.Answer, error) {
			return kit.Random(turn.Offer, rand.New(rand.NewPCG(uint64(turn.Step), 1)))
		},
	}}, starterSecret)
	must.OK(t, err)
	s := httptest.NewUnstartedServer(h)
	s.Config.SetKeepAlivesEnabled(false)
	s.Start()
	t.Cleanup(s.Close)
	return s.URL
}

// hold keeps n connections to an address open, from as many addresses of this machine as from says, until ctx ends: each
// sends half a header and comes again when it is cut off.
func hold(ctx context.Context, address string, n, from int) (wait func()) {
	var all sync.WaitGroup
	for i := range n {
		way := net.Dialer{LocalAddr: &net.TCPAddr{IP: net.IPv4(127, 0, 1, byte(1+i%from))}, Timeout: time.Second}
		all.Go(func() {
			for ctx.Err() == nil {
				c, err := way.DialContext(ctx, "tcp", address)
				if err == nil {
					stop := context.AfterFunc(ctx, func() { _ = c.Close() })
					_, _ = io.WriteString(c, "GET /livez HTTP/1.1\r\nHost: x\r\nX-A: ")
					_, _ = io.Copy(io.Discard, c)
					stop()
					_ = c.Close()
				}
				select {
				case <-ctx.Done():
				case <-time.After(100 * time.Millisecond):
				}
			}
		})
	}
	return all.Wait
}

// Strangers hold as many connections to the API as they can, from one address and from many; the process may have fewer
// files open than they have connections. Its matches go on, against bots that make it connect again for every decision.
func TestStrangersWhoHoldConnectionsVoidNoMatch(t *testing.T) {
	t.Parallel()
	x := &topology{t: t}
	binary, db := molerun(t), "MOLERUN_DATABASE=sqlite:"+filepath.Join(t.TempDir(), "m.db")
	metrics := clitest.FreeAddress(t)
	env := []string{db, "MOLERUN_METRICS=" + metrics, "MOLERUN_ALLOW_PRIVATE_BOTS=127.0.0.0/8"}
	serve := x.runs(env, "sh", "-c", `ulimit -n 700 && exec "$0" serve --migrate --listen 127.0.0.1:0 --workers 4`, binary)
	x.base, x.log = serve.Line(t), serve.Log
	admin := exec.Command(binary, "admin", "token", "org")
	admin.Env = env
	token, err := admin.Output()
	must.OK(t, err)
	oda := strings.TrimSpace(string(token))
	cup, _ := announce(t, x.base, oda, fields{"cycles": 5, "capacity": 2})
	for i := range 2 {
		owner, bot := author(t, x.base, fmt.Sprint("owner", i), fields{"name": fmt.Sprint("bot", i), "url": closing(t), "secret": starterSecret})
		enter(t, x.base, owner, cup, bot)
	}
	ctx, stop := context.WithCancel(t.Context())
	address := strings.TrimPrefix(x.base, "http://")
	one, many := hold(ctx, address, 400, 1), hold(ctx, address, 400, 40)
	defer func() { stop(); one(); many() }()
	time.Sleep(500 * time.Millisecond)

	from := http.Transport{DialContext: (&net.Dialer{LocalAddr: &net.TCPAddr{IP: net.IPv4(127, 0, 2, 1)}}).DialContext}
	defer from.CloseIdleConnections()
	other := http.Client{Transport: &from, Timeout: 10 * time.Second}
	start, err := http.NewRequest(http.MethodPost, x.base+"/v1/tournaments/"+cup+"/start", nil)
	must.OK(t, err)
	start.Header.Set("Authorization", "Bearer "+oda)
	if answer, err := other.Do(start); err != nil || answer.StatusCode != http.StatusOK {
		t.Fatalf("a request from another address: %v %v", answer, err)
	}
	waitFor(t, func() bool {
		return strings.Count(x.log.String(), `"match finished"`)+strings.Count(x.log.String(), `"match is void"`) >= 10
	}, x.log)
	if counts := fetch(t, "http://"+metrics+"/metrics"); !regexp.MustCompile(`connections_refused_total\{reason="address"\} [1-9]`).MatchString(counts) {
		t.Error("no address was refused a connection")
	}
	if n := strings.Count(x.log.String(), `"match is void"`); n > 0 {
		t.Errorf("%d of 10 matches are void", n)
		for line := range strings.Lines(x.log.String()) {
			if strings.Contains(line, `"match is void"`) {
				t.Log(line)
			}
		}
	}
}
