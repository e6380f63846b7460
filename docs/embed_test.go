package docs_test

import (
	"encoding/json"
	"io/fs"
	"strings"
	"testing"

	"github.com/molerun/molerun/docs"
	"github.com/molerun/molerun/engines/catalog"
)

func TestTheRulesOfEveryGameAreWrittenDown(t *testing.T) {
	for _, e := range catalog.All() {
		text, err := fs.ReadFile(docs.Files(), "rules/"+e.Info().ID+".md")
		if err != nil || !strings.HasPrefix(string(text), "# ") {
			t.Errorf("%s: got %.40q, %v, want its rules under a heading", e.Info().ID, text, err)
		}
	}
}

func TestTheGeneratedDocumentIsThere(t *testing.T) {
	raw, err := fs.ReadFile(docs.Files(), "openapi.json")
	if err != nil {
		t.Fatal(err)
	}
	var doc struct{ OpenAPI string }
	if err := json.Unmarshal(raw, &doc); err != nil || !strings.HasPrefix(doc.OpenAPI, "3.") {
		t.Errorf("got %q, %v, want OpenAPI 3", doc.OpenAPI, err)
	}
}
