package api

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/molerun/molerun/api/gate"
	"github.com/molerun/molerun/api/web/pages"
)

// operationsOf returns the operations that the API's document describes by its groups, in the order of the routes.
func operationsOf(document []byte) ([]pages.OperationGroup, error) {
	var doc struct {
		Tags  []struct{ Name, Description string }
		Paths map[string]map[string]struct {
			OperationID, Summary, Description string
			Tags                              []string
		}
	}
	if err := json.Unmarshal(document, &doc); err != nil {
		return nil, fmt.Errorf("api: the document: %w", err)
	}
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
