package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const module = "github.com/molerun/molerun"

// arrows lists, for every package (or tree, ending in /...), what it may import of our own. The first row that fits counts.
var arrows = []struct {
	pkg string
	may []string
}{
	{"engines/game/text", nil},
	{"engines/game/strict", []string{"engines/game/text"}},
	{"engines/game", []string{"engines/game/strict"}},
	{"engines/game/claim", []string{"engines/game", "engines/game/strict", "engines/game/text"}},
	{"engines/game/replay", []string{"engines/game", "engines/game/strict"}},
	{"engines/catalog", []string{"engines/..."}},
	{"engines/console", []string{"engines/game/..."}},
	{"engines/mole/coins", nil}, // physics knows no rules
	{"engines/svg", nil},
	{"engines/mole", []string{"engines/game", "engines/game/strict", "engines/mole/coins", "engines/svg"}},
	{"engines/...", []string{"engines/game", "engines/game/strict", "engines/svg"}}, // a game knows the port and itself
	{"bots/protocol", []string{"engines/game/..."}},
	{"bots/kit", []string{"engines/game/...", "bots/protocol"}},
	{"bots/house/search", []string{"engines/game", "bots/protocol", "bots/kit"}}, // it knows no game
	{"bots/house/cia", []string{"engines/game", "engines/cia", "bots/protocol", "bots/kit", "bots/house/search"}},
	{"bots/house/demol", []string{"engines/game", "engines/demol", "bots/protocol", "bots/kit", "bots/house/search"}},
	{"bots/house/mole", []string{"engines/game", "engines/mole", "engines/mole/coins", "bots/protocol", "bots/kit", "bots/house/search"}},
	{"bots/house/molehill", []string{"engines/game", "engines/molehill", "bots/protocol", "bots/kit", "bots/house/search"}},
	{"bots/house/molemajority", []string{"engines/game", "engines/molemajority", "bots/protocol", "bots/kit", "bots/house/search"}},
	{"bots/house", []string{"engines/game", "bots/protocol", "bots/kit", "bots/house/cia", "bots/house/demol", "bots/house/mole", "bots/house/molehill", "bots/house/molemajority", "bots/house/search"}},
	{"bots/review/report", []string{"engines/game"}},
	{"bots/review", []string{"bots/review/report", "engines/game/...", "bots/protocol", "bots/kit", "bots/house", "bots/house/search"}}, // no platform
	{"bots/agent", []string{"bots/protocol", "bots/kit", "engines/game", "engines/game/text"}},
	{"bots/pool", []string{"engines/game", "bots/protocol", "bots/kit", "bots/house"}},
	{"bots/card", []string{"engines/game/claim", "engines/game/strict", "engines/game/text"}},
	{"bots/...", nil},
	{"tournament", []string{"engines/game/...", "engines/catalog"}},
	{"tournament/pairing/designs", []string{"engines/game"}},
	{"tournament/pairing/matching", nil},
	{"tournament/pairing", []string{"engines/game/...", "tournament", "tournament/pairing/...", "tournament/rating/sprt"}},
	{"tournament/rating", []string{"engines/game/...", "tournament"}},
	{"tournament/rating/fit", []string{"engines/game", "tournament/rating"}},
	{"tournament/rating/calibration", []string{"engines/game", "tournament", "tournament/rating", "tournament/rating/fit"}},
	{"tournament/rating/sprt", []string{"tournament"}},
	{"tournament/matchmaking", []string{"engines/game", "tournament/pairing"}},
	{"tournament/schedule", []string{"engines/game/...", "tournament"}},
	{"tournament/series", []string{"tournament"}},
	{"tournament/broadcast", nil},
	{"tournament/runner", []string{"engines/game/...", "tournament", "tournament/rating"}},
	{"tournament/httpbot", []string{"engines/game/...", "bots/protocol", "tournament", "tournament/runner"}},
	{"migrations", nil},
	{"tournament/notify", nil},
	{"tournament/store/database", []string{"engines/game/...", "migrations", "tournament", "tournament/notify"}},
	{"tournament/store/queue", []string{"tournament", "tournament/notify", "tournament/store/database"}},
	{"tournament/store/audit", []string{"tournament", "tournament/store/database"}},
	{"tournament/store/erasure", []string{"tournament", "tournament/store/database"}},
	{"tournament/store/mailbox", []string{"tournament", "tournament/notify", "tournament/store/database"}},
	{"tournament/store/logins", []string{"tournament", "tournament/store/database"}},
	{"tournament/store/journal", []string{"tournament", "tournament/notify", "tournament/runner", "tournament/store/database"}},
	{"tournament/store/outbox", []string{"tournament", "tournament/notify", "tournament/store/database", "tournament/store/queue"}},
	{"tournament/store/pulse", []string{"engines/catalog", "tournament", "tournament/store/database"}},
	{"tournament/store/archive", []string{"engines/game/...", "migrations", "tournament/runner", "tournament/store", "tournament/store/database"}},
	{"tournament/store", []string{ // neither pairing nor rating: it decides nothing
		"engines/game/...", "tournament", "tournament/broadcast", "tournament/notify", "tournament/runner", "tournament/schedule", "tournament/series",
		"tournament/store/audit", "tournament/store/database", "tournament/store/erasure", "tournament/store/queue", "tournament/store/mailbox", "tournament/store/outbox", "tournament/store/journal", "tournament/store/logins",
	}},
	{"tournament/director", []string{"engines/game/...", "tournament", "tournament/matchmaking", "tournament/pairing", "tournament/rating", "tournament/runner", "tournament/schedule", "tournament/series", "tournament/store"}},
	{"tournament/jobs", []string{"bots/card", "bots/review", "bots/review/report", "engines/game/...", "tournament/..."}},
	{"docs", nil},
	{"api/web/guides", nil},
	{"api/web/controls", nil}, // offers as JSON: no game, no HTML
	{"api/web/form", []string{"api/op", "tournament", "tournament/schedule"}}, // request types as fields: no HTML
	{"api/web/pages", []string{"bots/card", "bots/review/report", "api/web/controls", "api/web/form", "api/web/guides", "engines/game", "engines/game/claim", "engines/game/replay", "tournament", "tournament/broadcast", "tournament/rating", "tournament/runner", "tournament/series"}},
	{"api/connlimit", nil},
	{"api/op", nil},
	{"api/wire", []string{"api/op", "bots/review/report", "tournament", "tournament/series"}}, // types and operations alone: no gin, no gorm
	{"api/httpx", []string{"api/wire", "engines/game/strict"}},                                // HTTP knows no domain; strict is JSON's
	{"api/openapi", []string{"api/httpx"}},                                                    // for generating and testing: nothing that ships imports it
	{"api/live", []string{"engines/game/...", "tournament", "tournament/pairing", "tournament/runner", "tournament/notify", "tournament/store", "api/wire", "api/httpx", "api/connlimit", "api/cache"}},
	{"api/web/mine", []string{"tournament", "tournament/rating", "tournament/store", "api/web/pages"}},
	{"api/web/pictures", nil},
	{"api/cache", nil},
	{"api/web/shared", []string{"api/cache"}},
	{"api/web", []string{"engines/game/...", "bots/card", "tournament", "tournament/broadcast", "tournament/director", "tournament/pairing", "tournament/rating", "tournament/runner", "tournament/schedule", "tournament/series", "tournament/store", "api/wire", "api/httpx", "api/live", "api/web/controls", "api/web/guides", "api/web/pages", "api/web/pictures", "api/web/shared"}},
	{"api/login", []string{"engines/game/text", "tournament", "tournament/store", "api/wire", "api/httpx", "api/gate", "api/web", "api/web/pages"}},
	{"api/gate", []string{"engines/game", "engines/game/strict", "engines/game/text", "tournament", "tournament/store/...", "api/wire", "api/httpx", "api/connlimit"}},
	{"api/account", []string{"engines/game/text", "tournament", "tournament/schedule", "tournament/series", "tournament/store", "api/op", "api/wire", "api/httpx", "api/gate"}},
	{"api", []string{"engines/...", "bots/agent", "bots/card", "bots/protocol", "bots/review/report", "tournament/...", "docs", "api/account", "api/op", "api/wire", "api/httpx", "api/gate", "api/live", "api/login", "api/web", "api/web/form", "api/web/mine", "api/web/pages"}},
	// What the rooms of commands share knows no room; a room knows no other.
	{"cli/command", []string{"bots/protocol", "engines/game", "engines/game/text", "engines/catalog", "tournament", "tournament/httpbot"}},
	{"cli/printer", []string{"cli/command"}},
	{"cli/settings", []string{"cli/command", "engines/catalog", "engines/game/text", "tournament", "tournament/httpbot", "tournament/store/database"}},
	{"cli/client", []string{"api/op", "api/wire", "bots/protocol", "engines/game/text"}},
	{"cli/account", []string{"cli/command", "cli/client", "cli/printer", "api/op", "api/wire", "bots/protocol", "engines/game/text", "tournament"}},
	{"cli/inprocess", []string{"bots/kit", "bots/protocol", "engines/game", "tournament", "tournament/runner"}},
	{"cli/process", []string{"cli/command", "cli/settings", "cli/local/scorecard", "api", "api/connlimit", "api/gate", "api/login", "bots/card", "bots/protocol", "bots/review", "bots/review/report", "docs", "engines/...", "tournament/..."}},
	{"cli/platform", []string{"cli/command", "cli/printer", "cli/settings", "cli/process", "api/httpx", "api/wire", "engines/...", "tournament/..."}},
	{"cli/export", []string{"cli/command", "cli/printer", "cli/account", "cli/client", "api/op", "api/wire", "bots/protocol", "tournament"}},
	{"cli/author/check", []string{"cli/inprocess", "bots/...", "engines/game/...", "tournament", "tournament/runner", "tournament/httpbot"}},
	{"cli/organiser", []string{"cli/command", "cli/printer", "cli/account", "cli/client", "api/op", "api/wire", "bots/protocol", "engines/game", "engines/game/text", "tournament", "tournament/schedule", "tournament/series"}},
	{"cli/author", []string{
		"cli/command", "cli/printer", "cli/settings", "cli/account", "cli/client", "cli/author/...", "api/op", "api/wire", "bots/...", "engines/catalog", "engines/game", "engines/game/text", "tournament", "tournament/httpbot",
	}},
	{"cli/local/agent", []string{"cli/command", "cli/inprocess", "bots/...", "engines/game/...", "tournament", "tournament/runner"}},
	{"cli/local/matches", []string{
		"cli/command", "cli/printer", "cli/inprocess", "bots/...", "engines/...", "tournament", "tournament/runner", "tournament/httpbot", "tournament/rating/...",
	}},
	{"cli/local/scorecard", []string{"cli/local/matches", "bots/...", "engines/...", "tournament", "tournament/rating", "tournament/runner"}},
	{"cli/local", []string{ // no platform: neither a store nor jobs
		"cli/command", "cli/printer", "cli/settings", "cli/local/...", "api/web/pages", "bots/...", "docs", "engines/...",
		"tournament", "tournament/httpbot", "tournament/runner", "tournament/rating/...",
	}},
	{"cli/demo", []string{
		"cli/command", "cli/printer", "cli/settings", "cli/client", "cli/process", "api/gate", "api/httpx", "api/op", "api/wire", "bots/...", "engines/catalog", "engines/game", "tournament",
	}},
	{"cli/man", []string{"cli"}},
	{"cli/cheats", nil},
	{"cli/faults", nil},
	{"cli/journeys", nil},
	// For tests: nothing that ships imports it.
	{"internal/agenttest", []string{"internal/must"}},
	{"internal/browsertest", []string{"internal/must"}},
	{"internal/clitest", []string{"internal/must"}},
	{"internal/directortest", []string{"engines/game/...", "tournament/...", "internal/must", "internal/storetest"}},
	{"internal/gametest", []string{"engines/game/...", "engines/svg", "internal/must"}},
	{"internal/housetest", []string{"internal/must", "engines/game", "bots/protocol", "bots/kit", "bots/house"}},
	{"internal/issuertest", nil},
	{"internal/must", nil},
	{"internal/storetest", []string{"internal/clitest", "internal/must", "migrations", "engines/game", "tournament/store", "tournament/store/database"}},
	{"internal/texttest", nil},
	{"cli", []string{"cli/command", "cli/settings", "cli/platform", "cli/author", "cli/organiser", "cli/local", "cli/demo", "cli/export"}},
	{"", []string{"cli"}},
}

// keepers lists libraries and the only trees that may import them; everything engines/ must not know is here too.
var keepers = []struct {
	library string
	only    []string
}{
	{"github.com/gin-gonic/gin", []string{"api", "api/httpx", "api/gate", "api/account", "api/login", "api/web"}},
	{"github.com/coreos/go-oidc", []string{"api/login"}},
	{"github.com/go-jose/go-jose", []string{"internal/issuertest"}},
	{"golang.org/x/oauth2", []string{"api/login"}},
	{"github.com/getkin/kin-openapi", []string{"api/openapi"}},
	{"gorm.io/", []string{"tournament/store/..."}},
	{"github.com/jackc/pgx", []string{"tournament/notify", "tournament/store/...", "internal/storetest"}},
	{"github.com/riverqueue/river", []string{"tournament/store/...", "tournament/jobs"}},
	{"github.com/robfig/cron", []string{"tournament/schedule"}},
	{"database/sql", []string{"tournament/store/..."}},
	{"golang.org/x/image", []string{"api/web/pictures"}},
	{"github.com/arran4/golang-ical", []string{"api/web"}},
	{"github.com/gorilla/feeds", []string{"api/web"}},
	{"github.com/swaggest/swgui", []string{"api/web/pages"}},
	{"github.com/chromedp/", []string{"internal/browsertest"}}, // for tests
	{"github.com/klauspost/compress", []string{"api/httpx"}},
	{"github.com/yuin/goldmark", []string{"api/web/guides", "api/web/pages"}},
	{"github.com/microcosm-cc/bluemonday", []string{"api/web/pages"}},
	{"gonum.org/v1/gonum", []string{"tournament/rating/fit"}},
	{"net/http", []string{"api/...", "bots/...", "tournament/httpbot", "cli/...", "internal/..."}},
	{"time", []string{"api/...", "bots/...", "tournament/...", "cli/...", "internal/..."}},
	{"os", []string{"cli/...", "internal/...", "tournament/jobs", ""}},
	{"math/rand", []string{"engines/game", "internal/texttest", "bots/kit", "bots/house/...", "tournament/jobs", "cli/..."}}, // draws that decide a match are engines/game's
	{"crypto/rand", []string{"cli/...", "internal/..."}},                                                                     // everybody else takes a reader
}

// fits reports whether pkg is pattern or, for a pattern ending in "...", lies in its tree.
func fits(pkg, pattern string) bool {
	if root, tree := strings.CutSuffix(pattern, "..."); tree {
		return strings.HasPrefix(pkg+"/", root)
	}
	return pkg == pattern
}

func fitsAny(pkg string, patterns []string) bool {
	return slices.ContainsFunc(patterns, func(p string) bool { return fits(pkg, p) })
}

// eachSource parses every source file of the product, test files aside, and gives it to do with its package.
func eachSource(t *testing.T, mode parser.Mode, do func(pkg string, file *ast.File)) {
	t.Helper()
	err := filepath.WalkDir(".", func(file string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && (strings.HasPrefix(d.Name(), ".") && file != "." || d.Name() == "testdata" || filepath.ToSlash(file) == "bots/starters/go") {
			return filepath.SkipDir
		}
		if _, err := os.Stat(filepath.Join(file, "go.mod")); d.IsDir() && file != "." && err == nil {
			return filepath.SkipDir // a module of its own: no part of the product
		}
		if d.IsDir() || !strings.HasSuffix(file, ".go") || strings.HasSuffix(file, "_test.go") {
			return nil
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, mode)
		if err != nil {
			return err
		}
		pkg := path.Dir(filepath.ToSlash(file))
		if pkg == "." {
			pkg = ""
		}
		do(pkg, parsed)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// imports are the direct imports of every package.
func imports(t *testing.T) map[string]map[string]bool {
	t.Helper()
	out := map[string]map[string]bool{}
	eachSource(t, parser.ImportsOnly, func(pkg string, file *ast.File) {
		if out[pkg] == nil {
			out[pkg] = map[string]bool{}
		}
		for _, i := range file.Imports {
			name, err := strconv.Unquote(i.Path.Value)
			if err != nil {
				t.Fatal(err)
			}
			out[pkg][name] = true
		}
	})
	return out
}

// What happens together is one transaction, and it is the director that knows what happens. The store's own methods open
// one where a row of theirs is in several tables. Statements are the store's alone.
func TestOnlyTheDirectorOpensTransactions(t *testing.T) {
	doors := map[string][]string{
		"InTx": {"tournament/director/...", "tournament/jobs", "tournament/store/...", "internal/directortest"},
		"SQL":  {"tournament/store/...", "internal/storetest"},
	}
	seen := map[string]bool{}
	eachSource(t, 0, func(pkg string, file *ast.File) {
		ast.Inspect(file, func(n ast.Node) bool {
			call, ok := n.(*ast.SelectorExpr)
			if !ok || doors[call.Sel.Name] == nil {
				return true
			}
			seen[call.Sel.Name] = true
			if may := doors[call.Sel.Name]; !fitsAny(pkg, may) {
				t.Errorf("%q must not use %s; only %v may", pkg, call.Sel.Name, may)
			}
			return true
		})
	})
	for name := range doors {
		if !seen[name] {
			t.Errorf("nobody uses %s: the test looks for the wrong name", name)
		}
	}
}

func TestArrowsRunOneWay(t *testing.T) {
	all := imports(t)
	if len(all) < 10 {
		t.Fatalf("only %d packages found: the walk is broken", len(all))
	}
	for pkg, imported := range all {
		row := slices.IndexFunc(arrows, func(r struct {
			pkg string
			may []string
		},
		) bool {
			return fits(pkg, r.pkg)
		})
		if row < 0 {
			t.Errorf("package %q has no row in arrows: say what it may import", pkg)
			continue
		}
		for name := range imported {
			own, ours := strings.CutPrefix(name, module+"/")
			if ours && !fitsAny(own, arrows[row].may) {
				t.Errorf("%q must not import %q; it may import %v", pkg, own, arrows[row].may)
			}
			for _, k := range keepers {
				if (name == k.library || strings.HasPrefix(name, strings.TrimSuffix(k.library, "/")+"/")) && !fitsAny(pkg, k.only) {
					t.Errorf("%q must not import %q; only %v may", pkg, name, k.only)
				}
			}
		}
	}
}

// A nested module may use what the product must not; so nothing of the product may use it.
func TestNothingImportsANestedModule(t *testing.T) {
	nested := map[string]bool{}
	err := filepath.WalkDir(".", func(file string, d fs.DirEntry, err error) error {
		if dir := filepath.ToSlash(filepath.Dir(file)); err == nil && d.Name() == "go.mod" && dir != "." {
			nested[dir] = true
		}
		return err
	})
	if err != nil || !nested["bench"] {
		t.Fatalf("got %v (%v), want bench among them", nested, err)
	}
	for pkg, imported := range imports(t) {
		for name := range imported {
			if own, ours := strings.CutPrefix(name, module+"/"); ours && nested[own] {
				t.Errorf("%q must not import %q: it is a module of its own", pkg, own)
			}
		}
	}
}

func TestEveryFolderSaysWhatLivesThere(t *testing.T) {
	for pkg := range imports(t) {
		if pkg == "" {
			continue
		}
		if _, err := os.Stat(filepath.Join(filepath.FromSlash(pkg), "doc.go")); err != nil {
			t.Errorf("%s: %v: every folder says in a doc.go what lives there and what must not", pkg, err)
		}
	}
}
