package pages

import (
	"bytes"
	"encoding/json"
	"strings"

	"github.com/molerun/molerun/engines/game"
)

// longest bounds what of a value a sentence shows.
const longest = 240

// Sentence returns an event in words: its game's, or else its kind, then what it holds in the order it has it.
func Sentence(e game.Event) string {
	if told := e.Words(); told != "" { // for a page of moves, reading what it holds takes as long as drawing the page
		return told
	}
	kind, rest := "event", []string{}
	d := json.NewDecoder(bytes.NewReader(e.Data))
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
