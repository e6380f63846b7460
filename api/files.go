package api

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"strings"

	"github.com/molerun/molerun/api/gate"
	"github.com/molerun/molerun/api/live"
	"github.com/molerun/molerun/api/web"
	"github.com/molerun/molerun/api/web/form"
	"github.com/molerun/molerun/api/web/pages"
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
	operations, err := operationsOf(f.words)
	if err != nil {
		return nil, err
	}
	f.pages, err = web.ReadFiles(docs, games, operations)
	return f, err
}

// operationsOf returns the operations that the API's document describes by its groups, in the order of the routes.
func operationsOf(doc form.Words) ([]pages.OperationGroup, error) {
	out := make([]pages.OperationGroup, len(doc.Tags))
	at := map[string]*pages.OperationGroup{}
	for i, tag := range doc.Tags {
		out[i] = pages.OperationGroup{Name: tag.Name, About: tag.Description}
		at[tag.Name] = &out[i]
	}
	for _, r := range allRoutes() {
		if r.spec == nil {
			continue
		}
		described := doc.Paths[r.spec.Path][strings.ToLower(r.Method)]
		for _, tag := range described.Tags {
			if at[tag] == nil {
				return nil, fmt.Errorf("api: the document: %s has the tag %q, which is not described", described.OperationID, tag)
			}
			needs := "nothing"
			if r.Need != gate.Anybody {
				needs = "a token with the scope " + string(r.Need)
			}
			at[tag].Operations = append(at[tag].Operations, pages.Operation{
				Name:    described.OperationID,
				Group:   tag,
				Method:  r.Method,
				Path:    r.spec.Path,
				Summary: described.Summary,
				About:   described.Description,
				Needs:   needs,
			})
		}
	}
	return out, nil
}
