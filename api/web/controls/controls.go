package controls

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"
)

// Offer is one as things that a person chooses from: Choices, or Forms.
type Offer struct {
	Choices []Choice
	Forms   []Form
}

// Choice is one action of a list. Places are the things of the board that it names, as a JSON list in the order of its fields.
type Choice struct {
	Index  int
	Words  string
	Places string
	Action json.RawMessage
}

// Form stands for all actions of one type.
type Form struct {
	Index  int
	Type   string
	Fields []Field
}

// Field is one choice of a form. Its kind is "one" (of Options), "many" (exactly Choose of them) or "number" (Min to Max, in Unit).
type Field struct {
	Name    string
	Kind    string
	Options []Option
	Choose  int
	Min     int
	Max     int
	Value   string // the number, as text
	Unit    string
}

// Words describes the form.
func (f Form) Words() string {
	for _, x := range f.Fields {
		if x.Fixed() {
			return f.Verb() + ": " + x.Options[0].Words
		}
	}
	return f.Verb()
}

// Verb returns the type of the form for people.
func (f Form) Verb() string { return words(f.Type) }

// Fixed reports whether there is nothing to choose.
func (f Field) Fixed() bool { return f.Kind == one && len(f.Options) == 1 }

// Words returns the name of the field for people.
func (f Field) Words() string { return words(f.Name) }

// Option is one value of a field; Value is its JSON, or what a form of ours knows it by.
type Option struct {
	Value  string
	Words  string
	Chosen bool
}

const (
	one    = "one"
	many   = "many"
	number = "number"
)

// offered is an offer as the protocol sends it.
type offered struct {
	List  []json.RawMessage `json:"list"`
	Forms []struct {
		Type   string `json:"type"`
		Fields []struct {
			Name   string            `json:"name"`
			OneOf  []json.RawMessage `json:"one_of"`
			Choose int               `json:"choose"`
			Of     []json.RawMessage `json:"of"`
			Min    int               `json:"min"`
			Max    int               `json:"max"`
			Unit   string            `json:"unit"`
		} `json:"fields"`
	} `json:"forms"`
}

// Of returns the controls of an offer as the protocol sends it; does puts an action into words, "" where the game has none for it.
func Of(offer json.RawMessage, does func(json.RawMessage) string) (Offer, error) {
	var o offered
	if err := json.Unmarshal(offer, &o); err != nil {
		return Offer{}, fmt.Errorf("controls: an offer: %w", err)
	}
	var out Offer
	for i, a := range o.List {
		words := does(a)
		if words == "" {
			words = plainWords(a)
		}
		out.Choices = append(out.Choices, Choice{Index: i, Words: words, Places: placesOf(a), Action: a})
	}
	for i, f := range o.Forms {
		form := Form{Index: i, Type: f.Type}
		for _, x := range f.Fields {
			field := Field{
				Name:   x.Name,
				Kind:   number,
				Choose: x.Choose,
				Min:    x.Min,
				Max:    x.Max,
				Value:  strconv.Itoa(x.Min + (x.Max-x.Min)/2),
				Unit:   x.Unit,
			}
			switch {
			case len(x.OneOf) > 0:
				field.Kind, field.Options = one, options(x.OneOf)
			case len(x.Of) > 0:
				field.Kind, field.Options = many, options(x.Of)
			}
			form.Fields = append(form.Fields, field)
		}
		out.Forms = append(out.Forms, form)
	}
	return out, nil
}

func options(values []json.RawMessage) []Option {
	out := make([]Option, len(values))
	for i, v := range values {
		out[i] = Option{Value: string(v), Words: plainWords(v)}
	}
	return out
}

// plainWords returns a value without JSON's punctuation.
func plainWords(v json.RawMessage) string {
	switch text := string(v); text {
	case "true":
		return "yes"
	case "false":
		return "no"
	default:
		return words(strings.Trim(strings.NewReplacer(`"`, "", "{", "", "}", "", ",", ", ", ":", " ").Replace(text), " "))
	}
}

// placesOf lists the texts and numbers in an action but its type, in the order of its fields, as JSON; of a map in it, the keys.
func placesOf(action json.RawMessage) string {
	b, err := json.Marshal(texts(action, true))
	if err != nil {
		return "[]"
	}
	return string(b)
}

func texts(v json.RawMessage, whole bool) []string {
	out := []string{}
	var list []json.RawMessage
	if json.Unmarshal(v, &list) == nil {
		for _, x := range list {
			out = append(out, texts(x, false)...)
		}
		return out
	}
	d := json.NewDecoder(bytes.NewReader(v))
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return append(out, strings.Trim(string(v), `"`))
	}
	for d.More() {
		key, err := d.Token()
		var value json.RawMessage
		if err != nil || d.Decode(&value) != nil {
			break
		}
		switch {
		case !whole:
			out = append(out, fmt.Sprint(key))
		case key != "type":
			out = append(out, texts(value, false)...)
		}
	}
	return out
}

// FieldPrefix begins the name of an action's field in a form.
const FieldPrefix = "field."

// Chosen returns the action that a filled form stands for: choose is the index of a choice, or form that of a form, whose fields have
// their names behind [FieldPrefix]. The error names every field that is wrong. What was filled in stays in the controls, so that
// nothing is lost.
func (c *Offer) Chosen(in url.Values) (json.RawMessage, error) {
	if !in.Has("form") {
		k, err := strconv.Atoi(in.Get("choose"))
		if err != nil || k < 0 || k >= len(c.Choices) {
			return nil, fmt.Errorf("choose one of the %d decisions", len(c.Choices))
		}
		return c.Choices[k].Action, nil
	}
	k, err := strconv.Atoi(in.Get("form"))
	if err != nil || k < 0 || k >= len(c.Forms) {
		return nil, fmt.Errorf("this is none of the %d forms", len(c.Forms))
	}
	f := &c.Forms[k]
	b, wrong := []byte(`{"type":`+strconv.Quote(f.Type)), []string(nil)
	for i := range f.Fields {
		x := &f.Fields[i]
		value, err := x.read(in[FieldPrefix+x.Name])
		if err != nil {
			wrong = append(wrong, words(x.Name)+" "+err.Error())
			continue
		}
		b = append(append(append(b, `,"`...), x.Name...), `":`...)
		b = append(b, value...)
	}
	if len(wrong) > 0 {
		return nil, errors.New(strings.Join(wrong, "; "))
	}
	return append(b, '}'), nil
}

// read returns the value of a field as JSON; the field keeps what was filled in.
func (f *Field) read(given []string) (string, error) {
	if f.Kind == number {
		if len(given) != 1 {
			return "", errors.New("wants a number")
		}
		f.Value = given[0]
		n, err := strconv.Atoi(given[0])
		if err != nil || n < f.Min || n > f.Max {
			return "", fmt.Errorf("wants a whole number %d to %d", f.Min, f.Max)
		}
		return strconv.Itoa(n), nil
	}
	var chosen []string
	for i := range f.Options {
		o := &f.Options[i]
		if o.Chosen = slices.Contains(given, o.Value); o.Chosen {
			chosen = append(chosen, o.Value)
		}
	}
	switch {
	case f.Kind == one && len(chosen) == 1 && len(given) == 1:
		return chosen[0], nil
	case f.Kind == one:
		return "", fmt.Errorf("wants one of %d", len(f.Options))
	case len(chosen) != f.Choose || len(given) != f.Choose:
		return "", fmt.Errorf("wants exactly %d, you chose %d", f.Choose, len(chosen))
	}
	return "[" + strings.Join(chosen, ",") + "]", nil
}

func words(key string) string { return strings.ReplaceAll(key, "_", " ") }
