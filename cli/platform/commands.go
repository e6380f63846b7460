package platform

import (
	"github.com/spf13/cobra"

	"github.com/molerun/molerun/cli/command"
)

// Commands returns the commands of this package.
func Commands(c command.Console) []*cobra.Command {
	return []*cobra.Command{serveCommand(c), workCommand(c), migrateCommand(c), adminCommand(c), ratingsCommand(c)}
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
