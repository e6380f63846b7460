package pages

import (
	"bytes"
	"encoding/json"
	"regexp"
	"strconv"
	"strings"

	"github.com/molerun/molerun/engines/game"
)

// longest bounds what of a value a sentence shows.
const longest = 240

// Sentence returns an event in words: its game's, or else its kind, then what it holds in the order it has it.
func Sentence(e game.Event) string {
	if words := e.Words(); words != "" { // for a page of moves, reading what it holds takes as long as drawing the page
		return words
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

// mentions finds what was said in quotes, which stays as it is, and seats as the games name them: "Seat 2", "leader 0",
// "seats 0, 1 and 4".
var mentions = regexp.MustCompile(`"(?:[^"\\]|\\.)*"|\b[Ss]eats \d+(?:, \d+)* and \d+|\b(?:[Ss]eat|[Ll]eader) \d+`)

var numbers = regexp.MustCompile(`\d+`)

// Named returns a sentence of a game with the seats in it called by their names.
func Named(sentence string, names []string) string {
	if !strings.Contains(sentence, "eat") && !strings.Contains(sentence, "eader") { // nearly all without a mention, much sooner than by the pattern
		return sentence
	}
	return mentions.ReplaceAllStringFunc(sentence, func(found string) string {
		if strings.HasPrefix(found, `"`) {
			return found
		}
		known := true
		list := numbers.ReplaceAllStringFunc(found, func(number string) string {
			seat, err := strconv.Atoi(number)
			if err != nil || seat >= len(names) {
				known = false
				return number
			}
			return names[seat]
		})
		if !known {
			return found
		}
		_, list, _ = strings.Cut(list, " ") // without the word seat
		return list
	})
}
