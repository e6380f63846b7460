package openapi

import (
	"bytes"
	"fmt"
	"html/template"
	"net/http"
	"slices"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"

	"github.com/molerun/molerun/api/httpx"
)

const docsStyle = `body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:0 auto;padding:1rem;color:#1a1a1a;background:#fff}
code{font-family:ui-monospace,monospace}h2{border-bottom:1px solid #999;margin-top:2.5rem}
h3{margin-bottom:.2rem}table{border-collapse:collapse;margin:.4rem 0}td,th{border:1px solid #999;padding:.15rem .5rem;text-align:left;vertical-align:top}
@media(prefers-color-scheme:dark){body{color:#eee;background:#161616}a{color:#9cf}}`

const docsPage = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>{{.Title}} API</title>
<style>` + docsStyle + `</style></head><body>
<h1>{{.Title}} API</h1>
<p>{{.Description}}</p>
<p><a href="/api">The same to try</a>, with a script, and as an <a href="/openapi.json">OpenAPI document</a>. <a href="#problems">Problem codes</a> are at the end.</p>
<nav><ul>{{range .Groups}}<li><a href="#{{.Name}}">{{.Name}}</a></li>{{end}}</ul></nav>
{{range .Groups}}<h2 id="{{.Name}}">{{.Name}}</h2>
{{range .Routes}}<h3 id="{{.ID}}"><code>{{.Method}} {{.Path}}</code></h3>
<p><strong>{{.Summary}}.</strong> {{.Description}}{{if .Token}} Needs a token.{{end}}</p>
{{if .Params}}<table><tr><th>parameter</th><th>in</th><th>meaning</th></tr>
{{range .Params}}<tr><td><code>{{.Name}}</code></td><td>{{.In}}</td><td>{{.Description}}</td></tr>
{{end}}</table>{{end}}
{{if .Body}}<p>Body: <a href="#schema-{{.Body}}"><code>{{.Body}}</code></a></p>{{end}}
<p>Answers:{{range .Answers}} <code>{{.Code}}</code>{{if .Schema}} <a href="#schema-{{.Schema}}"><code>{{.Schema}}</code></a>{{end}}{{end}}</p>
{{end}}{{end}}
<h2 id="schemas">schemas</h2>
{{range .Schemas}}<h3 id="schema-{{.Name}}"><code>{{.Name}}</code></h3>
<table><tr><th>key</th><th>type</th><th>meaning</th></tr>
{{range .Keys}}<tr><td><code>{{.Name}}</code>{{if .Optional}} (optional){{end}}</td><td>{{.Type}}</td><td>{{.Description}}</td></tr>
{{end}}</table>
{{end}}
<h2 id="problems">problem codes</h2>
<table><tr><th>code</th><th>status</th><th>meaning</th></tr>
{{range .Problems}}<tr id="{{.Code}}"><td><code>{{.Code}}</code></td><td>{{.Status}}</td><td>{{.Title}}: {{.Advice}}</td></tr>
{{end}}</table>
</body></html>
`

// The page's words, taken from the document.
type (
	docsRoute struct {
		ID, Method, Path, Summary, Description, Body string
		Token                                        bool
		Params                                       []*openapi3.Parameter
		Answers                                      []docsAnswer
	}
	docsAnswer struct{ Code, Schema string }
	docsGroup  struct {
		Name   string
		Routes []docsRoute
	}
	docsKey struct {
		Name, Type, Description string
		Optional                bool
	}
	docsSchema struct {
		Name string
		Keys []docsKey
	}
	docsProblem struct {
		Code, Title, Advice string
		Status              int
	}
)

// Page renders the document, and the problems that the API answers with, for people.
func Page(doc *openapi3.T, kinds []httpx.Kind) ([]byte, error) {
	t, err := template.New("docs").Parse(docsPage)
	if err != nil {
		return nil, err
	}
	var problems []docsProblem
	for _, k := range kinds {
		problems = append(problems, docsProblem{
			Code:   k.Err.Error(),
			Title:  k.Title,
			Advice: k.Advice,
			Status: k.Status,
		})
	}
	var b bytes.Buffer
	err = t.Execute(&b, map[string]any{
		"Title": doc.Info.Title, "Description": doc.Info.Description,
		"Groups": docsGroups(doc), "Schemas": docsSchemas(doc), "Problems": problems,
	})
	return b.Bytes(), err
}

func docsGroups(doc *openapi3.T) []docsGroup {
	groups := []docsGroup{{Name: "games"}, {Name: "users"}, {Name: "bots"}, {Name: "ladders"}, {Name: "tournaments"}, {Name: "matches"}, {Name: "operation"}}
	for _, path := range sortedPaths(doc) {
		item := doc.Paths.Value(path)
		for _, method := range []string{http.MethodGet, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete} {
			op := item.GetOperation(method)
			if op == nil {
				continue
			}
			i := slices.IndexFunc(groups, func(g docsGroup) bool { return slices.Contains(op.Tags, g.Name) })
			if i < 0 {
				i = len(groups) - 1
			}
			groups[i].Routes = append(groups[i].Routes, docsOperation(method, path, op))
		}
	}
	return groups
}

func docsOperation(method, path string, op *openapi3.Operation) docsRoute {
	r := docsRoute{
		ID:          op.OperationID,
		Method:      method,
		Path:        path,
		Summary:     op.Summary,
		Description: op.Description,
		Token:       op.Security != nil && len(*op.Security) > 0,
	}
	for _, p := range op.Parameters {
		if p.Value != nil {
			r.Params = append(r.Params, p.Value)
		}
	}
	if op.RequestBody != nil && op.RequestBody.Value != nil {
		r.Body = schemaName(op.RequestBody.Value.Content)
	}
	for _, code := range slices.Sorted(func(yield func(string) bool) {
		for code := range op.Responses.Map() {
			if code != "default" && code != "304" && code != "429" && !yield(code) {
				return
			}
		}
	}) {
		r.Answers = append(r.Answers, docsAnswer{code, schemaName(op.Responses.Value(code).Value.Content)})
	}
	return r
}

// schemaName is the name of the schema that content refers to; "" if it has none.
func schemaName(content openapi3.Content) string {
	for _, media := range content {
		if media.Schema != nil && media.Schema.Ref != "" {
			return media.Schema.Ref[strings.LastIndexByte(media.Schema.Ref, '/')+1:]
		}
	}
	return ""
}

func docsSchemas(doc *openapi3.T) []docsSchema {
	var out []docsSchema
	for name, ref := range doc.Components.Schemas {
		s := docsSchema{Name: name}
		for key, property := range ref.Value.Properties {
			k := docsKey{Name: key, Type: typeName(property), Optional: !slices.Contains(ref.Value.Required, key)}
			if property.Value != nil {
				k.Description = property.Value.Description
			}
			s.Keys = append(s.Keys, k)
		}
		slices.SortFunc(s.Keys, func(a, b docsKey) int { return strings.Compare(a.Name, b.Name) })
		out = append(out, s)
	}
	slices.SortFunc(out, func(a, b docsSchema) int { return strings.Compare(a.Name, b.Name) })
	return out
}

func typeName(ref *openapi3.SchemaRef) string {
	switch {
	case ref.Ref != "":
		return ref.Ref[strings.LastIndexByte(ref.Ref, '/')+1:]
	case ref.Value == nil:
		return ""
	case len(ref.Value.AllOf) == 1:
		return typeName(ref.Value.AllOf[0])
	case ref.Value.Items != nil:
		return "list of " + typeName(ref.Value.Items)
	case len(ref.Value.Enum) > 0:
		return strings.Trim(strings.ReplaceAll(fmt.Sprint(ref.Value.Enum...), " ", ", "), "[]")
	case ref.Value.Format != "":
		return ref.Value.Format
	case ref.Value.Type != nil:
		return strings.Join(*ref.Value.Type, " or ")
	}
	return "any"
}
