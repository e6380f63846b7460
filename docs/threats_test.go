package docs_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/molerun/molerun/internal/must"
)

var testName = regexp.MustCompile("`((?:Test|Fuzz)[A-Za-z0-9]+)`")

// TestEveryThreatHasATestThatExists: each row of docs/threats.md names one or more, and they are in the tree.
func TestEveryThreatHasATestThatExists(t *testing.T) {
	page, err := os.ReadFile("threats.md")
	must.OK(t, err)
	written := map[string]bool{}
	declared := regexp.MustCompile(`(?m)^func ((?:Test|Fuzz)\w+)\(`)
	err = filepath.WalkDir("..", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, "_test.go") {
			return err
		}
		b, err := os.ReadFile(path)
		for _, m := range declared.FindAllStringSubmatch(string(b), -1) {
			written[m[1]] = true
		}
		return err
	})
	must.OK(t, err)
	rows := 0
	threats, _, _ := strings.Cut(string(page), "\n## ") // the league of cheats below has tests of its own, in cli/cheats
	for line := range strings.Lines(threats) {
		if !strings.HasPrefix(line, "| ") || strings.HasPrefix(line, "| threat") {
			continue
		}
		rows++
		names := testName.FindAllStringSubmatch(line, -1)
		if len(names) == 0 {
			t.Errorf("no test in the row %s", line)
		}
		for _, n := range names {
			if !written[n[1]] {
				t.Errorf("%s is in no file; the row is %s", n[1], line)
			}
		}
	}
	if rows < 30 {
		t.Errorf("%d rows, want the whole table", rows)
	}
}
