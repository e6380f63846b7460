package store

import (
	"context"
	"fmt"
	"time"

	"github.com/pressly/goose/v3"
	"github.com/pressly/goose/v3/lock"
	"github.com/riverqueue/river/riverdriver"
	"github.com/riverqueue/river/riverdriver/riverpgxv5"
	"github.com/riverqueue/river/riverdriver/riversqlite"
	"github.com/riverqueue/river/rivermigrate"

	"github.com/molerun/molerun/migrations"
)

// Migrate brings the tables, ours and the queue's, to the newest version.
func (s *Store) Migrate(ctx context.Context) error {
	p, err := s.goose()
	if err != nil {
		return err
	}
	if _, err := p.Up(ctx); err != nil {
		return fmt.Errorf("migrate: %w", err)
	}
	if s.pool != nil {
		err = migrateQueue(ctx, riverpgxv5.New(s.pool))
	} else {
		err = migrateQueue(ctx, riversqlite.New(s.sql))
	}
	if err != nil {
		return fmt.Errorf("migrate the queue: %w", err)
	}
	return nil
}

// Migration is one step of the schema.
type Migration struct {
	Name    string     // file name, or "queue" and a number for the queue's own
	Pending bool       // not in this database yet: run `molerun migrate`
	Applied *time.Time // when, where it is known
}

// MigrationStatus lists all migrations, in order, ours first.
func (s *Store) MigrationStatus(ctx context.Context) ([]Migration, error) {
	p, err := s.goose()
	if err != nil {
		return nil, err
	}
	status, err := p.Status(ctx)
	if err != nil {
		return nil, err
	}
	var out []Migration
	for _, m := range status {
		one := Migration{Name: m.Source.Path, Pending: m.State == goose.StatePending}
		if !one.Pending {
			one.Applied = utcPtr(&m.AppliedAt)
		}
		out = append(out, one)
	}
	var queue []Migration
	if s.pool != nil {
		queue, err = queueStatus(ctx, riverpgxv5.New(s.pool))
	} else {
		queue, err = queueStatus(ctx, riversqlite.New(s.sql))
	}
	return append(out, queue...), err
}

func (s *Store) goose() (*goose.Provider, error) {
	if s.pool == nil {
		return goose.NewProvider(goose.DialectSQLite3, s.sql, migrations.Files, goose.WithDisableGlobalRegistry(true))
	}
	locker, err := lock.NewPostgresSessionLocker() // two processes may start at once
	if err != nil {
		return nil, err
	}
	return goose.NewProvider(goose.DialectPostgres, s.sql, migrations.Files, goose.WithDisableGlobalRegistry(true), goose.WithSessionLocker(locker))
}

func migrateQueue[T any](ctx context.Context, driver riverdriver.Driver[T]) error {
	m, err := rivermigrate.New(driver, nil)
	if err != nil {
		return err
	}
	_, err = m.Migrate(ctx, rivermigrate.DirectionUp, nil)
	return err
}

func queueStatus[T any](ctx context.Context, driver riverdriver.Driver[T]) ([]Migration, error) {
	m, err := rivermigrate.New(driver, nil)
	if err != nil {
		return nil, err
	}
	existing, err := m.ExistingVersions(ctx)
	if err != nil {
		return nil, err
	}
	there := make(map[int]bool)
	for _, v := range existing {
		there[v.Version] = true
	}
	var out []Migration
	for _, v := range m.AllVersions() {
		out = append(out, Migration{Name: fmt.Sprintf("queue %d %s", v.Version, v.Name), Pending: !there[v.Version]})
	}
	return out, nil
}
