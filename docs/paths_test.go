package docs_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/molerun/molerun/internal/must"
)

// rowsOf are the rows of the table under a heading.
func rowsOf(t *testing.T, file, heading string) []string {
	t.Helper()
	b, err := os.ReadFile(file)
	must.OK(t, err)
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

var (
	link    = regexp.MustCompile(`\]\(([^)#]*)(?:#([^)]*))?\)`)
	heading = regexp.MustCompile(`(?m)^#+ (.+)$`)
	unsaid  = regexp.MustCompile(`[^\p{L}\p{N} _-]`)
)

// anchors are the ids of a page's headings, as GitHub and the site make them: in small letters, words with hyphens between.
func anchors(page []byte) map[string]bool {
	ids := map[string]bool{}
	for _, m := range heading.FindAllSubmatch(page, -1) {
		ids[strings.ReplaceAll(unsaid.ReplaceAllString(strings.ToLower(string(m[1])), ""), " ", "-")] = true
	}
	return ids
}

func TestLinksBetweenPagesLeadSomewhere(t *testing.T) {
	seen, deep := 0, 0
	for _, pattern := range []string{"*.md", "*/*.md", "../*.md", "../bots/python/*.md"} {
		pages, err := filepath.Glob(pattern)
		if err != nil || len(pages) == 0 {
			t.Fatalf("%s: %v, %v", pattern, pages, err)
		}
		for _, page := range pages {
			b, err := os.ReadFile(page)
			must.OK(t, err)
			for _, m := range link.FindAllStringSubmatch(string(b), -1) {
				if strings.Contains(m[1], "://") {
					continue
				}
				seen++
				target := b
				if m[1] != "" {
					to := filepath.Join(filepath.Dir(page), filepath.FromSlash(m[1]))
					if _, err := os.Stat(to); err != nil {
						t.Errorf("%s: %v", page, err)
						continue
					}
					target, _ = os.ReadFile(to) // a folder has no headings
				}
				if m[2] == "" {
					continue
				}
				deep++
				if !anchors(target)[m[2]] {
					t.Errorf("%s: %s: there is no such heading", page, m[0])
				}
			}
		}
	}
	if seen < 100 || deep < 20 {
		t.Errorf("only %d links found, %d of them to headings", seen, deep)
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
			must.OK(t, err)
			if top := strings.SplitN(string(b), "\n", 4); len(top) < 4 || !strings.HasPrefix(top[0], "# ") || !strings.HasPrefix(top[2], "Reader: ") {
				t.Errorf("%s: want a title and then the reader", page)
			}
		}
	}
}
