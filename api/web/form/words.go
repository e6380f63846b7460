package form

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"

	"github.com/molerun/molerun/api/op"
)

// Words are what the API's document says of operations and of the fields of their requests.
type Words struct {
	Tags       []struct{ Name, Description string }
	Paths      map[string]map[string]Said
	Components struct {
		Schemas map[string]struct {
			Properties map[string]struct{ Description string }
		}
	}
}

// Said is what the document says of an operation.
type Said struct {
	OperationID, Summary, Description string
	Tags                              []string
}

// ReadWords reads a document.
func ReadWords(document []byte) (Words, error) {
	var out Words
	if err := json.Unmarshal(document, &out); err != nil {
		return out, fmt.Errorf("form: the document: %w", err)
	}
	return out, nil
}

// On returns what is said of an operation.
func (w Words) On(o op.Spec) Said {
	said := w.Paths[o.Path][strings.ToLower(o.Method)]
	said.Description = strings.ReplaceAll(said.Description, "\n", " ")
	return said
}

// of returns what is said of a key of a type.
func (w Words) of(t reflect.Type, key string) string {
	return strings.ReplaceAll(w.Components.Schemas[t.Name()].Properties[key].Description, "\n", " ")
}
