package local

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"hash/fnv"
	"io/fs"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/molerun/molerun/bots/house"
	"github.com/molerun/molerun/bots/kit"
	"github.com/molerun/molerun/bots/protocol"
	"github.com/molerun/molerun/cli/command"
	"github.com/molerun/molerun/cli/local/matches"
	"github.com/molerun/molerun/internal/must"
)

// botFolder, in the environment, makes this test program a bot, which leaves its port as a file in that folder.
const botFolder = "MOLERUN_TEST_TUNED"

func TestMain(m *testing.M) {
	if dir := os.Getenv(botFolder); dir != "" {
		if err := tunedBot(dir); err != nil {
			_, _ = os.Stderr.WriteString(err.Error() + "\n")
			os.Exit(1)
		}
		return
	}
	if url := os.Getenv(mcpVariable); url != "" {
		if err := scripted(url); err != nil {
			_, _ = os.Stderr.WriteString(err.Error() + "\n")
			os.Exit(1)
		}
		return
	}
	goleak.VerifyTestMain(m)
}

// tunedBot serves a bot of Mole Hill that is greedy in so many of its decisions as SKILL says, and else plays what is offered last.
func tunedBot(dir string) error {
	skill, err := strconv.ParseFloat(os.Getenv("SKILL"), 64)
	if err != nil {
		return err
	}
	greedy, _ := house.Find("greedy")
	bot := kit.Bot{Name: "tuned", Log: slog.New(slog.DiscardHandler), Games: map[string]kit.Decide{"molehill": func(ctx context.Context, t *protocol.Turn) (protocol.Answer, error) {
		h := fnv.New64a()
		_, _ = h.Write([]byte(t.Decision))
		if float64(h.Sum64()>>11)/(1<<53) < skill {
			return greedy.Decide(1)(ctx, t)
		}
		return protocol.Answer{Choose: new(int)}, nil
	}}}
	h, err := kit.Handler(bot)
	if err != nil {
		return err
	}
	l, err := command.Listen(context.Background(), "127.0.0.1:"+os.Getenv("PORT"))
	if err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(dir, os.Getenv("PORT")), nil, 0o600); err != nil {
		return err
	}
	return kit.ServeOn(context.Background(), l, h)
}

// tune runs the command in this process. What it starts is this very program.
func tune(t *testing.T, args ...string) (out, errs string, err error) {
	t.Helper()
	var o, e bytes.Buffer
	cmd := tuneCommand(command.Console{In: strings.NewReader(""), Out: &o, Err: &e})
	cmd.SetArgs(args)
	cmd.SilenceErrors, cmd.SilenceUsage = true, true
	err = cmd.ExecuteContext(t.Context())
	return o.String(), e.String(), err
}

// self returns the command that starts this program, from a folder whose name has blanks.
func self(t *testing.T) string {
	t.Helper()
	path, err := os.Executable()
	must.OK(t, err)
	link := filepath.Join(t.TempDir(), "a bot's  program")
	must.OK(t, os.Symlink(path, link))
	return command.Quoted(link)
}

// A bot that plays the better the higher its number is tuned upwards, and is stronger then, by itself and by an opponent; a tuning that
// was stopped ends as one in one go; and no process is left.
func TestATuningGoesUpAndLeavesNoProcess(t *testing.T) {
	ports := t.TempDir()
	t.Setenv(botFolder, ports)
	t.Setenv("MOLERUN_SECRET", "")
	dir := filepath.Join(t.TempDir(), "it's mine") // a hint quotes it
	must.OK(t, os.Mkdir(dir, 0o700))
	args := func(file string, more ...string) []string {
		return append([]string{
			"molehill", "--cmd", self(t), "--param", "SKILL=0.3:0.0:1.0", "--pairs", "4", "--json", "--parallel", "2", "--state", filepath.Join(dir, file),
		}, more...)
	}
	var end struct {
		Event      string
		Best       []string
		Difference *differenceOf
	}
	read := func(out string) float64 {
		lines := strings.Split(strings.TrimSpace(out), "\n")
		if err := json.Unmarshal([]byte(lines[len(lines)-1]), &end); err != nil || end.Event != "summary" || len(end.Best) != 1 {
			t.Fatalf("%v in %s", err, out)
		}
		best, err := strconv.ParseFloat(strings.TrimPrefix(end.Best[0], "SKILL="), 64)
		must.OK(t, err)
		return best
	}
	whole, errs, err := tune(t, args("whole.json", "--steps", "4", "--final", "12")...)
	if err != nil {
		t.Fatalf("%v\n%s", err, errs)
	}
	if best := read(whole); best < .35 || end.Difference.Elo <= 0 {
		t.Errorf("SKILL ends at %g, %+.0f Elo from the start; want it higher and stronger\n%s", best, end.Difference.Elo, errs)
	}

	ctx, stop := context.WithCancel(t.Context())
	stopped := &stopAfter{stop: stop, lines: 2}
	cmd := tuneCommand(command.Console{In: strings.NewReader(""), Out: stopped, Err: &stopped.Buffer})
	cmd.SetArgs(args("parts.json", "--steps", "4", "--final", "12"))
	cmd.SilenceErrors, cmd.SilenceUsage = true, true
	if err := cmd.ExecuteContext(ctx); err == nil || !strings.Contains(err.Error(), "molerun tune --resume "+command.Quoted(filepath.Join(dir, "parts.json"))) {
		t.Fatalf("stopped: %v, want how to go on", err)
	}
	rest, errs, err := tune(t, "--resume", filepath.Join(dir, "parts.json"), "--json")
	if err != nil {
		t.Fatalf("%v\n%s", err, errs)
	}
	if got, want := stopped.told+rest, strings.ReplaceAll(whole, "whole.json", "parts.json"); got != want {
		t.Errorf("stopped and gone on with\n%s\nin one go\n%s", got, want)
	}

	if _, _, err := tune(t, args("whole.json")...); !errors.Is(err, command.ErrUsage) || !strings.Contains(err.Error(), "--resume "+command.Quoted(filepath.Join(dir, "whole.json"))) {
		t.Errorf("over another tuning: %v", err)
	}

	file := filepath.Join(dir, "whole.json")
	state, err := matches.LoadTuning(file)
	if state.Faults = 2; err != nil || state.Keep(file) != nil {
		t.Fatal(err)
	}
	if out, _, err := tune(t, "--resume", file, "--json"); err == nil || !strings.Contains(err.Error(), "2 faults of the bot") || !strings.Contains(out, `"faults":2`) {
		t.Errorf("with two faults before it stopped: %v\n%s", err, out)
	}

	out, errs, err := tune(t, args("opponent.json", "--opponent", "greedy", "--steps", "1", "--pairs", "6", "--c", "0.5", "--final", "0")...)
	if best := read(out); err != nil || best <= .3 {
		t.Errorf("against greedy SKILL ends at %g, %v; want it higher\n%s", best, err, errs)
	}

	files, err := os.ReadDir(ports)
	if err != nil || len(files) == 0 {
		t.Fatalf("no bot was started: %v", err)
	}
	for _, f := range files {
		if conn, err := (&net.Dialer{Timeout: time.Second}).DialContext(t.Context(), "tcp", "127.0.0.1:"+f.Name()); err == nil {
			_ = conn.Close()
			t.Errorf("a bot still listens on port %s", f.Name())
		}
	}
}

// stopAfter ends a command once it has written so many lines, and keeps those.
type stopAfter struct {
	bytes.Buffer // what is said beside
	stop         func()
	lines        int
	told         string
}

func (s *stopAfter) Write(b []byte) (int, error) {
	if s.lines > 0 {
		s.told += string(b)
		if s.lines--; s.lines == 0 {
			s.stop()
		}
	}
	return len(b), nil
}

func TestATuningThatCannotBeIsRefused(t *testing.T) {
	t.Setenv("MOLERUN_SECRET", "")
	dir := t.TempDir()
	state := filepath.Join(dir, "s.json")
	_, _, err := tune(t, "molehill", "--steps", "0", "--param", "A=1", "--state", state)
	for _, want := range []string{"--cmd", "--steps", "NAME=START:MIN:MAX"} {
		if !errors.Is(err, command.ErrUsage) || !strings.Contains(err.Error(), want) {
			t.Errorf("%v does not name %s", err, want)
		}
	}
	_, _, err = tune(t, "molehill", "--cmd", filepath.Join(dir, "none"), "--param", "A=1:0:2", "--state", state)
	if !errors.Is(err, command.ErrUsage) || !strings.Contains(err.Error(), "--cmd") {
		t.Errorf("a command that is not there: %v", err)
	}
	if _, err := os.Stat(state); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("%v: a tuning that never began keeps %s, and the same command with another --cmd is refused", err, state)
	}
	for line, want := range map[string]string{`'a bot`: "a quote is not closed", `a bot\`: "a quote is not closed, or a backslash", `""`: "names no program", "# none": "names no program"} {
		if _, _, err := tune(t, "molehill", "--cmd", line, "--param", "A=1:0:2", "--state", state); !errors.Is(err, command.ErrUsage) || !strings.Contains(err.Error(), "--cmd: ") || !strings.Contains(err.Error(), want) {
			t.Errorf("--cmd %s: %v, want a refusal with %q", line, err, want)
		}
		if _, _, err := evaluate(t, "--mcp", line); !errors.Is(err, command.ErrUsage) || !strings.Contains(err.Error(), "--mcp: ") || !strings.Contains(err.Error(), want) {
			t.Errorf("--mcp %s: %v, want a refusal with %q", line, err, want)
		}
	}
	must.OK(t, os.WriteFile(state, nil, 0o600))
	for _, other := range []string{state, dir} {
		_, _, err = tune(t, "molehill", "--cmd", "x", "--param", "A=1:0:2", "--state", other)
		if !errors.Is(err, command.ErrUsage) || !strings.Contains(err.Error(), "is no tuning: choose another file") {
			t.Errorf("over what is no tuning: %v", err)
		}
	}
	for _, flag := range []string{"--steps=7", "--beliefs"} {
		if _, _, err = tune(t, "--resume", state, flag); !errors.Is(err, command.ErrUsage) {
			t.Errorf("another tuning by --resume and %s: %v", flag, err)
		}
	}
	t.Setenv(botFolder, dir)
	_, _, err = tune(t, "molehill", "--cmd", self(t), "--param", "OTHER=1:0:2", "--state", filepath.Join(dir, "t.json"))
	if err == nil || !strings.Contains(err.Error(), "parsing \"\"") {
		t.Errorf("a bot that ends at once: %v, want what it wrote", err)
	}
}
