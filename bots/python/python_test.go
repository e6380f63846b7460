package python

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"github.com/molerun/molerun/bots/house"
	"github.com/molerun/molerun/engines/catalog"
	"github.com/molerun/molerun/engines/console"
	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/engines/game/replay"
	"github.com/molerun/molerun/internal/must"
)

var update = flag.Bool("update", false, "write observations.md again")

// TestMain is `molerun rules GAME` too: the package starts this very program as its console.
func TestMain(m *testing.M) {
	if len(os.Args) >= 3 && os.Args[1] == "rules" {
		if err := rules(os.Args[2:]); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	goleak.VerifyTestMain(m)
}

// rules is the console of a game, or with --tables N that of many matches against house bots.
func rules(args []string) error {
	engine, ok := catalog.Find(args[0])
	if !ok {
		return fmt.Errorf("there is no game %q", args[0])
	}
	if len(args) == 1 {
		return console.Serve(os.Stdin, os.Stdout, engine)
	}
	n, err := strconv.Atoi(args[2])
	if err != nil {
		return err
	}
	return console.ServeTables(os.Stdin, os.Stdout, engine, n, func(name string) (console.Opponent, error) {
		bot, ok := house.Find(name)
		if !ok {
			return nil, fmt.Errorf("there is no house bot %q", name)
		}
		return func(table game.Table, seat game.Seat, luck uint64) (json.RawMessage, error) {
			return house.Answer(context.Background(), engine.Info(), table, seat, bot.Decide(luck))
		}, nil
	})
}

// python runs Python with the standard library and this package alone, and returns what it prints.
func python(t *testing.T, args ...string) []byte {
	t.Helper()
	self, err := os.Executable()
	must.OK(t, err)
	c := exec.CommandContext(t.Context(), "python3", append([]string{"-S"}, args...)...)
	c.Env = append(os.Environ(), "MOLERUN="+self, "PYTHONPATH=.", "PYTHONDONTWRITEBYTECODE=1")
	var errs bytes.Buffer
	c.Stderr = &errs
	out, err := c.Output()
	if err != nil {
		t.Fatalf("python3 %s: %v\n%s%s", strings.Join(args, " "), err, out, errs.String())
	}
	return out
}

func TestThePackagesOwnTestsPass(t *testing.T) {
	python(t, "-W", "error", "-m", "unittest", "discover", "-s", "tests")
}

// Whoever runs the tests has one Python; the package promises an older one.
func TestThePackageIsWrittenForPython39AndItsLinesAreShort(t *testing.T) {
	var files []string
	for _, pattern := range []string{"*.py", "molerun/*.py", "examples/*.py", "tests/*.py"} {
		found, err := filepath.Glob(pattern)
		must.OK(t, err)
		files = append(files, found...)
	}
	if len(files) < 15 {
		t.Fatalf("%d files were found: %v", len(files), files)
	}
	parse := "import ast, sys\nfor f in sys.argv[1:]: ast.parse(open(f, encoding='utf-8').read(), f, feature_version=(3, 9))"
	python(t, append([]string{"-c", parse}, files...)...)
	for _, name := range files {
		text, err := os.ReadFile(name)
		must.OK(t, err)
		for i, line := range strings.Split(string(text), "\n") {
			if n := len([]rune(line)); n > 120 {
				t.Errorf("%s:%d has %d characters, want at most 120", name, i+1, n)
			}
		}
	}
}

func TestTheWheelHoldsThePackage(t *testing.T) {
	dir := t.TempDir()
	name := strings.TrimSpace(string(python(t, "-c", "import sys, backend; print(backend.build_wheel(sys.argv[1]))", dir)))
	got := python(t, "-c", "import sys; sys.path[0] = sys.argv[1]; import molerun; print(molerun.__file__, len(molerun.__all__))", filepath.Join(dir, name))
	if file := strings.Fields(string(got)); !strings.HasPrefix(file[0], dir) {
		t.Errorf("the package is read from %s, want from the wheel", file[0])
	}
	listed := string(python(t, "-m", "zipfile", "-l", filepath.Join(dir, name)))
	sources, err := filepath.Glob("molerun/*")
	must.OK(t, err)
	for _, file := range sources {
		if !strings.Contains(listed, filepath.ToSlash(file)+" ") {
			t.Errorf("%s is not in the wheel:\n%s", file, listed)
		}
	}
}

// totals are what self-play counts in the matches of a game.
type totals struct {
	Game    string    `json:"game"`
	Matches int       `json:"matches"`
	Steps   int       `json:"steps"`
	Won     []int     `json:"won"`
	Points  []float64 `json:"points"`
}

// recorded counts the same in the records of a game, each verified by playing it again.
func recorded(t *testing.T, dir, id string) totals {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, id+"-*.jsonl.gz"))
	must.OK(t, err)
	sum := totals{Game: id, Matches: len(files)}
	for _, name := range files {
		file, err := os.Open(name)
		must.OK(t, err)
		rec, err := replay.Verify(file, catalog.Find)
		_ = file.Close()
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if sum.Won == nil {
			sum.Won, sum.Points = make([]int, len(rec.Result.Rank)), make([]float64, len(rec.Result.Rank))
		}
		sum.Steps += len(rec.Steps) - 1
		for seat, rank := range rec.Result.Rank {
			sum.Points[seat] += rec.Result.Points[seat]
			if rank == 1 {
				sum.Won[seat]++
			}
		}
	}
	return sum
}

func TestSelfPlayCountsWhatTheEngineRecords(t *testing.T) {
	games := 10
	if os.Getenv("MOLERUN_NIGHTLY") != "" {
		games = 1000
	}
	dir := t.TempDir()
	out := python(t, "examples/selfplay.py", "--games", fmt.Sprint(games), "--records", dir)
	played := map[string]totals{}
	for line := range strings.Lines(string(out)) {
		var sum totals
		if err := json.Unmarshal([]byte(line), &sum); err != nil {
			t.Fatalf("%v: %s", err, line)
		}
		played[sum.Game] = sum
	}
	for _, engine := range catalog.All() {
		id := engine.Info().ID
		got, want := played[id], recorded(t, dir, id)
		if want.Matches != games {
			t.Errorf("%s: %d records, want %d", id, want.Matches, games)
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%s: self-play counts %+v, the engine %+v", id, got, want)
		}
		t.Logf("%s: %d matches, %d steps, won by seat %v", id, got.Matches, got.Steps, got.Won)
	}
}

// saying plays matches of De Mol in which seats say every character up to U+3000, and some beyond.
const saying = `
import sys
from molerun import Answer, Env, legal_actions, play

signs = [chr(n) for n in [*range(0x3000), 0xFEFF, 0xFFFD, 0xFFFE, 0x1F600, 0x10FFFF]]
words = ["".join(signs[k : k + 100]) for k in range(0, len(signs), 100)]
env = Env("demol", records=sys.argv[1])
while words:
    play(env, [lambda turn: Answer(action=legal_actions(turn["offer"])[0], say=words.pop() if words else "")] * 5, seed=len(words))
env.close()
`

func TestRecordsHoldWhateverIsSaid(t *testing.T) {
	dir := t.TempDir()
	python(t, "-c", saying, dir)
	if sum := recorded(t, dir, "demol"); sum.Matches < 2 {
		t.Errorf("got %+v, want some matches", sum)
	}
}

// The examples of the README that serve a bot go on for ever: for them, serve asks for one decision.
func TestTheExamplesOfTheReadmeRun(t *testing.T) {
	text, err := os.ReadFile("README.md")
	must.OK(t, err)
	blocks := regexp.MustCompile("(?s)```python\n(.*?)```").FindAllSubmatch(text, -1)
	if len(blocks) < 5 {
		t.Fatalf("the README has %d examples, want at least 5", len(blocks))
	}
	const once = `import molerun
def serve(bot, **card):
    env = molerun.Env(card["games"][0])
    molerun.play(env, [bot] * env.max_num_agents, seed=1)
    env.close()
molerun.serve = serve
`
	for _, b := range blocks {
		python(t, "-c", once+strings.ReplaceAll(string(b[1]), `"records"`, `"`+filepath.ToSlash(t.TempDir())+`"`))
	}
}

// The page is made of what the engine says of itself: the base variant at the smallest table, with what other variants add.
func TestThePageOfObservationsIsTheEngines(t *testing.T) {
	var page strings.Builder
	page.WriteString("# Observations\n\nReader: people who train agents. The features of an observation in order, each with its shape and its least and greatest number.\n" +
		"Shown is the base variant at the smallest table; `{\"op\":\"shape\"}` says them for any. `go test ./bots/python -update` writes this page.\n")
	for _, engine := range catalog.All() {
		info := engine.Info()
		m, err := engine.Numbered(nil, info.MinSeats)
		must.OK(t, err)
		length := 0
		var rows strings.Builder
		for _, f := range m.Features() {
			n := 1
			for _, side := range f.Shape {
				n *= side
			}
			length += n
			fmt.Fprintf(&rows, "| %s | %s | %d to %d |\n", f.Name, strings.Trim(strings.ReplaceAll(fmt.Sprint(f.Shape), " ", " × "), "[]"), f.Low, f.High)
		}
		fmt.Fprintf(&page, "\n## %s\n\n%d seats: %d numbers of actions, observations of %d numbers.\n\n| feature | shape | range |\n|---|---|---|\n%s",
			info.Name, info.MinSeats, m.Size(), length, rows.String())
	}
	const name = "observations.md"
	if *update {
		must.OK(t, os.WriteFile(name, []byte(page.String()), 0o600))
	}
	if want, err := os.ReadFile(name); err != nil || page.String() != string(want) {
		t.Errorf("%s is not what the engines say (%v): go test ./bots/python -update", name, err)
	}
}

// The gate's learner learns a little only: untrained it wins none of these matches.
func TestALinearLearnerBeatsGreedyAtMoleHill(t *testing.T) {
	args, least := []string{"--learn", "200", "--test", "48"}, 5
	if os.Getenv("MOLERUN_NIGHTLY") != "" {
		args, least = nil, 120 // of 200: as good as greedy is 100, with a standard error of 7
	}
	var got struct{ Won, Lost, Drawn int }
	must.OK(t, json.Unmarshal(python(t, append([]string{"examples/train_molehill.py"}, args...)...), &got))
	if got.Won < least {
		t.Errorf("it won %d, lost %d and drew %d matches, want at least %d won", got.Won, got.Lost, got.Drawn, least)
	}
	t.Logf("%+v", got)
}
