package database

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/pressly/goose/v3"

	"github.com/molerun/molerun/migrations"
)

// migrateLock is the number of the advisory lock that lets one process migrate at a time.
const migrateLock = 7_209_130_001

// migrateAgain is between two looks whether another process still migrates.
const migrateAgain = 50 * time.Millisecond

// On Postgres a migration that waits for a long reader of a table, as a backup, blocks every later request for that table. So a migration gives up after
// the time in waitForLock, with nothing changed, lets the others go first, and tries again.
const (
	waitForLock      = "SET LOCAL lock_timeout = '2s';\n"
	migratePause     = 2 * time.Second
	lockNotAvailable = "55P03" // what Postgres says then
)

// brief are the migrations for Postgres: each begins with waitForLock, in its own transaction, which a pooler leaves alone.
type brief struct{ embed.FS }

// Open makes an [fs.FS].
func (b brief) Open(name string) (fs.File, error) {
	f, err := b.FS.Open(name)
	if err != nil || !strings.HasSuffix(name, ".sql") {
		return f, err
	}
	text, err := io.ReadAll(f)
	return briefFile{f, strings.NewReader(strings.Replace(string(text), upMark, upMark+waitForLock, 1))}, err
}

const upMark = "-- +goose Up\n"

type briefFile struct {
	fs.File
	text io.Reader
}

// Read makes an [fs.File].
func (f briefFile) Read(b []byte) (int, error) { return f.text.Read(b) }

func lockRefused(err error) bool {
	var said *pgconn.PgError
	return errors.As(err, &said) && said.Code == lockNotAvailable
}

// Migrate brings our tables to the newest version, and then those that and is for. Processes that start together take turns.
func (db *DB) Migrate(ctx context.Context, and func(context.Context) error) error {
	if db.main == nil {
		return db.migrate(ctx, and)
	}
	lock, err := db.lockMigrations(ctx)
	if err != nil {
		return fmt.Errorf("migrate: wait for other processes: %w", err)
	}
	defer func() { _ = lock.Rollback(context.WithoutCancel(ctx)) }() // it has changed nothing
	return db.migrate(ctx, and)
}

// lockMigrations waits until no other process migrates. The lock is a transaction's: a pooler would give a session that has one to others.
// A process that waits holds no connection, for a pooler may have few.
func (db *DB) lockMigrations(ctx context.Context) (pgx.Tx, error) {
	for {
		tx, err := db.listening().Begin(ctx)
		if err != nil {
			return nil, err
		}
		var ours bool
		if _, err = tx.Exec(ctx, "SET LOCAL idle_in_transaction_session_timeout = 0"); err == nil {
			err = tx.QueryRow(ctx, "SELECT pg_try_advisory_xact_lock($1)", migrateLock).Scan(&ours)
		}
		if ours && err == nil {
			return tx, nil
		}
		if err := errors.Join(err, tx.Rollback(ctx)); err != nil {
			return nil, err
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(migrateAgain):
		}
	}
}

// Migrating reports whether a process migrates now. Of SQLite nobody knows: false.
func (db *DB) Migrating(ctx context.Context) (bool, error) {
	if db.main == nil {
		return false, nil
	}
	var free bool // the lock is given back with the statement
	err := db.listening().QueryRow(ctx, "SELECT pg_try_advisory_xact_lock($1)", migrateLock).Scan(&free)
	return !free, err
}

func (db *DB) migrate(ctx context.Context, and func(context.Context) error) error {
	p, err := db.goose()
	if err != nil {
		return err
	}
	for _, err = p.Up(ctx); lockRefused(err); _, err = p.Up(ctx) {
		db.opts.Logger.Info("others were in the way; trying again", "code", lockNotAvailable, "wait", migratePause.String(), "error", err)
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(migratePause):
		}
	}
	if err != nil {
		return fmt.Errorf("migrate: %w", err)
	}
	if db.main != nil {
		for _, sql := range []string{roomForEndings, namesByParts} {
			if _, err := db.main.Exec(ctx, sql); err != nil {
				return fmt.Errorf("migrate: what only Postgres has: %w", err)
			}
		}
	}
	return and(ctx)
}

// roomForEndings leaves room on the pages of seats, which only Postgres has a word for: each seat is written again when its match ends, and a
// row that stays on its page needs no new entry in the indexes. It holds for new pages; where it is set already, no lock is asked for.
const roomForEndings = `DO $$ BEGIN
	IF NOT EXISTS (SELECT FROM pg_class WHERE oid = to_regclass('match_seats') AND reloptions @> ARRAY['fillfactor=60']) THEN
		ALTER TABLE match_seats SET (fillfactor = 60);
	END IF;
END $$`

// namesByParts is an index of the parts of bots' names, of three letters each, which only Postgres has. Where the extension is not installed,
// or may not be made by us, searches read all names; the next Migrate tries again. An entry is found at once, not when somebody vacuums.
const namesByParts = `DO $$ BEGIN
	IF to_regclass('bots_by_parts_of_names') IS NULL THEN
		CREATE EXTENSION IF NOT EXISTS pg_trgm;
		CREATE INDEX bots_by_parts_of_names ON bots USING gin (name_folded gin_trgm_ops) WITH (fastupdate = off);
	END IF;
EXCEPTION WHEN insufficient_privilege OR undefined_file OR feature_not_supported OR undefined_object THEN
	RAISE NOTICE 'no index of the parts of names: %', SQLERRM;
END $$`

// FindsParts reports whether a search by a part of a name has an index of those; on SQLite, which has none for it, that is no fault: true.
func (db *DB) FindsParts(ctx context.Context) (bool, error) {
	if db.main == nil {
		return true, nil
	}
	var there bool
	err := db.SQL(ctx).Raw("SELECT to_regclass('bots_by_parts_of_names') IS NOT NULL").Scan(&there).Error
	return there, err
}

// Schema returns the number of the last migration that was carried out.
func (db *DB) Schema(ctx context.Context) (int64, error) {
	p, err := db.goose()
	if err != nil {
		return 0, err
	}
	return p.GetDBVersion(ctx)
}

// Migration is one step of the schema.
type Migration struct {
	Name    string     // file name, or "queue" and a number for the queue's own
	Pending bool       // not in this database yet: run `molerun migrate`
	Newer   bool       // not in this program, which is of an earlier release than the database
	Applied *time.Time // when, where it is known
}

// MigrationStatus lists our own migrations, in order.
func (db *DB) MigrationStatus(ctx context.Context) ([]Migration, error) {
	p, err := db.goose()
	if err != nil {
		return nil, err
	}
	var out []Migration
	begun, err := db.begunMigrating(ctx)
	if err != nil {
		return nil, err
	}
	if !begun {
		for _, m := range p.ListSources() {
			out = append(out, Migration{Name: m.Path, Pending: true})
		}
		return out, nil
	}
	status, err := p.Status(ctx)
	if err != nil {
		return nil, err
	}
	for _, m := range status {
		one := Migration{Name: m.Source.Path, Pending: m.State == goose.StatePending}
		if !one.Pending {
			one.Applied = UTCPtr(&m.AppliedAt)
		}
		out = append(out, one)
	}
	current, known, err := p.GetVersions(ctx)
	if current > known {
		out = append(out, Migration{Name: fmt.Sprintf("%05d", current), Newer: true})
	}
	return out, err
}

// begunMigrating reports whether goose's table is there: goose would make it, in a database that may be somebody else's.
func (db *DB) begunMigrating(ctx context.Context) (bool, error) {
	ask := "SELECT COUNT(*) > 0 FROM sqlite_master WHERE type = 'table' AND name = ?"
	if db.main != nil {
		ask = "SELECT to_regclass(?) IS NOT NULL"
	}
	var there bool
	err := db.SQL(ctx).Raw(ask, goose.DefaultTablename).Scan(&there).Error
	return there, err
}

func (db *DB) goose() (*goose.Provider, error) {
	dialect, files := goose.DialectSQLite3, fs.FS(migrations.Files)
	if db.main != nil {
		dialect, files = goose.DialectPostgres, brief{migrations.Files}
	}
	// A migration may have come to main after one of a higher number. Migrations only add, so what is missing can be made up.
	return goose.NewProvider(dialect, db.sql, files, goose.WithDisableGlobalRegistry(true), goose.WithAllowOutofOrder(true))
}
