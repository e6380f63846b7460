package api

import (
	"reflect"
	"regexp"
	"runtime"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"

	"github.com/molerun/molerun/api/op"
	"github.com/molerun/molerun/api/openapi"
)

// Routes are the routes as the router has them: "GET /v1/bots/:id".
func (s *Server) Routes() []string {
	var out []string
	for _, r := range s.engine.Routes() {
		out = append(out, r.Method+" "+r.Path)
	}
	return out
}

var parameter = regexp.MustCompile(`:([a-z_]+)`)

// Operations are the routes for the document. An operation has the name of its handler, if that is a method of the server.
func Operations() map[string]openapi.Route {
	out := map[string]openapi.Route{}
	for _, r := range allRoutes() {
		handler := runtime.FuncForPC(reflect.ValueOf(r.do).Pointer()).Name()
		out[r.method+" "+parameter.ReplaceAllString(r.path, "{$1}")] = openapi.Route{
			ID:    handler[strings.LastIndexByte(handler, '.')+1:],
			Probe: r.probe,
		}
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
	doc, err := openapi3.NewLoader().LoadFromData(s.document)
	if err != nil {
		panic(err)
	}
	return doc
}
