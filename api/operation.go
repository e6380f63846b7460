package api

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"runtime"
	"strings"
	"time"

	"github.com/gin-gonic/gin"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"github.com/molerun/molerun/api/gate"
	"github.com/molerun/molerun/api/httpx"
	"github.com/molerun/molerun/api/op"
	"github.com/molerun/molerun/api/wire"
	"github.com/molerun/molerun/tournament/store"
	"github.com/molerun/molerun/tournament/store/database"
	"github.com/molerun/molerun/tournament/store/queue"
)

// General facts of the document, read by swag.
//
//	@title			molerun
//	@version		1
//	@description	Tournaments of HTTP bots that play mole games. Lists come in pages: go on with next_cursor until it is null.
//	@description	Errors are application/problem+json with a stable code. Times are RFC 3339 in UTC. Unknown keys and unknown
//	@description	query parameters are refused.
//	@license.name	Apache 2.0
//	@license.url	https://www.apache.org/licenses/LICENSE-2.0
//	@tag.name		games
//	@tag.description	The games and their rules and schemas
//	@tag.name		users
//	@tag.description	Accounts and their tokens
//	@tag.name		bots
//	@tag.description	Bots and their versions
//	@tag.name		relays
//	@tag.description	Mailboxes of bots that nobody can call
//	@tag.name		ladders
//	@tag.description	Standing ladders, ratings and seasons
//	@tag.name		tournaments
//	@tag.description	Tournaments, their entries, rounds and tables
//	@tag.name		class-links
//	@tag.description	Links by which a class makes its accounts
//	@tag.name		schedules
//	@tag.description	Tournaments that start by the calendar
//	@tag.name		series
//	@tag.description	Standings over several tournaments
//	@tag.name		matches
//	@tag.description	Matches, challenges and records
//	@tag.name		cards
//	@tag.description	Cards of agents, derived again before they are shown
//	@tag.name		events
//	@tag.description	What happens, as it happens
//	@tag.name		webhooks
//	@tag.description	Addresses that get the events, and what they are sent
//	@tag.name		operation
//	@tag.description	How the platform is, for who operates it
//	@basePath		/
//	@accept			json
//	@produce		json
//	@securityDefinitions.apikey	Bearer
//	@in				header
//	@name			Authorization
var _ = http.MethodGet

func (s *Server) livez(c *gin.Context) error {
	return httpx.Send(c, http.StatusOK, wire.Health{Status: "ok"})
}

func (s *Server) readyz(c *gin.Context) error {
	word, verbose := c.GetQuery("verbose")
	if word != "" {
		return httpx.BadQuery("verbose", "takes no value")
	}
	checks, err := s.ready(c.Request.Context(), verbose)
	if err != nil {
		return err
	}
	if !verbose {
		checks = nil
	}
	return httpx.Send(c, http.StatusOK, wire.Health{Status: "ok", Checks: checks})
}

// readyWait bounds all checks together: a health check waits some ten seconds for the answer.
const readyWait = 5 * time.Second

// ready looks at all that a request needs, in order. What is not well is an error that says so of each; with verbose it also says what is well.
func (s *Server) ready(ctx context.Context, verbose bool) ([]wire.ReadyCheck, error) {
	ctx, cancel := context.WithTimeout(ctx, readyWait)
	defer cancel()
	var well []wire.ReadyCheck
	var said []string
	var reasons []error
	for _, check := range []struct {
		name string
		look func(context.Context) error
	}{
		{"serving", s.checkServing}, {"database", s.Store.Ping}, {"migrations", s.checkMigrations}, {"disk", s.checkDisk},
	} {
		began := s.Now()
		err := check.look(ctx)
		took := float64(s.Now().Sub(began).Microseconds()) / 1000
		if err == nil {
			well = append(well, wire.ReadyCheck{Name: check.name, MS: took})
			continue
		}
		line := check.name + ": " + public(err)
		if verbose {
			line += fmt.Sprintf(" (%.1f ms)", took)
		}
		said, reasons = append(said, line), append(reasons, fmt.Errorf("%s: %w", check.name, err))
	}
	if len(reasons) == 0 {
		return well, nil
	}
	for _, check := range well {
		if verbose {
			said = append(said, fmt.Sprintf("%s: ok (%.1f ms)", check.Name, check.MS))
		}
	}
	return nil, &gate.Unready{Said: strings.Join(said, "; "), Reason: errors.Join(reasons...)}
}

// unready says what is not well, in words that everybody may read.
type unready string

func (u unready) Error() string { return string(u) }

// public says why a check failed, without the names of hosts and users that an error of the database may have.
func public(err error) string {
	var own unready
	switch {
	case errors.As(err, &own):
		return string(own)
	case errors.Is(err, gate.ErrStopping):
		return err.Error()
	case database.Away(err), errors.Is(err, context.DeadlineExceeded):
		return database.AwayBecause(err)
	}
	return "it fails, and the server's log says why"
}

func (s *Server) checkServing(context.Context) error {
	if s.draining.Load() {
		return gate.ErrStopping
	}
	return nil
}

func (s *Server) checkDisk(ctx context.Context) error {
	if err := s.Store.Room(ctx); err != nil {
		return unready(err.Error())
	}
	return nil
}

func (s *Server) checkMigrations(ctx context.Context) error {
	if s.migrated.Load() {
		return nil // the schema only moves forward
	}
	steps, err := s.Store.MigrationStatus(ctx)
	for _, m := range steps {
		if m.Pending {
			return unready(m.Name + " is pending: run molerun migrate")
		}
	}
	s.migrated.Store(err == nil)
	return err
}

func (s *Server) getVersion(context.Context, op.None) (wire.Version, error) {
	return wire.Version{Version: s.Version, Go: runtime.Version()}, nil
}

func (s *Server) listJobs(ctx context.Context, in wire.JobsQuery, p httpx.PageQuery) ([]wire.Job, string, error) {
	rows, next, err := s.Store.Jobs(ctx, in.State, pageOf(p, store.Newest))
	return each(rows, func(j queue.Job) wire.Job { return wire.Job(j) }), next, err
}

func (s *Server) listConduct(ctx context.Context, in wire.ConductQuery) (wire.ConductRows, error) {
	since := s.Now().Add(-time.Duration(in.Hours) * time.Hour)
	rows, err := s.Store.Conduct(ctx, since, in.Limit)
	return wire.ConductRows{Since: since, Data: rows}, err
}

// NewHTTPServer returns a server with every timeout set; the caller starts and stops it.
func NewHTTPServer(addr string, handler http.Handler) *http.Server {
	return &http.Server{
		Addr:              addr,
		Handler:           handler,
		ReadHeaderTimeout: 5 * time.Second,
		ReadTimeout:       15 * time.Second,
		WriteTimeout:      30 * time.Second,
		IdleTimeout:       time.Minute,
		MaxHeaderBytes:    16 << 10,
	}
}

// MetricsHandler serves /metrics for a listener of its own, which the public must not reach.
func MetricsHandler(g prometheus.Gatherer) http.Handler {
	mux := http.NewServeMux()
	mux.Handle("GET /metrics", promhttp.HandlerFor(g, promhttp.HandlerOpts{}))
	return mux
}

func (s *Server) getDocument(c *gin.Context, _ op.None) error {
	return httpx.SendBytes(c, http.StatusOK, httpx.JSONType, s.Files.document)
}
