package api

import (
	"bytes"
	"context"

	"github.com/gin-gonic/gin"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/uuid"

	"github.com/molerun/molerun/api/httpx"
	"github.com/molerun/molerun/engines/game/text"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/store"
)

// pageOf is the page that a list is asked for, as the store wants it.
func pageOf(p httpx.PageQuery, sort string) store.Page {
	return store.Page{After: p.After, Limit: p.Limit, Sort: sort}
}

// read decodes the body of a request, strictly, and refuses query parameters.
func read[T any](c *gin.Context) (T, error) { return httpx.Read[T](c, storable) }

// storable refuses a body, valid JSON, with text that no column can hold. What else a text may not be is its field's to say.
func storable(raw []byte) error {
	d := jsontext.NewDecoder(bytes.NewReader(raw))
	for {
		token, err := d.ReadToken()
		if err != nil { // the end: the body has been decoded before
			return nil
		}
		if token.Kind() != '"' {
			continue
		}
		if err := text.Opaque.Check(token.String(), httpx.MaxBodyBytes); err != nil {
			return &tournament.FieldError{Pointer: string(d.StackPointer()), Reason: err.Error()}
		}
	}
}

// pathUUID reads an id in the path. Anything but a canonical UUID names nothing.
func pathUUID(c *gin.Context, name string) (string, error) {
	text := c.Param(name)
	if id, err := uuid.Parse(text); err != nil || id.String() != text {
		return "", tournament.ErrNotFound
	}
	return text, nil
}

// named is what the id in the path names.
func named[T any](c *gin.Context, get func(context.Context, string) (T, error)) (T, error) {
	id, err := pathUUID(c, "id")
	if err != nil {
		return *new(T), err
	}
	return get(c.Request.Context(), id)
}
