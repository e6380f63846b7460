package platform

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/molerun/molerun/cli/command"
	"github.com/molerun/molerun/cli/printer"
	"github.com/molerun/molerun/cli/process"
	"github.com/molerun/molerun/cli/settings"
)

func migrateCommand(c command.Console) *cobra.Command {
	s, envErr := settings.New()
	var status bool
	cmd := &cobra.Command{
		Use: "migrate", Short: "Bring the database to this version's tables", Args: command.Args(0, 0),
		Long: "Creates or upgrades all tables, ours and the queue's. Safe to run again. serve and work refuse a database that is behind.",
		RunE: func(cmd *cobra.Command, _ []string) (err error) {
			db, err := process.OpenStore(cmd.Context(), s.Database)
			if err != nil {
				return err
			}
			defer func() { err = errors.Join(err, db.Close()) }()
			if !status {
				end := printer.New(c, false).During("migrating")
				err := db.Migrate(cmd.Context())
				end()
				if err != nil {
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
				fmt.Fprintf(c.Out, "%s %s\n", state, m.Name)
			}
			return err
		},
	}
	s.DatabaseFlag(cmd, envErr)
	cmd.Flags().BoolVar(&status, "status", false, "only tell what is applied")
	return cmd
}
