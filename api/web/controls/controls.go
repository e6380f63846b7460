package controls

import (
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

// Form says every action of one type.
type Form struct {
	Index  int
	Type   string
	Verb   string // what people call the type
	Fields []Field
}

// Words say for people what an offer holds.
type Words struct {
	Action func(json.RawMessage) string // ask for an action: "send otter and you"; "" where the game has none for it
	Label  func(string) string          // what people call a type, field or value; "" where its own word does
	Seat   func(int) string
}

// Words describes the form.
func (f Form) Words() string {
	for _, x := range f.Fields {
		if x.Fixed() {
			return f.Verb + ": " + x.Options[0].Words
		}
	}
	return f.Verb
}

// Parts reports whether a field of the form has several inputs.
func (f Form) Parts() bool {
	return slices.ContainsFunc(f.Fields, func(x Field) bool { return len(x.Parts) > 1 })
}

// Hint tells people how the board serves a form, where a script lets it.
func (c Offer) Hint() string {
	for _, form := range c.Forms {
		for _, x := range form.Fields {
			switch {
			case x.Kind == share:
				return "Tap on the board once for each point, or fill in the numbers."
			case x.Kind == give:
				return "Tap on the board in the order of the lists, or choose from them."
			case x.Kind == many:
				return "Tap on the board, or tick."
			case x.Kind == points:
				return "Drag the circles on the board to their places, or fill in the numbers: they count from the board's lower left corner."
			case x.unit.name == "degrees":
				return "Drag a coin to flick it: the direction is where it goes, the length how hard. The line ends where the coin first strikes " +
					"something, or stops. Drag it back, or press Escape, to take it back. Or fill in the numbers: 0 degrees is to the right, 90 up."
			}
		}
	}
	return ""
}

// wireOffer holds what the protocol sends as an offer.
type wireOffer struct {
	List  []json.RawMessage `json:"list"`
	Forms []struct {
		Type   string      `json:"type"`
		Fields []wireField `json:"fields"`
	} `json:"forms"`
}

type wireField struct {
	Name   string            `json:"name"`
	OneOf  []json.RawMessage `json:"one_of"`
	Choose int               `json:"choose"`
	Of     []json.RawMessage `json:"of"`
	Min    int               `json:"min"`
	Max    int               `json:"max"`
	Unit   string            `json:"unit"`
	Domain *wireDomain       `json:"domain"`
}

// wireDomain holds a [game.Domain] as the protocol sends it.
type wireDomain struct {
	Share  int               `json:"share"`
	Give   []json.RawMessage `json:"give"`
	Among  []string          `json:"among"`
	Within [4]int            `json:"within"`
	Gap    int               `json:"gap"`
}

// mostButtons bounds a list that becomes a button for each action, if another control can say the same.
const mostButtons = 24

// Of returns the controls of an offer as the protocol sends it, with which every legal action can be said.
func Of(offer json.RawMessage, w Words) (Offer, error) {
	var o wireOffer
	if err := json.Unmarshal(offer, &o); err != nil {
		return Offer{}, fmt.Errorf("controls: an offer: %w", err)
	}
	var out Offer
	if len(o.List) > mostButtons {
		if form, ok := w.gather(o.List); ok {
			out.Forms = []Form{form}
			return out, nil
		}
	}
	for i, a := range o.List {
		out.Choices = append(out.Choices, Choice{Index: i, Words: w.choice(a), Places: placesOf(a), Action: a})
	}
	for i, f := range o.Forms {
		form := w.form(i, f.Type)
		for _, x := range f.Fields {
			form.Fields = append(form.Fields, w.field(x))
		}
		out.Forms = append(out.Forms, form)
	}
	return out, nil
}

// FieldPrefix begins the name of an action's field in a form.
const FieldPrefix = "field."

// Chosen returns the action that a filled form describes: choose is the index of a choice, or form that of a form, whose fields have
// their names behind [FieldPrefix]. The error names every field that is wrong. The controls keep what was filled in, so that
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
		value, err := x.read(in)
		if err != nil {
			wrong = append(wrong, x.Words()+" "+err.Error())
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

// choice asks for an action.
func (w Words) choice(action json.RawMessage) string {
	if words := w.Action(action); words != "" {
		return capital(words)
	}
	return plainWords(action)
}

// form returns a form without fields.
func (w Words) form(i int, kind string) Form {
	return Form{Index: i, Type: kind, Verb: capital(w.label(kind))}
}

// label returns what people call a word of the protocol.
func (w Words) label(word string) string {
	if label := w.Label(word); label != "" {
		return label
	}
	return words(word)
}

// value returns what people call a value.
func (w Words) value(v json.RawMessage) string {
	var word string
	if json.Unmarshal(v, &word) == nil {
		return w.label(word)
	}
	return plainWords(v)
}

// capital returns words with a first letter in upper case.
func capital(words string) string { return strings.ToUpper(words[:1]) + words[1:] }

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

func words(key string) string { return strings.ReplaceAll(key, "_", " ") }
