package cli

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/molerun/molerun/engines/catalog"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/store"
)

// storeOptions are what differs between a platform and the demo.
type storeOptions struct {
	rand     io.Reader     // seeds, nonces, aliases; nil is the system's
	fastSync bool          // SQLite may lose the last commits in a power cut
	keep     time.Duration // how long events are kept; 0 is for good
	rounded  func(tournament.Format)
}

func openStore(ctx context.Context, url string, log *slog.Logger, o storeOptions) (*store.Store, error) {
	if o.rand == nil {
		o.rand = rand.Reader
	}
	if err := sqliteFile(url); err != nil {
		return nil, err
	}
	return store.Open(ctx, url, store.Options{Now: time.Now, Rand: o.rand, Engines: catalog.Find, Program: program(), Logger: log, FastSync: o.fastSync, KeepEvents: o.keep, Rounded: o.rounded})
}

// sqliteFile makes a new file that only its owner may read: it will hold the secrets of bots. SQLite itself would let all
// read it, and of a place where no file can be made it says that memory is short.
func sqliteFile(url string) error {
	path, isFile := sqlitePath(url)
	if scheme, _, found := strings.Cut(path, "://"); isFile && found {
		return fmt.Errorf("%w: --database: %s:// is neither postgres:// nor sqlite:PATH", errUsage, scheme)
	}
	if !isFile || path == "" || strings.Contains(path, "?") {
		return nil // the store refuses what is wrong with those
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600) //nolint:gosec // the file the operator names
	switch {
	case errors.Is(err, fs.ErrExist):
		return nil // not opened: to close it would take away this process's locks on it
	case err != nil:
		return fmt.Errorf("open sqlite database: %w", err)
	}
	return f.Close()
}

// migrated refuses a database that is behind this program.
func migrated(ctx context.Context, db *store.Store) error {
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

// openMigrated opens a database that is up to date.
func openMigrated(ctx context.Context, url string) (*store.Store, error) {
	db, err := openStore(ctx, url, nil, storeOptions{})
	if err != nil {
		return nil, err
	}
	if err := migrated(ctx, db); err != nil {
		return nil, errors.Join(err, db.Close())
	}
	return db, nil
}

func migrateCommand(c console) *cobra.Command {
	s, envErr := newSettings()
	var status bool
	cmd := &cobra.Command{
		Use: "migrate", Short: "Bring the database to this version's tables", Args: usage(cobra.NoArgs),
		Long: "Creates or upgrades all tables, ours and the queue's. Safe to run again. serve and work refuse a database that is behind.",
		RunE: func(cmd *cobra.Command, _ []string) (err error) {
			db, err := openStore(cmd.Context(), s.Database, nil, storeOptions{})
			if err != nil {
				return err
			}
			defer func() { err = errors.Join(err, db.Close()) }()
			if !status {
				if err := db.Migrate(cmd.Context()); err != nil {
					return err
				}
			}
			list, err := db.MigrationStatus(cmd.Context())
			for _, m := range list {
				state := "applied"
				if m.Pending {
					state = "pending"
				} else if m.Newer {
					state = "newer"
				}
				fmt.Fprintf(c.out, "%s %s\n", state, m.Name)
			}
			return err
		},
	}
	s.databaseFlag(cmd, envErr)
	cmd.Flags().BoolVar(&status, "status", false, "only tell what is applied")
	return cmd
}

func adminCommand(c console) *cobra.Command {
	cmd := &cobra.Command{
		Use: "admin", Short: "Look after a platform, with direct access to its database", Args: usage(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(adminTokenCommand(c), adminBackupCommand(c), adminRestoreCommand(c), adminCopyCommand(c), adminDoctorCommand(c))
	return cmd
}

func adminTokenCommand(c console) *cobra.Command {
	s, envErr := newSettings()
	role := string(tournament.RoleOrganiser)
	cmd := &cobra.Command{
		Use: "token NAME", Short: "Create a user with a role and print the token, once",
		Long:    "Anybody may register as an owner of bots over the API; organisers and admins are made here.",
		Example: "  molerun admin token ada --role organiser",
		Args:    usage(cobra.ExactArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) (err error) {
			if !tournament.Role(role).Reaches(tournament.RoleOwner) {
				return fmt.Errorf("%w: --role: %q is none of owner, organiser, admin", errUsage, role)
			}
			db, err := openMigrated(cmd.Context(), s.Database)
			if err != nil {
				return err
			}
			defer func() { err = errors.Join(err, db.Close()) }()
			text, err := newUser(cmd.Context(), db, args[0], tournament.Role(role))
			if err != nil {
				return err
			}
			_, err = fmt.Fprintln(c.out, text)
			return err
		},
	}
	s.databaseFlag(cmd, envErr)
	cmd.Flags().StringVar(&role, "role", role, "owner, organiser or admin")
	return cmd
}

// newUser makes a user with one token and returns the token's text.
func newUser(ctx context.Context, db *store.Store, name string, role tournament.Role) (string, error) {
	text, id, hash, err := tournament.NewToken(rand.Reader)
	if err != nil {
		return "", err
	}
	_, _, err = db.CreateUser(ctx, tournament.User{Name: name, Role: role}, tournament.Token{ID: id, Hash: hash, Note: "made by molerun admin"})
	return text, err
}
