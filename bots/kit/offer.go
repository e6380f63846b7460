package kit

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"

	json2 "github.com/go-json-experiment/json"

	"github.com/molerun/molerun/bots/protocol"
	"github.com/molerun/molerun/engines/game"
)

// Offer is what the seat may do: the complete List, or Forms with at least one legal example.
type Offer struct {
	List     []json.RawMessage `json:"list"`
	Forms    []Form            `json:"forms"`
	Examples []json.RawMessage `json:"examples"`
}

// Form represents all actions of one type: every combination of its fields is legal.
type Form struct {
	Type   string  `json:"type"`
	Fields []Field `json:"fields"`
}

// Field is one choice of a form: one of OneOf; or Choose distinct members of Of, as a list; or a whole number Min..Max.
type Field struct {
	Name   string            `json:"name"`
	OneOf  []json.RawMessage `json:"one_of"`
	Choose int               `json:"choose"`
	Of     []json.RawMessage `json:"of"`
	Min    *int              `json:"min"`
	Max    *int              `json:"max"`
	Unit   string            `json:"unit"`
}

// ErrOffer means that an offer cannot be read or has nothing to choose.
var ErrOffer = errors.New("bad_offer")

// ParseOffer reads a turn's offer.
func ParseOffer(raw json.RawMessage) (Offer, error) {
	var o Offer
	if err := json2.Unmarshal(raw, &o); err != nil {
		return Offer{}, fmt.Errorf("%w: %w", ErrOffer, err)
	}
	return o, nil
}

// Pick answers with entry k of the list, or of the examples if there is no list.
func Pick(k int) protocol.Answer { return protocol.Answer{Choose: &k} }

// Random picks a legal action from the offer alone: an entry of the list, or a combination of a form's fields, all equally
// likely. Numbers of a range are equally likely too, but beside other forms a whole range counts as one choice, because its
// unit is arbitrary.
func Random(offer json.RawMessage, rng *rand.Rand) (protocol.Answer, error) {
	o, err := ParseOffer(offer)
	if err != nil {
		return protocol.Answer{}, err
	}
	if len(o.List) > 0 {
		return Pick(rng.IntN(len(o.List))), nil
	}
	if len(o.Forms) == 0 {
		return protocol.Answer{}, fmt.Errorf("%w: it holds neither a list nor forms", ErrOffer)
	}
	form := o.Forms[drawn(o.Forms, rng)]
	action := map[string]any{"type": form.Type}
	for _, f := range form.Fields {
		if action[f.Name], err = f.random(rng); err != nil {
			return protocol.Answer{}, fmt.Errorf("field %s of form %s: %w", f.Name, form.Type, err)
		}
	}
	b, err := json.Marshal(action)
	return protocol.Answer{Action: b}, err
}

// drawn returns the index of a form, each as likely as it has combinations.
func drawn(forms []Form, rng *rand.Rand) int {
	pick, total := 0, 0.0
	for i, form := range forms {
		ways := 1.0
		for _, f := range form.Fields {
			ways *= f.ways()
		}
		if total += ways; rng.Float64()*total < ways {
			pick = i
		}
	}
	return pick
}

// ways counts the values of a field, at least 1: [Field.random] reports one without any.
func (f Field) ways() float64 {
	if len(f.OneOf) > 0 {
		return float64(len(f.OneOf))
	}
	n := 1.0
	for i := range min(f.Choose, len(f.Of)) {
		n = n * float64(len(f.Of)-i) / float64(i+1)
	}
	return n
}

func (f Field) random(rng *rand.Rand) (any, error) {
	switch {
	case len(f.OneOf) > 0:
		return f.OneOf[rng.IntN(len(f.OneOf))], nil
	case f.Choose > 0 && f.Choose <= len(f.Of):
		list := make([]json.RawMessage, f.Choose)
		for i, k := range rng.Perm(len(f.Of))[:f.Choose] {
			list[i] = f.Of[k]
		}
		return list, nil
	case f.Min != nil && f.Max != nil && *f.Min <= *f.Max:
		return *f.Min + rng.IntN(*f.Max-*f.Min+1), nil
	}
	return nil, fmt.Errorf("%w: it offers no value", ErrOffer)
}

// Chosen returns the action that an answer to the offer names; a number that the offer does not have is [game.ErrIllegal].
func Chosen(offer json.RawMessage, a protocol.Answer) (json.RawMessage, error) {
	if a.Choose == nil {
		return a.Action, nil
	}
	o, err := ParseOffer(offer)
	if err != nil {
		return nil, err
	}
	list := o.List
	if len(list) == 0 {
		list = o.Examples
	}
	if *a.Choose < 0 || *a.Choose >= len(list) {
		return nil, fmt.Errorf("%w: choose: %d is outside 0..%d", game.ErrIllegal, *a.Choose, len(list)-1)
	}
	return list[*a.Choose], nil
}
