package store

import (
	"context"
	"io"
	"log/slog"
	"time"

	"github.com/molerun/molerun/engines/game"
)

// Options are the parts of a store that its owner decides.
type Options struct {
	Now      func() time.Time                  // the wall clock: what is stored is UTC, truncated to microseconds
	Rand     io.Reader                         // crypto/rand.Reader, but for tests: seeds, nonces, aliases, ids
	Games    func(id string) (game.Info, bool) // the games this program plays
	Program  string                            // name and version, for the header of records: "molerun 0.1.0"
	MaxConns int                               // most connections to Postgres; 0 is what the URL says
	FastSync bool                              // SQLite synchronous=NORMAL: a power cut may lose the last commits
	Logger   *slog.Logger                      // nil is silent
}

// Store is the database. It is safe for concurrent use.
type Store struct {
	opts Options
}

// Open connects to "postgres://…" (or "postgresql://…"), "sqlite:PATH" or a plain file path. It changes nothing in the
// database; [Store.Migrate] does.
func Open(ctx context.Context, url string, o Options) (*Store, error) { panic("store") }

// Migrate brings the tables, ours and the queue's, to the newest version.
func (s *Store) Migrate(ctx context.Context) error { panic("store") }

// Migration is one step of the schema.
type Migration struct {
	Name    string     // file name, or "river" and a number for the queue's own
	Applied *time.Time // nil: pending; of the queue's own the zero time
}

// MigrationStatus lists all migrations, in order.
func (s *Store) MigrationStatus(ctx context.Context) ([]Migration, error) { panic("store") }

// Ping tells whether the database answers.
func (s *Store) Ping(ctx context.Context) error { panic("store") }

// Close ends all connections.
func (s *Store) Close() error { panic("store") }
