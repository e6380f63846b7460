package storetest

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"github.com/molerun/molerun/internal/must"
	"github.com/molerun/molerun/migrations"
	"github.com/molerun/molerun/tournament/store"
	"github.com/molerun/molerun/tournament/store/database"
)

// envPostgres names a variable with the admin URL of a Postgres server that belongs to the tests. Without it a server is
// started: by [Main] one for all tests of the package, else by [Each] one for each test.
const envPostgres = "MOLERUN_TEST_POSTGRES"

// prefix begins the name of every database that tests make; nothing else is ever dropped.
const prefix = "molerun_test_"

// Open opens another store on the test's own, migrated database. Zero options get defaults: the real clock, real
// randomness, 8 connections. The store is closed when the test ends.
type Open func(o store.Options) *store.Store

// Each runs f as a subtest on SQLite and as one on Postgres, side by side, each with a database of its own. It returns before
// they begin: they begin when the test's function has returned.
func Each(t *testing.T, f func(t *testing.T, open Open)) {
	t.Helper()
	t.Run("sqlite", func(t *testing.T) { t.Parallel(); SQLite(t, f) })
	t.Run("postgres", func(t *testing.T) { t.Parallel(); Postgres(t, f) })
}

// One runs f as a subtest on SQLite, and at night (MOLERUN_NIGHTLY) as one on Postgres too. It is for rules that need a platform
// and no database of their own: tests of the store, and those of the director and the jobs that run on [Each], hold both databases
// to the same answers.
func One(t *testing.T, f func(t *testing.T, open Open)) {
	t.Helper()
	if os.Getenv("MOLERUN_NIGHTLY") != "" {
		Each(t, f)
		return
	}
	t.Run("sqlite", func(t *testing.T) { t.Parallel(); SQLite(t, f) })
}

// SQLite runs f on SQLite alone, for what the database has no part in. It rolls every transaction back once where that would be
// committed, as if others had been in the way, and tries it again: what a test sees must be the same.
func SQLite(t *testing.T, f func(t *testing.T, open Open)) {
	t.Helper()
	migrated, err := migratedSQLite()
	must.OK(t, err)
	file := sqliteFile(t)
	must.OK(t, os.WriteFile(file, migrated, 0o600))
	open := opener(t, file)
	f(t, func(o store.Options) *store.Store {
		t.Helper()
		if o.Commit == nil {
			o.Commit = Twice
		}
		return open(o)
	})
}

// sqliteFile names a database of this test, in memory where there is room for files: a disk would be waited for longer than most
// tests take.
func sqliteFile(t *testing.T) string {
	t.Helper()
	dir := must.Get(os.MkdirTemp(ram(), prefix))(t)
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	return filepath.Join(dir, "molerun.db")
}

// migratedSQLite is the file of an empty, migrated database, made once for the tests of a package: migrating costs more than
// most tests do.
var migratedSQLite = sync.OnceValues(func() ([]byte, error) {
	dir, err := os.MkdirTemp("", prefix)
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	file := filepath.Join(dir, "molerun.db")
	if err := migrate(context.Background(), file); err != nil {
		return nil, err
	}
	return os.ReadFile(file)
})

// migrate brings an empty database to the newest schema.
func migrate(ctx context.Context, dsn string) error {
	s, err := store.Open(ctx, dsn, defaults(store.Options{}))
	if err != nil {
		return err
	}
	return errors.Join(s.Migrate(ctx), s.Close())
}

// Bare is Each with empty databases: nothing is migrated.
func Bare(t *testing.T, f func(t *testing.T, open Open)) {
	t.Helper()
	t.Run("sqlite", func(t *testing.T) { f(t, opener(t, sqliteFile(t))) })
	t.Run("postgres", func(t *testing.T) { f(t, opener(t, freshPostgres(t, "template0"))) })
}

// Postgres runs f on Postgres alone, for laws that only many writers at once can break.
func Postgres(t *testing.T, f func(t *testing.T, open Open)) {
	t.Helper()
	f(t, opener(t, freshPostgres(t, template())))
}

// Main is a TestMain: it starts one Postgres server for all tests of the package, if none is given, and stops it. An error
// of after, which may be nil, fails the package.
func Main(m *testing.M, after func() error) {
	os.Exit(run(m, after))
}

func run(m *testing.M, after func() error) int {
	if os.Getenv(envPostgres) == "" {
		server, stop, err := startServer()
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
		defer stop()
		if err := os.Setenv(envPostgres, server); err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
	} else {
		defer func() { _ = drop(context.Background(), os.Getenv(envPostgres), template()) }()
	}
	code := m.Run()
	disconnect()
	if after != nil {
		if err := after(); err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
	}
	return code
}

func opener(t *testing.T, dsn string) Open {
	return func(o store.Options) *store.Store { t.Helper(); return OpenURL(t, dsn, o) }
}

// OpenURL is [Open] of the database at a URL.
func OpenURL(t *testing.T, dsn string, o store.Options) *store.Store {
	t.Helper()
	s, err := store.Open(t.Context(), dsn, defaults(o))
	must.OK(t, err)
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

func defaults(o store.Options) store.Options {
	if o.Now == nil {
		o.Now = time.Now //nolint:forbidigo // the default of a parameter
	}
	if o.Rand == nil {
		o.Rand = rand.Reader
	}
	if o.Program == "" {
		o.Program = "molerun test"
	}
	if o.MaxConns == 0 {
		o.MaxConns = 8
	}
	o.FastSync, o.CheckLocks = true, true
	return o
}

// Twice is a [store.Options].Commit that has every transaction run twice.
func Twice(try int) error {
	if try == 1 {
		return &pgconn.PgError{Code: database.SerializationFailure, Message: "planted: try again"}
	}
	return nil
}

// freshPostgres makes a database for this test, a copy of from, and drops it at its end.
func freshPostgres(t *testing.T, from string) string {
	t.Helper()
	server := os.Getenv(envPostgres)
	if server == "" {
		own, stop, err := startServer()
		must.OK(t, err)
		t.Cleanup(stop)
		server = own
	}
	var b [8]byte
	_, _ = rand.Read(b[:])
	name := fmt.Sprintf("%s%d_%s", prefix, os.Getpid(), hex.EncodeToString(b[:]))
	must.OK(t, asAdmin(t.Context(), server, "CREATE DATABASE "+name+" TEMPLATE "+from+" STRATEGY FILE_COPY"))
	t.Cleanup(func() {
		if err := drop(context.Background(), server, name); err != nil {
			t.Error(err)
		}
	})
	return withDatabase(server, name)
}

// template names the migrated database that this process copies.
func template() string {
	h := sha256.New()
	files, _ := fs.Glob(migrations.Files, "*.sql")
	for _, f := range files {
		b, _ := migrations.Files.ReadFile(f)
		h.Write(b)
	}
	return fmt.Sprintf("%stemplate_%d_%x", prefix, os.Getpid(), h.Sum(nil)[:4])
}

// admin holds this process's connection to the test server. One serves all tests: a new one costs the server a process, some 20 ms.
var admin struct {
	sync.Mutex
	conn     *pgx.Conn
	url      string // of the server; a test without [Main] has a server of its own
	template bool   // it has the migrated database
}

// asAdmin carries a statement out, when the migrated database is there.
func asAdmin(ctx context.Context, url, sql string) error {
	admin.Lock()
	defer admin.Unlock()
	if admin.conn == nil || admin.conn.IsClosed() || admin.url != url {
		c, err := pgx.Connect(ctx, url)
		if err != nil {
			return fmt.Errorf("connect to the test server: %w", err)
		}
		if admin.conn != nil {
			_ = admin.conn.Close(context.WithoutCancel(ctx)) // its server may be gone
		}
		admin.conn, admin.url, admin.template = c, url, false
	}
	if !admin.template {
		if err := ensureTemplate(ctx, url); err != nil {
			return err
		}
		admin.template = true
	}
	_, err := admin.conn.Exec(ctx, sql)
	return err
}

// disconnect ends the connection of [asAdmin]: after a slow write, as on a busy machine, it keeps a goroutine that reads.
func disconnect() {
	admin.Lock()
	defer admin.Unlock()
	if admin.conn != nil {
		_ = admin.conn.Close(context.Background())
		admin.conn = nil
	}
}

func ensureTemplate(ctx context.Context, url string) error {
	var there bool
	if err := admin.conn.QueryRow(ctx, "SELECT EXISTS (SELECT 1 FROM pg_database WHERE datname = $1)", template()).Scan(&there); err != nil || there {
		return err
	}
	if _, err := admin.conn.Exec(ctx, "CREATE DATABASE "+template()); err != nil {
		return err
	}
	return migrate(ctx, withDatabase(url, template()))
}

// drop drops a database after checking that it is the tests' own.
func drop(ctx context.Context, url, name string) error {
	if !strings.HasPrefix(name, prefix) {
		return fmt.Errorf("will not drop %q: its name does not begin with %s", name, prefix)
	}
	return asAdmin(ctx, url, "DROP DATABASE IF EXISTS "+pgx.Identifier{name}.Sanitize()+" WITH (FORCE)")
}

func withDatabase(server, name string) string {
	u, err := url.Parse(server)
	if err != nil {
		panic(envPostgres + " is no URL: " + err.Error())
	}
	u.Path = "/" + name
	return u.String()
}
