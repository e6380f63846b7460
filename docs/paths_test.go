package docs_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// rowsOf are the rows of the table under a heading.
func rowsOf(t *testing.T, file, heading string) []string {
	t.Helper()
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	_, rest, found := strings.Cut(string(b), "## "+heading+"\n")
	if !found {
		t.Fatalf("%s has no heading %q", file, heading)
	}
	section, _, _ := strings.Cut(rest, "\n## ")
	var rows []string
	for line := range strings.Lines(section) {
		if strings.HasPrefix(line, "| ") && !strings.HasPrefix(line, "| to change") && !strings.HasPrefix(line, "| term") {
			rows = append(rows, strings.TrimSpace(line))
		}
	}
	return rows
}

var quoted = regexp.MustCompile("`([^` ]+/[^` ]*)`")

func TestEveryPathOfTheTableExists(t *testing.T) {
	rows := rowsOf(t, "6-contribute.md", "To change X, go to Y")
	if len(rows) < 12 {
		t.Fatalf("%d rows, want the whole table", len(rows))
	}
	for _, row := range append(rows, rowsOf(t, "6-contribute.md", "Glossary")...) {
		paths := quoted.FindAllStringSubmatch(row, -1)
		if len(paths) == 0 && !strings.Contains(row, "`migrations`") {
			t.Errorf("row %q names no path", row)
		}
		for _, p := range paths {
			if strings.HasPrefix(p[1], "./") {
				continue // a package of a command line
			}
			if _, err := os.Stat(filepath.Join("..", filepath.FromSlash(p[1]))); err != nil {
				t.Errorf("row %q: %v", row, err)
			}
		}
	}
}

var link = regexp.MustCompile(`\]\(([^)#]+)\)`)

func TestLinksBetweenPagesLeadSomewhere(t *testing.T) {
	pages, err := filepath.Glob("*.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, dir := range []string{"rules", "decisions"} {
		more, err := filepath.Glob(filepath.Join(dir, "*.md"))
		if err != nil {
			t.Fatal(err)
		}
		pages = append(pages, more...)
	}
	for _, page := range []string{"README.md", "CONTRIBUTING.md", "SECURITY.md"} {
		pages = append(pages, filepath.Join("..", page))
	}
	seen := 0
	for _, page := range pages {
		b, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range link.FindAllStringSubmatch(string(b), -1) {
			if strings.Contains(m[1], "://") {
				continue
			}
			seen++
			if _, err := os.Stat(filepath.Join(filepath.Dir(page), filepath.FromSlash(m[1]))); err != nil {
				t.Errorf("%s: %v", page, err)
			}
		}
	}
	if seen < 10 {
		t.Errorf("only %d links found", seen)
	}
}

func TestEveryPageSaysOnTopWhoItIsFor(t *testing.T) {
	for _, pattern := range []string{"*.md", "rules/*.md", "decisions/*.md"} {
		pages, err := filepath.Glob(pattern)
		if err != nil || len(pages) == 0 {
			t.Fatalf("%s: %v, %v", pattern, pages, err)
		}
		for _, page := range pages {
			b, err := os.ReadFile(page)
			if err != nil {
				t.Fatal(err)
			}
			if top := strings.SplitN(string(b), "\n", 4); len(top) < 4 || !strings.HasPrefix(top[0], "# ") || !strings.HasPrefix(top[2], "Reader: ") {
				t.Errorf("%s: want a title and then the reader", page)
			}
		}
	}
}
