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
	role, rotate := string(tournament.RoleOrganiser), false
	cmd := &cobra.Command{
		Use:   "token NAME",
		Short: "Print a new token for a user, who is created if new",
		Long: "Anybody may register as an owner of bots over the API; organisers and admins are made here. A user who exists gets one more token, or,\n" +
			"with --rotate, one in the place of all others, as after a leak: tokens, recovery codes, logins and sessions end, and webhooks are off. molerun admin user promote changes a role.",
		Example: "  molerun admin token ada --role organiser\n  molerun admin token ada --rotate",
	}
	onStore(cmd, func(ctx context.Context, db *store.Store, args []string) error {
		text, err := tokenOf(ctx, c.Err, db, args[0], tournament.Role(role), cmd.Flags().Changed("role"), rotate)
		if text != "" { // whatever failed after it was made: with --rotate it is the only one
			_, printErr := fmt.Fprintln(c.Out, text)
			err = errors.Join(err, printErr)
		}
		return err
	})
	cmd.Flags().StringVar(&role, "role", role, "owner, organiser or admin, of a user who is created")
	cmd.Flags().BoolVar(&rotate, "rotate", false, "end all other tokens, the logins and the sessions of a user who exists")
	return checked(cmd, func() error { return checkRole(role) })
}

// tokenOf makes a token of the user of that name, and the user if there is none; rotate needs one whose tokens end. A role, if given, must be
// the user's.
func tokenOf(ctx context.Context, errs io.Writer, db *store.Store, name string, role tournament.Role, asked, rotate bool) (string, error) {
	u, err := db.UserNamed(ctx, name)
	made := errors.Is(err, tournament.ErrNotFound) && !rotate
	text := ""
	switch {
	case made:
		text, err = process.NewUser(ctx, db, name, role)
	case err != nil:
		err = fmt.Errorf("%w\nnext: molerun admin user list", err)
	case asked && u.Role != role:
		err = fmt.Errorf("%s is %s; nothing was done\nnext: molerun admin user promote %s --role %s", u.Name, u.Role, u.Name, role)
	default:
		text, err = process.NewToken(ctx, db, u, rotate)
	}
	if err != nil {
		return "", err
	}
	if u, err = db.UserNamed(ctx, name); err != nil {
		return text, err
	}
	if made {
		fmt.Fprintf(errs, "made the user %s, who is %s\n", u.Name, u.Role)
	} else {
		fmt.Fprintf(errs, "%s, who is %s, has a new token\n", u.Name, u.Role)
	}
	if u.DisabledAt != nil {
		fmt.Fprintf(errs, "%s is disabled: no token of theirs is taken\nnext: molerun admin user enable %s\n", u.Name, u.Name)
	}
	return text, noted(ctx, db, "admin token", u)
}

// checkRole refuses what is no role.
func checkRole(role string) error {
	if !tournament.Role(role).Reaches(tournament.RoleOwner) {
		return fmt.Errorf("%w: --role: %q is none of owner, organiser, admin", command.ErrUsage, role)
	}
	return nil
}

// checked refuses a wrong command line before anything is opened.
func checked(cmd *cobra.Command, check func() error) *cobra.Command {
	before := cmd.PreRunE
	cmd.PreRunE = func(cmd *cobra.Command, args []string) error {
		if err := check(); err != nil {
			return err
		}
		return before(cmd, args)
	}
	return cmd
}

// onStore makes a command of cmd that does something with a database that is up to date.
func onStore(cmd *cobra.Command, do func(ctx context.Context, db *store.Store, args []string) error) *cobra.Command {
	return opened(cmd, process.OpenMigrated, do)
}

// opened makes a command of cmd that does something with a database as open gives it.
func opened(cmd *cobra.Command, open func(ctx context.Context, url string) (*store.Store, error), do func(ctx context.Context, db *store.Store, args []string) error) *cobra.Command {
	s, _ := settings.New() // DatabaseFlag refuses what matters here
	s.DatabaseFlag(cmd)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		db, err := open(cmd.Context(), s.Database)
		if err != nil {
			return err
		}
		return errors.Join(do(cmd.Context(), db, args), db.Close())
	}
	return cmd
}
