package cli_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/molerun/molerun/bots/house"
	"github.com/molerun/molerun/bots/kit"
	"github.com/molerun/molerun/bots/protocol"
	"github.com/molerun/molerun/bots/starters"
	"github.com/molerun/molerun/engines/catalog"
	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/internal/clitest"
	"github.com/molerun/molerun/internal/must"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/httpbot"
	"github.com/molerun/molerun/tournament/runner"
)

const starterSecret = "whsec_BwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwc="

// compiled returns how a starter is built in its folder, by its compiler alone, how its own tests run there, and how it runs then; its own
// command alone for one that needs no building.
func compiled(t *testing.T, language string) (build, test, run string) {
	t.Helper()
	switch language {
	case "go":
		return "GOFLAGS=-mod=mod GOWORK=off go build -o bot .", "true", "./bot" // go run leaves a child that outlives it
	case "rust":
		return "rustc --edition 2021 bot.rs", "rustc --edition 2021 --test -o tests bot.rs && ./tests", "./bot"
	case "java":
		return "javac *.java", "java BotTest", "java Bot"
	case "csharp": // by Mono's compiler, for Debian has no .NET
		return "mcs -main:Bot -out:bot.exe *.cs", "mcs -warnaserror -main:BotTest -out:tests.exe *.cs && mono tests.exe", "mono bot.exe"
	case "typescript":
		return `ln -s "$READERS" node_modules && node_modules/.bin/tsc --outDir out`, "node --test out/bot.test.js", "node out/bot.js"
	}
	starter, err := starters.Find(language)
	must.OK(t, err)
	return "", "", starter.Run
}

// generated writes a starter with init, once for all tests, and returns the command that runs it, with its folder.
func generated(t *testing.T, language string) (dir string, command []string) {
	t.Helper()
	build, test, run := compiled(t, language)
	built.Lock()
	defer built.Unlock()
	dir = filepath.Join(builds(t), language)
	if _, err := os.Stat(dir); err == nil {
		return dir, strings.Fields(run)
	}
	code, out, errs := call("", "init", language, "--dir", dir)
	lines := strings.Split(strings.TrimSpace(out), "\n")
	if code != 0 || len(lines) != 3 || lines[1] != "molerun check http://127.0.0.1:8000" {
		t.Fatalf("init: exit code %d\n%s%s", code, out, errs)
	}
	if start, ok := strings.CutPrefix(lines[0], "cd "+dir+" && "); !ok || build == "" && start != run {
		t.Fatalf("init does not say how to start the bot: %s", lines[0])
	}
	compile(t, dir, build)
	compile(t, dir, test)
	return dir, strings.Fields(run)
}

// compile builds a starter in its folder, or tests it.
func compile(t *testing.T, dir, build string) {
	t.Helper()
	readers, err := filepath.Abs("../api/testdata/readers/node_modules")
	must.OK(t, err)
	c := exec.Command("bash", "-ec", build)
	c.Dir, c.Env = dir, append(os.Environ(), "READERS="+readers)
	if out, err := c.CombinedOutput(); err != nil {
		t.Fatalf("%s: %v\n%s", build, err, out)
	}
}

// started runs a starter on a free port until the test ends, and returns its URL and what it says on stderr.
func started(t *testing.T, dir string, command []string, secret string) (url string, says *clitest.Log) {
	t.Helper()
	c := exec.Command(command[0], command[1:]...)
	c.Dir = dir
	c.Env = append(os.Environ(), "MOLERUN_SECRET="+secret, "PORT=0", "OPENAI_BASE_URL="+model(t))
	p := clitest.Start(t, c)
	t.Cleanup(p.Kill)
	return p.Line(t), p.Log
}

// model returns the address of a language model's server that always chooses the first action.
func model(t *testing.T) string {
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(w, `{"choices":[{"message":{"content":"The first will do. {\"choose\": 0}"}}]}`)
	}))
	t.Cleanup(s.Close)
	return s.URL
}

// remote returns a bot behind a URL, as one of the players of a match in this process; a fault is an error.
func remote(t *testing.T, e game.Engine, url string, match string) kit.Decide {
	t.Helper()
	bot, err := httpbot.New(httpbot.Config{URL: url, Secrets: []string{starterSecret}, Client: starterClient(t)})
	must.OK(t, err)
	return func(ctx context.Context, turn *protocol.Turn) (protocol.Answer, error) {
		ctx, cancel := context.WithTimeout(ctx, time.Minute)
		defer cancel()
		b := runner.Briefing{
			Match: match, Info: e.Info(), Config: turn.Config, Seat: turn.Seat, Clock: tournament.DefaultClock(),
			Aliases: make([]string, len(turn.Opponents)+1),
		}
		reply := bot.Ask(ctx, b, runner.Ask{
			Step: turn.Step, Decision: runner.DecisionID(match, turn.Step, turn.Seat), View: turn.View, Offer: turn.Offer, Events: turn.Events, Memo: turn.Memo,
		})
		if reply.Fault != "" || reply.Note != "" {
			return protocol.Answer{}, fmt.Errorf("%s: %s%s", reply.Fault, reply.Reason, reply.Note)
		}
		return protocol.Answer{Action: reply.Action, Choose: reply.Choose}, nil
	}
}

var starterClients sync.Map // by test, so that the matches of one starter share their connections

func starterClient(t *testing.T) *httpbot.Client {
	t.Helper()
	if c, ok := starterClients.Load(t.Name()); ok {
		return c.(*httpbot.Client)
	}
	c := httpbot.NewClient(httpbot.Options{Guard: httpbot.Loopback()})
	starterClients.Store(t.Name(), c)
	t.Cleanup(c.Close)
	return c
}

// Two matches of a game at its smallest table, by night twenty, the bot in every seat by turns, the house's random in all others. By day check
// plays one more.
func several(t *testing.T, e game.Engine, url string) {
	t.Helper()
	info, config := e.Info(), json.RawMessage(nil)
	if info.ID == "mole" { // eleven points take random players two thousand flicks
		config = json.RawMessage(`{"points":1,"max_rounds":4}`)
	}
	n := info.MinSeats
	canonical, err := e.Configure(config, n)
	must.OK(t, err)
	random, _ := house.Find("random")
	matches := 2
	if nightly() {
		matches = 20
	}
	for k := range matches {
		table, events, err := e.New(canonical, n, house.Seed(uint64(k)))
		must.OK(t, err)
		players := make([]kit.Decide, n)
		for seat := range players {
			players[seat] = random.Decide(uint64(k))
		}
		players[k%n] = remote(t, e, url, fmt.Sprintf("%s-%d", info.ID, k))
		if m, err := house.Play(t.Context(), e, canonical, table, events, players); err != nil {
			t.Fatalf("%s, match %d: %v", info.ID, k, err)
		} else if m.Decisions == 0 || len(m.Result.Rank) != n {
			t.Errorf("%s, match %d: %d decisions, ranks %v; want some, and one for each seat", info.ID, k, m.Decisions, m.Result.Rank)
		}
	}
}

func TestEveryStarterIsGeneratedCheckedAndPlaysWithoutAFault(t *testing.T) {
	t.Parallel()
	for _, language := range starters.Names() {
		t.Run(language, func(t *testing.T) {
			t.Parallel()
			dir, command := generated(t, language)
			url, says := started(t, dir, command, "\ufeff\""+starterSecret+"\"\r\n") // as an editor and a shell have left it
			checked(t, url)
			for _, e := range catalog.All() {
				several(t, e, url)
			}
			for line := range strings.Lines(says.String()) {
				if !strings.Contains(line, "drawn by lot: the model has not answered in time") { // a busy machine
					t.Errorf("the starter complains: %s", line)
				}
			}
		})
	}
}

type checkLine struct {
	OK             bool
	Faults, Advice int
	Bot            struct{ Games []string }
	Findings       []struct{ Level, What, Where, Detail, Next string }
}

// checked runs check, which must find neither a fault nor anything to advise but, on a busy machine, the time answers take.
func checked(t *testing.T, url string) {
	t.Helper()
	code, out, errs := call("", "check", url, "--secret", starterSecret, "--json")
	var report checkLine
	if err := json.Unmarshal([]byte(out), &report); err != nil || code != 0 || !report.OK {
		t.Fatalf("exit code %d, %v\n%s%s", code, err, out, errs)
	}
	games := map[string]int{}
	for _, f := range report.Findings {
		if f.Level != "ok" && f.What != "latency" {
			t.Errorf("got %+v", f)
		}
		games[f.What]++
	}
	for _, e := range catalog.All() { // the whole match, and every variant
		if want := 1 + len(e.Info().Variants); games[e.Info().ID] != want || !slices.Contains(report.Bot.Games, e.Info().ID) {
			t.Errorf("%s: %d findings, want %d, and the game named by %v", e.Info().ID, games[e.Info().ID], want, report.Bot.Games)
		}
	}
}

func TestInitTouchesNoFileThatIsThere(t *testing.T) {
	dir := t.TempDir()
	mine := filepath.Join(dir, "bot.py")
	writes(t, mine, "mine\n")
	out, errs := exits(t, 1, "init", "python", "--dir", dir)
	says(t, errs, "bot.py: exists already")
	if entries, _ := os.ReadDir(dir); out != "" || len(entries) != 1 {
		t.Errorf("it prints %q and leaves %v, want nothing done", out, entries)
	}
	if b, _ := os.ReadFile(mine); string(b) != "mine\n" {
		t.Errorf("the file holds %q now", b)
	}
	out, _ = exits(t, 0, "init", "python", "--dir", dir, "--force", "--json")
	var done struct{ Files, Next []string }
	if err := json.Unmarshal([]byte(out), &done); err != nil || len(done.Files) != 3 || len(done.Next) != 3 {
		t.Errorf("%v: got %s, want three files and what to do next, in three lines", err, out)
	}
	if b, _ := os.ReadFile(mine); !strings.Contains(string(b), "def choose(") {
		t.Errorf("--force did not write the bot: %q", b)
	}
}

// A server says where it listens; every command that takes an address says where it is called, and calls it there.
func TestEveryCommandSaysHowToWriteAnAddressThatCannotBeCalled(t *testing.T) {
	t.Setenv("XDG_CONFIG_HOME", t.TempDir())
	server := bot(t, kit.Bot{Name: "fox", Games: map[string]kit.Decide{"molehill": func(context.Context, *protocol.Turn) (protocol.Answer, error) {
		zero := 0
		return protocol.Answer{Choose: &zero}, nil
	}}})
	port := server.URL[strings.LastIndex(server.URL, ":"):]
	out := t.TempDir()
	for name, args := range map[string][]string{
		"check":         {"check", "URL", "--games", "molehill"},
		"play":          {"play", "molehill", "URL", "random", "--out", out + "/play"},
		"play's filler": {"play", "molehill", "random", "--fill", "URL", "--out", out + "/fill"},
		"sprt":          {"sprt", "molehill", "URL", "random", "--max", "2", "--out", out + "/sprt"},
		"connect":       {"connect", "fox", "--to", "URL"},
		"login":         {"login", "URL", "--name", "ada"},
		"export":        {"export", "matches", "--platform", "URL"},
		"connect by":    {"connect", "fox", "--to", server.URL, "--platform", "URL"},
	} {
		for _, typed := range []string{"http://0.0.0.0" + port, "127.0.0.1" + port, "http://" + port} {
			with := func(url string) (int, string) {
				words := slices.Clone(args)
				words[slices.Index(words, "URL")] = url
				code, _, errs := call("", words...)
				return code, errs
			}
			code, errs := with(typed)
			if want := "write " + server.URL + "\n"; code != 2 || !strings.Contains(errs, want) {
				t.Errorf("%s %s: exit code %d, %q; want 2 and %q", name, typed, code, errs, want)
			}
			if typed != "127.0.0.1"+port {
				continue // where it is called is the same
			}
			if code, errs := with(server.URL + " "); code == 2 {
				t.Errorf("%s, as advised: exit code %d, %q", name, code, errs)
			}
		}
	}
}

func TestCheckExitsWithOneAtAFaultAndSaysWhatIsNext(t *testing.T) {
	gone := httptest.NewServer(http.NotFoundHandler())
	gone.Close()
	out, _ := exits(t, 1, "check", gone.URL)
	says(t, out, "✗ hello ", "\n  next: start the bot", "faults: 1\n")
	out, _ = exits(t, 1, "check", gone.URL, "--json")
	var report checkLine
	if err := json.Unmarshal([]byte(out), &report); err != nil || report.OK || report.Faults != 1 || len(report.Findings) != 1 {
		t.Errorf("%v: got %+v, want one fault", err, report)
	}
}
