package database

import (
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"github.com/glebarez/go-sqlite"
	"github.com/jackc/pgx/v5/pgconn"
)

const (
	// fullFor is how long a disk counts as full after it refused a write: Postgres does not say when there is room again.
	fullFor = 30 * time.Second
	// leastRoom is what SQLite needs beside its file to go on writing, in bytes.
	leastRoom = 1 << 20
)

// errFull means that the database cannot write.
var errFull = errors.New("the disk under the database is full")

// full reports whether a database refused a write because it had no room.
func full(err error) bool {
	var pg *pgconn.PgError
	var lite *sqlite.Error
	return errors.As(err, &pg) && pg.Code == diskFull || errors.As(err, &lite) && lite.Code()&0xff == sqliteFull
}

// heed remembers that there was no room, and returns err.
func (s *shared) heed(err error) error {
	if full(err) {
		s.full.Store(s.opts.Now().UnixNano())
	}
	return err
}

// Room returns an error if the disk under the database is full: for SQLite by its free bytes, for both if a write of this process was refused a
// moment ago.
func (db *DB) Room() error {
	if at := db.full.Load(); at > 0 && db.opts.Now().Sub(time.Unix(0, at)) < fullFor {
		return errFull
	}
	if db.file == "" {
		return nil
	}
	if free, known := FreeBytes(filepath.Dir(db.file)); known && free < leastRoom {
		return fmt.Errorf("%w: %d bytes are free beside the file", errFull, free)
	}
	return nil
}
