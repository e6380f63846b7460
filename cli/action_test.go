package cli_test

import (
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"

	"github.com/molerun/molerun/internal/clitest"
	"github.com/molerun/molerun/internal/must"
)

const actionDir = "../.github/actions/molerun-check"

// action is the part of a composite action that ours uses; a key beside it is an error.
type action struct {
	Name, Description string
	Inputs            map[string]struct {
		Description, Default string
		Required             bool
	}
	Runs struct {
		Using string
		Steps []struct {
			Name, Uses, Shell, Run string
			With, Env              map[string]string
		}
	}
}

// environment returns the environment of the action's last step, for the inputs given and the defaults of all others.
func (a action) environment(t *testing.T, given map[string]string) (env []string) {
	t.Helper()
	steps := a.Runs.Steps
	for key, value := range steps[len(steps)-1].Env {
		name := strings.TrimSuffix(strings.TrimPrefix(value, "${{ inputs."), " }}")
		input, ok := a.Inputs[name]
		if !ok || strings.ToUpper(name) != key {
			t.Errorf("%s: %s is no input of the action", key, value)
		}
		text, set := given[name]
		if !set {
			text = input.Default
		}
		env = append(env, key+"="+text)
	}
	return env
}

func readAction(t *testing.T) (a action) {
	t.Helper()
	text := contents(t, filepath.Join(actionDir, "action.yml"))
	must.OK(t, yaml.UnmarshalWithOptions(text, &a, yaml.DisallowUnknownField()))
	last := a.Runs.Steps[len(a.Runs.Steps)-1]
	if last.Run != `bash "$GITHUB_ACTION_PATH/check.sh"` || last.Shell != "bash" {
		t.Errorf("the last step runs %q by %q", last.Run, last.Shell)
	}
	if len(last.Env) != len(a.Inputs) {
		t.Errorf("the action has %d inputs and its script gets %d", len(a.Inputs), len(last.Env))
	}
	return a
}

// botRepository returns the repository of the Python starter, whose releases v1 and v2 are what it is now.
func botRepository(t *testing.T) (dir string) {
	t.Helper()
	dir = filepath.Join(t.TempDir(), "bot")
	told(t, "", "init", "python", "--dir", dir)
	script := `echo greedy > strength && git init -q && git add . && git -c user.name=ada -c user.email=ada@example.org commit -qm "a bot" && git tag v1 &&
		git -c user.name=ada -c user.email=ada@example.org commit -qm "the same bot" --allow-empty && git tag v2`
	run := exec.Command("bash", "-c", script)
	run.Dir = dir
	if out, err := run.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return dir
}

func TestTheActionChecksPlaysAndTestsABot(t *testing.T) {
	t.Parallel()
	a, binary := readAction(t), molerun(t)
	script, err := filepath.Abs(filepath.Join(actionDir, "check.sh"))
	must.OK(t, err)
	port := func() string { _, p, _ := net.SplitHostPort(clitest.FreeAddress(t)); return p }
	for _, row := range []struct {
		name, change string
		inputs       map[string]string
		code         int
		says         []string
	}{
		{
			name:   "as good as its release",
			inputs: map[string]string{"matches": "2", "max": "4", "games": "molehill cia"},
			says:   []string{"✓ molehill", "✓ cia", "molehill against greedy", "cia against v1", "::notice::molehill: not known after 4 matches"},
		},
		{
			name:   "a fault",
			change: `sed -i 's/rng.randrange(len(offer\["list"\]))/-1/' bot.py`,
			inputs: map[string]string{"matches": "1", "max": "2", "opponent": "random"},
			code:   1,
			says:   []string{"✗ molehill", "molehill against v1"},
		},
		{
			name:   "weaker than its release",
			change: "echo random > strength",
			inputs: map[string]string{"run": "exec molerun house $(cat strength) --listen 127.0.0.1:$PORT", "matches": "1", "max": "200"},
			code:   1,
			says:   []string{"::error::molehill: weaker than v1"},
		},
		{
			name:   "it does not start",
			inputs: map[string]string{"run": "echo I am no bot; exit 7"},
			code:   1,
			says:   []string{"::error::the new bot does not listen", "I am no bot"},
		},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			dir := botRepository(t)
			if row.change != "" {
				c := exec.Command("bash", "-c", row.change+" && ! git diff --quiet")
				c.Dir = dir
				if out, err := c.CombinedOutput(); err != nil {
					t.Fatalf("%v\n%s", err, out)
				}
			}
			given := map[string]string{"run": "python3 bot.py", "games": "molehill"}
			for name, value := range row.inputs {
				given[name] = value
			}
			summary := filepath.Join(t.TempDir(), "summary.md")
			c := exec.CommandContext(t.Context(), "bash", script)
			c.Dir = dir
			c.Env = append(os.Environ(), a.environment(t, given)...)
			c.Env = append(c.Env, "PATH="+filepath.Dir(binary)+":"+os.Getenv("PATH"), "NEW_PORT="+port(), "OLD_PORT="+port(), "GITHUB_STEP_SUMMARY="+summary)
			out, err := c.CombinedOutput()
			if code := c.ProcessState.ExitCode(); code != row.code {
				t.Errorf("exit code %d, want %d (%v)\n%s", code, row.code, err, out)
			}
			for _, want := range row.says {
				if !strings.Contains(string(out), want) {
					t.Errorf("%q is not in what it says:\n%s", want, out)
				}
			}
			told, _ := os.ReadFile(summary)
			if row.inputs["run"] == "" && !strings.Contains(string(told), "### check\n```text\n") {
				t.Errorf("the summary is %q", told)
			}
			if left, _ := exec.Command("git", "-C", dir, "worktree", "list").Output(); strings.Count(string(left), "\n") != 1 {
				t.Errorf("worktrees are left:\n%s", left)
			}
		})
	}
}
