package starters_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"github.com/molerun/molerun/bots/starters"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestEveryStarterIsABotItsTestAndADockerfile(t *testing.T) {
	for language, want := range map[string]string{
		"python": "Dockerfile bot.py test_bot.py", "py": "Dockerfile bot.py test_bot.py", "JS": "Dockerfile bot.js bot.test.js", "go": "Dockerfile bot.go bot_test.go go.mod",
		"ts": "Dockerfile bot.test.ts bot.ts package.json tsconfig.json", "java": "Bot.java BotTest.java Dockerfile",
		"llm": "Dockerfile bot.py test_bot.py server.py",
		"rs":  "Cargo.toml Dockerfile bot.rs bot_test.rs json.rs server.rs webhook.rs",
	} {
		starter, err := starters.Find(language)
		if err != nil {
			t.Fatal(err)
		}
		files, err := starter.Files()
		if err != nil {
			t.Fatal(err)
		}
		var names []string
		for _, f := range files {
			names = append(names, f.Name)
			if len(f.Body) == 0 {
				t.Errorf("%s: %s is empty", language, f.Name)
			}
		}
		if got := strings.Join(names, " "); got != want {
			t.Errorf("%s: got %s, want %s", language, got, want)
		}
	}
	for _, language := range []string{"cobol", "", ".", "..", "python/../go"} {
		if found, err := starters.Find(language); err == nil || !strings.Contains(err.Error(), strings.Join(starters.Names(), ", ")) {
			t.Errorf("%q: got %v and %v, want an error that lists the languages", language, found, err)
		}
	}
}

// No two starters answer to one name.
func TestEveryNameOfAStarterIsItsOwn(t *testing.T) {
	for _, s := range starters.All() {
		for _, name := range append([]string{s.Name}, s.Aliases...) {
			if found, err := starters.Find(name); err != nil || found.Name != s.Name {
				t.Errorf("%s finds %s (%v), want %s", name, found.Name, err, s.Name)
			}
		}
	}
}

// passes runs a command in a folder.
func passes(t *testing.T, dir string, command ...string) {
	t.Helper()
	c := exec.Command(command[0], command[1:]...)
	c.Dir = dir
	c.Env = append(os.Environ(), "PYTHONDONTWRITEBYTECODE=1")
	if out, err := c.CombinedOutput(); err != nil {
		t.Errorf("%s in %s: %v\n%s", strings.Join(command, " "), dir, err, out)
	}
}

// The Go starter's own test is a package of this module; those of the languages that are compiled run where the starters are built, in cli.
func TestTheStartersOwnTestsPass(t *testing.T) {
	passes(t, "python", "python3", "-S", "test_bot.py") // -S: nothing but the standard library
	passes(t, "javascript", "node", "--test")
	starter, err := starters.Find("llm")
	if err != nil {
		t.Fatal(err)
	}
	files, err := starter.Files()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for _, f := range files {
		if err := os.WriteFile(filepath.Join(dir, f.Name), f.Body, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	passes(t, dir, "python3", "-S", "test_bot.py")
}

var (
	required = regexp.MustCompile(`require\("([^"]+)"\)`)
	fromNode = regexp.MustCompile(`from "([^"]+)";`)
	imported = regexp.MustCompile(`(?m)^\t"([^"]+)"$`)
)

func TestTheStartersUseTheStandardLibraryAlone(t *testing.T) {
	for _, row := range []struct {
		file string
		name *regexp.Regexp
		own  func(string) bool
	}{
		{"javascript/bot.js", required, func(s string) bool { return strings.HasPrefix(s, "node:") }},
		{"typescript/bot.ts", fromNode, func(s string) bool { return strings.HasPrefix(s, "node:") }},
		{"go/bot.go", imported, func(s string) bool { return !strings.Contains(s, ".") }},
	} {
		b, err := os.ReadFile(filepath.FromSlash(row.file))
		if err != nil {
			t.Fatal(err)
		}
		found := row.name.FindAllStringSubmatch(string(b), -1)
		if len(found) < 2 || slices.ContainsFunc(found, func(m []string) bool { return !row.own(m[1]) }) {
			t.Errorf("%s: got %v, want names of the standard library", row.file, found)
		}
	}
}
