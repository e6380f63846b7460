package game

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"github.com/molerun/molerun/engines/game/strict"
)

// Worded tells itself in words: an event in one sentence ("Seat 2 leads."), an action in what comes after its seat ("votes no").
type Worded interface{ Words() string }

// Teller is written by games that tell their events in words: one sentence made of the event alone, so that it holds
// nothing that the event does not; "" for what is no event of these rules.
type Teller interface {
	Tell(event json.RawMessage) string
}

// Tell is an event in one sentence; "" if the game has no words for it.
func (e engine[C, S, A, V, E]) Tell(event json.RawMessage) string {
	if KindOf(event) == "say" {
		return Told[sayEvent](event)
	}
	if t, ok := any(e.r).(Teller); ok {
		return t.Tell(event)
	}
	return ""
}

// Does is an action in words that follow its seat; "" if the game has no words for it.
func (e engine[C, S, A, V, E]) Does(action json.RawMessage) string {
	var a A
	if w, ok := any(&a).(Worded); ok && readAction(action, &a) == nil {
		return w.Words()
	}
	return ""
}

// Words quotes what was said, so that signs that cannot be seen can.
func (e sayEvent) Words() string { return fmt.Sprintf("Seat %d says %q.", e.Seat, e.Text) }

// KindOf is the kind of an event, "" if it has none.
func KindOf(event json.RawMessage) (kind string) {
	var keys map[string]json.RawMessage
	if strict.Decode(event, &keys) != nil || strict.Decode(keys["kind"], &kind) != nil {
		return ""
	}
	return kind
}

// Told are the words of an event of type E; "" if it has not exactly the keys of E.
func Told[E Worded](event json.RawMessage) string {
	var e E
	if strict.Decode(event, &e) != nil {
		return ""
	}
	return e.Words()
}

// And joins words for a sentence: "a", "a and b", "a, b and c"; "none" without any.
func And(words ...string) string {
	switch last := len(words) - 1; last {
	case -1:
		return "none"
	case 0:
		return words[0]
	default:
		return strings.Join(words[:last], ", ") + " and " + words[last]
	}
}

// Words names the seats for a sentence: "seat 2", "seats 0, 1 and 4"; "nobody" without any.
func (m Seats) Words() string {
	switch m.Len() {
	case 0:
		return "nobody"
	case 1:
		return "seat " + m.numbers()
	}
	return "seats " + m.numbers()
}

func (m Seats) numbers() string {
	var list []string
	for s := range m.Each() {
		list = append(list, strconv.Itoa(int(s)))
	}
	return And(list...)
}

// Upper is a sentence with its first letter, if it is of the alphabet, in upper case.
func Upper(sentence string) string {
	if sentence == "" {
		return ""
	}
	return strings.ToUpper(sentence[:1]) + sentence[1:]
}

// Title is a word of the wire as a name in a sentence: strong_leader is "Strong Leader".
func Title(word string) string {
	words := strings.Split(word, "_")
	for i := range words {
		words[i] = Upper(words[i])
	}
	return strings.Join(words, " ")
}
