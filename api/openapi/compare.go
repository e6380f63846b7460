package openapi

import (
	"fmt"
	"maps"
	"slices"

	"github.com/getkin/kin-openapi/openapi3"
)

// mayGrow are the keys of answers that get new values without notice; docs/3-api.md says so to those who write clients.
func mayGrow() []string { return []string{"Problem/code", "Event/event"} }

// Breaking lists what in the document now breaks a client that was written for the released one. An operation that was
// deprecated there may be gone. Descriptions and examples are not compared.
func Breaking(released, now *openapi3.T) []string {
	c := comparison{seen: map[string]bool{}}
	for path, item := range released.Paths.Map() {
		for method, op := range item.Operations() {
			var after *openapi3.Operation
			if next := now.Paths.Value(path); next != nil {
				after = next.GetOperation(method)
			}
			switch {
			case after != nil:
				c.operation(method+" "+path, op, after)
			case !op.Deprecated:
				c.report(method+" "+path, "is gone, and was not deprecated")
			}
		}
	}
	for kind, item := range released.Webhooks {
		if next := now.Webhooks[kind]; next != nil {
			c.content(kind, item.Post.RequestBody.Value.Content, next.Post.RequestBody.Value.Content, sent)
		} else {
			c.report(kind, "is not sent any more")
		}
	}
	slices.Sort(c.found)
	return slices.Compact(c.found)
}

// direction is who writes a value: what the client must understand may get narrower, what it says may get wider.
type direction string

const (
	said direction = "in requests"
	sent direction = "in answers"
)

type comparison struct {
	found []string
	seen  map[string]bool // named schemas by their direction, which may contain themselves
}

func (c *comparison) report(place, what string, args ...any) {
	c.found = append(c.found, place+": "+fmt.Sprintf(what, args...))
}

func (c *comparison) operation(name string, old, now *openapi3.Operation) {
	if old.OperationID != now.OperationID {
		c.report(name, "is called %s, not %s any more", now.OperationID, old.OperationID)
	}
	if needsToken(now) && !needsToken(old) {
		c.report(name, "needs a token now")
	}
	c.parameters(name, old.Parameters, now.Parameters)
	switch {
	case old.RequestBody == nil && now.RequestBody != nil && now.RequestBody.Value.Required:
		c.report(name, "needs a body now")
	case old.RequestBody != nil && now.RequestBody == nil:
		c.report(name, "takes no body any more")
	case old.RequestBody != nil:
		if now.RequestBody.Value.Required && !old.RequestBody.Value.Required {
			c.report(name, "needs a body now")
		}
		c.content(name, old.RequestBody.Value.Content, now.RequestBody.Value.Content, said)
	}
	for status, answer := range old.Responses.Map() {
		place := name + " " + status
		next := now.Responses.Value(status)
		if next == nil {
			c.report(place, "is not answered any more")
			continue
		}
		for header := range answer.Value.Headers {
			if next.Value.Headers[header] == nil {
				c.report(place, "has no header %s any more", header)
			}
		}
		c.content(place, answer.Value.Content, next.Value.Content, sent)
	}
}

func needsToken(op *openapi3.Operation) bool { return op.Security != nil && len(*op.Security) > 0 }

func (c *comparison) parameters(name string, old, now openapi3.Parameters) {
	for _, p := range old {
		place := name + " " + p.Value.Name
		next := now.GetByInAndName(p.Value.In, p.Value.Name)
		if next == nil {
			c.report(place, "is no parameter any more")
			continue
		}
		if next.Required && !p.Value.Required {
			c.report(place, "is required now")
		}
		c.schema(place, p.Value.Schema, next.Schema, said)
	}
	for _, p := range now {
		if p.Value.Required && old.GetByInAndName(p.Value.In, p.Value.Name) == nil {
			c.report(name+" "+p.Value.Name, "is a new parameter that is required")
		}
	}
}

func (c *comparison) content(place string, old, now openapi3.Content, way direction) {
	for kind, media := range old {
		if now[kind] == nil {
			c.report(place, "is not %s any more", kind)
			continue
		}
		c.schema(place, media.Schema, now[kind].Schema, way)
	}
}

func (c *comparison) schema(place string, old, now *openapi3.SchemaRef, way direction) {
	if old == nil || now == nil {
		return // anything is allowed, or was
	}
	if old.Ref != "" {
		place = old.Ref[len(schemaRef):]
		key := fmt.Sprint(place, now.Ref, way)
		if c.seen[key] {
			return
		}
		c.seen[key] = true
	}
	a, b := old.Value, now.Value
	c.types(place, a, b, way)
	if a.Format != b.Format {
		c.report(place, "has the format %q %s, not %q", b.Format, way, a.Format)
	}
	c.enum(place, a.Enum, b.Enum, way)
	if way == said {
		c.bounds(place, a, b)
	}
	c.keys(place, a, b, way)
	c.schema(place+"/-", a.Items, b.Items, way)
	c.schema(place+"/*", a.AdditionalProperties.Schema, b.AdditionalProperties.Schema, way)
}

// types compares them; no types are all types.
func (c *comparison) types(place string, old, now *openapi3.Schema, way direction) {
	narrow, wide := now.Type.Slice(), old.Type.Slice()
	if way == said {
		narrow, wide = wide, narrow
	}
	fits := len(wide) == 0
	if len(narrow) > 0 && len(wide) > 0 {
		fits = !slices.ContainsFunc(narrow, func(kind string) bool { return !slices.Contains(wide, kind) })
	}
	if !fits {
		c.report(place, "is %v %s, not %v", now.Type.Slice(), way, old.Type.Slice())
	}
}

// enum compares lists of values; an empty one allows all.
func (c *comparison) enum(place string, old, now []any, way direction) {
	switch {
	case way == said && len(now) > 0:
		if len(old) == 0 {
			c.report(place, "is one of a list now")
		}
		for _, v := range old {
			if !slices.Contains(now, v) {
				c.report(place, "may not be %v any more", v)
			}
		}
	case way == sent && len(old) > 0 && !slices.Contains(mayGrow(), place):
		if len(now) == 0 {
			c.report(place, "can be anything now")
		}
		for _, v := range now {
			if !slices.Contains(old, v) {
				c.report(place, "can be %v now", v)
			}
		}
	}
}

// bounds compares what a value in a request may be.
func (c *comparison) bounds(place string, old, now *openapi3.Schema) {
	for _, most := range [][2]*float64{
		{old.Max, now.Max},
		{count(old.MaxLength), count(now.MaxLength)},
		{count(old.MaxItems), count(now.MaxItems)},
	} {
		if most[1] != nil && (most[0] == nil || *most[1] < *most[0]) {
			c.report(place, "is at most %v now", *most[1])
		}
	}
	for _, least := range [][2]*float64{
		{old.Min, now.Min},
		{count(&old.MinLength), count(&now.MinLength)},
		{count(&old.MinItems), count(&now.MinItems)},
	} {
		if least[1] != nil && (least[0] == nil || *least[1] > *least[0]) {
			c.report(place, "is at least %v now", *least[1])
		}
	}
	if old.Pattern != now.Pattern && now.Pattern != "" {
		c.report(place, "must be like %s now", now.Pattern)
	}
}

func count(n *uint64) *float64 {
	if n == nil {
		return nil
	}
	f := float64(*n)
	return &f
}

// keys compares those of objects: requests with a key that the platform does not know are refused.
func (c *comparison) keys(place string, old, now *openapi3.Schema, way direction) {
	for _, key := range slices.Sorted(maps.Keys(old.Properties)) {
		at := place + "/" + key
		next := now.Properties[key]
		if next == nil {
			c.report(at, "is gone %s", way)
			continue
		}
		if way == sent && slices.Contains(old.Required, key) && !slices.Contains(now.Required, key) {
			c.report(at, "may be missing %s now", way)
		}
		c.schema(at, old.Properties[key], next, way)
	}
	for _, key := range now.Required {
		if way == said && !slices.Contains(old.Required, key) {
			c.report(place+"/"+key, "is required now")
		}
	}
}
