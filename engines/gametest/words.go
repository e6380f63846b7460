package gametest

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/molerun/molerun/engines/game"
)

// Words are the sentences of a game: one of every shape of event and action that comes up in matches of the cases or is rare, and
// one for every word that the schema allows in an event. It is an error if something told has no words, if a kind, type or card of
// the schemas has not come up in so many matches of each case, or if what is no event or action has words.
func Words(e game.Engine, cases []Case, matches, maxSteps int, rare ...game.Event) ([]byte, error) {
	w := words{
		{"event", "kind", e.Tell, map[string]json.RawMessage{}},
		{"action", "type", e.Does, map[string]json.RawMessage{}},
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
		if w[0].missing(e) == nil && w[1].missing(e) == nil {
			break
		}
	}
	var out bytes.Buffer
	for _, x := range w {
		if err := errors.Join(x.missing(e), x.strange()); err != nil {
			return nil, err
		}
		for _, shape := range slices.Sorted(maps.Keys(x.seen)) {
			text := string(x.seen[shape])
			if len(text) > 200 {
				text = text[:200] + "…"
			}
			fmt.Fprintf(&out, "%s %s\n\t%s\n", x.name, text, x.tell(x.seen[shape]))
		}
	}
	if err := w[0].vary(e, &out); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}

// words are what is told and done.
type words [2]told

// told are the examples of events, or of actions, by their shape.
type told struct {
	name, tag string // of the schema, of the key that tells what it is
	tell      func(json.RawMessage) string
	seen      map[string]json.RawMessage
}

func (w words) see(m moment) error {
	for _, event := range m.events {
		if err := w[0].add(event.Data); err != nil {
			return err
		}
	}
	for _, turn := range m.turns {
		if err := w[1].add(turn.Action); err != nil {
			return err
		}
	}
	return nil
}

// add keeps the first of each shape: the keys, and the values that are words of the game or truths.
func (x *told) add(text json.RawMessage) error {
	keys, err := object(text)
	if err != nil {
		return err
	}
	shape := shapeOf(x.tag, keys)
	for _, inner := range []string{"action", "intended"} {
		if deed, err := object(keys[inner]); err == nil {
			shape += " " + shapeOf("type", deed)
		}
	}
	if x.seen[shape] == nil {
		x.seen[shape] = slices.Clone(text)
	}
	if x.tell(text) == "" {
		return fmt.Errorf("the %s %s has no words", x.name, text)
	}
	return nil
}

func object(text json.RawMessage) (keys map[string]json.RawMessage, err error) {
	err = json.Unmarshal(text, &keys)
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

func (x *told) forms(e game.Engine) (out []form, err error) {
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
				f.enums[key] = []json.RawMessage{marshal(p.Const)}
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

// example is something seen of a form.
func (x *told) example(f form) map[string]json.RawMessage {
	for _, shape := range slices.Sorted(maps.Keys(x.seen)) {
		keys, err := object(x.seen[shape])
		fits := err == nil && string(keys[x.tag]) == f.kind
		for key := range keys {
			_, known := f.Properties[key]
			fits = fits && known
		}
		for _, key := range f.Required {
			fits = fits && keys[key] != nil
		}
		if fits {
			return keys
		}
	}
	return nil
}

// missing tells the first form of the schema that has not been seen, and the first card of an action.
func (x *told) missing(e game.Engine) error {
	forms, err := x.forms(e)
	if err != nil {
		return err
	}
	for _, f := range forms {
		if x.example(f) == nil {
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

func (x *told) played(card json.RawMessage) bool {
	for shape := range x.seen {
		if strings.Contains(shape, " card="+string(card)) {
			return true
		}
	}
	return false
}

// vary puts every word that the schema allows for a key into an example, and writes the sentences of those
// that have no number and have not come up.
func (x *told) vary(e game.Engine, out *bytes.Buffer) error {
	forms, err := x.forms(e)
	if err != nil {
		return err
	}
	for _, f := range forms {
		for _, key := range slices.Sorted(maps.Keys(f.enums)) {
			for _, value := range f.enums[key] {
				example := x.example(f)
				if example[key] == nil {
					continue
				}
				example[key] = value
				text := marshal(example)
				sentence := x.tell(text)
				if sentence == "" {
					return fmt.Errorf("the %s %s has no words", x.name, text)
				}
				if x.seen[shapeOf(x.tag, example)] == nil && !bytes.ContainsAny(value, "0123456789") {
					fmt.Fprintf(out, "%s %s with %s %s\n\t%s\n", x.name, f.kind, key, value, sentence)
				}
			}
		}
	}
	return nil
}

// strange tells of words for what nobody knows.
func (x *told) strange() error {
	list := []string{``, `7`, `[]`, `{}`, fmt.Sprintf(`{%q:"no such thing"}`, x.tag)}
	for _, shape := range slices.Sorted(maps.Keys(x.seen)) {
		list = append(list, strings.TrimSuffix(string(x.seen[shape]), "}")+`,"of_another_version":1}`)
	}
	for _, text := range list {
		if got := x.tell([]byte(text)); got != "" {
			return fmt.Errorf("the %s %s has words: %s", x.name, text, got)
		}
	}
	return nil
}
