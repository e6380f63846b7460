package api

import "github.com/getkin/kin-openapi/openapi3"

// Routes are the routes as the router has them: "GET /v1/bots/:id".
func (s *Server) Routes() []string {
	var out []string
	for _, r := range s.engine.Routes() {
		out = append(out, r.Method+" "+r.Path)
	}
	return out
}

// Document is the document that is served.
func (s *Server) Document() *openapi3.T { return s.document.openapi }

// Checksum is the end of a token whose head is given.
func Checksum(head string) string { return checksum(head) }

// HashOf is the hash by which requests with an Idempotency-Key are told apart.
func HashOf(parts ...string) string { return hashOf(parts...) }
