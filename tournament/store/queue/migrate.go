package queue

import (
	"context"
	"fmt"

	"github.com/riverqueue/river/riverdriver"
	"github.com/riverqueue/river/riverdriver/riverpgxv5"
	"github.com/riverqueue/river/riverdriver/riversqlite"
	"github.com/riverqueue/river/rivermigrate"

	"github.com/molerun/molerun/tournament/store/database"
)

// Migrate brings the queue's tables to the newest version.
func (q *Queue) Migrate(ctx context.Context) error {
	var err error
	if pool := q.db.Pool(); pool != nil {
		err = migrate(ctx, riverpgxv5.New(pool))
	} else {
		err = migrate(ctx, riversqlite.New(q.db.Raw()))
	}
	if err != nil {
		return fmt.Errorf("migrate the queue: %w", err)
	}
	return nil
}

// MigrationStatus lists the queue's migrations, in order.
func (q *Queue) MigrationStatus(ctx context.Context) ([]database.Migration, error) {
	if pool := q.db.Pool(); pool != nil {
		return status(ctx, riverpgxv5.New(pool))
	}
	return status(ctx, riversqlite.New(q.db.Raw()))
}

func migrate[T any](ctx context.Context, driver riverdriver.Driver[T]) error {
	m, err := rivermigrate.New(driver, nil)
	if err != nil {
		return err
	}
	_, err = m.Migrate(ctx, rivermigrate.DirectionUp, nil)
	return err
}

func status[T any](ctx context.Context, driver riverdriver.Driver[T]) ([]database.Migration, error) {
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
	var out []database.Migration
	for _, v := range m.AllVersions() {
		out = append(out, database.Migration{Name: fmt.Sprintf("queue %d %s", v.Version, v.Name), Pending: !there[v.Version]})
	}
	return out, nil
}
