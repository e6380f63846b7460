package op

import (
	"encoding/json"
	"fmt"
	"net/url"
	"reflect"
	"strings"
	"time"
)

// Target returns the path and the query of a request, of type In. Zero values of the query are left out.
func (s Spec) Target(in any) string {
	v := reflect.ValueOf(in)
	path := s.Path
	for _, f := range s.Fields(InPath) {
		part := text(v.FieldByIndex(f.Index))
		if f.Tag.Get("format") == "uuid" { // the API knows them in small letters alone; some tools write large ones
			part = strings.ToLower(part)
		}
		path = strings.ReplaceAll(path, "{"+f.Name+"}", url.PathEscape(part))
	}
	query := url.Values{}
	for _, f := range s.Fields(InQuery) {
		if x := v.FieldByIndex(f.Index); !x.IsZero() {
			query.Set(f.Name, text(x))
		}
	}
	if len(query) == 0 {
		return path
	}
	return path + "?" + query.Encode()
}

// text returns a value as paths and queries write it.
func text(v reflect.Value) string {
	if v.Kind() == reflect.Pointer {
		v = v.Elem()
	}
	if t, ok := v.Interface().(time.Time); ok {
		return t.Format(time.RFC3339Nano)
	}
	return fmt.Sprint(v.Interface())
}

// Encode returns the body of a request, of type In, as JSON; nil if it has none.
func (s Spec) Encode(in any) ([]byte, error) {
	kind, index := s.Body()
	if kind == nil {
		return nil, nil
	}
	v := reflect.ValueOf(in).FieldByIndex(index)
	if v.Kind() == reflect.Pointer && v.IsNil() {
		return nil, nil
	}
	return json.Marshal(v.Interface())
}

// ByID returns a request about the thing with an id.
func ByID(id string) One { return One{ID: id} }

// ListByID returns a request for a list of the thing with an id.
func ListByID(id string) ListOf { return ListOf{One: ByID(id)} }

// BodyByID returns a request about the thing with an id, with a body.
func BodyByID[B any](id string, body B) WithID[B] { return WithID[B]{One: ByID(id), Body: body} }
