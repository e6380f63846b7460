package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// figures are what the house is measured by, each with the most that it may be: tighten it when the code allows, loosen it
// with a reason. Lines have no bound: they are printed.
var figures = []struct {
	name  string
	most  float64
	count func(h house) (figure float64, places []string)
}{
	{name: "literals of four fields and more without keys", most: 0, count: house.unkeyed},
	{name: "functions with named results, tests aside", most: 60, count: house.namedResults},
	{name: "if in tests with four conditions and more joined by ||", most: 0, count: house.longConditions},
	{name: "functions over 70 lines, tests aside", most: 0, count: house.longFunctions},
	{name: "folders of more than 22 source files", most: 0, count: house.wideFolders},
	{name: "nolint comments", most: 15, count: house.nolints},
	{name: "exported names and methods, mean of the packages", most: 28, count: house.exported},
	{name: "lines without tests, and the longest files", most: 1e9, count: house.sourceLines},
	{name: "lines of tests, and the longest files", most: 1e9, count: house.testLines},
}

// house is the Go files of the repository by their paths, test files and nested modules too.
type house struct {
	set   *token.FileSet
	files map[string]*ast.File
	types map[string]declared // by "package.Name"
}

type declared struct {
	file string
	as   ast.Expr
}

func newHouse() house {
	return house{set: token.NewFileSet(), files: map[string]*ast.File{}, types: map[string]declared{}}
}

func isTest(file string) bool   { return strings.HasSuffix(file, "_test.go") }
func isSource(file string) bool { return !isTest(file) }

func (h house) add(file string, text any) error {
	parsed, err := parser.ParseFile(h.set, file, text, parser.ParseComments)
	if err != nil {
		return err
	}
	h.files[file] = parsed
	ast.Inspect(parsed, func(n ast.Node) bool {
		if spec, ok := n.(*ast.TypeSpec); ok {
			h.types[path.Base(path.Dir(file))+"."+spec.Name.Name] = declared{file: file, as: spec.Type}
		}
		return true
	})
	return nil
}

func (h house) at(n ast.Node) string {
	p := h.set.Position(n.Pos())
	return fmt.Sprintf("%s:%d", p.Filename, p.Line)
}

// places are those of the nodes that are found, and how many they are.
func (h house) places(found func(file string, n ast.Node) bool) (float64, []string) {
	var places []string
	for name, file := range h.files {
		ast.Inspect(file, func(n ast.Node) bool {
			if n != nil && found(name, n) {
				places = append(places, h.at(n))
			}
			return true
		})
	}
	slices.Sort(places)
	return float64(len(places)), places
}

// declaration follows the names of our own types to what they are declared as, and where.
func (h house) declaration(file string, typ ast.Expr) declared {
	name := ""
	switch t := typ.(type) {
	case *ast.StarExpr:
		return h.declaration(file, t.X)
	case *ast.Ident:
		name = path.Base(path.Dir(file)) + "." + t.Name
	case *ast.SelectorExpr:
		name = fmt.Sprintf("%s.%s", t.X, t.Sel)
	}
	if is, ours := h.types[name]; ours {
		return h.declaration(is.file, is.as)
	}
	return declared{file: file, as: typ}
}

// unkeyed passes over the rows of a test's tables, whose columns a test declares.
func (h house) unkeyed() (float64, []string) {
	faults := map[ast.Node]bool{}
	var look func(file string, literal *ast.CompositeLit, typ ast.Expr)
	look = func(file string, literal *ast.CompositeLit, typ ast.Expr) {
		is := h.declaration(file, typ)
		var inner ast.Expr
		switch t := is.as.(type) {
		case *ast.StructType:
			row := literal.Type == nil && isTest(is.file)
			if !row && len(literal.Elts) >= 4 {
				_, keyed := literal.Elts[0].(*ast.KeyValueExpr)
				faults[literal] = !keyed
			}
		case *ast.ArrayType:
			inner = t.Elt
		case *ast.MapType:
			inner = t.Value
		}
		for _, e := range literal.Elts {
			if pair, ok := e.(*ast.KeyValueExpr); ok {
				e = pair.Value
			}
			if child, ok := e.(*ast.CompositeLit); ok && child.Type == nil && inner != nil {
				look(is.file, child, inner)
			}
		}
	}
	return h.places(func(file string, n ast.Node) bool {
		if literal, ok := n.(*ast.CompositeLit); ok && literal.Type != nil {
			look(file, literal, literal.Type)
		}
		return faults[n]
	})
}

func (h house) namedResults() (float64, []string) {
	return h.places(func(file string, n ast.Node) bool {
		f, ok := n.(*ast.FuncDecl)
		return ok && isSource(file) && f.Type.Results != nil && f.Type.Results.List[0].Names != nil
	})
}

func conditions(e ast.Expr) int {
	if b, ok := e.(*ast.BinaryExpr); ok && b.Op == token.LOR {
		return conditions(b.X) + conditions(b.Y)
	}
	return 1
}

func (h house) longConditions() (float64, []string) {
	return h.places(func(file string, n ast.Node) bool {
		i, ok := n.(*ast.IfStmt)
		return ok && isTest(file) && conditions(i.Cond) >= 4
	})
}

func (h house) longFunctions() (float64, []string) {
	return h.places(func(file string, n ast.Node) bool {
		f, ok := n.(*ast.FuncDecl)
		return ok && isSource(file) && h.set.Position(f.End()).Line-h.set.Position(f.Pos()).Line >= 70
	})
}

func (h house) nolints() (float64, []string) {
	var places []string
	for _, file := range h.files {
		for _, group := range file.Comments {
			for _, c := range group.List {
				if strings.HasPrefix(c.Text, "//nolint") {
					places = append(places, h.at(c))
				}
			}
		}
	}
	slices.Sort(places)
	return float64(len(places)), places
}

// largest are the n names that count most.
func largest(counts map[string]int, n int) []string {
	var lines []string
	for name, count := range counts {
		lines = append(lines, fmt.Sprintf("%6d %s", count, name))
	}
	slices.Sort(lines)
	slices.Reverse(lines)
	return lines[:min(n, len(lines))]
}

// folders counts the source files of each.
func (h house) folders() map[string]int {
	folders := map[string]int{}
	for file := range h.files {
		if isSource(file) {
			folders[path.Dir(file)]++
		}
	}
	return folders
}

func (h house) wideFolders() (float64, []string) {
	folders := h.folders()
	maps.DeleteFunc(folders, func(_ string, files int) bool { return files <= 22 })
	return float64(len(folders)), largest(folders, len(folders))
}

func (h house) exported() (float64, []string) {
	names := map[string]int{}
	sum, _ := h.places(func(file string, n ast.Node) bool {
		name := &ast.Ident{}
		switch d := n.(type) {
		case *ast.FuncDecl:
			name = d.Name
		case *ast.TypeSpec:
			name = d.Name
		case *ast.ValueSpec:
			name = d.Names[0]
		}
		found := isSource(file) && name.IsExported()
		if found {
			names[path.Dir(file)]++
		}
		return found
	})
	return sum / float64(len(h.folders())), largest(names, 12)
}

// lines are those of the files in question; the places are the longest six.
func (h house) lines(counted func(file string) bool) (float64, []string) {
	sum, lengths := 0, map[string]int{}
	for name, file := range h.files {
		if counted(name) {
			lengths[name] = h.set.File(file.FileStart).LineCount()
			sum += lengths[name]
		}
	}
	return float64(sum), largest(lengths, 6)
}

func (h house) sourceLines() (float64, []string) { return h.lines(isSource) }
func (h house) testLines() (float64, []string)   { return h.lines(isTest) }

func TestTheFiguresOfTheHouseHold(t *testing.T) {
	h := newHouse()
	err := filepath.WalkDir(".", func(file string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && (d.Name() == "testdata" || strings.HasPrefix(d.Name(), ".") && file != ".") {
			return filepath.SkipDir
		}
		if d.IsDir() || path.Ext(file) != ".go" {
			return nil
		}
		return h.add(filepath.ToSlash(file), nil)
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range figures {
		figure, places := f.count(h)
		t.Logf("%.1f %s\n%s", figure, f.name, strings.Join(places, "\n"))
		if figure > f.most {
			t.Errorf("%s: got %.1f, want at most %.1f (go test -run Figures -v . lists the places)", f.name, figure, f.most)
		}
	}
}

// Each figure is seen to count a planted fault, and nothing that only looks like one.
func TestTheFiguresSeePlantedFaults(t *testing.T) {
	h := newHouse()
	source := `package planted

type point struct{ a, b, c, d int }
type points []point

var rows = points{{1, 2, 3, 4}, {a: 1, b: 2, c: 3, d: 4}}
var one = &point{1, 2, 3, 4} //nolint:all // planted
var Four = [4]int{1, 2, 3, 4}

func (point) Sum() (sum int) { return 0 }
func long() int {
` + strings.Repeat("\n", 70) + `	return 1
}
`
	test := `package planted

var table = []struct{ a, b, c, d int }{{1, 2, 3, 4}}
var other = points{{1, 2, 3, 4}}

func check(a, b bool) (is bool) {
	if a || b || a || b {
	}
	if a || b || a {
	}
	return a
}
`
	want := []float64{3, 1, 1, 1, 1, 1, 2, 105, 12}
	files := map[string]string{"planted/planted.go": source, "planted/planted_test.go": test}
	for i := range 22 {
		files[fmt.Sprintf("planted/%d.go", i)] = "package planted\n"
	}
	for name, text := range files {
		if err := h.add(name, text); err != nil {
			t.Fatal(err)
		}
	}
	for i, f := range figures {
		if figure, places := f.count(h); figure != want[i] {
			t.Errorf("%s: got %v, want %v: %q", f.name, figure, want[i], places)
		}
	}
}
