package platform

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/molerun/molerun/cli/command"
	"github.com/molerun/molerun/cli/process"
	"github.com/molerun/molerun/cli/settings"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/store"
)

func adminTokenCommand(c command.Console) *cobra.Command {
	s, envErr := settings.New()
	role, rotate := string(tournament.RoleOrganiser), false
	cmd := &cobra.Command{
		Use:   "token NAME",
		Short: "Print a new token for a user, who is created if new",
		Long: "Anybody may register as an owner of bots over the API; organisers and admins are made here. A user who exists gets one more token, or,\n" +
			"with --rotate, one in the place of all others, as after a leak: tokens, recovery codes, logins and sessions end, and webhooks are off. molerun admin user promote changes a role.",
		Example: "  molerun admin token ada --role organiser\n  molerun admin token ada --rotate",
		RunE: func(cmd *cobra.Command, args []string) error {
			wanted, err := roleOf(role)
			if err != nil {
				return err
			}
			return withStore(cmd.Context(), s.Database, func(db *store.Store) error {
				text, err := tokenOf(cmd.Context(), c.Err, db, args[0], wanted, cmd.Flags().Changed("role"), rotate)
				if err != nil {
					return err
				}
				_, err = fmt.Fprintln(c.Out, text)
				return err
			})
		},
	}
	s.DatabaseFlag(cmd, envErr)
	cmd.Flags().StringVar(&role, "role", role, "owner, organiser or admin, of a user who is created")
	cmd.Flags().BoolVar(&rotate, "rotate", false, "end all other tokens, the logins and the sessions of a user who exists")
	return cmd
}

// tokenOf makes a token of the user of that name, and the user if there is none. A role, if given, must be the user's.
func tokenOf(ctx context.Context, errs io.Writer, db *store.Store, name string, role tournament.Role, asked, rotate bool) (string, error) {
	u, err := db.UserNamed(ctx, name)
	made := errors.Is(err, tournament.ErrNotFound)
	text := ""
	switch {
	case made:
		text, err = process.NewUser(ctx, db, name, role)
	case err != nil:
	case asked && u.Role != role:
		err = fmt.Errorf("%s is %s; nothing was done\nnext: molerun admin user promote %s --role %s", u.Name, u.Role, u.Name, role)
	default:
		text, err = process.NewToken(ctx, db, u, rotate)
	}
	if err != nil {
		return "", err
	}
	if u, err = db.UserNamed(ctx, name); err != nil {
		return "", err
	}
	if !made {
		fmt.Fprintf(errs, "%s, who is %s, has a new token\n", u.Name, u.Role)
	}
	return text, noted(ctx, db, "admin token", u)
}

// roleOf returns the role of that name.
func roleOf(text string) (tournament.Role, error) {
	role := tournament.Role(text)
	if !role.Reaches(tournament.RoleOwner) {
		return role, fmt.Errorf("%w: --role: %q is none of owner, organiser, admin", command.ErrUsage, text)
	}
	return role, nil
}

// withStore does something with a database that is up to date.
func withStore(ctx context.Context, url string, do func(*store.Store) error) error {
	db, err := process.OpenMigrated(ctx, url)
	if err != nil {
		return err
	}
	return errors.Join(do(db), db.Close())
}
