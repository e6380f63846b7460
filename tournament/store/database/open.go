package database

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/url"
	"strings"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/jackc/pgx/v5/stdlib"
	"github.com/libtnb/sqlite"
	"gorm.io/driver/postgres"
	"gorm.io/gorm"
	gormlog "gorm.io/gorm/logger"
	"gorm.io/gorm/schema"

	"github.com/molerun/molerun/tournament/notify"
)

// Options are the parts of a database that its owner decides.
type Options struct {
	Now      func() time.Time // the wall clock: what is stored is UTC, truncated to microseconds
	Rand     io.Reader        // crypto/rand.Reader, but for tests: ids
	Program  string           // name and version, for the header of records: "molerun 0.1.0"
	Public   string           // where people reach the platform, as in https://molerun.example.org, for links in messages; "": no links
	Direct   string           // URL of the same Postgres past a pooler, for what needs a session; "" is the one that is opened
	MaxConns int              // most connections to Postgres; 0 is what the URL says
	FastSync bool             // SQLite synchronous=NORMAL: a power cut may lose the last commits
	Unasked  bool             // Open does not ask Postgres whether it answers: Ping does, later
	Logger   *slog.Logger     // of the queue; nil is silent
	Query    func(sql string) // gets each statement of ours after it was carried out; nil: nobody does
	// CheckLocks has a transaction fail that locks rows out of the one order ([Tx.Locked]). Tests set it: elsewhere such a transaction
	// may have to be tried again, which is better than a failure.
	CheckLocks bool
	// Commit is for tests: it is asked before each commit of [DB.InTx], with the number of the try, and its error takes the commit's place.
	Commit func(try int) error
	// KeepEvents is how long events, and deliveries that are not pending, are kept; 0 is permanently.
	KeepEvents time.Duration
}

// DB is a database, and the hooks of what is written through it. It is safe for concurrent use.
type DB struct {
	*shared
	hooks hooks // none, but for one that a request has for itself
}

// shared is what all DBs over one database have in common.
type shared struct {
	opts    Options
	gorm    *gorm.DB
	sql     *sql.DB
	readers *sql.DB // of SQLite: what reads outside transactions
	ids     ids
	bus     *notify.Bus
	main    *line                   // to Postgres; nil on SQLite
	direct  *line                   // to the same past a pooler; nil if main is all there is
	file    string                  // of SQLite
	refused atomic.Pointer[refusal] // the last write that the database could not carry out; nil: none
	over    atomic.Int64            // transactions of this process, steps of matches left out
}

// Open connects to "postgres://…" (or "postgresql://…"), "sqlite:PATH" or a plain file path. It changes nothing in the
// database; [DB.Migrate] does.
func Open(ctx context.Context, url string, o Options) (*DB, error) {
	if o.Now == nil || o.Rand == nil {
		return nil, errors.New("database: Options needs Now and Rand")
	}
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	registerSerializers()
	db := &DB{shared: &shared{opts: o, ids: ids{now: o.Now, rand: o.Rand}}}
	open, kind := db.openSQLite, "sqlite"
	if strings.HasPrefix(url, "postgres://") || strings.HasPrefix(url, "postgresql://") {
		open, kind = db.openPostgres, "postgres"
	}
	if err := open(ctx, url); err != nil {
		return nil, fmt.Errorf("open %s database: %w", kind, errors.Join(err, db.Close()))
	}
	return db, nil
}

func (db *DB) gormConfig() *gorm.Config {
	log := gormlog.Discard
	if db.opts.Query != nil {
		log = statements{Interface: log, tell: db.opts.Query}
	}
	return &gorm.Config{
		TranslateError:       true,
		NowFunc:              db.Now,
		Logger:               log,
		DisableAutomaticPing: true,
		// Every write of more than one statement runs in InTx; gorm's own transactions inside it would be a second door.
		SkipDefaultTransaction: true,
		// Columns by name: a statement that Postgres keeps must give the same columns when a migration adds one.
		QueryFields: true,
		// A table is called as the type of its rows, which may end in Row: a cardRow is one of the cards.
		NamingStrategy: schema.NamingStrategy{NameReplacer: strings.NewReplacer("Row", "")},
	}
}

// directConns are for migrations and the queue to take turns on; a listener has a connection outside the pool.
const directConns = 2

func (db *DB) openPostgres(ctx context.Context, dsn string) error {
	var err error
	if db.main, err = openLine(ctx, "the URL", dsn, db.opts.MaxConns, db.heed); err != nil {
		return err
	}
	if db.opts.Direct != "" {
		if db.direct, err = openLine(ctx, "the direct URL", db.opts.Direct, directConns, db.heed); err != nil {
			return err
		}
	}
	db.bus = notify.New(db.main.Pool, db.listening().session, db.opts.Logger)
	db.sql = stdlib.OpenDBFromPool(db.main.Pool) // gorm and the queue share one pool
	if db.gorm, err = gorm.Open(dialector{postgres.New(postgres.Config{Conn: db.sql})}, db.gormConfig()); err != nil {
		return err
	}
	if db.opts.Unasked {
		return nil
	}
	return db.Ping(ctx)
}

func (db *DB) openSQLite(ctx context.Context, dsn string) error {
	path := strings.TrimPrefix(dsn, "sqlite:")
	if path == "" || strings.Contains(path, "?") {
		return fmt.Errorf("%q is no file path", path)
	}
	db.file = path
	sync := "FULL"
	if db.opts.FastSync {
		sync = "NORMAL"
	}
	pragmas := []string{"busy_timeout(10000)", "journal_mode(WAL)", "synchronous(" + sync + ")", "foreign_keys(1)", "cache_size(-16384)"} // KiB
	q := url.Values{"_txlock": {"immediate"}, "_time_format": {"sqlite"}, "_timezone": {"UTC"}, "_pragma": pragmas}
	db.bus = notify.New(nil, nil, db.opts.Logger)
	var err error
	if db.sql, err = openPrepared(path+"?"+q.Encode(), db.heedFile); err != nil {
		return err
	}
	db.sql.SetMaxOpenConns(1) // the queue's rule; inside InTx only the transaction's handle may be used
	if db.gorm, err = gorm.Open(dialector{sqlite.New(sqlite.Config{Conn: db.sql})}, db.gormConfig()); err != nil {
		return err
	}
	q["_pragma"] = append(pragmas, "query_only(1)")
	if db.readers, err = openPrepared(path+"?"+q.Encode(), db.heedFile); err != nil {
		return err
	}
	db.readers.SetMaxOpenConns(sqliteReaders)
	db.readers.SetMaxIdleConns(sqliteReaders)
	db.gorm.Statement.ConnPool = split{db.sql, db.readers}
	return db.Ping(ctx)
}

// Ping reports whether the database answers.
func (db *DB) Ping(ctx context.Context) error { return ended(ctx, db.sql.PingContext(ctx)) }

// Close ends all connections.
func (db *DB) Close() error {
	if db.bus != nil {
		db.bus.Close()
	}
	var err error
	if db.readers != nil {
		err = db.readers.Close()
	}
	if db.sql != nil {
		err = errors.Join(err, db.sql.Close()) // last: it tidies the files up
	}
	for _, l := range []*line{db.main, db.direct} {
		if l != nil {
			l.Close()
		}
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
func (db *DB) Connections() Connections {
	if db.main != nil {
		p := db.main.Stat()
		return Connections{
			Max:    int(p.MaxConns()),
			Open:   int(p.TotalConns()),
			InUse:  int(p.AcquiredConns()),
			Waits:  p.EmptyAcquireCount(),
			Waited: p.EmptyAcquireWaitTime(),
		}
	}
	p := db.sql.Stats()
	return Connections{Max: p.MaxOpenConnections, Open: p.OpenConnections, InUse: p.InUse, Waits: p.WaitCount, Waited: p.WaitDuration}
}

// ServerConnections are those of all who use a Postgres.
type ServerConnections struct {
	Allowed int // at once, to us
	InUse   int // by anybody
}

// ServerConnections asks Postgres for its connections. On SQLite there are none: both are 0.
func (db *DB) ServerConnections(ctx context.Context) (ServerConnections, error) {
	var c ServerConnections
	if db.main == nil {
		return c, nil
	}
	err := db.main.QueryRow(ctx, `SELECT LEAST(current_setting('max_connections')::INTEGER - current_setting('superuser_reserved_connections')::INTEGER,
		(SELECT NULLIF(datconnlimit, -1) FROM pg_database WHERE datname = current_database()),
		(SELECT NULLIF(rolconnlimit, -1) FROM pg_roles WHERE rolname = current_user)),
		(SELECT COUNT(*) FROM pg_stat_activity WHERE backend_type = 'client backend')`).Scan(&c.Allowed, &c.InUse)
	return c, err
}

// Options returns what the database was opened with.
func (db *DB) Options() Options { return db.opts }

// Bus returns the bus that publishes what changes in the database.
func (db *DB) Bus() *notify.Bus { return db.bus }

// Changes returns another number after each transaction of this process that is over, and after each public event of another that
// was heard of. Steps of matches do not count.
func (db *DB) Changes() int64 { return db.over.Load() + db.bus.News() }

// Pool returns the connections to Postgres; nil on SQLite.
func (db *DB) Pool() *pgxpool.Pool {
	if db.main == nil {
		return nil
	}
	return db.main.Pool
}

// Raw returns the database below gorm; on SQLite its one connection that writes.
func (db *DB) Raw() *sql.DB { return db.sql }

// SQL returns where statements outside transactions go. It is for the rooms of the store alone.
func (db *DB) SQL(ctx context.Context) *gorm.DB { return db.gorm.WithContext(ctx) }

// Planned is [DB.SQL] for what has its best plan by its values, as a search by letters has: Postgres plans it each time. For a statement
// that comes again and again it would keep one plan for all values.
func (db *DB) Planned(ctx context.Context) *gorm.DB {
	s := db.SQL(ctx)
	if db.main != nil {
		s.Statement.ConnPool = planned{s.Statement.ConnPool}
	}
	return s
}

// planned are connections to Postgres that keep no plan of what gorm finds and scans, all of which it asks by QueryContext.
type planned struct{ gorm.ConnPool }

func (p planned) QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error) {
	return p.ConnPool.QueryContext(ctx, query, append([]any{pgx.QueryExecModeCacheDescribe}, args...)...)
}
