package api

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"runtime"

	"github.com/gin-gonic/gin"

	"github.com/molerun/molerun/api/httpx"
	"github.com/molerun/molerun/api/wire"
)

// @Summary	Is the process alive
// @Description	Looks at nothing but the process itself.
// @Tags		operation
// @Success	200	{object}	wire.Health
// @Router		/livez [get]
func (s *Server) livez(c *gin.Context) error {
	return httpx.Send(c, http.StatusOK, wire.Health{Status: "ok"})
}

// @Summary	Can requests be served
// @Description	503 while the database does not answer, while migrations are pending, and once the server has begun to stop. With verbose each check is told.
// @Tags		operation
// @Param		verbose	query	string	false	"tell each check; takes no value"
// @Success	200	{object}	wire.Health
// @Failure	400	{object}	wire.Problem
// @Failure	503	{object}	wire.Problem
// @Router		/readyz [get]
func (s *Server) readyz(c *gin.Context) error {
	word, verbose := c.GetQuery("verbose")
	if word != "" {
		return httpx.BadQuery("verbose", "takes no value")
	}
	checks, err := s.ready(c.Request.Context())
	if err != nil {
		return err
	}
	if !verbose {
		checks = nil
	}
	return httpx.Send(c, http.StatusOK, wire.Health{Status: "ok", Checks: checks})
}

// unready says what is not well. The reason is for the log: it may name hosts.
type unready struct {
	check  string
	reason error
}

func (u *unready) Error() string   { return u.check + ": " + u.reason.Error() }
func (u *unready) Unwrap() []error { return []error{httpx.ErrNotReady, u.reason} }

// ready looks at all that a request needs, in order, until something is not well.
func (s *Server) ready(ctx context.Context) (well []wire.ReadyCheck, err error) {
	for _, check := range []struct {
		name string
		look func(context.Context) error
	}{
		{"serving", s.checkServing}, {"database", s.store.Ping}, {"migrations", s.checkMigrations},
	} {
		began := s.now()
		if err := check.look(ctx); err != nil {
			return nil, &unready{check.name, err}
		}
		well = append(well, wire.ReadyCheck{Name: check.name, MS: float64(s.now().Sub(began).Microseconds()) / 1000})
	}
	return well, nil
}

func (s *Server) checkServing(context.Context) error {
	if s.draining.Load() {
		return errors.New("the server is stopping")
	}
	return nil
}

func (s *Server) checkMigrations(ctx context.Context) error {
	if s.migrated.Load() {
		return nil // the schema only moves forward
	}
	steps, err := s.store.MigrationStatus(ctx)
	for _, m := range steps {
		if m.Pending {
			return fmt.Errorf("%s is pending: run molerun migrate", m.Name)
		}
	}
	s.migrated.Store(err == nil)
	return err
}

// @Summary	What runs here
// @Tags		operation
// @Success	200	{object}	wire.Version
// @Router		/version [get]
func (s *Server) getVersion(c *gin.Context) error {
	if _, err := httpx.Query(c); err != nil {
		return err
	}
	return httpx.Send(c, http.StatusOK, wire.Version{Version: s.version, Go: runtime.Version()})
}
