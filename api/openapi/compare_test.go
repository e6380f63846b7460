package openapi_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"

	"github.com/molerun/molerun/api/openapi"
)

func load(t *testing.T, text string) *openapi3.T {
	t.Helper()
	doc, err := openapi3.NewLoader().LoadFromData([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return doc
}

func read(t *testing.T, file string) *openapi3.T {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return load(t, string(text))
}

// TestNothingBreaksTheClientsOfTheLastRelease: what must change is deprecated in one release and gone in a later one. A release
// adds its document to testdata/released.
func TestNothingBreaksTheClientsOfTheLastRelease(t *testing.T) {
	releases, err := filepath.Glob("../testdata/released/openapi-*.json")
	if err != nil || len(releases) == 0 {
		t.Fatalf("got the releases %v (%v), want at least one", releases, err)
	}
	last := slices.Max(releases)
	for _, what := range openapi.Breaking(read(t, last), read(t, "../../docs/openapi.json")) {
		t.Errorf("since %s: %s", filepath.Base(last), what)
	}
}

// shelf is a small document, in which the tests below change something.
const shelf = `{"openapi": "3.1.0", "info": {"title": "shelf", "version": "1"},
"paths": {
	"/books": {
		"get": {"operationId": "listBooks", "security": [],
			"parameters": [{"in": "query", "name": "limit", "schema": {"type": "integer"}}],
			"responses": {"200": {"description": "all", "headers": {"ETag": {"schema": {"type": "string"}}},
				"content": {"application/json": {"schema": {"type": "array", "items": {"$ref": "#/components/schemas/Book"}}}}}}},
		"post": {"operationId": "createBook", "security": [{"Bearer": []}],
			"requestBody": {"content": {"application/json": {"schema": {"$ref": "#/components/schemas/BookCreate"}}}},
			"responses": {"201": {"description": "made", "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Book"}}}}}}
	},
	"/covers": {"get": {"deprecated": true, "operationId": "listCovers", "security": [], "responses": {"204": {"description": "none"}}}}
},
"webhooks": {"book.lost": {"post": {"requestBody": {"content": {"application/json": {"schema": {"type": "object", "properties": {"id": {"type": "string"}}}}}},
	"responses": {"200": {"description": "taken"}}}}},
"components": {"securitySchemes": {"Bearer": {"type": "http", "scheme": "bearer"}}, "schemas": {
	"Book": {"type": "object", "required": ["id", "state"], "properties": {
		"id": {"type": "string"}, "state": {"type": "string", "enum": ["in", "out"]}, "pages": {"type": ["integer", "null"]}, "next": {"$ref": "#/components/schemas/Book"}}},
	"BookCreate": {"type": "object", "required": ["title"], "properties": {
		"title": {"type": "string", "maxLength": 80}, "kind": {"type": "string", "enum": ["novel", "atlas"]}, "year": {"type": "integer"}}},
	"Problem": {"type": "object", "properties": {"code": {"type": "string"}}}
}}}`

// TestEveryBreakingChangeIsSeen plants them.
func TestEveryBreakingChangeIsSeen(t *testing.T) {
	for _, c := range []struct{ from, to, want string }{
		{`"/books": {`, `"/tomes": {`, "GET /books: is gone, and was not deprecated"},
		{`"post": {"operationId": "createBook"`, `"put": {"operationId": "createBook"`, "POST /books: is gone, and was not deprecated"},
		{`"listBooks"`, `"getBooks"`, "GET /books: is called getBooks, not listBooks any more"},
		{`"listBooks", "security": []`, `"listBooks", "security": [{"Bearer": []}]`, "GET /books: needs a token now"},
		{`"name": "limit"`, `"name": "most"`, "GET /books limit: is no parameter any more"},
		{`"name": "limit"`, `"name": "limit", "required": true`, "GET /books limit: is required now"},
		{`"parameters": [`, `"parameters": [{"in": "query", "name": "shelf", "required": true, "schema": {"type": "string"}}, `, "GET /books shelf: is a new parameter that is required"},
		{`"201"`, `"202"`, "POST /books 201: is not answered any more"},
		{`"headers": {"ETag"`, `"headers": {"Etag2"`, "GET /books 200: has no header ETag any more"},
		{`"title": {"type"`, `"name": {"type"`, "BookCreate/title: is gone in requests"},
		{`"required": ["title"]`, `"required": ["title", "year"]`, "BookCreate/year: is required now"},
		{`"maxLength": 80`, `"maxLength": 40`, "BookCreate/title: is at most 40 now"},
		{`["novel", "atlas"]`, `["novel"]`, "BookCreate/kind: may not be atlas any more"},
		{`"year": {"type": "integer"}`, `"year": {"type": "integer", "enum": [2026]}`, "BookCreate/year: is one of a list now"},
		{`"year": {"type": "integer"}`, `"year": {"type": "string"}`, "BookCreate/year: is [string] in requests, not [integer]"},
		{`"pages": {"type": ["integer", "null"]}, `, ``, "Book/pages: is gone in answers"},
		{`"required": ["id", "state"]`, `"required": ["id"]`, "Book/state: may be missing in answers now"},
		{`["in", "out"]`, `["in", "out", "lost"]`, "Book/state: can be lost now"},
		{`"state": {"type": "string", "enum": ["in", "out"]}`, `"state": {"type": "string"}`, "Book/state: can be anything now"},
		{`"id": {"type": "string"}, "state"`, `"id": {"type": ["string", "null"]}, "state"`, "Book/id: is [string null] in answers, not [string]"},
		{`"id": {"type": "string"}, "state"`, `"id": {"type": "string", "format": "uuid"}, "state"`, `Book/id: has the format "uuid" in answers, not ""`},
		{`"book.lost"`, `"book.gone"`, "book.lost: is not sent any more"},
		{`"properties": {"id": {"type": "string"}}`, `"properties": {"isbn": {"type": "string"}}`, "book.lost/id: is gone in answers"},
	} {
		changed := strings.Replace(shelf, c.from, c.to, 1)
		if changed == shelf {
			t.Errorf("%s: nothing was changed", c.want)
		} else if got := openapi.Breaking(load(t, shelf), load(t, changed)); !slices.Contains(got, c.want) {
			t.Errorf("got %q, want %q", got, c.want)
		}
	}
}

func TestWhatBreaksNobodyIsAllowed(t *testing.T) {
	for _, c := range []struct{ from, to string }{
		{`"/covers": {"get": {`, `"/sleeves": {"get": {`}, // it was deprecated
		{`"pages": {"type": ["integer", "null"]}`, `"pages": {"type": "integer"}, "author": {"type": "string"}`},
		{`"maxLength": 80`, `"maxLength": 160`},
		{`["novel", "atlas"]`, `["novel", "atlas", "comic"]`},
		{`["in", "out"]`, `["in"]`},
		{`"required": ["title"]`, `"required": []`},
		{`"year": {"type": "integer"}`, `"year": {"type": ["integer", "string"]}, "blurb": {"type": "string"}`},
		{`"parameters": [`, `"parameters": [{"in": "query", "name": "shelf", "schema": {"type": "string"}}, `},
	} {
		changed := strings.Replace(shelf, c.from, c.to, 1)
		if changed == shelf {
			t.Errorf("%s: nothing was changed", c.from)
		} else if got := openapi.Breaking(load(t, shelf), load(t, changed)); len(got) > 0 {
			t.Errorf("%s: got %q, want nothing", c.to, got)
		}
	}
}
