package api_test

import (
	"bytes"
	"cmp"
	"encoding/json"
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"io/fs"
	"log"
	"net/http"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/swaggo/swag"

	"github.com/molerun/molerun/api"
	"github.com/molerun/molerun/api/gate"
	"github.com/molerun/molerun/api/op"
	"github.com/molerun/molerun/api/openapi"
	"github.com/molerun/molerun/docs"
	"github.com/molerun/molerun/internal/must"
)

var update = flag.Bool("update", false, "write the golden files and the generated document")

// What is served must be what the values and the types of package wire say: clients are generated from the document.
func TestTheDocumentIsGenerated(t *testing.T) {
	doc, err := openapi.Convert(swagger(t), api.Probes(), gate.Kinds())
	must.OK(t, err)
	got, err := json.MarshalIndent(doc, "", "  ")
	must.OK(t, err)
	got = append(got, '\n')
	const file = "../docs/openapi.json"
	if *update {
		must.OK(t, os.WriteFile(file, got, 0o644))
	}
	want, err := os.ReadFile(file)
	must.OK(t, err)
	if !bytes.Equal(got, want) {
		t.Errorf("%s is not what the operations say; run: go generate ./api", file)
	}
}

// The type of a problem is /docs#CODE, which leads to the row of that code in the guide.
func TestTheGuideExplainsEveryErrorCode(t *testing.T) {
	text, err := fs.ReadFile(docs.Files(), "3-api.md")
	must.OK(t, err)
	for _, k := range gate.Kinds() {
		row := fmt.Sprintf("\n| `%s` | %d | %s: %s |\n", k.Err, k.Status, k.Title, k.Advice)
		must.Say(t, string(text), row)
	}
}

// swagger returns what swag makes of the types, and of the operations' values with the prose above them.
func swagger(t *testing.T) []byte {
	t.Helper()
	p := swag.New(swag.SetStrict(true), swag.ParseUsingGoList(true), swag.SetDebugger(log.New(io.Discard, "", 0)), swag.SetCollectionFormat("csv"))
	p.RequiredByDefault = true
	must.OK(t, p.ParseAPIMultiSearchDir([]string{".", "../tournament", "../bots/review/report"}, "operation.go", 100))
	imports, err := parser.ParseFile(token.NewFileSet(), "bind.go", nil, parser.ImportsOnly) // swag finds wire and op by its imports
	must.OK(t, err)
	prose := proseOfOperations(t)
	for _, o := range api.Specs() {
		said, ok := prose[o.Method+" "+o.Path]
		if !ok {
			t.Fatalf("%s %s: no value in package wire, above which its summary stands", o.Method, o.Path)
		}
		delete(prose, o.Method+" "+o.Path)
		addOperation(t, p, imports, o, said)
	}
	for place, said := range prose {
		t.Errorf("%s: %s is bound to no function", place, said.name)
	}
	text, err := json.Marshal(p.GetSwagger())
	must.OK(t, err)
	return text
}

// prose is what stands above the value of an operation, and the value's name.
type prose struct {
	name  string
	lines []string
}

// proseOfOperations reads package wire: the prose of its operations, by method and path.
func proseOfOperations(t *testing.T) map[string]prose {
	t.Helper()
	files, err := filepath.Glob("wire/*.go")
	must.OK(t, err)
	out := map[string]prose{}
	for _, name := range files {
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ParseComments)
		must.OK(t, err)
		ast.Inspect(file, func(n ast.Node) bool {
			v, ok := n.(*ast.ValueSpec)
			if !ok || len(v.Values) != 1 {
				return true
			}
			if place := placeOf(v.Values[0]); place != "" {
				said := prose{name: v.Names[0].Name}
				for _, c := range v.Doc.List {
					said.lines = append(said.lines, c.Text)
				}
				if out[place].name != "" {
					t.Errorf("%s is declared as %s and as %s", place, out[place].name, said.name)
				}
				out[place] = said
			}
			return false
		})
	}
	return out
}

// placeOf returns the method and the path that a call like op.Get[In, Out]("/v1/x", "") names; "" for other values.
func placeOf(x ast.Expr) string {
	call, ok := x.(*ast.CallExpr)
	if !ok {
		return ""
	}
	var made ast.Expr
	switch f := call.Fun.(type) {
	case *ast.IndexExpr:
		made = f.X
	case *ast.IndexListExpr:
		made = f.X
	}
	by, ok := made.(*ast.SelectorExpr)
	if !ok {
		return ""
	}
	path, ok := call.Args[0].(*ast.BasicLit)
	if !ok {
		return ""
	}
	method := strings.ToUpper(by.Sel.Name)
	if method == "CREATE" {
		method = http.MethodPost
	}
	return method + " " + strings.Trim(path.Value, `"`)
}

// addOperation adds an operation to the document: swag reads its prose, and lines like those of an annotation that follow from
// the value.
func addOperation(t *testing.T, p *swag.Parser, imports *ast.File, o op.Spec, said prose) {
	t.Helper()
	made := swag.NewOperation(p)
	made.ID = strings.ToLower(said.name[:1]) + said.name[1:]
	for _, line := range slices.Concat(said.lines, annotation(o)) {
		if err := made.ParseComment(line, imports); err != nil {
			t.Fatalf("%s: %s: %v", said.name, line, err)
		}
	}
	if made.Summary == "" {
		t.Errorf("%s has no @Summary", said.name)
	}
	required := map[string]bool{}
	for _, f := range o.Fields(op.InQuery) {
		required[f.Name] = f.Tag.Get("binding") == "required"
	}
	for i := range made.Parameters {
		if made.Parameters[i].In == "query" { // swag takes each field for required
			made.Parameters[i].Required = required[made.Parameters[i].Name]
		}
	}
	item := p.GetSwagger().Paths.Paths[o.Path]
	switch o.Method {
	case http.MethodGet:
		item.Get = &made.Operation
	case http.MethodPost:
		item.Post = &made.Operation
	case http.MethodPut:
		item.Put = &made.Operation
	case http.MethodPatch:
		item.Patch = &made.Operation
	case http.MethodDelete:
		item.Delete = &made.Operation
	}
	p.GetSwagger().Paths.Paths[o.Path] = item
}

// annotation returns the lines that swag needs beside the prose.
func annotation(o op.Spec) []string {
	out := []string{"@Tags " + tagOf(o.Path)}
	if len(o.Media) > 0 {
		out = append(out, "@Produce "+strings.Join(o.Media, ","))
	}
	if o.Scope != "" {
		out = append(out, "@Security Bearer")
	}
	for _, f := range o.Fields(op.InPath) {
		kind := "string"
		if f.Type.Kind() == reflect.Int {
			kind = "int"
		}
		out = append(out, fmt.Sprintf("@Param %s path %s true %q", f.Name, kind, cmp.Or(f.Tag.Get("help"), "id of the "+thing(o.Path, f.Name))))
	}
	body, _ := o.Body()
	switch {
	case body != nil && body.Kind() == reflect.Pointer:
		out = append(out, fmt.Sprintf("@Param body body %s false \" \"", typeName(body.Elem())))
	case body != nil:
		out = append(out, fmt.Sprintf("@Param body body %s true \" \"", typeName(body)))
	case len(o.Fields(op.InQuery)) > 0:
		out = append(out, fmt.Sprintf("@Param query query %s false \" \"", typeName(o.In)))
	}
	for _, f := range o.Fields(op.InHeader) {
		out = append(out, fmt.Sprintf("@Param %s header string false %q", f.Name, f.Tag.Get("help")))
	}
	out = append(out, success(o))
	for _, status := range o.Also {
		out = append(out, fmt.Sprintf("@Success %d", status))
	}
	for _, status := range refusals(o, body != nil) {
		out = append(out, fmt.Sprintf("@Failure %d {object} wire.Problem", status))
	}
	return out
}

func success(o op.Spec) string {
	switch {
	case o.Out == reflect.TypeFor[op.None]():
		return fmt.Sprintf("@Success %d", o.Status)
	case o.Out == reflect.TypeFor[any]():
		return fmt.Sprintf("@Success %d {object} any", o.Status)
	case o.Out == reflect.TypeFor[json.RawMessage]():
		return fmt.Sprintf("@Success %d {object} object", o.Status)
	case o.Out.Kind() == reflect.String:
		return fmt.Sprintf("@Success %d {string} string", o.Status)
	}
	return fmt.Sprintf("@Success %d {object} %s", o.Status, typeName(o.Out))
}

// refusals returns the statuses of refusals that follow from an operation, and those that its value adds.
func refusals(o op.Spec, hasBody bool) []int {
	out := slices.Clone(o.Refuses)
	if o.Scope != "" {
		out = append(out, http.StatusForbidden)
	}
	if len(o.Fields(op.InPath)) > 0 {
		out = append(out, http.StatusNotFound)
	}
	if hasBody {
		out = append(out, http.StatusRequestEntityTooLarge, http.StatusUnsupportedMediaType, http.StatusUnprocessableEntity)
	}
	if o.Method == http.MethodPost { // its Idempotency-Key may be busy
		out = append(out, http.StatusConflict)
	}
	return out
}

var imported = regexp.MustCompile(`[\w./-]+/(\w+\.)`)

// typeName returns the name of a type as swag resolves it: wire.Page[wire.Series].
func typeName(t reflect.Type) string { return imported.ReplaceAllString(t.String(), "$1") }

// tagOf returns the tag of an operation: the kind of thing that its path begins with.
func tagOf(path string) string {
	parts := strings.Split(path, "/")
	if parts[1] != "v1" {
		return "operation"
	}
	switch parts[2] {
	case "me", "tokens", "recovery", "login":
		return "users"
	case "admin":
		return "operation"
	case "challenges":
		return "matches"
	case "protocol":
		return "games"
	}
	return parts[2]
}

// thing returns the kind of thing that a parameter of a path names: of bot_id a bot, of /v1/bots/{id} a bot.
func thing(path, name string) string {
	if kind, ok := strings.CutSuffix(name, "_id"); ok {
		return kind
	}
	before, _, _ := strings.Cut(path, "/{"+name+"}")
	kind := before[strings.LastIndexByte(before, '/')+1:]
	switch kind {
	case "series":
		return kind
	case "matches":
		return "match"
	}
	return strings.TrimSuffix(kind, "s")
}
