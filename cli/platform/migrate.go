package platform

import (
	"errors"
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"github.com/molerun/molerun/cli/command"
	"github.com/molerun/molerun/cli/printer"
	"github.com/molerun/molerun/cli/process"
	"github.com/molerun/molerun/cli/settings"
	"github.com/molerun/molerun/tournament/store/database"
)

func migrateCommand(c command.Console) *cobra.Command {
	s, _ := settings.New() // DatabaseFlag refuses what matters here
	var status bool
	cmd := &cobra.Command{
		Use: "migrate", Short: "Bring the database to this version's tables",
		Long: "Creates or upgrades all tables, ours and the queue's. Safe to run again; prints what it did. serve and work refuse a database that is behind.",
		RunE: func(cmd *cobra.Command, _ []string) (err error) {
			db, err := process.OpenStore(cmd.Context(), s.Database, s.Direct, !status)
			if err != nil {
				return err
			}
			defer func() { err = errors.Join(err, db.Close()) }()
			before, err := db.MigrationStatus(cmd.Context())
			if err != nil {
				return err
			}
			if what, next := process.Ahead(before); what != "" {
				fmt.Fprintf(c.Err, "%s\nnext: %s\n", what, next)
			}
			if status {
				listMigrations(c, before, func(database.Migration) bool { return true })
				return nil
			}
			end := printer.New(c, false).During("migrating")
			err = db.Migrate(cmd.Context())
			end()
			if err != nil {
				return err
			}
			after, err := db.MigrationStatus(cmd.Context())
			listMigrations(c, after, func(m database.Migration) bool {
				return !m.Pending && slices.ContainsFunc(before, func(old database.Migration) bool { return old.Name == m.Name && old.Pending })
			})
			return err
		},
	}
	s.DatabaseFlag(cmd)
	s.DirectFlag(cmd)
	cmd.Flags().BoolVar(&status, "status", false, "only print what is applied")
	return cmd
}

// listMigrations prints those for which of holds; where it holds for none, nothing was to be done.
func listMigrations(c command.Console, list []database.Migration, of func(database.Migration) bool) {
	none := true
	for _, m := range list {
		if !of(m) {
			continue
		}
		none = false
		state := "applied"
		if m.Pending {
			state = "pending"
		} else if m.Newer {
			state = "newer"
		}
		fmt.Fprintf(c.Out, "%s %s\n", state, m.Name)
	}
	if none {
		fmt.Fprintln(c.Out, "nothing to do: every migration of this program is applied")
	}
}
