package api

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"github.com/gin-gonic/gin"
	"github.com/prometheus/client_golang/prometheus"

	"github.com/molerun/molerun/api/gate"
	"github.com/molerun/molerun/api/live"
	"github.com/molerun/molerun/api/web"
	"github.com/molerun/molerun/bots/protocol"
	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/tournament/director"
	"github.com/molerun/molerun/tournament/store"
)

// Config is what the API is made of. Every field is needed but those that say otherwise.
type Config struct {
	Store    *store.Store
	Director *director.Director // over Store
	Engines  []game.Engine      // the games, in the order they are listed
	// Greet asks the bot at url who it is, signing with secrets; it takes at most some seconds. A refusal is
	// [tournament.ErrBot] with the reason.
	Greet func(ctx context.Context, url string, secrets []string) (protocol.HelloAnswer, error)
	// Prove asks the receiver at a webhook's url to echo a challenge, signing with secret; it takes at most some seconds. A
	// refusal is [tournament.ErrBot] with the reason.
	Prove func(ctx context.Context, url, secret string) error
	// CheckURL refuses a bot address by its form alone (scheme, port, a literal private address); nothing is dialled.
	CheckURL func(raw string) error
	Now      func() time.Time
	Rand     io.Reader // crypto/rand.Reader, but for tests: tokens, secrets, request ids
	Logger   *slog.Logger
	Version  string
	Metrics  prometheus.Registerer
	Docs     fs.FS // docs.Files: openapi.json, openapi.html and the rules as rules/GAME.md
	Limits   gate.Limits
	// CursorKey signs cursors; replicas share one so that a page may go on at another. Empty: a random one.
	CursorKey []byte
	// TrustedProxies lists the networks (CIDR) whose X-Forwarded-For is believed. Empty: none.
	TrustedProxies []string
}

// New builds the API; it starts nothing.
func New(cfg Config) (*Server, error) {
	if cfg.Store == nil || cfg.Director == nil || cfg.Greet == nil || cfg.Prove == nil || cfg.CheckURL == nil || cfg.Now == nil || cfg.Rand == nil || cfg.Logger == nil ||
		cfg.Metrics == nil || cfg.Docs == nil || len(cfg.Engines) == 0 {
		return nil, errors.New("api: a field of Config is missing")
	}
	s := &Server{
		draining: &atomic.Bool{},
		migrated: &atomic.Bool{},
		store:    cfg.Store,
		director: cfg.Director,
		engines:  cfg.Engines,
		greet:    cfg.Greet,
		prove:    cfg.Prove,
		checkURL: cfg.CheckURL,
		now:      cfg.Now,
		rand:     &lockedReader{r: cfg.Rand},
		log:      cfg.Logger,
		version:  cfg.Version,
		docs:     cfg.Docs,
		limits:   cfg.Limits,
		cursors:  cfg.CursorKey,
	}
	if len(s.cursors) == 0 {
		s.cursors = make([]byte, 32)
		if _, err := io.ReadFull(s.rand, s.cursors); err != nil {
			return nil, fmt.Errorf("api: cursor key: %w", err)
		}
	}
	var err error
	if s.matches, err = live.NewMatches(cfg.Store, cfg.Engines); err != nil {
		return nil, err
	}
	s.pages, err = web.New(web.Config{
		Store:    cfg.Store,
		Director: s.director,
		Matches:  s.matches,
		Engines:  cfg.Engines,
		Docs:     cfg.Docs,
		Cursors:  s.cursors,
		Now:      cfg.Now,
	})
	if err != nil {
		return nil, err
	}
	if s.streams, err = live.NewStreams(cfg.Store, cfg.Logger, cfg.Now, cfg.Limits.SlowReader, cfg.Metrics); err != nil {
		return nil, err
	}
	if s.document, err = newDocument(cfg.Docs); err != nil {
		return nil, err
	}
	if s.metrics, err = newMetrics(cfg.Metrics, cfg.Version); err != nil {
		return nil, err
	}
	s.gate, err = gate.New(gate.Config{
		Store:   cfg.Store,
		Now:     cfg.Now,
		Rand:    s.rand,
		Log:     cfg.Logger,
		Limits:  cfg.Limits,
		Metrics: cfg.Metrics,
	})
	if err != nil {
		return nil, err
	}
	return s, s.mount(cfg.TrustedProxies)
}

// mount builds the router.
func (s *Server) mount(proxies []string) error {
	gin.SetMode(gin.ReleaseMode)
	s.engine = gin.New()
	s.engine.HandleMethodNotAllowed = true
	s.engine.RedirectTrailingSlash = false
	if err := s.engine.SetTrustedProxies(proxies); err != nil {
		return fmt.Errorf("api: trusted proxies: %w", err)
	}
	s.gate.Mount(s.engine, s.routes())
	return nil
}

// ServeHTTP answers one request. HEAD is answered as GET; net/http leaves the body out.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method == http.MethodHead {
		r = r.Clone(r.Context())
		r.Method = http.MethodGet
		r.Header.Del("Accept") // a stream has no end to wait for
	}
	s.engine.ServeHTTP(w, r)
}

// Drain makes /readyz answer 503, so that the load balancer sends nothing new before the server stops, and ends the streams:
// their readers go on elsewhere.
func (s *Server) Drain() {
	s.draining.Store(true)
	s.streams.Close()
}

// Run keeps the streams going until ctx ends: it listens for what changes, here or in other processes.
func (s *Server) Run(ctx context.Context) error { return s.streams.Run(ctx) }

// lockedReader lets any reader serve many requests at once.
type lockedReader struct {
	mu sync.Mutex
	r  io.Reader
}

func (l *lockedReader) Read(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return io.ReadFull(l.r, b)
}
