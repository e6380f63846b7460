package controls

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// gather returns one form that says exactly the actions of a list: of one type, with one field, which shares points among keys or gives
// each thing to a key. Nobody reads a hundred buttons. It reports false for any other list.
func (w Words) gather(list []json.RawMessage) (Form, bool) {
	var kind, name string
	values := make([]map[string]*int, len(list))
	for i, action := range list {
		var fields map[string]json.RawMessage
		if json.Unmarshal(action, &fields) != nil || len(fields) != 2 || fields["type"] == nil {
			return Form{}, false
		}
		for key, value := range fields {
			known := &name
			switch {
			case key == "type":
				known, key = &kind, plainWords(value)
			case json.Unmarshal(value, &values[i]) != nil || values[i] == nil:
				return Form{}, false
			}
			if *known != "" && *known != key {
				return Form{}, false
			}
			*known = key
		}
	}
	f := Field{Name: name, label: w.label(name), unit: unitOf("")}
	if !f.gatherShare(values, w) && !f.gatherGiving(values, w) {
		return Form{}, false
	}
	form := w.form(0, kind)
	form.Fields = []Field{f}
	return form, true
}

// keysOf returns all keys of some objects, in order.
func keysOf(values []map[string]*int) []string {
	all := map[string]bool{}
	for _, value := range values {
		for key := range value {
			all[key] = true
		}
	}
	return slices.Sorted(maps.Keys(all))
}

// gatherShare makes the field a share where the values, which differ, are all the ways to share so many points.
func (f *Field) gatherShare(values []map[string]*int, w Words) bool {
	least, most := -1, 0
	for _, value := range values {
		sum := 0
		for _, n := range value {
			if n == nil || *n < 0 {
				return false
			}
			sum += *n
		}
		if most = max(most, sum); least < 0 || sum < least {
			least = sum
		}
	}
	keys, ways := keysOf(values), 0
	for n := least; n <= most; n++ {
		x := 1
		for i := 1; i <= n && x <= len(values); i++ {
			x = x * (len(keys) - 1 + i) / i
		}
		ways += x
	}
	if ways != len(values) {
		return false
	}
	f.shares(keys, least, most, w)
	return true
}

// gatherGiving makes the field a giving where the values, which differ, are all the ways to give some numbers to keys.
func (f *Field) gatherGiving(values []map[string]*int, w Words) bool {
	var things []int
	for i, value := range values {
		var given []int
		for _, n := range value {
			if n != nil {
				given = append(given, *n)
			}
		}
		slices.Sort(given)
		if i > 0 && !slices.Equal(given, things) {
			return false
		}
		things = given
	}
	keys, ways := keysOf(values), 1
	for i := range things {
		ways *= len(keys) - i
	}
	if ways != len(values) || len(slices.Compact(slices.Clone(things))) != len(things) {
		return false
	}
	out := make([]json.RawMessage, len(things))
	for i, n := range things {
		out[i] = json.RawMessage(strconv.Itoa(n))
	}
	f.gives(out, keys, w)
	return true
}

// placesOf lists the texts and numbers in an action but its type, in the order of its fields, as JSON; of a map in it, the keys. A number
// alone names a seat; a mission has the name that the board gives it.
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
		case key == "mission":
			out = append(out, fmt.Sprintf("%s %s", key, value))
		case key != "type":
			out = append(out, texts(value, false)...)
		}
	}
	return out
}
