package store_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"strings"
	"testing"

	"github.com/molerun/molerun/internal/must"
)

// TestNoTextOfARequestBecomesSQL: gorm sends the first argument of these as it stands, so it is written in the source. The
// few that are put together are named here, with what of.
func TestNoTextOfARequestBecomesSQL(t *testing.T) {
	sends := map[string]bool{}
	for _, name := range strings.Fields("Order Select Where Raw Exec Joins Group Having Table Pluck Distinct Or Not Narrow") {
		sends[name] = true
	}
	known := map[string]string{
		"archive/restore.go: an expression":   "a table of ours and its columns, rows of question marks",
		"archive/restore.go: query":           "a table of ours",
		"archive/restore.go: statement":       "a statement of a migration",
		"archive/restore.go: withoutTimeouts": "a fixed statement",
		"database/locks.go: an expression":    "the name of a table of ours, a column in a list",
		"database/rows.go: column":            "a column of ours",
		"database/rows.go: condition":         "what callers of Narrow give, which is looked at there",
		"database/rows.go: id":                "a column of ours",
		"database/serialize.go: columns":      "a list of columns of ours",
		"database/page.go: column":            "a column of ours and a comparison",
		"database/migrate.go: ask":            "one of two fixed statements",
		"conduct.go: an expression":           "a column of ours in a list",
		"endings.go: an expression":           "a column of ours in a list",
		"ratings.go: s.waiting":               "fixed conditions on jobs",
		"ratings.go: ofBots":                  "a column of ours in a list",
		"ratings.go: an expression":           "a column of ours in a list",
		"mailbox/served.go: b.marks":          "a fixed condition on names of ours",
		"mailbox/mailbox.go: b.marks":         "a fixed condition on names of ours",
		"outbox/deliveries.go: an expression": "a column of ours in a list",
		"entries.go: an expression":           "columns of ours",
		"erasure/erasure.go: an expression":   "one of a list of fixed statements",
		"entries.go: condition":               "one of two fixed conditions",
		"fits.go: after":                      "one of two columns of ours",
		"fits.go: an expression":              "columns of ours",
		"journal/sqlite.go: now":              "the clock of the database",
		"journal/sqlite.go: sql.String":       "rows of question marks",
		"ladders.go: compare":                 "a comparison of fixed columns",
		"watch.go: shownMilli":                "a fixed expression",
		"entries.go: shownMilli":              "a fixed expression",
		"joined.go: an expression":            "columns of ours and a fixed expression",
		"cards.go: table":                     "one text, with the clock of the database, and one of two tables of ours, its key, an order and its columns",
		"ladders.go: an expression":           "one of two fixed statements",
		"ladders.go: order":                   "fixed columns",
		"bots.go: an expression":              "columns of ours",
		"bots.go: openChallenge":              "a fixed condition",
		"matches.go: an expression":           "columns of ours",
		"matches.go: stillOpen":               "a fixed condition",
		"matches.go: dealtAgain":              "a fixed condition",
		"play.go: an expression":              "the age of a job, by the clock of the database",
		"play.go: s.lostRunning":              "a fixed condition, with the clock of the database",
		"play.go: s.lostQueued":               "a fixed condition, with the age of a job",
		"play.go: update":                     "one text, with the clock of the database and columns of ours",
		"pulse/pulse.go: column":              "a column of ours",
		"queue/dead.go: q.JobAgeMS":           "the age of a job, by the clock of the database, and a fixed condition",
		"requests.go: an expression":          "the name of a table of ours",
		"schedules.go: an expression":         "a fixed condition",
		"series.go: an expression":            "a fixed condition",
		"schedules.go: name":                  "an expression of a fixed column",
		"tournaments.go: an expression":       "columns of ours",
		"watch.go: an expression":             "columns of ours",
		"watch.go: s.watched":                 "columns of ours",
		"users.go: condition":                 "one of two fixed conditions",
	}
	used := map[string]bool{}
	var files []string
	for _, pattern := range []string{"*.go", "*/*.go"} {
		list := must.Get(filepath.Glob(pattern))(t)
		files = append(files, list...)
	}
	calls := 0
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		set := token.NewFileSet()
		tree := must.Get(parser.ParseFile(set, file, nil, 0))(t)
		ast.Inspect(tree, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok || len(call.Args) == 0 {
				return true
			}
			f, ok := call.Fun.(*ast.SelectorExpr)
			if !ok || !sends[f.Sel.Name] || ofContext(f, call) {
				return true
			}
			calls++
			text := call.Args[0]
			if f.Sel.Name == "Narrow" { // after the query
				text = call.Args[1]
			}
			if loose := notWritten(text); loose != "" {
				key := file + ": " + loose
				if used[key] = true; known[key] == "" {
					t.Errorf("%s: %s takes %s: write the SQL here, or name it in this test", set.Position(call.Pos()), f.Sel.Name, loose)
				}
			}
			return true
		})
	}
	for key := range known {
		if !used[key] {
			t.Errorf("%s is named here but not in the source", key)
		}
	}
	if calls < 100 {
		t.Errorf("only %d calls were looked at", calls)
	}
}

// ofContext tells calls that are none of gorm's: cmp.Or, and those of pgx and database/sql, whose text is the second
// argument, or that take a function.
func ofContext(f *ast.SelectorExpr, call *ast.CallExpr) bool {
	if x, ok := f.X.(*ast.Ident); ok && x.Name == "cmp" {
		return true
	}
	if _, function := call.Args[0].(*ast.FuncLit); function {
		return true
	}
	switch a := call.Args[0].(type) {
	case *ast.Ident:
		return a.Name == "ctx"
	case *ast.CallExpr:
		x, ok := a.Fun.(*ast.SelectorExpr)
		return ok && strings.HasPrefix(x.Sel.Name, "With")
	}
	return false
}

// notWritten is the first part of a text that is not in the source; "" if all of it is.
func notWritten(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.BasicLit:
		return ""
	case *ast.BinaryExpr:
		if x := notWritten(e.X); x != "" {
			return x
		}
		return notWritten(e.Y)
	case *ast.Ident:
		if e.Obj != nil && e.Obj.Kind == ast.Con || strings.HasSuffix(e.Name, "Query") {
			return ""
		}
		return e.Name
	case *ast.CallExpr:
		if f, ok := e.Fun.(*ast.SelectorExpr); ok {
			if f.Sel.Name == "NowMS" || f.Sel.Name == "Given" { // the clock of the database, and the rows of a parameter
				return ""
			}
			if x, ok := f.X.(*ast.Ident); ok {
				return x.Name + "." + f.Sel.Name
			}
		}
	case *ast.CompositeLit, *ast.UnaryExpr:
		return "" // a value, bound as parameters
	}
	return "an expression"
}
