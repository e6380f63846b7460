package gametest

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/molerun/molerun/engines/game"
)

// wireOffer is an offer as a bot reads it.
type wireOffer struct {
	List     []json.RawMessage `json:"list"`
	Forms    []wireForm        `json:"forms"`
	Examples []json.RawMessage `json:"examples"`
}

type wireForm struct {
	Type   string      `json:"type"`
	Fields []wireField `json:"fields"`
}

type wireField struct {
	Name   string            `json:"name"`
	OneOf  []json.RawMessage `json:"one_of"`
	Choose int               `json:"choose"`
	Of     []json.RawMessage `json:"of"`
	Min    *int              `json:"min"`
	Max    *int              `json:"max"`
}

// pick draws an action from nothing but the JSON of an offer, as a bot would: one of the list, or a form with every field
// filled at random. An empty offer is an error.
func pick(offer json.RawMessage, r *game.Rand) (json.RawMessage, error) {
	var o wireOffer
	if err := json.Unmarshal(offer, &o); err != nil {
		return nil, fmt.Errorf("offer: %w", err)
	}
	if len(o.List) > 0 {
		return o.List[r.IntN(len(o.List))], nil
	}
	if len(o.Forms) == 0 {
		return nil, errors.New("offer: it is empty")
	}
	return o.Forms[r.IntN(len(o.Forms))].fill(r)
}

func (f wireForm) fill(r *game.Rand) (json.RawMessage, error) {
	action := map[string]any{"type": f.Type}
	for _, x := range f.Fields {
		switch {
		case len(x.OneOf) > 0:
			action[x.Name] = x.OneOf[r.IntN(len(x.OneOf))]
		case x.Of != nil && x.Choose <= len(x.Of):
			game.Shuffle(r, x.Of)
			action[x.Name] = x.Of[:x.Choose]
		case x.Min != nil && x.Max != nil && *x.Min <= *x.Max:
			action[x.Name] = *x.Min + r.IntN(*x.Max-*x.Min+1)
		default:
			return nil, fmt.Errorf("offer: form %s leaves no choice for %s", f.Type, x.Name)
		}
	}
	return json.Marshal(action)
}
