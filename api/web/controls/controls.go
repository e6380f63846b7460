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
	Fields []Field
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
				return "Tap on the board in the order of the seats, or choose from the lists."
			case x.Kind == points:
				return "Drag the circles on the board to their places, or fill in the numbers."
			case x.unit.name == "degrees":
				return "Drag a coin on the board: the direction is where it goes, the length how hard. Escape takes the drag back. Or fill in the numbers: 0 degrees is to the right, 90 up."
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

// Of returns the controls of an offer as the protocol sends it, with which every legal action can be said; does puts an action into
// words, "" where the game has none for it.
func Of(offer json.RawMessage, does func(json.RawMessage) string) (Offer, error) {
	var o wireOffer
	if err := json.Unmarshal(offer, &o); err != nil {
		return Offer{}, fmt.Errorf("controls: an offer: %w", err)
	}
	var out Offer
	if len(o.List) > mostButtons {
		if form, ok := gather(o.List); ok {
			out.Forms = []Form{form}
			return out, nil
		}
	}
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
			form.Fields = append(form.Fields, x.field())
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
