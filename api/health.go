package api

import (
	"context"
	"fmt"
	"net/http"
	"runtime"

	"github.com/gin-gonic/gin"
)

// Health is the answer of a probe that is well.
type Health struct {
	Status string `json:"status" example:"ok"`
} // @name Health

// Version tells what runs.
type Version struct {
	Version string `json:"version" example:"0.1.0"`
	Go      string `json:"go" example:"go1.26.8"`
} // @name Version

// @Summary	Is the process alive
// @Description	Looks at nothing but the process itself.
// @Tags		operation
// @Success	200	{object}	Health
// @Router		/livez [get]
func (s *Server) livez(c *gin.Context) error { return s.send(c, http.StatusOK, Health{"ok"}) }

// @Summary	Can requests be served
// @Description	503 while the database does not answer, while migrations are pending, and once the server has begun to stop.
// @Tags		operation
// @Success	200	{object}	Health
// @Failure	503	{object}	Problem
// @Router		/readyz [get]
func (s *Server) readyz(c *gin.Context) error {
	if s.draining.Load() {
		return fmt.Errorf("%w: the server is stopping", errNotReady)
	}
	if err := s.store.Ping(c.Request.Context()); err != nil {
		return fmt.Errorf("%w: %w", errNotReady, err)
	}
	if !s.migrated.Load() {
		if err := s.checkMigrations(c.Request.Context()); err != nil {
			return fmt.Errorf("%w: %w", errNotReady, err)
		}
		s.migrated.Store(true) // the schema only moves forward
	}
	return s.send(c, http.StatusOK, Health{"ok"})
}

func (s *Server) checkMigrations(ctx context.Context) error {
	steps, err := s.store.MigrationStatus(ctx)
	for _, m := range steps {
		if m.Pending {
			return fmt.Errorf("migration %s is pending: run molerun migrate", m.Name)
		}
	}
	return err
}

// @Summary	What runs here
// @Tags		operation
// @Success	200	{object}	Version
// @Router		/version [get]
func (s *Server) getVersion(c *gin.Context) error {
	if _, err := query(c); err != nil {
		return err
	}
	return s.send(c, http.StatusOK, Version{s.version, runtime.Version()})
}
