package api

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"

	"github.com/molerun/molerun/api/live"
	"github.com/molerun/molerun/api/web"
	"github.com/molerun/molerun/api/web/form"
)

// Files holds what a server reads of the program's own files: the API's document, the guides and the templates of the pages. It does
// not change, and servers share it.
type Files struct {
	docs     fs.FS
	document []byte // compact; in docs it is indented for review
	words    form.Words
	pages    web.Files
}

// ReadFiles reads the documents that docs.Files returns, and parses them and the templates. Pages call games by their names in games, and
// any other by its id.
func ReadFiles(docs fs.FS, games live.Engines) (*Files, error) {
	f := &Files{docs: docs}
	indented, err := fs.ReadFile(docs, "openapi.json")
	if err != nil {
		return nil, fmt.Errorf("api: the document: %w", err)
	}
	var compact bytes.Buffer
	if err := json.Compact(&compact, indented); err != nil {
		return nil, fmt.Errorf("api: the document: %w", err)
	}
	f.document = compact.Bytes()
	if f.words, err = form.ReadWords(f.document); err != nil {
		return nil, err
	}
	operations, err := operationsOf(f.document)
	if err != nil {
		return nil, err
	}
	f.pages, err = web.ReadFiles(docs, games, operations)
	return f, err
}
