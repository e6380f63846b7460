package api

import (
	"context"
	"io"
	"io/fs"
	"log/slog"
	"sync/atomic"
	"time"

	"github.com/gin-gonic/gin"

	"github.com/molerun/molerun/api/gate"
	"github.com/molerun/molerun/api/httpx"
	"github.com/molerun/molerun/api/live"
	"github.com/molerun/molerun/api/web"
	"github.com/molerun/molerun/bots/protocol"
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
