package docs_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/molerun/molerun/internal/must"
)

// kindOf are the kinds of events in a schema.
var kindOf = regexp.MustCompile(`"kind":\s*\{[^{}]*"const":\s*"([a-z_]+)"`)

// TestEveryPageOfAGameHasAllItsParts: the rules, what is configured, the actions, the view and every kind of event, and how
// the house plays.
func TestEveryPageOfAGameHasAllItsParts(t *testing.T) {
	pages, err := filepath.Glob("rules/*.md")
	if err != nil || len(pages) != 5 {
		t.Fatalf("got %d pages and %v, want five", len(pages), err)
	}
	for _, page := range pages {
		b, err := os.ReadFile(page)
		must.OK(t, err)
		for _, part := range []string{"The game", "Configuration", "What a bot sends", "What a bot sees", "How the house plays"} {
			_, rest, found := strings.Cut(string(b), "\n## "+part+"\n")
			section, _, _ := strings.Cut(rest, "\n## ")
			if !found || len(strings.TrimSpace(section)) < 100 {
				t.Errorf("%s: want a part %q with something in it", page, part)
			}
		}
		game := strings.TrimSuffix(filepath.Base(page), ".md")
		schema, err := os.ReadFile(filepath.Join("..", "engines", game, "schemas", "event.json"))
		must.OK(t, err)
		kinds := kindOf.FindAllStringSubmatch(string(schema), -1)
		if len(kinds) == 0 {
			t.Errorf("%s: no kind of event was found in its schema", game)
		}
		for _, k := range kinds {
			if !strings.Contains(string(b), "`"+k[1]+"`") {
				t.Errorf("%s: does not name the event `%s`", page, k[1])
			}
		}
	}
}
