package api_test

import (
	"bytes"
	"flag"
	"io"
	"log"
	"os"
	"path/filepath"
	"testing"

	"github.com/swaggo/swag/gen"
)

var update = flag.Bool("update", false, "write the golden files and the generated document")

func TestTheDocumentIsGeneratedFromTheAnnotations(t *testing.T) {
	dir := t.TempDir()
	err := gen.New().Build(&gen.Config{
		SearchDir: ".", MainAPIFile: "document.go", OutputDir: dir, OutputTypes: []string{"json"}, PropNamingStrategy: "camelcase",
		RequiredByDefault: true, Strict: true, ParseGoList: true, Debugger: log.New(io.Discard, "", 0),
		LeftTemplateDelim: "{{", RightTemplateDelim: "}}", PackageName: "docs", CollectionFormat: "csv",
	})
	if err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(filepath.Join(dir, "swagger.json"))
	if err != nil {
		t.Fatal(err)
	}
	committed := filepath.Join("..", "docs", "swagger.json")
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
		t.Errorf("docs/swagger.json is not what the annotations say; run: go generate ./api")
	}
}
