package game

import (
	"encoding/json"
	"strconv"
)

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

// AppendWord appends a key and a word, which needs no escapes, to a JSON object that has a key before it.
func AppendWord(b []byte, key, word string) []byte {
	return append(append(append(append(append(b, `,"`...), key...), `":"`...), word...), '"')
}

// AppendNumber appends a key and a whole number in the same way.
func AppendNumber[N ~int8 | ~int | ~int32 | ~int64](b []byte, key string, n N) []byte {
	return strconv.AppendInt(append(append(append(b, `,"`...), key...), `":`...), int64(n), 10)
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
