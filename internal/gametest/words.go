package gametest

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"regexp"
	"slices"
	"strings"

	"github.com/molerun/molerun/engines/game"
)

// Words returns the sentences of a game: one of every shape of event and action that comes up in matches of the cases or is rare, and
// one for every word that the schema allows in an event; each in the second person too, to a seat that is in it. It is an error if
// an event or action has no words, or other words than its JSON gives, or speaks to a seat as to somebody else; if a kind, type or card of
// the schemas has not come up in so many matches of each case; or if what is no action has words. Words reads events back from JSON
// to check their sentences: a game need not be able to do that, but then its tests must.
func Words(e game.Engine, cases []Case, matches, maxSteps int, rare ...game.Event) ([]byte, error) {
	w := words{
		engine:  e,
		events:  offerCoverage{name: "event", tag: "kind", seen: map[string]example{}},
		actions: offerCoverage{name: "action", tag: "type", seen: map[string]example{}},
	}
	if err := w.see(moment{events: rare}); err != nil {
		return nil, err
	}
	for i := range matches {
		for _, c := range cases {
			if err := play(e, c, Seed(i), maxSteps, w.see); err != nil {
				return nil, fmt.Errorf("%v: %w", c, err)
			}
		}
		if w.events.missing(e) == nil && w.actions.missing(e) == nil {
			break
		}
	}
	if err := errors.Join(w.events.missing(e), w.actions.missing(e), w.strange()); err != nil {
		return nil, err
	}
	var out bytes.Buffer
	for _, x := range []*offerCoverage{&w.events, &w.actions} {
		for _, shape := range slices.Sorted(maps.Keys(x.seen)) {
			text := string(x.seen[shape].text)
			if len(text) > 200 {
				text = text[:200] + "…"
			}
			fmt.Fprintf(&out, "%s %s\n\t%s\n", x.name, text, x.seen[shape].sentence)
			if to := x.seen[shape].toSeat; to != "" {
				fmt.Fprintf(&out, "\t%s\n", to)
			}
		}
	}
	if err := w.events.vary(e, &out); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}

// words are those of the events and actions.
type words struct {
	engine          game.Engine
	events, actions offerCoverage
}

// offerCoverage are the examples of events, or of actions, by their shape.
type offerCoverage struct {
	name, tag string // of the schema, of the key that tells what it is
	seen      map[string]example
}

// example is an event or action with its words.
type example struct {
	text     json.RawMessage
	sentence string
	toSeat   string      // the sentence to a seat that is in it; "" without one
	value    game.Worded // of an event
}

func (w *words) see(m moment) error {
	for _, event := range m.events {
		made := example{text: event.Data, sentence: event.Words(), value: event.Value}
		for seat := range game.Seat(w.engine.Info().MaxSeats) {
			if !event.VisibleTo(seat) {
				continue
			}
			to := event.WordsTo(seat)
			if err := addresses(to, seat); err != nil {
				return err
			}
			if made.toSeat == "" && to != made.sentence {
				made.toSeat = to
			}
		}
		if err := w.events.add(made); err != nil {
			return err
		}
	}
	for _, turn := range m.turns {
		to := w.engine.ActionWordsTo(turn.Action, turn.Seat)
		if err := addresses("you "+to, turn.Seat); err != nil {
			return err
		}
		if err := w.actions.add(example{text: turn.Action, sentence: w.engine.ActionWords(turn.Action), toSeat: to}); err != nil {
			return err
		}
	}
	return nil
}

// third finds a "you" that is spoken of as somebody else, and marks that have been left.
var third = regexp.MustCompile(`(?i)\byou (?:\w*[^s]s)\b|[{}]`)

// addresses says what is wrong with a sentence to a seat: it speaks of it in the third person, or by its number.
func addresses(sentence string, seat game.Seat) error {
	sentence = quoted.ReplaceAllString(sentence, "")
	if found := third.FindString(sentence); found != "" {
		return fmt.Errorf("to seat %d: %q in %q", seat, found, sentence)
	}
	for _, mention := range mentioned.FindAllString(sentence, -1) {
		if slices.Contains(strings.FieldsFunc(mention, func(r rune) bool { return r < '0' || r > '9' }), fmt.Sprint(seat)) {
			return fmt.Errorf("to seat %d: %q in %q", seat, mention, sentence)
		}
	}
	return nil
}

var (
	quoted    = regexp.MustCompile(`"(?:[^"\\]|\\.)*"`)
	mentioned = regexp.MustCompile(`(?i)\b(?:seats?|leader) \d+(?:, \d+)*(?: and \d+)?`)
)

// add keeps the first of each shape: the keys, and the values that are words of the game or truths.
func (x *offerCoverage) add(made example) error {
	keys, err := object(made.text)
	if err != nil {
		return err
	}
	shape := shapeOf(x.tag, keys)
	for _, inner := range []string{"action", "intended"} {
		if deed, err := object(keys[inner]); err == nil {
			shape += " " + shapeOf("type", deed)
		}
	}
	if made.sentence == "" {
		return fmt.Errorf("the %s %s has no words", x.name, made.text)
	}
	if _, known := x.seen[shape]; known {
		return nil
	}
	made.text = slices.Clone(made.text)
	x.seen[shape] = made
	if _, own := made.value.(json.Marshaler); own || made.value == nil { // written by the game: not simply read
		return nil
	}
	again, err := reread(made.value, made.text)
	if err != nil {
		return fmt.Errorf("the %s %s cannot be read back: %w", x.name, made.text, err)
	}
	if got := game.ReadBy(again.Words(), game.Spectator, game.Spectator); got != made.sentence {
		return fmt.Errorf("the %s %s reads %q, but its JSON says %q", x.name, made.text, made.sentence, got)
	}
	return nil
}

// reread returns JSON read as the type of an event.
func reread(like game.Worded, text []byte) (game.Worded, error) {
	kind := reflect.TypeOf(like)
	if kind.Kind() == reflect.Pointer {
		kind = kind.Elem()
	}
	fresh := reflect.New(kind)
	if err := json.Unmarshal(text, fresh.Interface()); err != nil {
		return nil, err
	}
	return fresh.Interface().(game.Worded), nil // a pointer has all methods
}

func object(text json.RawMessage) (map[string]json.RawMessage, error) {
	var keys map[string]json.RawMessage
	err := json.Unmarshal(text, &keys)
	return keys, err
}

func shapeOf(tag string, keys map[string]json.RawMessage) string {
	out := string(keys[tag])
	for _, key := range slices.Sorted(maps.Keys(keys)) {
		out += " " + key
		switch v := string(keys[key]); {
		case v == "true", v == "false", v == "null", v == "{}", v == "[]",
			slices.Contains([]string{"card", "as", "result", "role", "why", "winner"}, key), key == "edge" && !strings.ContainsAny(v, "0123456789"):
			out += "=" + v
		}
	}
	return out
}

// branch is one form that a schema allows.
type branch struct {
	Required   []string `json:"required"`
	Properties map[string]struct {
		Const string            `json:"const"`
		Enum  []json.RawMessage `json:"enum"`
		Ref   string            `json:"$ref"`
	} `json:"properties"`
}

// form is a branch for one kind or type.
type form struct {
	kind string
	branch
	enums map[string][]json.RawMessage // what each key may be, where that is listed
}

func (x *offerCoverage) forms(e game.Engine) ([]form, error) {
	var out []form
	var doc struct {
		OneOf []branch `json:"oneOf"`
		Defs  map[string]struct {
			Enum []json.RawMessage `json:"enum"`
		} `json:"$defs"`
	}
	// Only what is read here has to fit: a const of another type is none of a kind.
	var typed *json.UnmarshalTypeError
	if err := json.Unmarshal([]byte(e.Schemas()[x.name]), &doc); err != nil && !errors.As(err, &typed) {
		return nil, err
	}
	for _, b := range doc.OneOf {
		f := form{branch: b, enums: map[string][]json.RawMessage{}}
		for key, p := range b.Properties {
			f.enums[key] = append(p.Enum, doc.Defs[strings.TrimPrefix(p.Ref, "#/$defs/")].Enum...)
			if p.Const != "" {
				f.enums[key] = []json.RawMessage{JSON(p.Const)}
			}
		}
		kinds := f.enums[x.tag]
		if len(kinds) == 0 {
			return nil, fmt.Errorf("schema %s has a form without a %s", x.name, x.tag)
		}
		delete(f.enums, x.tag)
		for _, kind := range kinds {
			f.kind = string(kind)
			out = append(out, f)
		}
	}
	return out, nil
}

// example returns something seen of a form, and its keys; nil if there is none.
func (x *offerCoverage) example(f form) (map[string]json.RawMessage, example) {
	for _, shape := range slices.Sorted(maps.Keys(x.seen)) {
		keys, err := object(x.seen[shape].text)
		fits := err == nil && string(keys[x.tag]) == f.kind
		for key := range keys {
			_, known := f.Properties[key]
			fits = fits && known
		}
		for _, key := range f.Required {
			fits = fits && keys[key] != nil
		}
		if fits {
			return keys, x.seen[shape]
		}
	}
	return nil, example{}
}

// missing returns the first form of the schema that has not been seen, and the first card of an action.
func (x *offerCoverage) missing(e game.Engine) error {
	forms, err := x.forms(e)
	if err != nil {
		return err
	}
	for _, f := range forms {
		if keys, _ := x.example(f); keys == nil {
			return fmt.Errorf("no %s %s %s with %v has come up", x.name, x.tag, f.kind, f.Required)
		}
		for _, card := range f.enums["card"] {
			if x.name == "action" && !x.played(card) {
				return fmt.Errorf("no action with the card %s has come up", card)
			}
		}
	}
	return nil
}

func (x *offerCoverage) played(card json.RawMessage) bool {
	for shape := range x.seen {
		if strings.Contains(shape, " card="+string(card)) {
			return true
		}
	}
	return false
}

// vary puts every word that the schema allows for a key into an example, and writes the sentences of those that have not come up.
func (x *offerCoverage) vary(e game.Engine, out *bytes.Buffer) error {
	forms, err := x.forms(e)
	if err != nil {
		return err
	}
	for _, f := range forms {
		for _, key := range slices.Sorted(maps.Keys(f.enums)) {
			for _, value := range f.enums[key] {
				keys, made := x.example(f)
				if keys[key] == nil || bytes.ContainsAny(value, "0123456789") {
					continue
				}
				keys[key] = value
				text := JSON(keys)
				again, err := reread(made.value, text)
				if err != nil {
					return fmt.Errorf("the %s %s cannot be read back: %w", x.name, text, err)
				}
				sentence := game.ReadBy(again.Words(), game.Spectator, game.Spectator)
				if sentence == "" {
					return fmt.Errorf("the %s %s has no words", x.name, text)
				}
				if _, known := x.seen[shapeOf(x.tag, keys)]; !known {
					fmt.Fprintf(out, "%s %s with %s %s\n\t%s\n", x.name, f.kind, key, value, sentence)
				}
			}
		}
	}
	return nil
}

// strange returns words for what nobody does.
func (w *words) strange() error {
	list := []string{``, `7`, `[]`, `{}`, `{"type":"no such thing"}`}
	for _, shape := range slices.Sorted(maps.Keys(w.actions.seen)) {
		list = append(list, strings.TrimSuffix(string(w.actions.seen[shape].text), "}")+`,"of_another_version":1}`)
	}
	for _, text := range list {
		if got := w.engine.ActionWords([]byte(text)); got != "" {
			return fmt.Errorf("the action %s has words: %s", text, got)
		}
	}
	return nil
}
