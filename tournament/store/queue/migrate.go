package queue

import (
	"context"
	"fmt"
	"slices"

	"github.com/riverqueue/river/riverdriver/riverpgxv5"
	"github.com/riverqueue/river/riverdriver/riversqlite"
	"github.com/riverqueue/river/rivermigrate"

	"github.com/molerun/molerun/tournament/store/database"
)

// Migrate brings the queue's tables to the newest version.
func (q *Queue) Migrate(ctx context.Context) error {
	m, err := q.migrator()
	if err == nil {
		_, err = m.Migrate(ctx, rivermigrate.DirectionUp, nil)
	}
	if err != nil {
		return fmt.Errorf("migrate the queue: %w", err)
	}
	return nil
}

// MigrationStatus lists the queue's migrations, in order.
func (q *Queue) MigrationStatus(ctx context.Context) ([]database.Migration, error) {
	m, err := q.migrator()
	if err != nil {
		return nil, err
	}
	existing, err := m.ExistingVersions(ctx)
	if err != nil {
		return nil, err
	}
	return database.Map(m.AllVersions(), func(v rivermigrate.Migration) database.Migration {
		there := slices.ContainsFunc(existing, func(e rivermigrate.Migration) bool { return e.Version == v.Version })
		return database.Migration{Name: fmt.Sprintf("queue %d %s", v.Version, v.Name), Pending: !there}
	}), nil
}

// migrator is what River's migrator does on either database.
type migrator interface {
	AllVersions() []rivermigrate.Migration
	ExistingVersions(ctx context.Context) ([]rivermigrate.Migration, error)
	Migrate(ctx context.Context, to rivermigrate.Direction, o *rivermigrate.MigrateOpts) (*rivermigrate.MigrateResult, error)
}

func (q *Queue) migrator() (migrator, error) {
	if pool := q.db.Pool(); pool != nil {
		return rivermigrate.New(riverpgxv5.New(pool), nil)
	}
	return rivermigrate.New(riversqlite.New(q.db.Raw()), nil)
}
