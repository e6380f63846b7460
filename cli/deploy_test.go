package cli_test

import (
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/molerun/molerun/internal/must"
)

// promtool runs Prometheus's own checker in the deploy folder.
func promtool(t *testing.T, args ...string) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "promtool", args...)
	cmd.Dir = filepath.Join("..", "deploy")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("promtool %s: %v (make setup installs it)\n%s", strings.Join(args, " "), err, out)
	}
}

func TestEachAlertCanBeProvokedAndAHealthyPlatformProvokesNone(t *testing.T) {
	promtool(t, "check", "config", "prometheus.yml")
	promtool(t, "test", "rules", "alerts_test.yml")
	rules := contents(t, "../deploy/alerts.yml")
	tests := contents(t, "../deploy/alerts_test.yml")
	guide := contents(t, "../docs/7-operate.md")
	alerts := regexp.MustCompile(`- alert: (\w+)`).FindAllSubmatch(rules, -1)
	if len(alerts) < 7 {
		t.Errorf("%d alerts were read", len(alerts))
	}
	for _, a := range alerts {
		if !regexp.MustCompile(`alertname: ` + string(a[1]) + `\n\s+exp_alerts:\n\s+- exp_labels`).Match(tests) {
			t.Errorf("nothing provokes %s", a[1])
		}
		if !strings.Contains(string(guide), "`"+string(a[1])+"`") {
			t.Errorf("docs/7-operate.md does not say what %s means", a[1])
		}
		if !strings.Contains(string(tests), "alertname: "+string(a[1])+", exp_alerts: []") {
			t.Errorf("nothing says that %s is silent when all is well", a[1])
		}
	}
}

// A tag can be moved to other code; a commit cannot.
func TestTheWorkflowsNameActionsByCommit(t *testing.T) {
	var list []string
	for _, pattern := range []string{"../.github/workflows/*.yml", "../.github/actions/*/action.yml"} {
		files, err := filepath.Glob(pattern)
		if err != nil || len(files) == 0 {
			t.Fatalf("%s: %v, %v", pattern, files, err)
		}
		list = append(list, files...)
	}
	pinned := regexp.MustCompile(`^(\./\S+|[\w/-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+)$`)
	commits := map[string]string{}
	for _, file := range list {
		text := contents(t, file)
		for _, m := range regexp.MustCompile(`(?m)\buses: *(.*)$`).FindAllStringSubmatch(string(text), -1) {
			if !pinned.MatchString(m[1]) {
				t.Errorf("%s: %s: want OWNER/NAME@COMMIT # VERSION", file, m[1])
			}
			name, at, _ := strings.Cut(m[1], "@")
			if before, there := commits[name]; there && before != at {
				t.Errorf("%s: %s at %s, elsewhere at %s", file, name, at, before)
			}
			commits[name] = at
		}
		if strings.Contains(string(text), "run: make nightly") && !strings.Contains(string(text), "run: make setup\n") {
			t.Errorf("%s does not install what the tests need", file)
		}
	}
}

func TestDependabotLooksAtEveryModuleAndAction(t *testing.T) {
	text := string(contents(t, "../.github/dependabot.yml"))
	for _, pattern := range []string{"../go.mod", "../*/go.mod", "../.github/actions/*/action.yml", "../*/Dockerfile"} {
		files, err := filepath.Glob(pattern)
		if err != nil || len(files) == 0 {
			t.Fatalf("%s: %v, %v", pattern, files, err)
		}
		for _, file := range files {
			if folder := path.Dir(strings.TrimPrefix(filepath.ToSlash(file), "..")); !strings.Contains(text, `"`+folder+`"`) {
				t.Errorf(".github/dependabot.yml does not name %s, where %s is", folder, file)
			}
		}
	}
}

// What is embedded and kept out of the image's build would be missing from the image's program alone, and nobody would notice.
func TestTheImageIsBuiltWithAllThatTheProgramEmbeds(t *testing.T) {
	text := contents(t, "../.dockerignore")
	list := exec.CommandContext(t.Context(), "go", "list", "-f", `{{$d := .ImportPath}}{{range .EmbedFiles}}{{$d}}/{{.}}{{"\n"}}{{end}}`, "../...")
	out, err := list.Output()
	must.OK(t, err)
	files := 0
	for name := range strings.FieldsSeq(string(out)) {
		name = strings.TrimPrefix(name, "github.com/molerun/molerun/")
		if files++; dockerIgnores(t, string(text), name) {
			t.Errorf("%s is embedded, but .dockerignore keeps it out", name)
		}
	}
	if files < 50 || !dockerIgnores(t, string(text), "cli/deploy_test.go") || !dockerIgnores(t, string(text), "docs/pictures/cia.svg") {
		t.Errorf("%d embedded files were read, or .dockerignore is not read right", files)
	}
}

// dockerIgnores reports whether the patterns keep a file out: the last that fits it, or a folder above it, decides.
func dockerIgnores(t *testing.T, patterns, name string) (out bool) {
	t.Helper()
	for p := range strings.FieldsSeq(patterns) {
		p, back := strings.CutPrefix(p, "!")
		p, anywhere := strings.CutPrefix(p, "**/")
		for part := name; part != "."; part = path.Dir(part) {
			at := part
			if anywhere {
				at = path.Base(part)
			}
			fits, err := path.Match(p, at)
			must.OK(t, err)
			if fits {
				out = !back
			}
		}
	}
	return out
}
