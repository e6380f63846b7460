package api

import (
	"github.com/getkin/kin-openapi/openapi3"

	"github.com/molerun/molerun/api/httpx"
)

// Routes are the routes as the router has them: "GET /v1/bots/:id".
func (s *Server) Routes() []string {
	var out []string
	for _, r := range s.engine.Routes() {
		out = append(out, r.Method+" "+r.Path)
	}
	return out
}

// Document is the document that is served.
func (s *Server) Document() *openapi3.T {
	doc, err := openapi3.NewLoader().LoadFromData(s.document.json)
	if err != nil {
		panic(err)
	}
	return doc
}

// Kinds are the problems that the API answers with.
func Kinds() []httpx.Kind { return kinds() }
