package api

import (
	"bytes"
	"context"

	"github.com/gin-gonic/gin"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/molerun/molerun/api/httpx"
	"github.com/molerun/molerun/api/wire"
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
	if !httpx.IsUUID(c.Param(name)) {
		return "", tournament.ErrNotFound
	}
	return c.Param(name), nil
}

// named is what the id in the path names.
func named[T any](c *gin.Context, get func(context.Context, string) (T, error)) (T, error) {
	return httpx.Named(c, get, tournament.ErrNotFound)
}

// parseID reads an id from a body.
func parseID(pointer, text string) (string, error) {
	if !httpx.IsUUID(text) {
		return "", &tournament.FieldError{Pointer: pointer, Reason: "is no id"}
	}
	return text, nil
}

// gameFilter is the filter game, which must name a game of ours.
func (s *Server) gameFilter(q map[string]string) (string, error) {
	id, given := q["game"]
	if !given {
		return "", nil
	}
	if _, ok := s.engines.Find(id); !ok {
		return "", httpx.BadQuery("game", "names no game; /v1/games lists them")
	}
	return id, nil
}

// uuidFilter is a filter by id.
func uuidFilter(q map[string]string, name string) (string, error) {
	text, given := q[name]
	if !given {
		return "", nil
	}
	if !httpx.IsUUID(text) {
		return "", httpx.BadQuery(name, "is no id")
	}
	return text, nil
}

// ladderFilter is the filter ladder.
func ladderFilter(q map[string]string) (string, error) {
	id, given := q["ladder"]
	if given && !tournament.IsLadderID(id) {
		return "", httpx.BadQuery("ladder", "is no id of a ladder")
	}
	return id, nil
}

// readReason is the reason in the body of a [CancelRequest].
func readReason(c *gin.Context) (string, error) {
	in, err := read[wire.CancelRequest](c)
	if err != nil {
		return "", err
	}
	return in.Reason, tournament.CheckText("/reason", in.Reason, tournament.MaxReason)
}

// withReason reads the id of the path and the reason of the body.
func withReason(c *gin.Context, do func(ctx context.Context, id, reason string) error) error {
	reason, err := readReason(c)
	if err != nil {
		return err
	}
	id, err := pathUUID(c, "id")
	if err != nil {
		return err
	}
	return do(c.Request.Context(), id, reason)
}

// withoutReason reads the id of the path, and refuses a body.
func withoutReason(c *gin.Context, do func(ctx context.Context, id string) error) error {
	if err := httpx.Bare(c); err != nil {
		return err
	}
	id, err := pathUUID(c, "id")
	if err != nil {
		return err
	}
	return do(c.Request.Context(), id)
}
