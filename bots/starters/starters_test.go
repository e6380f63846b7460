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
		"python": "Dockerfile bot.py test_bot.py", "javascript": "Dockerfile bot.js bot.test.js", "go": "Dockerfile bot.go bot_test.go go.mod",
	} {
		files, err := starters.Files(language)
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
	if len(starters.Languages()) != 3 {
		t.Errorf("languages %v, want the three above", starters.Languages())
	}
	for _, language := range []string{"cobol", "", ".", "..", "python/../go"} {
		if files, err := starters.Files(language); err == nil || !strings.Contains(err.Error(), "python, javascript, go") {
			t.Errorf("%q: got %d files and %v, want an error that lists the languages", language, len(files), err)
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

// The Go starter's own test is a package of this module.
func TestTheStartersOwnTestsPass(t *testing.T) {
	passes(t, "python", "python3", "-S", "test_bot.py") // -S: nothing but the standard library
	passes(t, "javascript", "node", "--test")
}

var (
	required = regexp.MustCompile(`require\("([^"]+)"\)`)
	imported = regexp.MustCompile(`(?m)^\t"([^"]+)"$`)
)

func TestTheStartersUseTheStandardLibraryAlone(t *testing.T) {
	for _, row := range []struct {
		file string
		name *regexp.Regexp
		own  func(string) bool
	}{
		{"javascript/bot.js", required, func(s string) bool { return strings.HasPrefix(s, "node:") }},
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
