package game

import "encoding/json"

// AppendJSON writes the offer: {"list":[…]} or {"forms":[…],"examples":[…]}; an empty offer is {"list":[]}. Actions that
// are Appenders cost no allocation.
func (o *Offer[A]) AppendJSON(b []byte) []byte {
	if len(o.Forms) == 0 {
		b = appendActions(append(b, `{"list":`...), o.List)
		return append(b, '}')
	}
	b = append(append(b, `{"forms":`...), must(json.Marshal(o.Forms))...)
	b = appendActions(append(b, `,"examples":`...), o.Examples)
	return append(b, '}')
}

func appendActions[A any](b []byte, list []A) []byte {
	b = append(b, '[')
	for i := range list {
		if i > 0 {
			b = append(b, ',')
		}
		b = appendJSON(b, &list[i])
	}
	return append(b, ']')
}
