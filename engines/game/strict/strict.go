package strict

import (
	"bytes"
	"cmp"
	"encoding"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"strconv"
	"strings"
	"unicode/utf8"

	json2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/molerun/molerun/engines/game/text"
)

// maxDepth is how deep arrays and objects may nest.
const maxDepth = 16

// Error is a refusal: where (a JSON Pointer, RFC 6901, "" for the whole value) and why.
type Error struct {
	Pointer string
	Reason  string
}

// maxPlace bounds a place in the text of an [Error], in bytes.
const maxPlace = 200

// Error names the place and the reason. A place may be a key that somebody made up, so it is escaped and cut.
func (e *Error) Error() string {
	if e.Pointer == "" {
		return e.Reason
	}
	return "at " + text.Escape(e.Pointer, maxPlace) + ": " + e.Reason
}

// Errors are all that is refused of one value, in its order, up to [maxErrors].
type Errors []*Error

// maxErrors bounds what is said of one value.
const maxErrors = 20

// Error joins the refusals.
func (e Errors) Error() string {
	said := make([]string, len(e))
	for i, one := range e {
		said[i] = one.Error()
	}
	return strings.Join(said, "; ")
}

// Unwrap returns each refusal.
func (e Errors) Unwrap() []error {
	out := make([]error, len(e))
	for i, one := range e {
		out[i] = one
	}
	return out
}

// Err returns nil without a refusal, and the only one by itself.
func (e Errors) Err() error {
	switch len(e) {
	case 0:
		return nil
	case 1:
		return e[0]
	}
	return e
}

// Decode reads exactly one JSON value into v, a pointer. Refused with an [*Error], or with [Errors] if there are several: invalid UTF-8,
// duplicate keys, unknown keys, keys in another case, missing keys (unless the field is tagged omitempty or omitzero), null (unless the field is a
// pointer, an interface or reads its own JSON), nesting beyond [maxDepth] and trailing data. v is unchanged on error.
func Decode(b []byte, v any) error { return decode(b, v, true) }

// Merge works like Decode with every key optional: fields left out keep the value they have in v.
func Merge(b []byte, v any) error { return decode(b, v, false) }

func decode(b []byte, v any, required bool) error {
	target := reflect.ValueOf(v).Elem()
	fresh := reflect.New(target.Type())
	if required && json2.Unmarshal(b, fresh.Interface(), unknown) == nil && sound(b, target.Type()) {
		target.Set(fresh.Elem())
		return nil
	}
	return slowly(b, v, required)
}

// unknown keys are refused.
var unknown = json2.RejectUnknownMembers(true)

// slowly reads b beside its type token by token, so that a refusal can name the place.
func slowly(b []byte, v any, required bool) error {
	if !utf8.Valid(b) {
		return &Error{"", "is not valid UTF-8"}
	}
	target := reflect.ValueOf(v).Elem()
	w := walker{b: b, dec: jsontext.NewDecoder(bytes.NewReader(b)), required: required}
	if w.value(target.Type(), 0) {
		if _, err := w.dec.ReadToken(); !errors.Is(err, io.EOF) {
			w.wrong = append(w.wrong, &Error{"", "has more after the JSON value"})
		}
	}
	if err := w.wrong.Err(); err != nil {
		return err
	}
	fresh := reflect.New(target.Type())
	if err := json2.Unmarshal(b, fresh.Interface(), unknown); err != nil {
		return explain(err)
	}
	if required {
		target.Set(fresh.Elem())
		return nil
	}
	// Only now, when all of it is known to fit, into the value itself: lists and maps are filled in place.
	if err := json2.Unmarshal(b, v, unknown); err != nil {
		return explain(err)
	}
	return nil
}

// explain turns the library's error into place and reason.
func explain(err error) *Error {
	var sem *json2.SemanticError
	var syn *jsontext.SyntacticError
	switch {
	case errors.As(err, &sem):
		reason := ""
		if sem.Err != nil {
			var inner *Error
			if errors.As(sem.Err, &inner) {
				return &Error{string(sem.JSONPointer) + inner.Pointer, inner.Reason}
			}
			reason = sem.Err.Error()
		}
		if sem.GoType != nil && sem.GoType.String() == "time.Time" {
			reason = "wants a time as in RFC 3339, like 2026-11-22T18:00:00Z"
		} else if errors.Is(sem.Err, strconv.ErrRange) {
			reason = "is out of range"
		} else if errors.Is(sem.Err, strconv.ErrSyntax) {
			reason = "wants " + plainType(sem.GoType)
		}
		if reason == "" || errors.Is(sem.Err, json2.ErrUnknownName) {
			reason = fmt.Sprintf("wants %s, not %s", plainType(sem.GoType), cmp.Or(kindNames[sem.JSONKind], "this"))
		}
		return &Error{string(sem.JSONPointer), reason}
	case errors.As(err, &syn):
		reason := "is not valid JSON"
		if errors.Is(syn.Err, jsontext.ErrDuplicateName) {
			reason = "is given twice"
		} else if syn.Err != nil {
			reason += ": " + strings.TrimPrefix(syn.Err.Error(), "jsontext: ")
		}
		return &Error{string(syn.JSONPointer), reason}
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return &Error{"", "is not valid JSON: it ends too early"}
	}
	return &Error{"", err.Error()}
}

var kindNames = map[jsontext.Kind]string{
	'n': "null", 't': "a boolean", 'f': "a boolean", '"': "a string", '0': "this number", '{': "an object", '[': "a list",
}

func plainType(t reflect.Type) string {
	if t == nil {
		return "another value"
	}
	switch t.Kind() {
	case reflect.Pointer:
		return plainType(t.Elem())
	case reflect.Bool:
		return "a boolean"
	case reflect.String:
		return "a string"
	case reflect.Slice, reflect.Array:
		if t.Elem().Kind() == reflect.Uint8 {
			return "base64 text"
		}
		return "a list"
	case reflect.Struct, reflect.Map:
		return "an object"
	case reflect.Float32, reflect.Float64:
		return "a number"
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64,
		reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return "a whole number in range"
	default:
		return "another value"
	}
}

// walker reads the tokens beside the Go type they will fill, and collects all that does not fit.
type walker struct {
	b        []byte
	dec      *jsontext.Decoder
	required bool
	wrong    Errors
}

// refuse adds a refusal, and reports whether there may be more.
func (w *walker) refuse(e *Error) bool {
	w.wrong = append(w.wrong, e)
	return len(w.wrong) < maxErrors
}

// fail refuses what was read last.
func (w *walker) fail(reason string) bool {
	return w.refuse(&Error{string(w.dec.StackPointer()), reason})
}

// broken ends the walk: behind what is no JSON nothing can be read.
func (w *walker) broken(err error) bool {
	w.refuse(explain(err))
	return false
}

var (
	readsJSON = reflect.TypeFor[json.Unmarshaler]()
	readsText = reflect.TypeFor[encoding.TextUnmarshaler]()
)

// Nullable reports whether a value for t may be null: t is a pointer or an interface, or reads its own JSON.
func Nullable(t reflect.Type) bool {
	_, nullable := filled(t)
	return nullable
}

// filled returns the type that a value for t is read as, nil if it reads itself or can be anything, and whether it may be null.
func filled(t reflect.Type) (reflect.Type, bool) {
	if t == nil {
		return nil, true
	}
	nullable := t.Kind() == reflect.Pointer || t.Kind() == reflect.Interface
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if t.Kind() == reflect.Interface {
		return nil, nullable
	}
	if t.PkgPath() == "" && t.Kind() != reflect.Struct { // a type of the language has no methods; a struct can have embedded ones
		return t, nullable
	}
	own := reflect.PointerTo(t).Implements(readsJSON)
	nullable = nullable || own // it sees the null itself; a type that reads text never would
	if own || reflect.PointerTo(t).Implements(readsText) {
		return nil, nullable
	}
	return t, nullable
}

// value reads a value, and reports whether the walk goes on.
func (w *walker) value(want reflect.Type, depth int) bool {
	t, nullable := filled(want)
	kind, from, before := w.dec.PeekKind(), w.dec.InputOffset(), len(w.wrong)
	if _, err := w.dec.ReadToken(); err != nil {
		return w.broken(err)
	}
	fits := false // by its kind, so that what is in it has been held against t
	switch {
	case kind == 'n' && !nullable:
		return w.fail("must not be null")
	case depth == maxDepth && (kind == '{' || kind == '['):
		w.fail(fmt.Sprintf("nests deeper than %d", maxDepth))
		return false
	case kind == '{':
		fits = t != nil && t.Kind() == reflect.Struct
		if !w.object(t, depth+1) {
			return false
		}
	case kind == '[':
		fits = t != nil && t.Kind() == reflect.Slice
		if !w.list(t, depth+1) {
			return false
		}
	}
	if fits || want == nil || len(w.wrong) > before {
		return true
	}
	raw := bytes.TrimLeft(w.b[from:w.dec.InputOffset()], " \t\r\n:,")
	if err := json2.Unmarshal(raw, reflect.New(want).Interface(), unknown); err != nil {
		e := explain(err)
		return w.refuse(&Error{string(w.dec.StackPointer()) + e.Pointer, e.Reason})
	}
	return true
}

func (w *walker) list(t reflect.Type, depth int) bool {
	var elem reflect.Type
	if t != nil && (t.Kind() == reflect.Slice || t.Kind() == reflect.Array) {
		elem = t.Elem()
	}
	for w.dec.PeekKind() != ']' {
		if !w.value(elem, depth) {
			return false
		}
	}
	if _, err := w.dec.ReadToken(); err != nil {
		return w.broken(err)
	}
	return true
}

type field struct {
	name     string
	t        reflect.Type
	optional bool
	seen     bool
}

func fields(t reflect.Type, out []field) []field {
	for i := range t.NumField() {
		f := t.Field(i)
		name, opts, _ := strings.Cut(f.Tag.Get("json"), ",")
		switch {
		case name == "-" || !f.IsExported() && !f.Anonymous:
		case f.Anonymous && name == "":
			out = fields(f.Type, out)
		default:
			if name == "" {
				name = f.Name
			}
			out = append(out, field{name: name, t: f.Type, optional: strings.Contains(opts, "omit")})
		}
	}
	return out
}

func (w *walker) object(t reflect.Type, depth int) bool {
	var known []field
	var elem reflect.Type
	isStruct := t != nil && t.Kind() == reflect.Struct
	if isStruct {
		known = fields(t, make([]field, 0, 16))
	} else if t != nil && t.Kind() == reflect.Map {
		elem = t.Elem()
	}
	for w.dec.PeekKind() != '}' {
		tok, err := w.dec.ReadToken()
		if err != nil {
			return w.broken(err)
		}
		want := elem
		if isStruct {
			if f := find(known, tok.String()); f != nil {
				f.seen, want = true, f.t
			} else if !w.fail("is not a known key" + nearest(known, tok.String())) {
				return false
			}
		}
		if !w.value(want, depth) {
			return false
		}
	}
	if _, err := w.dec.ReadToken(); err != nil {
		return w.broken(err)
	}
	for i := range known {
		if w.required && !known[i].seen && !known[i].optional && !w.refuse(&Error{string(w.dec.StackPointer().AppendToken(known[i].name)), "is missing"}) {
			return false
		}
	}
	return true
}

func find(known []field, name string) *field {
	for i := range known {
		if known[i].name == name {
			return &known[i]
		}
	}
	return nil
}

// nearest names the key that differs only in case, the commonest slip, which then is not missing too.
func nearest(known []field, name string) string {
	for i := range known {
		if strings.EqualFold(known[i].name, name) {
			known[i].seen = true
			return fmt.Sprintf(" (keys are exact: did you mean %q?)", known[i].name)
		}
	}
	return ""
}
