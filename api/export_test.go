package api

import (
	"github.com/getkin/kin-openapi/openapi3"

	"github.com/molerun/molerun/api/op"
)

// Routes are the routes as the router has them: "GET /v1/bots/:id".
func (s *Server) Routes() []string {
	var out []string
	for _, r := range s.engine.Routes() {
		out = append(out, r.Method+" "+r.Path)
	}
	return out
}

// Pages returns the routes of the site, which the document leaves out: "GET /bots/:id".
func Pages() []string {
	var out []string
	for _, r := range allRoutes() {
		if r.spec == nil {
			out = append(out, r.Method+" "+r.Path)
		}
	}
	return out
}

// Probes returns the operations for health probes, by method and path.
func Probes() map[string]bool {
	out := map[string]bool{}
	for _, o := range Specs() {
		out[o.Method+" "+o.Path] = o.Probe
	}
	return out
}

// Specs returns the operations that the server has bound to a function.
func Specs() []op.Spec {
	var out []op.Spec
	for _, r := range allRoutes() {
		if r.spec != nil {
			out = append(out, *r.spec)
		}
	}
	return out
}

// Document is the document that is served.
func (s *Server) Document() *openapi3.T {
	doc, err := openapi3.NewLoader().LoadFromData(s.Files.document)
	if err != nil {
		panic(err)
	}
	return doc
}

// Form names a form of the site, and the operation that it carries out.
type Form struct {
	Path    string
	Spec    op.Spec
	HasPage bool
}

// Forms returns the forms of the site.
func Forms() []Form {
	var out []Form
	for _, o := range offers() {
		out = append(out, Form{o.path, o.spec, o.asks()})
	}
	return out
}
