package platform

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/molerun/molerun/cli/command"
	"github.com/molerun/molerun/cli/process"
	"github.com/molerun/molerun/cli/settings"
	"github.com/molerun/molerun/tournament"
)

func adminTokenCommand(c command.Console) *cobra.Command {
	s, envErr := settings.New()
	role := string(tournament.RoleOrganiser)
	cmd := &cobra.Command{
		Use: "token NAME", Short: "Create a user with a role and print the token, once",
		Long:    "Anybody may register as an owner of bots over the API; organisers and admins are made here.",
		Example: "  molerun admin token ada --role organiser",
		Args:    command.Usage(cobra.ExactArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) (err error) {
			if !tournament.Role(role).Reaches(tournament.RoleOwner) {
				return fmt.Errorf("%w: --role: %q is none of owner, organiser, admin", command.ErrUsage, role)
			}
			db, err := process.OpenMigrated(cmd.Context(), s.Database)
			if err != nil {
				return err
			}
			defer func() { err = errors.Join(err, db.Close()) }()
			text, err := process.NewUser(cmd.Context(), db, args[0], tournament.Role(role))
			if err != nil {
				return err
			}
			_, err = fmt.Fprintln(c.Out, text)
			return err
		},
	}
	s.DatabaseFlag(cmd, envErr)
	cmd.Flags().StringVar(&role, "role", role, "owner, organiser or admin")
	return cmd
}
