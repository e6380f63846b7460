package api_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"io"
	"log"
	"os"
	"path/filepath"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/swaggo/swag/gen"

	"github.com/molerun/molerun/api"
	"github.com/molerun/molerun/api/gate"
	"github.com/molerun/molerun/api/openapi"
)

var update = flag.Bool("update", false, "write the golden files and the generated document")

// What is served must be what the annotations say: clients are generated from the document, and people read its page. The
// operations of the site's pages are in a document of their own, for the tests.
func TestTheDocumentIsGeneratedFromTheAnnotations(t *testing.T) {
	doc, pages, err := openapi.Convert(swagger(t), api.Operations(), gate.Kinds())
	if err != nil {
		t.Fatal(err)
	}
	page, err := openapi.Page(doc, gate.Kinds())
	if err != nil {
		t.Fatal(err)
	}
	for file, got := range map[string][]byte{
		"../docs/openapi.json": indented(t, doc),
		"../docs/openapi.html": page,
		"testdata/pages.json":  indented(t, pages),
	} {
		if *update {
			if err := os.WriteFile(file, got, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got, want) {
			t.Errorf("%s is not what the annotations say; run: go generate ./api", file)
		}
	}
}

// TestADeprecatedOperationSaysSo plants one.
func TestADeprecatedOperationSaysSo(t *testing.T) {
	routes := api.Operations()
	planted := routes["GET /v1/games"]
	planted.Deprecated = true
	routes["GET /v1/games"] = planted
	doc, _, err := openapi.Convert(swagger(t), routes, gate.Kinds())
	if err != nil {
		t.Fatal(err)
	}
	eachOperation(doc, func(name string, op *openapi3.Operation) {
		same(t, name+" is deprecated", op.Deprecated, name == "GET /v1/games")
		if answer := op.Responses.Value("200"); answer != nil {
			same(t, name+" has the header Sunset", answer.Value.Headers["Sunset"] != nil, op.Deprecated)
		}
	})
}

func indented(t *testing.T, doc *openapi3.T) []byte {
	t.Helper()
	text, err := json.MarshalIndent(doc, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	return append(text, '\n')
}

// swagger is what swag makes of the annotations.
func swagger(t *testing.T) []byte {
	t.Helper()
	dir := t.TempDir()
	err := gen.New().Build(&gen.Config{
		SearchDir: ".", MainAPIFile: "operation.go", OutputDir: dir, OutputTypes: []string{"json"}, PropNamingStrategy: "camelcase",
		RequiredByDefault: true, Strict: true, ParseGoList: true, Debugger: log.New(io.Discard, "", 0),
		LeftTemplateDelim: "{{", RightTemplateDelim: "}}", PackageName: "docs", CollectionFormat: "csv",
	})
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(dir, "swagger.json"))
	if err != nil {
		t.Fatal(err)
	}
	return text
}
