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

// What a field is filled in with.
const (
	one    = "one"    // one of Options
	many   = "many"   // exactly Choose of Options
	number = "number" // Parts[0]
	share  = "share"  // a number for each of Parts, Min to Max in all
	give   = "give"   // for each of Parts one of its Options, no two the same
	points = "points" // Parts are the coordinates, x and y of one point after another
)

// Field holds one choice of a form, of one of the kinds above.
type Field struct {
	Name    string
	Kind    string
	Options []Option
	Choose  int
	Min     int
	Max     int
	Parts   []Part
	Gap     string // between points, in the unit that people use

	label string
	unit  unit
	among []string // of a giving, whoever may be given something
}

// Option offers one value of a field; Value holds its JSON, or the name that a form of ours has for it.
type Option struct {
	Value  string
	Words  string
	Chosen bool
}

// Part takes a number, Min to Max in the unit that people use, or a choice from Options. Key follows the field's name in the name of its
// input, and Value holds what was filled in.
type Part struct {
	Key      string
	Words    string
	Min, Max string
	Value    string
	Options  []Option
}

// unit is how a whole number of the protocol is shown: in steps of 1/scale of a unit that has a name.
type unit struct {
	name  string
	scale int
}

// units are those that people call by another name than the protocol.
var units = map[string]unit{"um": {"mm", 1000}, "mdeg": {"degrees", 1000}}

func unitOf(name string) unit {
	if u, ok := units[name]; ok {
		return u
	}
	return unit{name, 1}
}

// text returns a number of the protocol in the unit.
func (u unit) text(n int) string {
	if u.scale == 1 {
		return strconv.Itoa(n)
	}
	return strings.TrimSuffix(strings.TrimRight(fmt.Sprintf("%d.%03d", n/u.scale, n%u.scale), "0"), ".")
}

// number returns the protocol's number for what a person wrote.
func (u unit) number(text string) (int, error) {
	whole, rest, point := strings.Cut(strings.Replace(strings.TrimSpace(text), ",", ".", 1), ".")
	n, err := strconv.Atoi(whole)
	if u.scale == 1 || err != nil || !point {
		if point {
			return 0, errors.New("is no whole number")
		}
		return n * u.scale, err
	}
	if len(rest) > 3 || strings.Trim(rest, "0123456789") != "" || n < 0 {
		return 0, errors.New("has at most three decimals")
	}
	m, err := strconv.Atoi((rest + "000")[:3])
	return n*u.scale + m, err
}

// field returns the control of a field of the protocol. A domain says every value, so it comes before what is listed.
func (w Words) field(x wireField) Field {
	f := Field{Name: x.Name, Choose: x.Choose, label: w.label(x.Name), unit: unitOf(x.Unit)}
	switch d := x.Domain; {
	case d != nil && d.Share > 0:
		f.shares(d.Among, d.Share, d.Share, w)
	case d != nil && len(d.Give) > 0:
		f.gives(d.Give, d.Among, w)
	case d != nil:
		f.places(x.Of, d.Within)
		f.Gap = f.unit.text(d.Gap)
	case len(x.OneOf) > 0:
		f.Kind, f.Options = one, options(x.OneOf, w.value)
	case len(x.Of) > 0:
		f.Kind, f.Options = many, options(x.Of, w.seat)
	default:
		f.Kind = number
		f.Parts = []Part{{Min: f.unit.text(x.Min), Max: f.unit.text(x.Max), Value: f.unit.text(x.Min + (x.Max-x.Min)/2)}}
		f.Min, f.Max = x.Min, x.Max
	}
	return f
}

func options(values []json.RawMessage, words func(json.RawMessage) string) []Option {
	out := make([]Option, len(values))
	for i, v := range values {
		out[i] = Option{Value: string(v), Words: words(v)}
	}
	return out
}

// seat returns the name of a seat: members of a set that are whole numbers are seats.
func (w Words) seat(v json.RawMessage) string {
	if n, err := strconv.Atoi(string(v)); err == nil {
		return w.Seat(n)
	}
	return w.value(v)
}

// shares makes a field that gives numbers to keys, least to most in all.
func (f *Field) shares(keys []string, least, most int, w Words) {
	f.Kind, f.Min, f.Max = share, least, most
	for _, key := range keys {
		f.Parts = append(f.Parts, Part{Key: "." + key, Words: w.label(key), Min: "0", Max: strconv.Itoa(most), Value: "0"})
	}
}

// gives makes a field that gives each thing, which is a seat, to another of some keys.
func (f *Field) gives(things []json.RawMessage, among []string, w Words) {
	f.Kind, f.among = give, among
	for _, thing := range things {
		part := Part{Key: "." + string(thing), Words: w.seat(thing)}
		for _, key := range among {
			part.Options = append(part.Options, Option{Value: key, Words: w.label(key)})
		}
		f.Parts = append(f.Parts, part)
	}
}

// places makes a field of points within a rectangle, first some of those listed.
func (f *Field) places(listed []json.RawMessage, within [4]int) {
	f.Kind = points
	for k := range f.Choose {
		var at [2]int
		_ = json.Unmarshal(listed[k*(len(listed)-1)/max(f.Choose-1, 1)], &at) // where it is none, a person places all
		for axis, name := range []string{"x", "y"} {
			f.Parts = append(f.Parts, Part{
				Key:   fmt.Sprintf(".%d.%s", k, name),
				Words: fmt.Sprintf("%d, from the %s", k+1, [...]string{"left", "bottom"}[axis]),
				Min:   f.unit.text(within[axis]),
				Max:   f.unit.text(within[axis+2]),
				Value: f.unit.text(at[axis]),
			})
		}
	}
}

// Fixed reports whether there is nothing to choose.
func (f Field) Fixed() bool { return f.Kind == one && len(f.Options) == 1 }

// Whole reports whether the field's numbers are whole ones in the unit that people use.
func (f Field) Whole() bool { return f.unit.scale == 1 }

// InAll returns what a field's parts come to together, to follow its words.
func (f Field) InAll() string {
	switch {
	case f.Kind != share:
		return ""
	case f.Min == f.Max:
		return fmt.Sprintf(": %d in all", f.Max)
	}
	return fmt.Sprintf(": %d to %d in all", f.Min, f.Max)
}

// Words returns the name of the field for people, with the unit of its numbers.
func (f Field) Words() string {
	if f.unit.name != "" {
		return f.label + " in " + f.unit.name
	}
	return f.label
}

// read returns the value of a field as JSON; the field keeps what was filled in.
func (f *Field) read(in url.Values) (string, error) {
	name := FieldPrefix + f.Name
	for i := range f.Parts {
		x := &f.Parts[i]
		x.Value = in.Get(name + x.Key)
		for k := range x.Options {
			x.Options[k].Chosen = x.Options[k].Value == x.Value
		}
	}
	switch f.Kind {
	case number:
		n, err := f.Parts[0].number(f.unit)
		return strconv.Itoa(n), err
	case share:
		return f.readShare()
	case give:
		return f.readGiving()
	case points:
		return f.readPoints()
	}
	return f.readOptions(in[name])
}

// number returns the number of a part in the protocol's unit.
func (x *Part) number(u unit) (int, error) {
	n, err := u.number(x.Value)
	low, _ := u.number(x.Min) // ours
	high, _ := u.number(x.Max)
	switch {
	case err == nil && low <= n && n <= high:
		return n, nil
	case u.scale == 1:
		return 0, fmt.Errorf("wants a whole number %s to %s", x.Min, x.Max)
	}
	return 0, fmt.Errorf("wants a number %s to %s, with at most three decimals", x.Min, x.Max)
}

func (f *Field) readShare() (string, error) {
	out, sum := []string(nil), 0
	for i := range f.Parts {
		x := &f.Parts[i]
		if x.Value == "" {
			x.Value = "0"
		}
		n, err := x.number(f.unit)
		if err != nil {
			return "", fmt.Errorf("%s: %w", x.Words, err)
		}
		if n > 0 {
			out = append(out, strconv.Quote(x.Key[1:])+":"+strconv.Itoa(n))
		}
		sum += n
	}
	switch {
	case f.Min <= sum && sum <= f.Max:
		return "{" + strings.Join(out, ",") + "}", nil
	case f.Min == f.Max:
		return "", fmt.Errorf("want %d in all, you gave %d", f.Max, sum)
	}
	return "", fmt.Errorf("want %d to %d in all, you gave %d", f.Min, f.Max, sum)
}

func (f *Field) readGiving() (string, error) {
	given := map[string]string{}
	for i := range f.Parts {
		x := &f.Parts[i]
		if !slices.Contains(f.among, x.Value) {
			return "", fmt.Errorf("want one of %d for %s", len(f.among), x.Words)
		}
		if _, twice := given[x.Value]; twice {
			return "", fmt.Errorf("name %s twice: want another for each", words(x.Value))
		}
		given[x.Value] = x.Key[1:]
	}
	out := make([]string, len(f.among))
	for i, key := range f.among {
		thing := given[key]
		if thing == "" {
			thing = "null"
		}
		out[i] = strconv.Quote(key) + ":" + thing
	}
	return "{" + strings.Join(out, ",") + "}", nil
}

func (f *Field) readPoints() (string, error) {
	out := make([]string, len(f.Parts)/2)
	for k := range out {
		var at [2]int
		for axis := range at {
			x := &f.Parts[2*k+axis]
			n, err := x.number(f.unit)
			if err != nil {
				return "", fmt.Errorf("%s %w", x.Words, err)
			}
			at[axis] = n
		}
		out[k] = fmt.Sprintf("[%d,%d]", at[0], at[1])
	}
	return "[" + strings.Join(out, ",") + "]", nil
}

func (f *Field) readOptions(given []string) (string, error) {
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
