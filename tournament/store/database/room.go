package database

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
	"modernc.org/sqlite"
)

const (
	// refusedFor is how long a database counts as one that cannot write after it refused to: it does not say when it can again.
	refusedFor = 30 * time.Second
	// leastRoom is what SQLite needs beside its file to go on writing, in bytes.
	leastRoom = 1 << 20
)

// What keeps a database that can read from writing.
var (
	errFull     = errors.New("the disk under the database is full")
	errReadOnly = errors.New("the database is read-only")
)

// refusal says when and why a database last did not write.
type refusal struct {
	at  time.Time
	why error // errFull or errReadOnly
}

// unwritable returns why a database refused a write that it takes at other times; nil after any other error.
func unwritable(err error) error {
	var pg *pgconn.PgError
	var lite *sqlite.Error
	switch {
	case errors.As(err, &pg) && pg.Code == diskFull, errors.As(err, &lite) && lite.Code()&0xff == sqliteFull:
		return errFull
	case errors.As(err, &pg) && pg.Code == readOnly, errors.As(err, &lite) && lite.Code()&0xff == sqliteReadOnly:
		return errReadOnly
	}
	return nil
}

// heed remembers that the database could not write, and returns err. Of a file of SQLite it says who may not write what.
func (s *shared) heed(err error) error {
	why := unwritable(err)
	if why == nil {
		return err
	}
	s.refused.Store(&refusal{s.opts.Now(), why})
	if why == errReadOnly && s.file != "" {
		return fmt.Errorf("%w: let this user write %s, what is beside it with -wal and -shm, and their folder: %w", why, s.file, err)
	}
	return err
}

// Room returns an error if the database cannot write, because its disk is full or it is read-only: for SQLite by the free bytes, for both if
// it refused a write of this process a moment ago.
func (db *DB) Room() error {
	if last := db.refused.Load(); last != nil && db.opts.Now().Sub(last.at) < refusedFor {
		return last.why
	}
	if db.file == "" {
		return nil
	}
	if free, known := FreeBytes(filepath.Dir(db.file)); known && free < leastRoom {
		return fmt.Errorf("%w: %d bytes are free beside the file", errFull, free)
	}
	return nil
}

// Writable asks the database whether it takes writes, by one that changes nothing: what fills a disk shows only with one that does.
func (db *DB) Writable(ctx context.Context) error {
	err := db.SQL(ctx).Exec("DELETE FROM users WHERE FALSE").Error // to begin a transaction, SQLite does not look at the file's rights
	if why := unwritable(err); why != nil && db.file == "" {
		return why
	}
	return db.heed(err)
}
