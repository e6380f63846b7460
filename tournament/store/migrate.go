package store

import (
	"context"
	"fmt"
	"time"

	"github.com/pressly/goose/v3"
	"github.com/riverqueue/river/riverdriver"
	"github.com/riverqueue/river/riverdriver/riverpgxv5"
	"github.com/riverqueue/river/riverdriver/riversqlite"
	"github.com/riverqueue/river/rivermigrate"

	"github.com/molerun/molerun/migrations"
)

// migrateLock is the number of the advisory lock that lets one process migrate at a time.
const migrateLock = 7_209_130_001

// Migrate brings the tables, ours and the queue's, to the newest version. Processes that start together take turns.
func (s *Store) Migrate(ctx context.Context) error {
	if s.pool == nil {
		return s.migrate(ctx)
	}
	c, err := s.pool.Acquire(ctx)
	if err != nil {
		return err
	}
	defer c.Release()
	if _, err := c.Exec(ctx, "SELECT pg_advisory_lock($1)", migrateLock); err != nil {
		return fmt.Errorf("migrate: wait for other processes: %w", err)
	}
	defer func() { _, _ = c.Exec(context.WithoutCancel(ctx), "SELECT pg_advisory_unlock($1)", migrateLock) }()
	return s.migrate(ctx)
}

func (s *Store) migrate(ctx context.Context) error {
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
	Newer   bool       // not in this program, which is of an earlier release than the database
	Applied *time.Time // when, where it is known
}

// MigrationStatus lists all migrations, in order, ours first.
func (s *Store) MigrationStatus(ctx context.Context) ([]Migration, error) {
	p, err := s.goose()
	if err != nil {
		return nil, err
	}
	out, err := s.ownStatus(ctx, p)
	if err != nil {
		return nil, err
	}
	var queue []Migration
	if s.pool != nil {
		queue, err = queueStatus(ctx, riverpgxv5.New(s.pool))
	} else {
		queue, err = queueStatus(ctx, riversqlite.New(s.sql))
	}
	return append(out, queue...), err
}

func (s *Store) ownStatus(ctx context.Context, p *goose.Provider) (out []Migration, err error) {
	if !s.with(ctx).Migrator().HasTable(goose.DefaultTablename) { // goose would make it, in a database that may be somebody else's
		for _, m := range p.ListSources() {
			out = append(out, Migration{Name: m.Path, Pending: true})
		}
		return out, s.Ping(ctx) // there is no table either if nobody answers
	}
	status, err := p.Status(ctx)
	if err != nil {
		return nil, err
	}
	for _, m := range status {
		one := Migration{Name: m.Source.Path, Pending: m.State == goose.StatePending}
		if !one.Pending {
			one.Applied = utcPtr(&m.AppliedAt)
		}
		out = append(out, one)
	}
	current, known, err := p.GetVersions(ctx)
	if current > known {
		out = append(out, Migration{Name: fmt.Sprintf("%05d", current), Newer: true})
	}
	return out, err
}

func (s *Store) goose() (*goose.Provider, error) {
	dialect := goose.DialectSQLite3
	if s.pool != nil {
		dialect = goose.DialectPostgres
	}
	return goose.NewProvider(dialect, s.sql, migrations.Files, goose.WithDisableGlobalRegistry(true))
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
