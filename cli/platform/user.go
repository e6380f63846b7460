package platform

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/molerun/molerun/api/wire"
	"github.com/molerun/molerun/cli/command"
	"github.com/molerun/molerun/cli/printer"
	"github.com/molerun/molerun/cli/process"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/store"
	"github.com/molerun/molerun/tournament/store/database"
)

func adminUserCommand(c command.Console) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "user",
		Short: "Users: list, promote, disable, enable",
	}
	cmd.AddCommand(userListCommand(c), userPromoteCommand(c), userDisableCommand(c), userEnableCommand(c))
	return cmd
}

func userListCommand(c command.Console) *cobra.Command {
	asJSON := false
	cmd := onStore(&cobra.Command{Use: "list", Short: "All users and their roles, the newest first"}, func(ctx context.Context, db *store.Store, _ []string) error {
		rows := printer.NewTable("user", "role", "since", "disabled", "id")
		users := func(p database.Page) ([]tournament.User, string, error) { return db.Users(ctx, p) }
		err := eachOf(database.Page{Limit: database.MaxPage, Sort: database.Newest}, users, func(u tournament.User) error {
			disabled := ""
			if u.DisabledAt != nil {
				disabled = u.DisabledAt.Format(time.DateOnly) + ", " + u.DisabledReason
			}
			rows.Row(u.Name, u.Role, u.CreatedAt.Format(time.DateOnly), disabled, u.ID)
			if !asJSON {
				return nil
			}
			return json.NewEncoder(c.Out).Encode(wire.User{
				ID:             u.ID,
				Name:           u.Name,
				Role:           string(u.Role),
				CreatedAt:      u.CreatedAt,
				DisabledAt:     u.DisabledAt,
				DisabledReason: u.DisabledReason,
			})
		})
		if err == nil && !asJSON && rows.Length() > 0 {
			fmt.Fprintln(c.Out, rows.Render())
		}
		return err
	})
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON object a line")
	return cmd
}

// eachOf calls do for all that the pages of a list hold, from a first page on.
func eachOf[T any](page database.Page, list func(database.Page) ([]T, string, error), do func(T) error) error {
	for {
		rows, next, err := list(page)
		if err != nil {
			return err
		}
		for _, row := range rows {
			if err := do(row); err != nil {
				return err
			}
		}
		if page.After = next; next == "" {
			return nil
		}
	}
}

// userCommand returns a command that does something with the user of a name, and then prints that user.
func userCommand(c command.Console, use, short string, do func(context.Context, *store.Store, tournament.User) error) *cobra.Command {
	return onStore(&cobra.Command{Use: use, Short: short}, func(ctx context.Context, db *store.Store, args []string) error {
		u, err := db.UserNamed(ctx, args[0])
		if err != nil {
			return fmt.Errorf("%w\nnext: molerun admin user list", err)
		}
		if err := do(ctx, db, u); err != nil {
			return err
		}
		verb, _, _ := strings.Cut(use, " ")
		if err := noted(ctx, db, "admin user "+verb, u); err != nil {
			return err
		}
		if u, err = db.User(ctx, u.ID); err != nil {
			return err
		}
		state := string(u.Role)
		if u.DisabledAt != nil {
			state += ", disabled: " + printer.Printable(u.DisabledReason)
		}
		_, err = fmt.Fprintf(c.Out, "%s is %s\n", u.Name, state)
		return err
	})
}

func userPromoteCommand(c command.Console) *cobra.Command {
	role := string(tournament.RoleOrganiser)
	cmd := userCommand(c, "promote NAME", "Give a user another role; tokens that exist have it at once", func(ctx context.Context, db *store.Store, u tournament.User) error {
		return db.SaveRole(ctx, u.ID, tournament.Role(role))
	})
	cmd.Flags().StringVar(&role, "role", role, "owner, organiser or admin")
	return checked(cmd, func() error { return checkRole(role) })
}

func userDisableCommand(c command.Console) *cobra.Command {
	reason := ""
	cmd := userCommand(c, "disable NAME", "Shut an account: its tokens are refused and its bots banned, until enable", func(ctx context.Context, db *store.Store, u tournament.User) error {
		if err := tournament.CheckText("--reason", reason, tournament.MaxReason); err != nil {
			return fmt.Errorf("%w: %w", command.ErrUsage, err)
		}
		_, err := process.NewDirector(db).DisableUser(ctx, u.ID, reason)
		return err
	})
	cmd.Flags().StringVar(&reason, "reason", "disabled by an administrator", "why, for the user to read")
	return cmd
}

func userEnableCommand(c command.Console) *cobra.Command {
	return userCommand(c, "enable NAME", "Open an account that was disabled, and lift the bans that came with it", func(ctx context.Context, db *store.Store, u tournament.User) error {
		_, err := process.NewDirector(db).EnableUser(ctx, u.ID)
		return err
	})
}
