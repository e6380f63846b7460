package coins_test

import (
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"strings"
	"testing"

	"github.com/molerun/molerun/internal/must"
)

// only imports the packages it holds; whatever comes from others has no type, and is then held to be a float.
type only map[string]*types.Package

func (o only) Import(path string) (*types.Package, error) {
	if p, ok := o[path]; ok {
		return p, nil
	}
	return nil, errors.New("not looked into")
}

// TestNoProductMayBeFused reads the source of the physics and of the rules above it: every product of floating-point numbers
// stands in a conversion float64(…), which the language says is never fused with a sum, and of package math only Sqrt is used.
func TestNoProductMayBeFused(t *testing.T) {
	physics, products := check(t, ".", only{})
	if products < 50 {
		t.Errorf("only %d products were seen in the physics: the search is broken", products)
	}
	if _, products = check(t, "..", only{physics.Path(): physics}); products < 10 {
		t.Errorf("only %d products were seen in the rules: the search is broken", products)
	}
}

// check reads one folder and counts its products of floats.
func check(t *testing.T, dir string, known only) (pkg *types.Package, products int) {
	t.Helper()
	fset := token.NewFileSet()
	list, err := os.ReadDir(dir)
	must.OK(t, err)
	var files []*ast.File
	for _, entry := range list {
		if name := entry.Name(); strings.HasSuffix(name, ".go") && !strings.HasSuffix(name, "_test.go") {
			file, err := parser.ParseFile(fset, dir+"/"+name, nil, 0)
			must.OK(t, err)
			files = append(files, file)
		}
	}
	info := &types.Info{Types: map[ast.Expr]types.TypeAndValue{}}
	conf := types.Config{Importer: known, Error: func(error) {}}
	path := "github.com/molerun/molerun/engines/mole/coins"
	pkg, _ = conf.Check(path, fset, files, info) // the errors are the imports that are not looked into
	for _, file := range files {
		products += checkFile(t, fset, file, info)
	}
	return pkg, products
}

func checkFile(t *testing.T, fset *token.FileSet, file *ast.File, info *types.Info) (products int) {
	safe := map[ast.Expr]bool{}
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			if id, ok := n.Fun.(*ast.Ident); ok && id.Name == "float64" {
				markChain(n.Args[0], safe)
			}
		case *ast.SelectorExpr:
			if id, ok := n.X.(*ast.Ident); ok && id.Name == "math" && n.Sel.Name != "Sqrt" {
				t.Errorf("%s: math.%s is used; only Sqrt gives the same bits everywhere", fset.Position(n.Pos()), n.Sel.Name)
			}
		case *ast.AssignStmt:
			if n.Tok == token.MUL_ASSIGN {
				t.Errorf("%s: *= cannot be kept from fusing", fset.Position(n.Pos()))
			}
		case *ast.BinaryExpr:
			byConstant := n.Op == token.QUO && info.Types[n.Y].Value != nil // the compiler makes a product of it
			if x := info.Types[n]; (n.Op == token.MUL || byConstant) && x.Value == nil && isFloat(x.Type) {
				if products++; !safe[n] {
					t.Errorf("%s: a product, or a division by a constant, outside float64(…)", fset.Position(n.Pos()))
				}
			}
		}
		return true
	})
	return products
}

func isFloat(x types.Type) bool {
	basic, ok := x.(*types.Basic)
	return !ok || basic.Kind() == types.Invalid || basic.Info()&types.IsFloat != 0
}

// markChain marks the products that form one chain of × and ÷ with nothing added between.
func markChain(e ast.Expr, safe map[ast.Expr]bool) {
	switch e := e.(type) {
	case *ast.ParenExpr:
		markChain(e.X, safe)
	case *ast.BinaryExpr:
		if e.Op == token.MUL || e.Op == token.QUO {
			safe[e] = true
			markChain(e.X, safe)
			markChain(e.Y, safe)
		}
	}
}
