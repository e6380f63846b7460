package game

import (
	"cmp"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
)

// Worded puts itself into words: an event in one sentence ("Seat 2 {leads}.") with nothing that the JSON of the events does not tell, an
// action in the words after its seat ("{votes} no"). Words is "" for anything that is not an event or action of these rules. What is
// in braces agrees with a seat ([ReadBy]).
type Worded interface{ Words() string }

// wordsOf returns x, which is a struct or an interface, if it has words.
func wordsOf[E any](x *E) Worded {
	if w, ok := any(x).(Worded); ok { // not copied
		return w
	}
	w, _ := any(*x).(Worded)
	return w
}

// ActionWords returns an action in words that follow its seat; "" if the game has no words for it.
func (e engine[C, S, A, V, E]) ActionWords(action json.RawMessage) string {
	return e.ActionWordsTo(action, Spectator)
}

// ActionWordsTo returns an action in words that follow "you", said to the seat that acts.
func (e engine[C, S, A, V, E]) ActionWordsTo(action json.RawMessage, seat Seat) string {
	var a A
	if w, ok := any(&a).(Worded); ok && readAction(action, &a) == nil {
		return ReadBy(w.Words(), seat, seat)
	}
	return ""
}

// TurnWords returns what a seat has heard since its last turn and what it sees, in words. The error is [ErrUnsupported] where the game has
// none.
func TurnWords(table Table, seat Seat, heard []Event) (string, error) {
	view, err := table.Describe(seat)
	if err != nil || len(heard) == 0 {
		return view, err
	}
	var b strings.Builder
	b.WriteString("Since your last turn:\n")
	for _, e := range heard {
		b.WriteString("- " + cmp.Or(e.WordsTo(seat), string(e.Data)) + "\n")
	}
	return b.String() + "\n" + view, nil
}

// IsTalk reports whether the event is the words of a seat.
func (e Event) IsTalk() bool { _, said := e.Value.(sayEvent); return said }

// Words quotes what was said, so that invisible characters show.
func (e sayEvent) Words() string { return fmt.Sprintf("Seat %d {says} %q.", e.Seat, e.Text) }

// JoinWords joins words for a sentence: "a", "a and b", "a, b and c"; "none" without any.
func JoinWords(words ...string) string {
	switch last := len(words) - 1; last {
	case -1:
		return "none"
	case 0:
		return words[0]
	default:
		return strings.Join(words[:last], ", ") + " and " + words[last]
	}
}

// WordsOf returns the words of a list of things, as they are on the wire.
func WordsOf[T fmt.Stringer](list []T) []string {
	out := make([]string, len(list))
	for i, x := range list {
		out[i] = x.String()
	}
	return out
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
	return JoinWords(list...)
}

// Plural names a number of things: "1 card", "2 cards", "2 matches", "0 entries".
func Plural[N int | int8 | int64](n N, thing string) string {
	stem, y := strings.CutSuffix(thing, "ry")
	switch {
	case n == 1:
	case y:
		thing = stem + "ries"
	case strings.HasSuffix(thing, "ch"):
		thing += "es"
	default:
		thing += "s"
	}
	return fmt.Sprintf("%d %s", n, thing)
}

// Capitalize returns a sentence with its first letter, if it is one of a to z, in upper case.
func Capitalize(sentence string) string {
	if sentence == "" {
		return ""
	}
	return strings.ToUpper(sentence[:1]) + sentence[1:]
}

// Titles joins the names of wire words ([Title]) for a sentence.
func Titles(words []string) string {
	names := make([]string, len(words))
	for i, word := range words {
		names[i] = Title(word)
	}
	return JoinWords(names...)
}

// Title returns a wire word as a name in a sentence: strong_leader is "Strong Leader".
func Title(word string) string {
	words := strings.Split(word, "_")
	for i := range words {
		words[i] = Capitalize(words[i])
	}
	return strings.Join(words, " ")
}
