package database

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
	"modernc.org/sqlite"
)

const (
	// refusedFor is how long a database counts as full after it refused to write: it does not say when it has room again.
	refusedFor = 30 * time.Second
	// leastRoom is what SQLite needs beside its file to go on writing, in bytes.
	leastRoom = 1 << 20
)

// What keeps a database that can read from writing, and SQLite from its file.
var (
	errFull     = errors.New("the disk under the database is full")
	errReadOnly = errors.New("the database is read-only")
	errLocked   = errors.New("another process holds the database, and has for ten seconds")
	errNoSQLite = errors.New("the file is no SQLite database, or is damaged")
	errDisk     = errors.New("the disk under the database fails")
)

// fileCauses are what SQLite says of its file by the low byte of a code, each with what to do about it, where %s is the file.
var fileCauses = []struct {
	why   error
	codes []int
	next  string
}{
	{errFull, []int{sqliteFull}, "make room on the disk of %s, and on that of temporary files if it is another"},
	{errReadOnly, []int{sqliteReadOnly}, "let this user write %s, what is beside it with -wal and -shm, and their folder"},
	{errLocked, []int{sqliteBusy}, "see which program has %s open (another molerun, a shell of SQLite), and try again once it is done"},
	{errNoSQLite, []int{sqliteCorrupt, sqliteNoDatabase}, "check the path; if %s is the platform's, move it away and restore a backup"},
	{errDisk, []int{sqliteIO}, "look into the system's log for the disk of %s"},
}

// refusal says when and why a database last did not write.
type refusal struct {
	at  time.Time
	why error // errFull or errReadOnly
}

// unwritable returns why a database refused a write that it takes at other times; nil after any other error.
func unwritable(err error) error {
	var pg *pgconn.PgError
	switch {
	case errors.As(err, &pg) && pg.Code == diskFull, errors.Is(err, errFull):
		return errFull
	case errors.As(err, &pg) && pg.Code == readOnly, errors.Is(err, errReadOnly):
		return errReadOnly
	}
	return nil
}

// Next says what to do where Postgres cannot be reached or refuses to write, or a role lacks rights; nothing of any other error. One of SQLite
// says it itself.
func Next(err error) string {
	var pg *pgconn.PgError
	var connect *pgconn.ConnectError
	switch {
	case errors.As(err, &pg):
	case errors.As(err, &connect) && Away(err):
		return "start the database, or correct host and port in its URL; if it does not answer, look for a firewall on the way"
	default:
		return ""
	}
	switch pg.Code {
	case diskFull:
		return "make room on the disk of Postgres"
	case readOnly:
		return "name the host that takes writes: a standby does not, nor does one whose host found its disk nearly full"
	case lacksRights:
		return "run migrate as the role that owns the tables; all else needs SELECT, INSERT, UPDATE and DELETE on them, and USAGE on the sequences"
	}
	return ""
}

// heed remembers that the database could not write, and returns err.
func (s *shared) heed(err error) error {
	if why := unwritable(err); why != nil {
		s.refused.Store(&refusal{s.opts.Now(), why})
	}
	return err
}

// heedFile is heed for what the driver of SQLite says. To what concerns the file it adds which that is, and what to do.
func (s *shared) heedFile(err error) error {
	var lite *sqlite.Error
	if !errors.As(err, &lite) {
		return err
	}
	code := lite.Code() & 0xff
	if code == sqliteIO && s.cramped() != nil {
		code = sqliteFull // it has no word of its own for a full disk where it maps the file's index
	}
	for _, c := range fileCauses {
		if slices.Contains(c.codes, code) {
			return s.heed(fmt.Errorf("%w: "+c.next+": %w", c.why, s.file, err))
		}
	}
	return err
}

// Room returns an error if the database cannot write, because its disk is full or it is read-only: for SQLite by the free bytes, for both if
// it refused a write of this process a moment ago. One that was read-only is asked whether it still is: a standby takes writes once it is promoted.
func (db *DB) Room(ctx context.Context) error {
	if last := db.refused.Load(); last != nil && last.why == errReadOnly && db.Writable(ctx) == nil {
		db.refused.CompareAndSwap(last, nil)
	}
	if last := db.refused.Load(); last != nil && db.opts.Now().Sub(last.at) < refusedFor {
		return last.why
	}
	return db.cramped()
}

// cramped returns an error if a file of SQLite cannot grow.
func (s *shared) cramped() error {
	if s.file == "" {
		return nil
	}
	if free, known := FreeBytes(filepath.Dir(s.file)); known && free < leastRoom {
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
	return err
}
