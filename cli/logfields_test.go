package cli_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/molerun/molerun/internal/must"
)

// fieldsOf returns the names that the calls of a logger in a file give to what they tell, and how many calls it has.
func fieldsOf(t *testing.T, file string) (names []string, calls int) {
	t.Helper()
	tree, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
	must.OK(t, err)
	literal := func(e ast.Expr) {
		if l, ok := e.(*ast.BasicLit); ok && l.Kind == token.STRING {
			name, err := strconv.Unquote(l.Value)
			must.OK(t, err)
			names = append(names, name)
		}
	}
	ast.Inspect(tree, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok {
			return true
		}
		to, ok := call.Fun.(*ast.SelectorExpr)
		if !ok {
			return true
		}
		on := ""
		switch x := to.X.(type) {
		case *ast.Ident:
			on = x.Name
		case *ast.SelectorExpr:
			on = x.Sel.Name
		}
		first := -1 // where the names begin
		switch strings.ToLower(on) {
		case "slog":
			switch to.Sel.Name {
			case "String", "Int", "Int64", "Bool", "Any", "Duration", "Time":
				literal(call.Args[0])
			}
		case "log", "logger":
			switch to.Sel.Name {
			case "With":
				first = 0
			case "Debug", "Info", "Warn", "Error":
				first = 1
			case "DebugContext", "InfoContext", "WarnContext", "ErrorContext":
				first = 2
			}
		}
		if first >= 0 {
			calls++
			for i := first; i < len(call.Args); i += 2 {
				literal(call.Args[i])
			}
		}
		return true
	})
	return names, calls
}

func TestEveryFieldOfTheLogIsInTheGuide(t *testing.T) {
	guide := contents(t, "../docs/7-operate.md")
	section := regexp.MustCompile(`(?s)\*\*Logs\*\*.*?\n\n\|.*?\n\n`).Find(guide)
	calls := 0
	seen := map[string]bool{}
	for _, root := range []string{"../api", "../tournament", "."} {
		err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			if !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
				return nil
			}
			names, n := fieldsOf(t, path)
			calls += n
			for _, name := range names {
				if seen[name] = true; !strings.Contains(string(section), "`"+name+"`") {
					t.Errorf("%s logs %q, which docs/7-operate.md does not tell", path, name)
				}
			}
			return nil
		})
		must.OK(t, err)
	}
	if calls < 10 || !seen["request_id"] || !seen["epoch"] || !seen["webhook"] {
		t.Errorf("%d calls of loggers were read, with %v", calls, seen)
	}
}
