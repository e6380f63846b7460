package api

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"testing"
)

// The served document and its page are what they were: clients are generated from the one, people read the other.
func TestTheServedDocumentIsAsReviewed(t *testing.T) {
	d, err := newDocument(os.DirFS("../docs"))
	if err != nil {
		t.Fatal(err)
	}
	var indented bytes.Buffer
	if err := json.Indent(&indented, d.json, "", "  "); err != nil {
		t.Fatal(err)
	}
	for name, got := range map[string][]byte{
		"testdata/openapi.json": append(indented.Bytes(), '\n'),
		"testdata/openapi.html": d.html,
	} {
		if flag.Lookup("update").Value.String() == "true" {
			if err := os.WriteFile(name, got, 0o644); err != nil { //nolint:gosec // a document is for everybody
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(name)
		if err != nil {
			t.Fatalf("%v (write it with -update)", err)
		}
		if !bytes.Equal(got, want) {
			t.Errorf("%s: the document differs from what was reviewed; look at the difference, then write it with -update", name)
		}
	}
}
