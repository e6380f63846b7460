package pages

import (
	"bytes"
	"encoding/json"
	"strings"
)

// longest bounds what of a value a sentence shows.
const longest = 240

// Sentence is an event of any game in a line: its kind, then what it says in the order it says it.
func Sentence(event json.RawMessage) string {
	kind, rest := "event", []string{}
	for _, f := range fields(event) {
		if f.key == "kind" {
			kind = words(strings.Trim(string(f.value), `"`))
			continue
		}
		text := value(f.value)
		if f.key == "segments" { // of a flick: the drawing shows them
			continue
		}
		if len(text) > longest {
			text = strings.ToValidUTF8(text[:longest], "") + "…"
		}
		if text == "" {
			continue
		}
		rest = append(rest, words(f.key)+" "+text)
	}
	if len(rest) == 0 {
		return kind
	}
	return kind + ": " + strings.Join(rest, ", ")
}

type field struct {
	key   string
	value json.RawMessage
}

// fields are those of an object in their order; none of anything else.
func fields(object json.RawMessage) (out []field) {
	d := json.NewDecoder(bytes.NewReader(object))
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return nil
	}
	for d.More() {
		key, err := d.Token()
		if err != nil {
			return out
		}
		f := field{}
		if f.key, _ = key.(string); d.Decode(&f.value) != nil {
			return out
		}
		out = append(out, f)
	}
	return out
}

func words(key string) string { return strings.ReplaceAll(key, "_", " ") }

// value is a value as people read it.
func value(v json.RawMessage) string {
	var list []json.RawMessage
	var text string
	switch {
	case len(v) > 0 && v[0] == '[' && json.Unmarshal(v, &list) == nil:
		parts := make([]string, len(list))
		for i, x := range list {
			parts[i] = value(x)
		}
		return strings.Join(parts, " ")
	case len(v) > 0 && v[0] == '{':
		var parts []string
		for _, f := range fields(v) {
			parts = append(parts, words(f.key)+" "+value(f.value))
		}
		return "(" + strings.Join(parts, ", ") + ")"
	case json.Unmarshal(v, &text) == nil && len(v) > 0 && v[0] == '"':
		return text
	case string(v) == "null":
		return "none"
	}
	return string(v)
}
