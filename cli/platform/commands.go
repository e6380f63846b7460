package platform

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/molerun/molerun/cli/command"
	"github.com/molerun/molerun/tournament/store/database"
)

// Commands returns the commands of this package.
func Commands(c command.Console) []*cobra.Command {
	list := []*cobra.Command{serveCommand(c), workCommand(c), migrateCommand(c), adminCommand(c), ratingsCommand(c)}
	advised(list)
	return list
}

// advised adds what to do to the error of a command whose Postgres refuses to write, or lets its role do nothing.
func advised(list []*cobra.Command) {
	for _, cmd := range list {
		advised(cmd.Commands())
		run := cmd.RunE
		if run == nil {
			continue
		}
		cmd.RunE = func(cmd *cobra.Command, args []string) error {
			err := run(cmd, args)
			if next := database.Next(err); next != "" {
				err = fmt.Errorf("%w\nnext: %s", err, next)
			}
			return err
		}
	}
}

func adminCommand(c command.Console) *cobra.Command {
	cmd := &cobra.Command{
		Use: "admin", Short: "Look after a platform, with direct access to its database",
	}
	cmd.AddCommand(
		adminTokenCommand(c),
		adminLinkCommand(c),
		adminUserCommand(c),
		adminAuditCommand(c),
		command.Completed(adminBackupCommand(c), command.Records()),
		command.Completed(adminRestoreCommand(c), command.Records()),
		adminCopyCommand(c),
		adminDoctorCommand(c),
	)
	return cmd
}
