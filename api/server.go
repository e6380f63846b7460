package api

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"github.com/gin-gonic/gin"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/prometheus/client_golang/prometheus"

	"github.com/molerun/molerun/api/account"
	"github.com/molerun/molerun/api/gate"
	"github.com/molerun/molerun/api/httpx"
	"github.com/molerun/molerun/api/live"
	"github.com/molerun/molerun/api/login"
	"github.com/molerun/molerun/api/web"
	"github.com/molerun/molerun/api/web/mine"
	"github.com/molerun/molerun/api/wire"
	"github.com/molerun/molerun/bots/protocol"
	"github.com/molerun/molerun/engines/game/text"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/director"
	"github.com/molerun/molerun/tournament/store"
)

// Config is what the API is made of. Every field is needed but those that say otherwise.
type Config struct {
	Store    *store.Store
	Director *director.Director // over Store
	Engines  live.Engines       // the games, in the order they are listed
	// Greet asks the bot at url who it is, signing with secrets; it takes at most some seconds. A refusal is
	// [tournament.ErrBot] with the reason.
	Greet func(ctx context.Context, url string, secrets []string) (protocol.HelloAnswer, error)
	// Try asks a bot for a decision that is nobody's, so that one that only says hello is found; errors are like those of Greet. Nil:
	// hello is all that is asked.
	Try func(ctx context.Context, v tournament.Version) error
	// Prove asks the receiver of a new webhook to echo a challenge, or sends a first message to one that cannot; it takes at most some
	// seconds. A refusal is [tournament.ErrBot] with the reason.
	Prove func(ctx context.Context, w tournament.Webhook) error
	// CheckURL refuses a bot address by its form alone (scheme, port, a literal private address); nothing is dialled.
	CheckURL func(raw string) error
	Now      func() time.Time
	Rand     io.Reader // crypto/rand.Reader, but for tests: tokens, secrets, request ids
	Logger   *slog.Logger
	Version  string
	Metrics  prometheus.Registerer
	Files    *Files
	Limits   gate.Limits
	// CursorKey signs cursors; replicas share one so that a page may go on at another. Empty: a random one.
	CursorKey      []byte
	Login          login.Settings       // where people log in; zero: nowhere
	Registration   login.Registration   // how new accounts are made; "": open
	TrustedProxies httpx.TrustedProxies // are believed for whom they ask; empty: none
	// PublicURL is where browsers reach the platform, without a slash at the end, for links to it from elsewhere. Empty: as each
	// caller does.
	PublicURL string
}

// Server is the API as an [http.Handler].
type Server struct {
	Config
	gate     *gate.Gate
	cursors  httpx.Cursors
	public   string // where browsers reach the platform; "": as each caller does
	matches  *live.Matches
	streams  *live.Streams
	pages    web.Pages
	login    *login.Login
	mine     mine.Pages
	accounts account.Accounts

	operations map[string]gate.Route // of the API, by method and path

	tools *mcp.SchemaCache // of the tools of agents

	relayAnswers       *prometheus.CounterVec // by outcome
	draining, migrated *atomic.Bool
	engine             *gin.Engine
	answers            http.Handler // the engine, and what compresses
}

// on returns the same server over the store of one request: what a handler writes is bound to its conditions.
func (s *Server) on(db *store.Store) *Server {
	if db == s.Store {
		return s
	}
	bound := *s
	bound.Store = db
	bound.Director = s.Director.On(db)
	bound.pages.Store, bound.pages.Director = db, bound.Director
	bound.login = s.login.On(db)
	bound.mine.Store = db
	bound.accounts.Store = db
	return &bound
}

// New builds the API; it starts nothing.
func New(cfg Config) (*Server, error) {
	if cfg.Store == nil || cfg.Director == nil || cfg.Greet == nil || cfg.Prove == nil || cfg.CheckURL == nil || cfg.Now == nil || cfg.Rand == nil || cfg.Logger == nil ||
		cfg.Metrics == nil || cfg.Files == nil || len(cfg.Engines) == 0 {
		return nil, errors.New("api: a field of Config is missing")
	}
	cfg.Rand = &lockedReader{r: cfg.Rand}
	s := &Server{
		Config:   cfg,
		draining: &atomic.Bool{},
		migrated: &atomic.Bool{},

		tools:      mcp.NewSchemaCache(),
		operations: map[string]gate.Route{},
		cursors:    cfg.CursorKey,
		public:     cmp.Or(cfg.Login.PublicURL, cfg.PublicURL),
	}
	if len(s.cursors) == 0 {
		s.cursors = make([]byte, 32)
		if _, err := io.ReadFull(s.Rand, s.cursors); err != nil {
			return nil, fmt.Errorf("api: cursor key: %w", err)
		}
	}
	var err error
	if s.matches, err = live.NewMatches(cfg.Store, cfg.Engines, live.Limits{Bytes: cfg.Limits.Cache, Steps: cfg.Limits.Steps, Keys: cfg.Limits.Keys}, cfg.Now); err != nil {
		return nil, err
	}
	if s.streams, err = live.NewStreams(cfg.Store, cfg.Logger, cfg.Now, cfg.Limits.SlowReader, cfg.Metrics); err != nil {
		return nil, err
	}
	stopping, _ := s.streams.Lease("")
	kept := prometheus.NewGaugeFunc(prometheus.GaugeOpts{
		Name: "molerun_kept_bytes", Help: "What is kept of matches, pages and pictures for later requests.",
	}, func() float64 { return float64(s.matches.Replays().Cache().Bytes()) })
	s.relayAnswers = prometheus.NewCounterVec(prometheus.CounterOpts{
		Name: "molerun_relay_answers_total", Help: "Answers that relays brought, by whether they were taken or refused (late, or not the first).",
	}, []string{"outcome"})
	for _, c := range []prometheus.Collector{kept, s.relayAnswers} {
		if err := cfg.Metrics.Register(c); err != nil {
			return nil, fmt.Errorf("api: metrics: %w", err)
		}
	}
	s.pages, err = web.New(web.Config{
		Store:    cfg.Store,
		Director: cfg.Director,
		Live:     s.matches,
		Public:   cfg.PublicURL,
		Engines:  cfg.Engines,
		Files:    &cfg.Files.pages,
		Cursors:  s.cursors,
		Now:      cfg.Now,
		Logger:   cfg.Logger,
		Rand:     cfg.Rand,
		Guests:   cfg.Limits.Guests,
		Wait:     cfg.Limits.Poll,
		Stopping: stopping,
	})
	if err != nil {
		return nil, err
	}
	s.gate, err = gate.New(gate.Config{
		Store:   cfg.Store,
		Now:     cfg.Now,
		Rand:    cfg.Rand,
		Log:     cfg.Logger,
		Limits:  cfg.Limits,
		Metrics: cfg.Metrics,
		Session: func(c *gin.Context) error { return s.login.Known(c) },
		Page:    s.pages.Problem,
	})
	if err != nil {
		return nil, err
	}
	s.accounts = account.Accounts{
		Store:  s.Store,
		Now:    s.Now,
		Rand:   s.Rand,
		Tokens: s.Limits.Tokens,
		Gate:   s.gate,
		Lease:  s.streams.Lease,
	}
	return s, s.mount(cfg)
}

func (s *Server) newLogin(cfg Config) (*login.Login, error) {
	s.mine = mine.Pages{
		Store:  cfg.Store,
		Site:   cfg.Files.pages.Site,
		Now:    cfg.Now,
		Device: cfg.Login.On(),
	}
	return login.New(login.Config{
		Settings:     cfg.Login,
		Public:       s.public,
		Registration: cfg.Registration,
		Store:        cfg.Store,
		Gate:         s.gate,
		Site:         cfg.Files.pages.Site,
		Now:          cfg.Now,
		Rand:         s.Rand,
		Log:          cfg.Logger,
		Tokens:       cfg.Limits.Tokens,
		Made: func(u tournament.User, t tournament.Token, text string) wire.UserCreated {
			return wire.UserCreated{User: userDTO(u), Token: account.Created(t, u.Role, text)}
		},
	})
}

// mount builds the login and the router.
func (s *Server) mount(cfg Config) error {
	var err error
	if s.login, err = s.newLogin(cfg); err != nil {
		return err
	}
	gin.SetMode(gin.ReleaseMode)
	s.engine = gin.New()
	s.engine.HandleMethodNotAllowed = true
	s.engine.RedirectTrailingSlash = false
	if err := s.engine.SetTrustedProxies(nil); err != nil { // ServeHTTP does that
		return fmt.Errorf("api: %w", err)
	}
	s.gate.Mount(s.engine, s.routes(), func(*store.Store, *gin.Context) error { return httpx.ErrNoRoute })
	s.answers, err = httpx.Compressed(s.engine)
	return err
}

// ServeHTTP answers one request. HEAD is answered as GET; net/http leaves the body out.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	r = s.TrustedProxies.Resolve(r)
	if r.Method == http.MethodHead {
		r.Method = http.MethodGet
		r.Header.Del("Accept") // a stream has no end to wait for
	}
	s.answers.ServeHTTP(w, r)
}

// Drain makes /readyz answer 503, so that the load balancer sends nothing new before the server stops, and ends the streams:
// their readers go on elsewhere. Relays, agents and people at their seats still wait for news here: let go, they would be back at once.
func (s *Server) Drain() {
	s.draining.Store(true)
	s.streams.Drain()
}

// Stop calls [Server.Drain] and ends every wait for news: the server answers nothing new.
func (s *Server) Stop() {
	s.Drain()
	s.streams.Close()
}

// Run keeps the streams going until ctx ends: it listens for what changes, here or in other processes.
func (s *Server) Run(ctx context.Context) { s.streams.Run(ctx) }

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

// pageOf returns the page that a list is asked for, as the store wants it.
func pageOf(p httpx.PageQuery, sort string) store.Page {
	return store.Page{After: p.After, Limit: p.Limit, Sort: sort}
}

// parseID reads an id from a body.
func parseID(pointer, text string) (string, error) {
	if !httpx.IsUUID(text) {
		return "", &tournament.FieldError{Pointer: pointer, Reason: "is no id"}
	}
	return text, nil
}

// checkGame refuses a filter by a game that is none of ours; "" filters by none.
func (s *Server) checkGame(id string) error {
	if _, ok := s.Engines.Find(id); id != "" && !ok {
		return httpx.BadQuery("game", s.Engines.NoGame())
	}
	return nil
}

// checkName refuses a filter by a part of a name that no name has.
func checkName(part string) error {
	if err := text.Opaque.Check(part, httpx.MaxQueryValue); err != nil {
		return httpx.BadQuery("name", err.Error())
	}
	return nil
}

// checkLadder refuses a filter by a ladder that is none; "" filters by none.
func checkLadder(id string) error {
	if id != "" && !tournament.IsLadderID(id) {
		return httpx.BadQuery("ladder", "is no id of a ladder")
	}
	return nil
}

// checkReason refuses a reason that nobody could read.
func checkReason(in wire.CancelRequest) error {
	return tournament.CheckText("/reason", in.Reason, tournament.MaxReason)
}

// cancelReason returns the reason in a body that may be left out.
func cancelReason(in *wire.CancelRequest) (string, error) {
	if in == nil {
		return "cancelled by its organiser", nil
	}
	return in.Reason, checkReason(*in)
}
