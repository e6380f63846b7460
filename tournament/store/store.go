package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/url"
	"regexp"
	"strings"
	"sync/atomic"
	"time"

	"github.com/glebarez/sqlite"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/jackc/pgx/v5/stdlib"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/riverdriver/riverpgxv5"
	"github.com/riverqueue/river/riverdriver/riversqlite"
	"gorm.io/driver/postgres"
	"gorm.io/gorm"
	gormlog "gorm.io/gorm/logger"

	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/notify"
)

// Options are the parts of a store that its owner decides.
type Options struct {
	Now      func() time.Time                    // the wall clock: what is stored is UTC, truncated to microseconds
	Rand     io.Reader                           // crypto/rand.Reader, but for tests: seeds, nonces, aliases, ids
	Engines  func(id string) (game.Engine, bool) // the games this program plays
	Program  string                              // name and version, for the header of records: "molerun 0.1.0"
	MaxConns int                                 // most connections to Postgres; 0 is what the URL says
	FastSync bool                                // SQLite synchronous=NORMAL: a power cut may lose the last commits
	Logger   *slog.Logger                        // of the queue; nil is silent
	Query    func(sql string)                    // told each statement of ours after it was carried out; nil: nobody
	Rounded  func(tournament.Format)             // told by the director of each round that is made and safe, for metrics; may be nil
	// KeepEvents is how long events, and deliveries that are not pending, are kept; 0 is for good.
	KeepEvents time.Duration
}

// Store is the database, and the conditions of what is written through it. It is safe for concurrent use.
type Store struct {
	*database
	conditions conditions // none, but for a store that a request has for itself
}

// database is what all stores over one database share.
type database struct {
	opts    Options
	db      *gorm.DB
	sql     *sql.DB
	readers *sql.DB // of SQLite: what reads outside transactions
	ids     ids
	tidied  atomic.Int64 // when old rows were deleted last, in microseconds
	bus     *notify.Bus
	// One of these pairs is set: which one is the database's kind.
	pool   *pgxpool.Pool
	jobsPG *river.Client[pgx.Tx]
	jobsLT *river.Client[*sql.Tx]
}

// Open connects to "postgres://…" (or "postgresql://…"), "sqlite:PATH" or a plain file path. It changes nothing in the
// database; [Store.Migrate] does.
func Open(ctx context.Context, url string, o Options) (*Store, error) {
	if o.Now == nil || o.Rand == nil || o.Engines == nil {
		return nil, errors.New("store: Options needs Now, Rand and Engines")
	}
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	s := &Store{database: &database{opts: o, ids: ids{now: o.Now, rand: o.Rand}}}
	open, kind := s.openSQLite, "sqlite"
	if strings.HasPrefix(url, "postgres://") || strings.HasPrefix(url, "postgresql://") {
		open, kind = s.openPostgres, "postgres"
	}
	if err := open(ctx, url); err != nil {
		return nil, fmt.Errorf("open %s database: %w", kind, errors.Join(err, s.Close()))
	}
	return s, nil
}

// teller tells statements, and nothing else that gorm would log.
type teller struct {
	gormlog.Interface
	tell func(sql string)
}

// Trace is what gorm calls after each statement.
func (t teller) Trace(_ context.Context, _ time.Time, f func() (string, int64), _ error) {
	sql, _ := f()
	t.tell(sql)
}

func (s *Store) gormConfig() *gorm.Config {
	log := gormlog.Discard
	if s.opts.Query != nil {
		log = teller{log, s.opts.Query}
	}
	return &gorm.Config{
		TranslateError: true, NowFunc: s.now, Logger: log, DisableAutomaticPing: true,
		// Every write of more than one statement runs in InTx; gorm's own transactions inside it would be a second door.
		SkipDefaultTransaction: true,
		// Columns by name: a statement that Postgres keeps must give the same columns when a migration adds one.
		QueryFields: true,
	}
}

func (s *Store) openPostgres(ctx context.Context, dsn string) error {
	c, err := pgxpool.ParseConfig(dsn)
	if err != nil {
		return errors.New("the URL is not postgres://user:password@host:port/database") // err would repeat the password
	}
	if s.opts.MaxConns > 0 {
		c.MaxConns = int32(min(s.opts.MaxConns, 1000)) //nolint:gosec // bounded
	}
	if s.pool, err = pgxpool.NewWithConfig(ctx, c); err != nil {
		return err
	}
	s.bus = notify.New(s.pool, s.opts.Logger)
	s.sql = stdlib.OpenDBFromPool(s.pool) // gorm and the queue share one pool
	if s.db, err = gorm.Open(postgres.New(postgres.Config{Conn: s.sql}), s.gormConfig()); err != nil {
		return err
	}
	if s.jobsPG, err = river.NewClient(riverpgxv5.New(s.pool), &river.Config{Logger: s.opts.Logger}); err != nil {
		return err
	}
	return s.Ping(ctx)
}

func (s *Store) openSQLite(ctx context.Context, dsn string) error {
	path := strings.TrimPrefix(dsn, "sqlite:")
	if path == "" || strings.Contains(path, "?") {
		return fmt.Errorf("%q is no file path", path)
	}
	sync := "FULL"
	if s.opts.FastSync {
		sync = "NORMAL"
	}
	pragmas := []string{"busy_timeout(10000)", "journal_mode(WAL)", "synchronous(" + sync + ")", "foreign_keys(1)", "cache_size(-16384)"} // KiB
	q := url.Values{"_txlock": {"immediate"}, "_time_format": {"sqlite"}, "_pragma": pragmas}
	s.bus = notify.New(nil, s.opts.Logger)
	var err error
	if s.db, err = gorm.Open(sqlite.Open(path+"?"+q.Encode()), s.gormConfig()); err != nil {
		return err
	}
	if s.sql, err = s.db.DB(); err != nil {
		return err
	}
	s.sql.SetMaxOpenConns(1) // the queue's rule; inside InTx only the transaction's handle may be used
	q["_pragma"] = append(pragmas, "query_only(1)")
	if s.readers, err = sql.Open(s.db.Name(), path+"?"+q.Encode()); err != nil {
		return err
	}
	s.readers.SetMaxOpenConns(sqliteReaders)
	s.readers.SetMaxIdleConns(sqliteReaders)
	s.db.Statement.ConnPool = split{s.sql, s.readers}
	if s.jobsLT, err = river.NewClient(riversqlite.New(s.sql), &river.Config{Logger: s.opts.Logger}); err != nil {
		return err
	}
	return s.Ping(ctx)
}

// sqliteReaders is how many connections read an SQLite database beside the one that writes.
const sqliteReaders = 4

// split is SQLite as gorm sees it outside transactions: who reads sees what is committed, and waits neither for who writes
// nor for the queue.
type split struct {
	*sql.DB
	readers *sql.DB
}

// of is where a statement belongs. The readers' connections refuse to change anything.
func (s split) of(query string) *sql.DB {
	switch word, _, _ := strings.Cut(strings.TrimSpace(query), " "); {
	case word == "SELECT", word == "WITH" && !changes.MatchString(query):
		return s.readers
	}
	return s.DB
}

// GetDBConn is what gorm gives to who asks for the database below it.
func (s split) GetDBConn() (*sql.DB, error) { return s.DB, nil }

var changes = regexp.MustCompile(`\b(INSERT|UPDATE|DELETE)\b`)

func (s split) QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error) {
	return s.of(query).QueryContext(ctx, query, args...)
}

func (s split) QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row {
	return s.of(query).QueryRowContext(ctx, query, args...)
}

// Ping reports whether the database answers.
func (s *Store) Ping(ctx context.Context) error { return s.sql.PingContext(ctx) }

// Close ends all connections.
func (s *Store) Close() error {
	if s.bus != nil {
		s.bus.Close()
	}
	var err error
	if s.readers != nil {
		err = s.readers.Close()
	}
	if s.sql != nil {
		err = errors.Join(err, s.sql.Close()) // last: it tidies the files up
	}
	if s.pool != nil {
		s.pool.Close()
	}
	return err
}

// Connections are those to the database, of this process.
type Connections struct {
	Max, Open, InUse int           // Max 0: no bound
	Waits            int64         // how often somebody had to wait for one, since the start
	Waited           time.Duration // for how long, all together
}

// Connections counts the connections to the database.
func (s *Store) Connections() Connections {
	if s.pool != nil {
		p := s.pool.Stat()
		return Connections{int(p.MaxConns()), int(p.TotalConns()), int(p.AcquiredConns()), p.EmptyAcquireCount(), p.EmptyAcquireWaitTime()}
	}
	p := s.sql.Stats()
	return Connections{p.MaxOpenConnections, p.OpenConnections, p.InUse, p.WaitCount, p.WaitDuration}
}

// Options are what the store was opened with.
func (s *Store) Options() Options { return s.opts }

// Bus tells who waits of what changes in the database.
func (s *Store) Bus() *notify.Bus { return s.bus }

// Now is the wall clock, in UTC and microseconds: what is read of it comes back as it was written.
func (s *Store) Now() time.Time { return s.now() }

// NewID is an id that no row has. Ids ascend with the time at which they were made.
func (s *Store) NewID() (string, error) { return s.ids.next() }

func (s *Store) now() time.Time { return utc(s.opts.Now()) }

func (s *Store) with(ctx context.Context) *gorm.DB { return s.db.WithContext(ctx) }

// nowMS is the database's own clock in milliseconds, as SQL: leases must not depend on a worker's clock. It moves within
// a transaction.
func (s *Store) nowMS() string {
	if s.pool != nil {
		return "CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000 AS BIGINT)"
	}
	return "CAST(unixepoch('subsec') * 1000 AS INTEGER)"
}
