package op

import (
	"reflect"
	"strings"
)

// None is the request or the answer of an operation that has none.
type None struct{}

// Operation is one operation with a request In and an answer Out.
type Operation[In, Out any] struct{ Spec }

// Spec is what an operation is, whatever its types.
type Spec struct {
	Method  string
	Path    string       // as documents write it: /v1/series/{id}
	Scope   string       // what a token needs; "": anybody may ask
	Status  int          // of the answer when all is well
	Also    []int        // other statuses of answers without a body
	Media   []string     // types of the answer; none: JSON
	Refuses []int        // statuses of refusals that do not follow from the rest
	Quiet   bool         // a write that leaves no audit line: it changes nothing that lasts, or a record says it already
	Probe   bool         // for health probes: no limits, no token
	In, Out reflect.Type // of the request and of the answer
}

// Option says more of an operation than most need.
type Option func(*Spec)

func operation[In, Out any](method, path, scope string, status int, options []Option) Operation[In, Out] {
	return Operation[In, Out]{newSpec(method, path, scope, status, reflect.TypeFor[In](), reflect.TypeFor[Out](), options)}
}

func newSpec(method, path, scope string, status int, in, out reflect.Type, options []Option) Spec {
	s := Spec{Method: method, Path: path, Scope: scope, Status: status, In: in, Out: out}
	for _, set := range options {
		set(&s)
	}
	return s
}

// Get reads something.
func Get[In, Out any](path, scope string, options ...Option) Operation[In, Out] {
	return operation[In, Out]("GET", path, scope, 200, options)
}

// Post changes something, or has something done.
func Post[In, Out any](path, scope string, options ...Option) Operation[In, Out] {
	return operation[In, Out]("POST", path, scope, 200, options)
}

// Create makes something new.
func Create[In, Out any](path, scope string, options ...Option) Operation[In, Out] {
	return operation[In, Out]("POST", path, scope, 201, options)
}

// Put replaces something as a whole.
func Put[In, Out any](path, scope string, options ...Option) Operation[In, Out] {
	return operation[In, Out]("PUT", path, scope, 200, options)
}

// Patch changes what the request holds; what it leaves out stays.
func Patch[In, Out any](path, scope string, options ...Option) Operation[In, Out] {
	return operation[In, Out]("PATCH", path, scope, 200, options)
}

// Delete removes something, and answers nothing.
func Delete[In any](path, scope string, options ...Option) Operation[In, None] {
	return operation[In, None]("DELETE", path, scope, 204, options)
}

// Refusing adds statuses of refusals that do not follow from the rest of the operation.
func Refusing(statuses ...int) Option {
	return func(s *Spec) { s.Refuses = append(s.Refuses, statuses...) }
}

// MayAnswer adds statuses of answers without a body.
func MayAnswer(statuses ...int) Option {
	return func(s *Spec) { s.Also = append(s.Also, statuses...) }
}

// Answering sets the media types of the answer.
func Answering(media ...string) Option { return func(s *Spec) { s.Media = media } }

// Unaudited marks a write that leaves no audit line.
func Unaudited() Option { return func(s *Spec) { s.Quiet = true } }

// ForProbes marks an operation that health probes ask for.
func ForProbes() Option { return func(s *Spec) { s.Probe = true } }

// WithStatus sets another status of the answer.
func WithStatus(status int) Option { return func(s *Spec) { s.Status = status } }

// One names a thing by the id in the path.
type One struct {
	ID string `uri:"id" format:"uuid" json:"-"`
}

// WithID is a request about the thing that the path names, with a body. Of a pointer type, the body may be left out.
type WithID[B any] struct {
	One
	Body B
}

// Paging is the part of a list that is asked for.
type Paging struct {
	Limit  int    `form:"limit" default:"50" minimum:"1" maximum:"100"` // rows a page
	Cursor string `form:"cursor" empty:"true"`                          // next_cursor of the page before
}

// Asked returns the part that is asked for.
func (p Paging) Asked() Paging { return p }

// ListOf asks for a part of a list of the thing that the path names.
type ListOf struct {
	One
	Paging
}

// Field is a field of a request that does not travel in the body.
type Field struct {
	Name  string // in the path, the query or the header
	Index []int  // of the field in the request type, for [reflect.Value.FieldByIndex]
	Type  reflect.Type
	Tag   reflect.StructTag
}

// In the tag of a field: where it travels.
const (
	InPath   = "uri"
	InQuery  = "form"
	InHeader = "header"
)

// Fields returns the fields of a request that travel in the path, the query or the headers.
func (s Spec) Fields(where string) []Field {
	var out []Field
	if s.In.Kind() != reflect.Struct {
		return nil
	}
	for _, f := range reflect.VisibleFields(s.In) {
		if name := f.Tag.Get(where); name != "" {
			out = append(out, Field{Name: name, Index: f.Index, Type: f.Type, Tag: f.Tag})
		}
	}
	return out
}

// Body returns the type of the body and the index of its field in the request type; nil and nil if a request has none. A request
// whose field Body holds the body has it there; one without fields of the path or the query is the body itself.
func (s Spec) Body() (reflect.Type, []int) {
	if s.Method == "GET" || s.In.Kind() != reflect.Struct {
		return nil, nil
	}
	if f, ok := s.In.FieldByName("Body"); ok && f.Tag == "" {
		return f.Type, f.Index
	}
	if s.In.NumField() == 0 || len(s.Fields(InPath))+len(s.Fields(InQuery))+len(s.Fields(InHeader)) > 0 {
		return nil, nil
	}
	return s.In, nil
}

// Route returns the path as gin writes it: /v1/series/:id.
func (s Spec) Route() string {
	return strings.NewReplacer("{", ":", "}", "").Replace(s.Path)
}
