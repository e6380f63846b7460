package process

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"github.com/molerun/molerun/cli/command"
	"github.com/molerun/molerun/cli/settings"
	"github.com/molerun/molerun/engines/catalog"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/director"
	"github.com/molerun/molerun/tournament/store"
	"github.com/molerun/molerun/tournament/store/database"
)

// OpenStore opens a database that may be behind this program. If makes is set, as for a command that fills it, a file of SQLite that is not
// there is made. direct goes past a pooler to the same; it may be empty.
func OpenStore(ctx context.Context, url, direct string, makes bool) (*store.Store, error) {
	return openStore(ctx, url, makes, store.Options{Direct: direct})
}

// NewDirector returns a director over a store, for a command that works on the database directly.
func NewDirector(db *store.Store) *director.Director {
	return director.New(db, director.Options{Engines: catalog.Find, Rand: rand.Reader})
}

func openStore(ctx context.Context, url string, makes bool, o store.Options) (*store.Store, error) {
	if err := settings.CheckDatabase(url); err != nil {
		return nil, err
	}
	path, isFile := SQLitePath(url)
	if isFile {
		if err := sqliteFile(path, makes); err != nil {
			return nil, err
		}
	}
	o.Now, o.Rand, o.Program = now, rand.Reader, command.Program() // ids: the luck of matches does not hang on how many there are
	db, err := store.Open(ctx, url, o)
	if err != nil && isFile {
		if why := usable(path); why != nil {
			err = withoutFile(path, why)
		}
	}
	return db, err
}

// sqliteFile makes a new file that only its owner may read, if it may: it will hold the secrets of bots. SQLite itself would let all
// read it.
func sqliteFile(path string, makes bool) error {
	if !makes {
		if _, err := os.Stat(path); err != nil {
			return fmt.Errorf("%w\nnext: check the path; molerun migrate makes a new, empty database there", err)
		}
		return nil
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600) // the file the operator names
	switch {
	case errors.Is(err, fs.ErrExist):
		return nil // not opened: to close it would take away this process's locks on it
	case err != nil:
		return withoutFile(path, err)
	}
	return f.Close()
}

// withoutFile says what to do where the system refuses a file of SQLite, or one beside it.
func withoutFile(path string, err error) error {
	next := "check the path, and the disk under it"
	switch {
	case errors.Is(err, syscall.EROFS):
		next = "mount its file system for writing, or use a copy of the file: even to read it, SQLite writes beside it"
	case errors.Is(err, fs.ErrPermission):
		next = "run this as the user of the platform, or let this user write the file, what is beside it with -wal and -shm, and their folder"
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EDQUOT):
		next = "make room on its disk"
	case errors.Is(err, fs.ErrNotExist):
		next = "check the path, or make the folder " + filepath.Dir(path)
	case errors.Is(err, syscall.EISDIR):
		next = "name a file, as in sqlite:" + filepath.Join(path, "molerun.db")
	}
	return fmt.Errorf("open sqlite database: %w\nnext: %s", err, next)
}

// usable says why SQLite cannot work on a file, of which it says that memory is short. It is asked when nobody here holds the file: to
// close it takes away this process's locks on it.
func usable(path string) error {
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	beside, err := os.CreateTemp(filepath.Dir(path), ".molerun-*") // SQLite makes its own there
	if err == nil {
		err = errors.Join(beside.Close(), os.Remove(beside.Name()))
	}
	return errors.Join(err, f.Close())
}

// Migrated refuses a database that is behind this program.
func Migrated(ctx context.Context, db *store.Store) error {
	list, err := db.MigrationStatus(ctx)
	if err != nil {
		return err
	}
	for _, m := range list {
		if m.Pending {
			return fmt.Errorf("the database lacks migration %s: run molerun migrate first", m.Name)
		}
	}
	return nil
}

// Ahead says that a newer program has migrated the database, and what to do; nothing if none has. During an upgrade the release before goes on,
// and may start again, so nothing is refused.
func Ahead(list []database.Migration) (what, next string) {
	at := slices.IndexFunc(list, func(m database.Migration) bool { return m.Newer })
	if at < 0 {
		return "", ""
	}
	return "the database has " + list[at].Name + ", which this program does not know", "run the release that migrated it: only the one before goes on beside it"
}

// OpenMigrated opens a database that is up to date.
func OpenMigrated(ctx context.Context, url string) (*store.Store, error) {
	db, err := OpenStore(ctx, url, "", false)
	if err != nil {
		return nil, err
	}
	if err := Migrated(ctx, db); err != nil {
		return nil, errors.Join(err, db.Close())
	}
	return db, nil
}

// OpenToBackup opens a database that is up to date, or as an earlier release has left it: a backup is wanted before the migration, too.
func OpenToBackup(ctx context.Context, url string) (*store.Store, error) {
	db, err := OpenStore(ctx, url, "", false)
	if err != nil {
		return nil, err
	}
	own, err := db.DB.MigrationStatus(ctx)
	lacks := func(m database.Migration) bool { return m.Pending }
	first := slices.IndexFunc(own, lacks)
	if err == nil && (first == 0 || first > 0 && slices.ContainsFunc(own[first:], func(m database.Migration) bool { return !lacks(m) })) {
		err = Migrated(ctx, db) // it has none of our tables, or a gap
	}
	if err != nil {
		return nil, errors.Join(err, db.Close())
	}
	return db, nil
}

// SQLitePath returns the file of a SQLite database; false for a Postgres URL.
func SQLitePath(database string) (string, bool) {
	if settings.IsPostgres(database) {
		return "", false
	}
	return strings.TrimPrefix(database, "sqlite:"), true
}

// madeHere is the note of tokens that are made on the platform's machine.
const madeHere = "made by molerun admin"

// NewUser makes a user with one token and returns the token's text.
func NewUser(ctx context.Context, db *store.Store, name string, role tournament.Role) (string, error) {
	if err := tournament.CheckName("the name", name); err != nil {
		return "", fmt.Errorf("%w: %w", command.ErrUsage, err)
	}
	text, id, hash, err := tournament.NewToken(rand.Reader)
	if err != nil {
		return "", err
	}
	_, _, err = db.CreateUser(ctx, tournament.User{Name: name, Role: role}, tournament.Token{ID: id, Hash: hash, Note: madeHere, Scopes: tournament.AllScopes()})
	return text, err
}

// NewToken adds a token to a user and returns its text; alone ends all else that lets somebody act for that user.
func NewToken(ctx context.Context, db *store.Store, u tournament.User, alone bool) (string, error) {
	add := db.AddToken
	if alone {
		add = db.Rotate
	}
	_, text, err := add(ctx, rand.Reader, tournament.Token{UserID: u.ID, Note: madeHere, Scopes: tournament.AllScopes()})
	return text, err
}
