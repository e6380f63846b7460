package api

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"reflect"
	"strconv"
	"strings"
	"time"

	"github.com/gin-gonic/gin"

	"github.com/molerun/molerun/api/gate"
	"github.com/molerun/molerun/api/httpx"
	"github.com/molerun/molerun/api/op"
	"github.com/molerun/molerun/api/wire"
	"github.com/molerun/molerun/tournament"
)

// serve binds an operation to the function that carries it out.
func serve[In, Out any](o op.Operation[In, Out], do func(*Server, context.Context, In) (Out, error)) route {
	return raw(o, func(s *Server, c *gin.Context, in In) error {
		out, err := do(s, gate.Context(c), in)
		if err != nil {
			return err
		}
		return send(c, o.Spec, out)
	})
}

// list binds an operation that answers with a part of a list. The function returns the rows and the place after which the next
// part begins, "" after the last.
func list[In interface{ Asked() op.Paging }, Row any](o op.Operation[In, wire.Page[Row]], do func(*Server, context.Context, In, httpx.PageQuery) ([]Row, string, error)) route {
	d := newDecoder(o.Spec)
	return bound(o.Spec, func(s *Server, c *gin.Context) error {
		var in In
		q, err := d.decode(c, reflect.ValueOf(&in).Elem())
		if err != nil {
			return err
		}
		p, err := s.cursors.Part(c.Request.URL.Path, q, d.filters, in.Asked().Limit)
		if err != nil {
			return err
		}
		rows, next, err := do(s, gate.Context(c), in, p)
		if err != nil {
			return err
		}
		return httpx.SendPage(c, p, rows, next)
	})
}

// raw binds an operation whose function writes the answer itself: a file, a stream, or a page with more than rows.
func raw[In, Out any](o op.Operation[In, Out], do func(*Server, *gin.Context, In) error) route {
	d := newDecoder(o.Spec)
	return bound(o.Spec, func(s *Server, c *gin.Context) error {
		var in In
		if _, err := d.decode(c, reflect.ValueOf(&in).Elem()); err != nil {
			return err
		}
		return do(s, c, in)
	})
}

// manual binds an operation whose function reads the request itself: what it may ask for hangs on what is asked about.
func manual[In, Out any](o op.Operation[In, Out], do handler) route { return bound(o.Spec, do) }

// bound returns the route of an operation.
func bound(o op.Spec, do handler) route {
	return route{gate.Route{Method: o.Method, Path: o.Route(), Need: tournament.Scope(o.Scope), Probe: o.Probe, Quiet: o.Quiet}, do, &o}
}

// located is an answer that names the path of what was made.
type located interface{ Location() string }

// send answers with what an operation returned.
func send(c *gin.Context, o op.Spec, out any) error {
	if o.Status == http.StatusNoContent {
		c.Status(http.StatusNoContent)
		return nil
	}
	if x, ok := out.(located); ok && o.Status == http.StatusCreated {
		c.Header("Location", x.Location())
	}
	return httpx.Send(c, o.Status, out)
}

// decoder reads the requests of one operation.
type decoder struct {
	path, query, header []op.Field
	names, filters      []string // of the query; filters are those that make a list another list
	body                []int    // the field that holds the body
	hasBody, optional   bool
	reads               bool // no body is looked at
}

func newDecoder(o op.Spec) *decoder {
	kind, index := o.Body()
	d := &decoder{
		path:     o.Fields(op.InPath),
		query:    o.Fields(op.InQuery),
		header:   o.Fields(op.InHeader),
		body:     index,
		hasBody:  kind != nil,
		optional: kind != nil && kind.Kind() == reflect.Pointer,
		reads:    o.Method == http.MethodGet,
	}
	for _, f := range d.query {
		d.names = append(d.names, f.Name)
		if f.Name != "limit" && f.Name != "cursor" {
			d.filters = append(d.filters, f.Name)
		}
	}
	return d
}

// decode reads a request into in, and returns the query. The query is refused first, then the body, then the path: a caller sees
// what is wrong with the request itself before what it is about.
func (d *decoder) decode(c *gin.Context, in reflect.Value) (map[string]string, error) {
	q, err := httpx.Query(c, d.names...)
	refused := []error{err}
	for _, f := range d.query {
		refused = append(refused, setQuery(in.FieldByIndex(f.Index), f, q))
	}
	if err := errors.Join(refused...); err != nil {
		return nil, err
	}
	for _, f := range d.header {
		in.FieldByIndex(f.Index).SetString(c.GetHeader(f.Name))
	}
	if err := d.decodeBody(c, in); err != nil {
		return nil, err
	}
	return q, d.decodePath(c, in)
}

func (d *decoder) decodePath(c *gin.Context, in reflect.Value) error {
	for _, f := range d.path {
		if err := setPath(in.FieldByIndex(f.Index), f, c.Param(f.Name)); err != nil {
			return err
		}
	}
	return nil
}

func (d *decoder) decodeBody(c *gin.Context, in reflect.Value) error {
	switch {
	case d.reads:
		return nil
	case !d.hasBody || d.optional && c.Request.ContentLength == 0:
		return httpx.NoBody(c)
	}
	body := in.FieldByIndex(d.body)
	if d.optional {
		body.Set(reflect.New(body.Type().Elem()))
		return gate.Decode(c, body.Interface())
	}
	return gate.Decode(c, body.Addr().Interface())
}

// setPath sets a field to its value in the path. A value without the form of its kind names nothing.
func setPath(to reflect.Value, f op.Field, text string) error {
	if to.Kind() == reflect.Int {
		n, err := strconv.Atoi(text)
		if err != nil || strconv.Itoa(n) != text {
			return tournament.ErrNotFound
		}
		to.SetInt(int64(n))
		return nil
	}
	if f.Tag.Get("format") == "uuid" && !httpx.IsUUID(text) {
		return tournament.ErrNotFound
	}
	to.SetString(text)
	return nil
}

// setQuery sets a field to its value in the query, or to its default.
func setQuery(to reflect.Value, f op.Field, q map[string]string) error {
	text, given := q[f.Name]
	if given && text == "" && f.Tag.Get("empty") == "" { // a script's empty variable must not list everything
		return httpx.BadQuery(f.Name, "has no value; leave it out")
	}
	if !given {
		if text, given = f.Tag.Lookup("default"); !given {
			return nil
		}
	}
	if to.Kind() == reflect.Pointer {
		to.Set(reflect.New(to.Type().Elem()))
		to = to.Elem()
	}
	switch to.Interface().(type) {
	case int, int64:
		return setNumber(to, f, text)
	case time.Time:
		at, err := time.Parse(time.RFC3339, text)
		if err != nil {
			return httpx.BadQuery(f.Name, "wants a time as in RFC 3339, like 2026-11-22T18:00:00Z")
		}
		to.Set(reflect.ValueOf(at))
		return nil
	}
	if words := f.Tag.Get("enums"); words != "" {
		if _, err := httpx.OneOf(map[string]string{f.Name: text}, f.Name, strings.Split(words, ",")...); err != nil {
			return err
		}
	}
	if f.Tag.Get("format") == "uuid" && !httpx.IsUUID(text) {
		return httpx.BadQuery(f.Name, "is no id")
	}
	to.SetString(text)
	return nil
}

// setNumber sets a field to a whole number within the bounds of its tags.
func setNumber(to reflect.Value, f op.Field, text string) error {
	var low, high int
	if _, err := fmt.Sscan(f.Tag.Get("minimum")+" "+f.Tag.Get("maximum"), &low, &high); err != nil {
		return fmt.Errorf("api: the query parameter %s is a number without minimum and maximum: %w", f.Name, err)
	}
	n, err := httpx.Number(map[string]string{f.Name: text}, f.Name, 0, low, high)
	to.SetInt(int64(n))
	return err
}

// as makes what the domain returns the answer of an operation.
func as[R, D any](dto func(R) D) func(R, error) (D, error) {
	return func(x R, err error) (D, error) {
		if err != nil {
			return *new(D), err
		}
		return dto(x), nil
	}
}

// each returns the rows of a list as the API shows them.
func each[R, D any](rows []R, dto func(R) D) []D {
	out := make([]D, 0, len(rows))
	for _, r := range rows {
		out = append(out, dto(r))
	}
	return out
}
