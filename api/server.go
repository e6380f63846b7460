package api

import (
	"bytes"
	"context"
	"io"
	"io/fs"
	"log/slog"
	"sync/atomic"
	"time"

	"github.com/gin-gonic/gin"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/molerun/molerun/api/gate"
	"github.com/molerun/molerun/api/httpx"
	"github.com/molerun/molerun/api/live"
	"github.com/molerun/molerun/api/web"
	"github.com/molerun/molerun/api/wire"
	"github.com/molerun/molerun/bots/protocol"
	"github.com/molerun/molerun/engines/game/text"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/director"
	"github.com/molerun/molerun/tournament/store"
)

// Server is the API as an [http.Handler].
type Server struct {
	store    *store.Store
	director *director.Director
	gate     *gate.Gate
	engines  live.Engines
	greet    func(ctx context.Context, url string, secrets []string) (protocol.HelloAnswer, error)
	prove    func(ctx context.Context, url, secret string) error
	checkURL func(raw string) error
	now      func() time.Time
	rand     io.Reader
	log      *slog.Logger
	version  string
	docs     fs.FS
	limits   gate.Limits
	cursors  httpx.Cursors
	metrics  *metrics
	document *document
	matches  *live.Matches
	streams  *live.Streams
	pages    *web.Pages

	draining, migrated *atomic.Bool
	engine             *gin.Engine
}

// on is the same server over the store of one request: what a handler writes is bound to its conditions.
func (s *Server) on(db *store.Store) *Server {
	if db == s.store {
		return s
	}
	bound := *s
	bound.store = db
	bound.director = s.director.On(db)
	return &bound
}

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

// cancelReason is the reason in the body of a [wire.CancelRequest] where the body may be left out.
func cancelReason(c *gin.Context) (string, error) {
	if c.Request.ContentLength != 0 {
		return readReason(c)
	}
	return "cancelled by its organiser", httpx.Bare(c)
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
