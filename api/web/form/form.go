package form

import (
	"encoding/json"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/molerun/molerun/tournament"
)

// Kind is how a value is typed.
type Kind string

// The kinds.
const (
	Line   Kind = "line"   // a text of one line
	Text   Kind = "text"   // a text of several
	Number Kind = "number" // a number
	Span   Kind = "span"   // a length of time: 90s, 10m, 24h
	Starts Kind = "starts" // a cron line, or a day and a time: friday 20:00
	Moment Kind = "moment" // a point in time, on the clocks of the form's zone
	Tick   Kind = "tick"   // yes or no
	Choice Kind = "choice" // one of some options
	Ticks  Kind = "ticks"  // any of them
	Order  Kind = "order"  // some of them, in an order
	Table  Kind = "table"  // rows of them
	Lines  Kind = "lines"  // texts or numbers, one a line
	Object Kind = "object" // a JSON object: one of some options, or typed
)

// Option is a value that may be chosen. One with a reason cannot be.
type Option struct{ Value, Words, Reason string }

// Field is one value of the request.
type Field struct {
	Name      string // the JSON Pointer of the value, without the slash in front
	Kind      Kind
	Label     string
	Help      string
	Group     string // what the object is called that holds it; "": the request itself
	MaxLength string
	Required  bool
	Options   []Option
	Places    int        // choices of an order
	Typed     []string   // as typed, or as it is now
	Cells     [][]string // of a table, by row
	Problem   string
	Else      string // of a moment: what is meant where nothing is typed

	of       reflect.Type // without its pointer
	optional bool         // the key may be left out
	pointer  bool         // nothing and the zero value differ
	unread   bool         // what is typed cannot be read
	filled   bool         // with what is there
	was      any          // the value of that
	changed  bool         // what is typed is another
}

// Value returns the value of a field that has one.
func (x Field) Value() string {
	if len(x.Typed) == 0 {
		return ""
	}
	return x.Typed[0]
}

// At returns the choice at a place of an order; "" is none.
func (x Field) At(place int) string {
	if place >= len(x.Typed) {
		return ""
	}
	return x.Typed[place]
}

// Choosing is a field with one of its choices.
type Choosing struct {
	Field Field
	Typed string
}

// Choosing returns the field with a choice that is made.
func (x Field) Choosing(typed string) Choosing { return Choosing{x, typed} }

// Has reports whether an option is chosen.
func (x Field) Has(value string) bool { return slices.Contains(x.Typed, value) }

// Free returns the object that is typed, not chosen.
func (x Field) Free() string {
	for _, typed := range x.Typed {
		if typed != "" && !slices.ContainsFunc(x.Options, func(o Option) bool { return o.Value == typed }) {
			return typed
		}
	}
	return ""
}

// ID returns the field's id in a page.
func (x Field) ID() string { return "f-" + strings.ReplaceAll(x.Name, "/", "-") }

// Form is a request as people fill it in.
type Form struct {
	Fields  []Field
	Zone    string   // the IANA name of the zone of its moments
	Refused []string // what is refused of no field
}

// ZoneName is the field with the form's zone.
const ZoneName = ".zone"

// Of returns the empty form of a request's body; nil is a request without one.
func Of(body reflect.Type, words Words) *Form {
	f := &Form{Zone: "UTC"}
	if body != nil {
		f.add(body, "", "", words)
	}
	return f
}

func (f *Form) add(t reflect.Type, at, group string, words Words) {
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	for i := range t.NumField() {
		x := t.Field(i)
		key, rest, _ := strings.Cut(x.Tag.Get("json"), ",")
		switch {
		case x.Anonymous && key == "":
			f.add(x.Type, at, group, words)
		case key == "-" || key == "":
		case isObject(x.Type):
			f.add(x.Type, at+key+"/", label(key), words)
		default:
			f.Fields = append(f.Fields, fieldOf(x, key, at, group, strings.Contains(rest, "omit"), words.of(t, key)))
		}
	}
}

// isObject reports whether a value has fields of its own.
func isObject(t reflect.Type) bool {
	return t.Kind() == reflect.Pointer && t.Elem().Kind() == reflect.Struct && t.Elem() != reflect.TypeFor[time.Time]()
}

func fieldOf(x reflect.StructField, key, at, group string, optional bool, said string) Field {
	out := Field{Name: at + key, Label: label(key), Group: group, MaxLength: x.Tag.Get("maxLength"), of: x.Type, optional: optional}
	if x.Type.Kind() == reflect.Pointer {
		out.of, out.pointer = x.Type.Elem(), true
	}
	if words := x.Tag.Get("enums"); words != "" {
		for word := range strings.SplitSeq(words, ",") {
			out.Options = append(out.Options, Option{Value: word, Words: tournament.Spaced(word)})
		}
	}
	out.Kind = kindOf(out.of, key, x.Tag, out.pointer)
	if out.Kind == Choice && out.of.Kind() == reflect.Bool {
		out.Options = []Option{{Value: "true", Words: "yes"}, {Value: "false", Words: "no"}}
	}
	out.Required = !optional && !out.pointer && slices.Contains([]Kind{Line, Starts, Number, Span, Moment, Choice}, out.Kind)
	if out.Help = said; out.Kind == Starts {
		out.Help = "friday 20:00, day 20:00, weekday 20:00 or a cron line"
	}
	if help := x.Tag.Get("help"); help != "" && !strings.Contains(help, "{enums}") {
		out.Help, _, _ = strings.Cut(help, " (default") // the form has it filled in, or says what nothing means
	}
	return out
}

// kindOf returns how a value of a type is typed.
func kindOf(t reflect.Type, key string, tag reflect.StructTag, pointer bool) Kind {
	switch {
	case t == reflect.TypeFor[time.Time]():
		return Moment
	case t == reflect.TypeFor[json.RawMessage]():
		return Object
	case t.Kind() == reflect.Slice && t.Elem().Kind() == reflect.Slice:
		return Table
	case t.Kind() == reflect.Slice && tag.Get("enums") != "":
		return Ticks
	case t.Kind() == reflect.Slice:
		return Lines
	case t.Kind() == reflect.Bool && pointer:
		return Choice
	case t.Kind() == reflect.Bool:
		return Tick
	case strings.HasSuffix(key, "_ms"):
		return Span
	case t.Kind() != reflect.String:
		return Number
	case key == "cron":
		return Starts
	case tag.Get("enums") != "":
		return Choice
	}
	if most, err := strconv.Atoi(tag.Get("maxLength")); err == nil && most > 1000 {
		return Text
	}
	return Line
}

// label returns a key for people.
func label(key string) string {
	for _, end := range []string{"_ms", "_at", "_id"} {
		key = strings.TrimSuffix(key, end)
	}
	if said := map[string]string{"url": "URL", "cron": "When", "by": "Counts", "best": "Best results"}[key]; said != "" {
		return said
	}
	key = strings.ReplaceAll(key, "_", " ")
	return strings.ToUpper(key[:1]) + key[1:]
}

// Field returns the field of a name; nil if there is none.
func (f *Form) Field(name string) *Field {
	for i := range f.Fields {
		if f.Fields[i].Name == name {
			return &f.Fields[i]
		}
	}
	return nil
}

// Drop takes fields out. Names of none are passed over.
func (f *Form) Drop(names ...string) {
	f.Fields = slices.DeleteFunc(f.Fields, func(x Field) bool { return slices.Contains(names, x.Name) })
}

// Only leaves out all fields but those of these names.
func (f *Form) Only(names ...string) {
	f.Fields = slices.DeleteFunc(f.Fields, func(x Field) bool { return !slices.Contains(names, x.Name) })
}

// Names returns the names of all that a browser may send of the form.
func (f *Form) Names() []string {
	out := []string{ZoneName}
	for _, x := range f.Fields {
		if x.Kind != Table {
			out = append(out, x.Name)
			continue
		}
		for row := range x.Cells {
			out = append(out, x.Row(row))
		}
	}
	return out
}

// Row returns the name of the choices in a row of a table.
func (x Field) Row(row int) string { return x.Name + "/" + strconv.Itoa(row) }

// Moments reports whether the form asks for points in time.
func (f *Form) Moments() bool {
	return slices.ContainsFunc(f.Fields, func(x Field) bool { return x.Kind == Moment })
}

// Wrong reports whether anything is refused.
func (f *Form) Wrong() bool {
	return len(f.Refused) > 0 || len(f.Wrongs()) > 0
}

// Wrongs returns the fields that are refused.
func (f *Form) Wrongs() []Field {
	return slices.DeleteFunc(slices.Clone(f.Fields), func(x Field) bool { return x.Problem == "" })
}

// Refuse puts a reason beside the field that a JSON Pointer leads to, or into; what leads to no field is of the whole form.
func (f *Form) Refuse(pointer, reason string) {
	place := strings.TrimPrefix(pointer, "/")
	for i := range f.Fields {
		x := &f.Fields[i]
		rest, inside := strings.CutPrefix(place, x.Name+"/")
		switch {
		case (place == x.Name || inside) && x.unread: // that is said already
			return
		case place == x.Name && (x.Required || x.filled) && strings.TrimSpace(x.Value()) == "":
			reason = "is missing"
		case place == x.Name:
		case inside && x.Kind == Object:
			reason = rest + ": " + reason
		case inside:
			n, _, _ := strings.Cut(rest, "/")
			if at, err := strconv.Atoi(n); err == nil {
				reason = "no. " + strconv.Itoa(at+1) + " " + reason
			}
		default:
			continue
		}
		if x.Problem != "" {
			reason = x.Problem + "; " + reason
		}
		x.Problem = reason
		return
	}
	if place != "" {
		reason = place + " " + reason
	}
	f.Refused = append(f.Refused, reason)
}
