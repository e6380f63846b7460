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

	"github.com/swaggo/swag/gen"

	"github.com/molerun/molerun/api/gate"
	"github.com/molerun/molerun/api/openapi"
)

var update = flag.Bool("update", false, "write the golden files and the generated document")

// What is served must be what the annotations say: clients are generated from the document, and people read its page.
func TestTheDocumentIsGeneratedFromTheAnnotations(t *testing.T) {
	doc, err := openapi.Convert(swagger(t))
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.MarshalIndent(doc, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	page, err := openapi.Page(doc, gate.Kinds())
	if err != nil {
		t.Fatal(err)
	}
	for name, got := range map[string][]byte{"openapi.json": append(text, '\n'), "openapi.html": page} {
		committed := filepath.Join("..", "docs", name)
		if *update {
			if err := os.WriteFile(committed, got, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(committed)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got, want) {
			t.Errorf("docs/%s is not what the annotations say; run: go generate ./api", name)
		}
	}
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
