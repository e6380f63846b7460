package pages

import (
	"bytes"
	"encoding/json"
	"strings"
)

// longest bounds what of a value a sentence shows.
const longest = 240

// Sentence is an event that its game has no words for: its kind, then what it holds in the order it has it.
func Sentence(event json.RawMessage) string {
	kind, rest := "event", []string{}
	d := json.NewDecoder(bytes.NewReader(event))
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return kind
	}
	for d.More() {
		key, err := d.Token()
		var value json.RawMessage
		if err != nil || d.Decode(&value) != nil {
			break
		}
		name, _ := key.(string)
		text := strings.Trim(string(value), `"`)
		if len(text) > longest {
			text = strings.ToValidUTF8(text[:longest], "") + "…"
		}
		if name == "kind" {
			kind = words(text)
		} else {
			rest = append(rest, words(name)+" "+text)
		}
	}
	if len(rest) == 0 {
		return kind
	}
	return kind + ": " + strings.Join(rest, ", ")
}

func words(key string) string { return strings.ReplaceAll(key, "_", " ") }
