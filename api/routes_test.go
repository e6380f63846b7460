package api_test

import (
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var param = regexp.MustCompile(`:([a-z_]+)`)

func TestTheDocumentHasEveryRouteAndNoOther(t *testing.T) {
	onBoth(t, func(w *world) {
		var documented []string
		for path, item := range w.api.Document().Paths.Map() {
			for method := range item.Operations() {
				documented = append(documented, method+" "+path)
			}
		}
		routes := w.api.Routes()
		for i := range routes {
			routes[i] = param.ReplaceAllString(routes[i], "{$1}")
		}
		slices.Sort(documented)
		slices.Sort(routes)
		if !slices.Equal(documented, routes) {
			w.t.Errorf("got documented\n%s\nwant the routes\n%s", strings.Join(documented, "\n"), strings.Join(routes, "\n"))
		}
	})
}

func TestTheDocumentSaysWhatSwaggerCannot(t *testing.T) {
	onBoth(t, func(w *world) {
		doc := w.api.Document()
		if s := doc.Components.SecuritySchemes["Bearer"].Value; s.Type != "http" || s.Scheme != "bearer" {
			t.Errorf("Bearer: got %s %s, want http bearer", s.Type, s.Scheme)
		}
		if !doc.Components.Schemas["Page-Bot"].Value.Properties["next_cursor"].Value.Nullable {
			t.Error("next_cursor: want nullable")
		}
		if f := doc.Components.Schemas["Bot"].Value.Properties["created_at"].Value.Format; f != "date-time" {
			t.Errorf("created_at: got format %q, want date-time", f)
		}
		if r := doc.Components.Schemas["Bot"].Value.Required; !slices.Contains(r, "id") {
			t.Errorf("Bot: got required %v, want id among them", r)
		}
		ids := map[string]bool{}
		for path, item := range doc.Paths.Map() {
			for method, op := range item.Operations() {
				if ids[op.OperationID] {
					t.Errorf("%s %s: operation id %s is there twice", method, path, op.OperationID)
				}
				ids[op.OperationID] = true
				for code, r := range op.Responses.Map() {
					problem := code == "default" || code >= "400"
					for kind := range maps.Keys(r.Value.Content) {
						if (kind == "application/problem+json") != problem {
							t.Errorf("%s %s %s: has %s", method, path, code, kind)
						}
					}
				}
			}
		}
	})
}
