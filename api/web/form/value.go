package form

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/schedule"
)

// Type fills in what a browser sent.
func (f *Form) Type(in url.Values) {
	if in.Has(ZoneName) {
		f.Zone = strings.TrimSpace(in.Get(ZoneName))
	}
	for i := range f.Fields {
		x := &f.Fields[i]
		x.Typed = in[x.Name]
		for row := range x.Cells {
			x.Cells[row] = in[x.Row(row)]
		}
	}
}

// Set fills in the value of a field, if there is such a field.
func (f *Form) Set(name string, typed ...string) {
	if x := f.Field(name); x != nil {
		x.Typed = typed
	}
}

// Body returns what is typed as the JSON of the request. What cannot be read is refused beside its field, and nothing there. Of what
// the form was filled with, only what is changed is sent, an object as a whole.
func (f *Form) Body() []byte {
	zone, err := time.LoadLocation(f.Zone)
	if err != nil || f.Zone == "" || f.Zone == "Local" {
		zone = time.UTC
		if f.Moments() {
			f.Refused = append(f.Refused, "the zone wants a name such as Europe/Amsterdam or UTC")
		}
	}
	values, changed := make([]any, len(f.Fields)), map[string]bool{}
	for i := range f.Fields {
		x := &f.Fields[i]
		v, err := x.value(zone)
		if err != nil {
			if x.unread = true; x.Else == "" || x.Value() != "" { // what stands for nothing is refused where it was typed
				x.Problem = err.Error()
			}
			if v = nil; !x.optional {
				v = reflect.Zero(x.of).Interface()
			}
		}
		if v == nil && x.Typed != nil && x.pointer && !x.unread && x.was != nil && slices.Contains([]Kind{Number, Span, Moment}, x.Kind) {
			v = reflect.Zero(x.of).Interface() // what was there is taken away
		}
		values[i] = v
		x.changed = !x.filled || x.unread || !same(v, x.was)
		key, _, _ := strings.Cut(x.Name, "/")
		changed[key] = changed[key] || x.changed
	}
	out, objects := map[string]any{}, map[string]map[string]any{}
	for i, x := range f.Fields {
		object, key, nested := strings.Cut(x.Name, "/")
		if !changed[object] && (nested || x.optional || x.pointer) {
			continue
		}
		to := out
		if nested {
			if objects[object] == nil {
				objects[object] = map[string]any{}
			}
			if to = objects[object]; x.filled && x.Typed != nil || strings.Join(x.Typed, "") != "" {
				out[object] = to // a new object of which nothing is typed is left out
			}
		} else {
			key = object
		}
		if values[i] != nil {
			to[key] = values[i]
		}
	}
	body, err := json.Marshal(out)
	if err != nil {
		panic("form: own values cannot be written as JSON: " + err.Error())
	}
	return body
}

// same reports whether two values are; a text that is empty is none.
func same(a, b any) bool {
	return reflect.DeepEqual(a, b) || a == nil && b == "" || a == "" && b == nil
}

// value returns what is typed as the request has it; nil is a key that is left out.
func (x *Field) value(zone *time.Location) (any, error) {
	text := strings.TrimSpace(x.Value())
	switch x.Kind {
	case Tick:
		if text == "" && x.optional {
			return nil, nil
		}
		return text != "", nil
	case Line, Text:
		if x.Kind == Text {
			text = strings.ReplaceAll(x.Value(), "\r\n", "\n")
		}
		if text == "" && x.optional && (!x.pointer || x.Typed == nil) {
			return nil, nil
		}
		return text, nil
	case Ticks, Order, Lines:
		list, err := x.list()
		if len(list) == 0 && x.optional && !x.pointer {
			return nil, err
		}
		return list, err
	case Table:
		return x.rows(), nil
	case Object:
		return x.object()
	}
	if text = cmp.Or(text, x.Else); text == "" && (x.optional || x.pointer) {
		return nil, nil
	}
	switch x.Kind {
	case Choice:
		if x.of.Kind() == reflect.Bool {
			return text == "true", nil
		}
		return text, nil
	case Span:
		return spanOf(text)
	case Starts:
		return schedule.LineOf(text)
	case Moment:
		return momentOf(text, zone)
	}
	return numberOf(text, x.of)
}

// list returns the values of a list, those that are empty left out.
func (x *Field) list() ([]any, error) {
	out := []any{}
	var err error
	for _, typed := range x.Typed {
		parts := []string{typed}
		if x.Kind == Lines {
			parts = strings.FieldsFunc(typed, func(r rune) bool { return r == '\n' || r == ',' })
		}
		for _, part := range parts {
			part = strings.TrimSpace(part)
			switch {
			case part == "":
			case x.of.Elem().Kind() == reflect.String:
				out = append(out, part)
			default:
				n, wrong := numberOf(part, x.of.Elem())
				if wrong != nil {
					err = fmt.Errorf("%q %w", part, wrong)
				}
				out = append(out, n)
			}
		}
	}
	return out, err
}

// rows returns the rows of a table in which anything is chosen.
func (x *Field) rows() [][]string {
	out := [][]string{}
	for _, cells := range x.Cells {
		var row []string
		for _, cell := range cells {
			if cell != "" {
				row = append(row, cell)
			}
		}
		if row != nil {
			out = append(out, row)
		}
	}
	return out
}

// object returns the JSON object that is typed or, if nothing is, the one that is chosen.
func (x *Field) object() (any, error) {
	text := ""
	for _, typed := range x.Typed {
		if typed = strings.TrimSpace(typed); typed != "" {
			text = typed
		}
	}
	if text == "" {
		return nil, nil
	}
	var object map[string]json.RawMessage
	if json.Unmarshal([]byte(text), &object) != nil || object == nil {
		return nil, errors.New("wants a JSON object")
	}
	return json.RawMessage(text), nil
}

func numberOf(text string, of reflect.Type) (any, error) {
	if text == "" {
		return 0, nil // the operation says what it wants
	}
	if of.Kind() == reflect.Float64 {
		if n, err := strconv.ParseFloat(text, 64); err == nil && n-n == 0 {
			return n, nil
		}
		return nil, errors.New("wants a number")
	}
	n, err := strconv.ParseInt(text, 10, 64)
	switch {
	case err == nil:
		return n, nil
	case errors.Is(err, strconv.ErrRange):
		return nil, errors.New("is out of range")
	}
	return nil, errors.New("wants a whole number")
}

// spanOf reads a length of time, as milliseconds.
func spanOf(text string) (any, error) {
	if text == "" {
		return 0, nil
	}
	wrong := errors.New("wants a time such as 90s, 10m, 24h or 2d")
	if days, ok := strings.CutSuffix(text, "d"); ok {
		n, err := strconv.ParseInt(strings.TrimSpace(days), 10, 32)
		if err != nil {
			return nil, wrong
		}
		return n * (24 * time.Hour).Milliseconds(), nil
	}
	x, err := time.ParseDuration(strings.ReplaceAll(text, " ", ""))
	if err != nil || x%time.Millisecond != 0 {
		return nil, wrong
	}
	return x.Milliseconds(), nil
}

// The forms of a moment; the second is for one that is not on a full minute.
const (
	minutes = "2006-01-02T15:04"
	seconds = "2006-01-02T15:04:05"
)

// momentOf reads what a clock of a zone shows.
func momentOf(text string, zone *time.Location) (any, error) {
	if text == "" {
		return time.Time{}, nil
	}
	shown, err := time.Parse(minutes, text)
	if err != nil {
		shown, err = time.Parse(seconds, text)
	}
	if err != nil {
		return nil, errors.New("wants a day and a time such as " + minutes)
	}
	at, exact := schedule.At(shown, zone)
	if !exact {
		return nil, fmt.Errorf("is a time that the clocks of %s skip: choose one an hour later", zone)
	}
	return at.UTC(), nil
}

// Shown returns a moment as the form has it.
func (f *Form) Shown(at time.Time) string {
	zone, err := time.LoadLocation(f.Zone)
	if err != nil {
		zone = time.UTC
	}
	if at.Truncate(time.Minute).Equal(at) {
		return at.In(zone).Format(minutes)
	}
	return at.In(zone).Format(seconds)
}

// Fill fills in what a thing is now, by its JSON.
func (f *Form) Fill(raw []byte) error {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	var now any
	if err := d.Decode(&now); err != nil {
		return fmt.Errorf("form: what is there: %w", err)
	}
	zone, err := time.LoadLocation(f.Zone)
	if err != nil {
		zone = time.UTC
	}
	for i := range f.Fields {
		x, v := &f.Fields[i], now
		for key := range strings.SplitSeq(x.Name, "/") {
			object, _ := v.(map[string]any)
			v = object[key]
		}
		if v != nil {
			x.Typed = f.texts(*x, v)
		}
		x.filled = true
		if x.was, err = x.value(zone); err != nil {
			return fmt.Errorf("form: %s: %w", x.Name, err)
		}
	}
	return nil
}

// Keep takes over what was typed into the form as it was filled before. What somebody else has changed since is said beside its field.
func (f *Form) Keep(before *Form) {
	for i := range f.Fields {
		x := &f.Fields[i]
		old := before.Field(x.Name)
		if old == nil {
			continue
		}
		if !same(x.was, old.was) {
			x.Problem = "somebody else changed it"
			if old.changed {
				x.Problem += ", it is now: " + cmp.Or(strings.Join(x.Typed, ", "), "empty")
			}
		}
		if old.changed {
			x.Typed = old.Typed
		}
	}
}

// texts returns a value of JSON as it is typed.
func (f *Form) texts(x Field, v any) []string {
	switch v := v.(type) {
	case bool:
		if x.Kind == Tick {
			return map[bool][]string{true: {"on"}}[v]
		}
		return []string{strconv.FormatBool(v)}
	case json.Number:
		if n, err := v.Int64(); x.Kind == Span && err == nil {
			if n == 0 && (x.optional || x.pointer) {
				return nil
			}
			return []string{tournament.SpanText(time.Duration(n) * time.Millisecond)}
		}
		return []string{v.String()}
	case string:
		if at, err := time.Parse(time.RFC3339, v); x.Kind == Moment && err == nil {
			return []string{f.Shown(at)}
		}
		return []string{v}
	case []any:
		var out []string
		for _, one := range v {
			out = append(out, fmt.Sprint(one))
		}
		if x.Kind == Lines {
			return []string{strings.Join(out, "\n")}
		}
		return out
	}
	raw, err := json.Marshal(v)
	if err != nil {
		return nil
	}
	return []string{string(raw)}
}
