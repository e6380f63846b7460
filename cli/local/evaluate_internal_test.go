package local

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/molerun/molerun/bots/card"
	"github.com/molerun/molerun/cli/command"
	"github.com/molerun/molerun/engines/game/text"
	"github.com/molerun/molerun/internal/must"
)

// decisions, in the environment, is how many a scripted program makes before it ends.
const decisions = "MOLERUN_TEST_DECISIONS"

// told, in the environment, is the file that a scripted program makes when it hears that all matches are over.
const told = "MOLERUN_TEST_TOLD"

// scripted is a program that plays by tools: it always takes the first action, ends after 300 decisions, and makes none if it is told so.
func scripted(url string) error {
	if os.Getenv(decisions) == "none" {
		return errors.New("I do not feel like it")
	}
	ctx := context.Background()
	c, err := mcp.NewClient(&mcp.Implementation{Name: "scripted"}, nil).Connect(ctx, &mcp.StreamableClientTransport{Endpoint: url, DisableStandaloneSSE: true, MaxRetries: -1}, nil)
	if err != nil {
		return err
	}
	call := func(tool string, args map[string]any) (string, error) {
		got, err := c.CallTool(ctx, &mcp.CallToolParams{Name: tool, Arguments: args})
		if err != nil || len(got.Content) == 0 {
			return "", errors.Join(err, errors.New("no answer"))
		}
		return got.Content[0].(*mcp.TextContent).Text, nil
	}
	turn := regexp.MustCompile(`turn: (\S+)\n`)
	text, err := call("wait", map[string]any{})
	for made := 0; err == nil && made < 300 && !strings.Contains(text, "All matches are over"); made++ {
		if m := turn.FindStringSubmatch(text); m == nil {
			text, err = call("wait", map[string]any{})
		} else {
			text, err = call("act", map[string]any{"turn": m[1], "choose": 0})
		}
	}
	if file := os.Getenv(told); err == nil && file != "" && strings.Contains(text, "All matches are over") {
		err = os.WriteFile(file, nil, 0o600)
	}
	return errors.Join(err, c.Close())
}

// evaluate runs the command in this process.
func evaluate(t *testing.T, args ...string) (out, errs string, err error) {
	t.Helper()
	var o, e bytes.Buffer
	cmd := evaluateCommand(command.Console{In: strings.NewReader(""), Out: &o, Err: &e})
	command.Finish(cmd)
	cmd.SetArgs(append([]string{}, args...)) // of none, cobra would take those of the tests
	cmd.SilenceErrors, cmd.SilenceUsage = true, true
	err = cmd.ExecuteContext(t.Context())
	return o.String(), e.String(), err
}

// A program that plays by tools is evaluated as a bot behind a URL is: no fault, though it ended twice on the way, and the card follows from
// the records.
func TestAProgramThatPlaysByToolsIsEvaluated(t *testing.T) {
	dir, program := filepath.Join(t.TempDir(), "out"), self(t)
	over := filepath.Join(t.TempDir(), "over")
	t.Setenv(told, over)
	out, errs, err := evaluate(t, "--mcp", program, "--plan", "quick", "--games", "cia", "--out", dir, "--json", "--limit", "1m")
	if err != nil {
		t.Fatalf("%v\n%s", err, errs)
	}
	if _, err := os.Stat(over); err != nil {
		t.Errorf("the program ended without hearing that all matches are over: %v", err)
	}
	var c card.Card
	must.OK(t, json.Unmarshal([]byte(out), &c))
	if g := c.Games[0]; len(g.Faults) > 0 || g.Matches != 72 || g.Decisions < 600 || c.Run.Times[0].MedianUS == 0 || c.Subject.Name != program {
		t.Errorf("got %+v, times %+v", g, c.Run.Times)
	}
	file := filepath.Join(dir, "card.json")
	if out, _, err = evaluate(t, "verify", file, dir, "--parallel", "2"); err != nil || !strings.Contains(out, "the card follows from its 72 matches: ") || !strings.Contains(out, "name, build, clock and program are as the card says") {
		t.Errorf("got %q (%v), want that the card follows", out, err)
	}
	if out, _, err = evaluate(t, "export", file); err != nil || !strings.Contains(out, `"schema_version": "0.3.0"`) {
		t.Errorf("got %q (%v), want the export", out, err)
	}
	to := filepath.Join(t.TempDir(), "e.json")
	for i, args := range [][]string{{"export", file, "--out", "-"}, {"export", file, "--out", to}, {"export", file, "--out", to}} {
		out, _, err := evaluate(t, args...)
		if refused := err != nil; refused != (i == 2) || refused && (strings.Contains(err.Error(), "--force") || !strings.Contains(err.Error(), "choose another file")) || (out != "") != (i == 0) {
			t.Errorf("%q: got %q (%v)", args, out, err)
		}
	}
	// Two of the records are lost; the same command plays them again.
	for _, name := range []string{"cia-0003.jsonl.gz", "cia-0070.jsonl.gz"} {
		must.OK(t, os.Remove(filepath.Join(dir, "cia", name)))
	}
	again, errs, err := evaluate(t, "--mcp", program, "--plan", "quick", "--games", "cia", "--out", dir, "--json", "--limit", "1m")
	var d card.Card
	if err = errors.Join(err, json.Unmarshal([]byte(again), &d)); err != nil {
		t.Fatalf("%v\n%s", err, errs)
	}
	if d.Games[0].Played != c.Games[0].Played || d.Clean != c.Clean {
		t.Errorf("gone on with: got %+v, want %+v", d.Games[0], c.Games[0])
	}
}

// Two programs have two names, however long their commands are and wherever they differ.
func TestAProgramIsNamedByItsCommand(t *testing.T) {
	long := "python3 agent.py " + strings.Repeat("x", 300)
	seen := map[string]bool{}
	for _, line := range []string{
		"python3  agentA.py", "python3 agentB.py", "python3 'agentA.py '", "python3 agent A.py", "python3 'agent A.py'", "python3 'agent  A.py'",
		long + " a", long + " b", "a \x1b[31m", "a '\\x1b[31m'",
	} {
		words, err := command.Words("mcp", line)
		must.OK(t, err)
		name := commandName(words)
		if seen[name] || len(name) > 120 || text.Line.Check(name, 256) != nil {
			t.Errorf("%.40q has the name %q", line, name)
		}
		seen[name] = true
	}
	if got := commandName([]string{"python3", "agentA.py"}); got != "python3 agentA.py" {
		t.Errorf("got %q, want the command", got)
	}
}

func TestAnEvaluationThatCannotBeIsRefusedInWords(t *testing.T) {
	t.Setenv(decisions, "none")
	dir := t.TempDir()
	for name, x := range map[string]struct {
		args []string
		want string
	}{
		"nobody":                   {nil, "want the URL of a bot, the name of a house bot, or --mcp COMMAND"},
		"two":                      {[]string{"greedy", "--mcp", "x"}, "one of them"},
		"no such bot":              {[]string{"gredy"}, `there is no house bot "gredy"`},
		"no such plan":             {[]string{"greedy", "--plan", "easy"}, `there is no plan "easy"; there are quick, standard`},
		"no such game":             {[]string{"greedy", "--games", "cia,chess"}, `"chess"; want some of cia, demol`},
		"an empty list of games":   {[]string{"greedy", "--games", ""}, "--games is empty: give it a value, or leave it out"},
		"no games of a program":    {[]string{"--mcp", "x", "--games", ""}, "--games is empty"},
		"an empty plan":            {[]string{"greedy", "--plan", ""}, "--plan is empty"},
		"a game twice":             {[]string{"greedy", "--games", "cia,cia"}, "each once"},
		"no such program":          {[]string{"--mcp", filepath.Join(dir, "none")}, "--mcp: "},
		"one that decides nothing": {[]string{"--mcp", self(t), "--plan", "quick", "--games", "cia", "--out", dir}, "has ended without a decision"},
		"no card":                  {[]string{"verify", filepath.Join(dir, "x"), dir}, "no such file"},
	} {
		if _, _, err := evaluate(t, x.args...); err == nil || !strings.Contains(err.Error(), x.want) || strings.Contains(err.Error(), "leave the game out") {
			t.Errorf("%s: got %v, want %q in it", name, err, x.want)
		}
	}
}
