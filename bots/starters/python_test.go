package starters_test

import (
	"bufio"
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/molerun/molerun/bots/kit"
	"github.com/molerun/molerun/engines/demol"
	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/engines/molehill"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/httpbot"
	"github.com/molerun/molerun/tournament/runner"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const (
	secret  = "whsec_BwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwc="
	foreign = "whsec_CAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAg="
)

// safeText is written by the process's copier while a test reads it.
type safeText struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (s *safeText) Write(b []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.Write(b)
}
func (s *safeText) String() string { s.mu.Lock(); defer s.mu.Unlock(); return s.b.String() }

// starter runs a starter until the test ends; its URL is the first line it prints.
func starter(t *testing.T, secret string, command ...string) (url string, warnings *safeText) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	c := exec.CommandContext(ctx, command[0], command[1:]...)
	c.Env = append(os.Environ(), "MOLERUN_SECRET="+secret, "PORT=0")
	warnings = new(safeText)
	c.Stderr = warnings
	out, err := c.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatalf("the starter cannot be run: %v", err)
	}
	t.Cleanup(func() { cancel(); _ = c.Wait() })
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatalf("the starter printed no URL: %v\n%s", err, warnings)
	}
	return strings.TrimSpace(line), warnings
}

func python(t *testing.T, secret string, args ...string) (string, *safeText) {
	t.Helper()
	return starter(t, secret, append([]string{"python3", filepath.Join("python", "bot.py")}, args...)...)
}

func client(t *testing.T) *httpbot.Client {
	t.Helper()
	c := httpbot.NewClient(httpbot.Options{Guard: httpbot.Loopback()})
	t.Cleanup(c.Close)
	return c
}

// match plays one match in which every seat is the bot at url, and fails the test at the first fault.
func match(t *testing.T, e game.Engine, variant game.Variant, n int, config httpbot.Config) (decisions int) {
	t.Helper()
	canonical, err := e.Configure(json.RawMessage(variant.Config), n)
	if err != nil {
		t.Fatal(err)
	}
	table, _, err := e.New(canonical, n, game.Seed{byte(n)})
	if err != nil {
		t.Fatal(err)
	}
	bots, briefings := make([]*httpbot.Bot, n), make([]runner.Briefing, n)
	for i := range bots {
		if bots[i], err = httpbot.New(config); err != nil {
			t.Fatal(err)
		}
		briefings[i] = runner.Briefing{
			Match: variant.Name, Info: e.Info(), Config: canonical, Seat: game.Seat(i), //nolint:gosec // few seats
			Aliases: make([]string, n), Clock: tournament.DefaultClock(),
		}
		if err := bots[i].Start(t.Context(), briefings[i]); err != nil {
			t.Fatal(err)
		}
	}
	for table.Due() != 0 {
		var turns []game.Turn
		for seat := range table.Due().Each() {
			turns = append(turns, game.Turn{Seat: seat, Action: decide(t, table, seat, bots[seat], briefings[seat])})
			decisions++
		}
		if _, err := table.Apply(turns); err != nil {
			t.Fatalf("%s, step %d: %v", e.Info().ID, table.Step(), err)
		}
	}
	result, _ := table.Result()
	for i, bot := range bots {
		bot.End(t.Context(), briefings[i], &result, result.Rank[i])
	}
	return decisions
}

func decide(t *testing.T, table game.Table, seat game.Seat, bot *httpbot.Bot, b runner.Briefing) json.RawMessage {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	offer := table.Offer(seat)
	reply := bot.Ask(ctx, b, runner.Ask{
		Step: table.Step(), Decision: runner.DecisionID(b.Match, table.Step(), seat), View: table.View(seat), Offer: offer,
	})
	if reply.Fault != "" || reply.Note != "" {
		t.Fatalf("%s, seat %d, step %d: %s (%s%s)", b.Info.ID, seat, table.Step(), reply.Fault, reply.Reason, reply.Note)
	}
	if reply.Choose == nil {
		return reply.Action
	}
	o, err := kit.ParseOffer(offer)
	if err != nil {
		t.Fatal(err)
	}
	return o.List[*reply.Choose]
}

func TestThePythonStarterPlaysBothGamesWithoutAFault(t *testing.T) {
	url, warnings := python(t, secret)
	config := httpbot.Config{URL: url, Secrets: []string{secret}, Client: client(t)}
	card, err := httpbot.Greet(t.Context(), config, rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	if got := fmt.Sprint(card.Games); got != "[molehill demol]" {
		t.Errorf("games %s", got)
	}
	for _, e := range []game.Engine{game.Wrap(molehill.Rules{}), game.Wrap(demol.Rules{})} {
		for _, variant := range e.Info().Variants {
			for _, n := range []int{e.Info().MinSeats, e.Info().MaxSeats} {
				if decisions := match(t, e, variant, n, config); decisions == 0 {
					t.Errorf("%s %s: nothing was decided", e.Info().ID, variant.Name)
				}
			}
		}
	}
	if warnings.String() != "" {
		t.Errorf("the starter complained: %s", warnings)
	}
}

func TestThePythonStarterAnswersOnlyThePlatform(t *testing.T) {
	url, _ := python(t, secret)
	for name, config := range map[string]httpbot.Config{"another secret": {Secrets: []string{foreign}}, "unsigned": {}, "an old message": {
		Secrets: []string{secret}, Now: func() time.Time { return time.Now().Add(-time.Hour) },
	}} {
		config.URL, config.Client = url, client(t)
		if _, err := httpbot.Greet(t.Context(), config, rand.Reader); err == nil || !strings.Contains(err.Error(), "401") {
			t.Errorf("%s: %v, want status 401", name, err)
		}
	}
	rotating := httpbot.Config{URL: url, Secrets: []string{foreign, secret}, Client: client(t)}
	if _, err := httpbot.Greet(t.Context(), rotating, rand.Reader); err != nil {
		t.Errorf("while rotating: %v", err)
	}
}

func TestThePythonStarterWithoutASecretWarnsOnce(t *testing.T) {
	url, warnings := python(t, "", "0")
	for range 3 {
		if _, err := httpbot.Greet(t.Context(), httpbot.Config{URL: url, Client: client(t)}, rand.Reader); err != nil {
			t.Fatal(err)
		}
	}
	if n := strings.Count(warnings.String(), "accepted from anybody"); n != 1 {
		t.Errorf("warned %d times: %s", n, warnings)
	}
}

func TestThePythonStarterAnswersAnyType(t *testing.T) {
	url, _ := python(t, "")
	hc := &http.Client{Timeout: 10 * time.Second, Transport: &http.Transport{DisableKeepAlives: true}}
	for _, text := range []string{`{"type":"weather","rain":true}`, `{}`, `{"type":null}`} {
		response, err := hc.Post(url, "application/json", strings.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		body := new(strings.Builder)
		_, _ = bufio.NewReader(response.Body).WriteTo(body)
		_ = response.Body.Close()
		if response.StatusCode != http.StatusOK || body.String() != "{}" {
			t.Errorf("%s: %d %s, want 200 {}", text, response.StatusCode, body)
		}
	}
}

func TestThePythonStarterFitsOnAPage(t *testing.T) {
	b, err := os.ReadFile(filepath.Join("python", "bot.py"))
	if err != nil {
		t.Fatal(err)
	}
	if n := bytes.Count(b, []byte("\n")); n > 40 {
		t.Errorf("%s lines, at most 40 are wanted", strconv.Itoa(n))
	}
}
