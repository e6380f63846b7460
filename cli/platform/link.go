package platform

import (
	"cmp"
	"context"
	"crypto/rand"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/molerun/molerun/api/wire"
	"github.com/molerun/molerun/cli/command"
	"github.com/molerun/molerun/cli/settings"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/store"
)

func adminLinkCommand(c command.Console) *cobra.Command {
	s, envErr := settings.New()
	lasts, at := tournament.DefaultLinkLife, cmp.Or(s.PublicURL, "http://"+s.Listen)
	cmd := &cobra.Command{
		Use:   "link NAME",
		Short: "Print a link that logs a browser in as a user, once",
		Long: "Prints a link that logs one browser in as a user who exists, of any role, after a click on its page. It ends with its time, and with\n" +
			"what ends sessions: molerun admin token NAME --rotate, for one.",
		Example: "  molerun admin link ada\n  molerun admin link ada --lasts 24h",
	}
	onStore(cmd, func(ctx context.Context, db *store.Store, args []string) error {
		u, err := db.UserNamed(ctx, args[0])
		if err != nil {
			return fmt.Errorf("%w\nnext: molerun admin user list", err)
		}
		if u.DisabledAt != nil {
			return fmt.Errorf("%w: %s is disabled\nnext: molerun admin user enable %s", tournament.ErrState, u.Name, u.Name)
		}
		code, err := tournament.NewLoginSecret(rand.Reader)
		if err != nil {
			return err
		}
		ends := db.Now().Add(lasts)
		if err := db.AddLoginLink(ctx, code, u.ID, ends); err != nil {
			return err
		}
		fmt.Fprintf(c.Err, "opens %s's account, which is %s, in a browser, once, until %s\n", u.Name, u.Role, ends.Local().Format(time.DateTime))
		if s.PublicURL == "" && !cmd.Flags().Changed("url") {
			fmt.Fprintf(c.Err, "it leads to %s; if browsers reach the platform elsewhere, give --url or set MOLERUN_PUBLIC_URL\n", at)
		}
		if _, err := fmt.Fprintln(c.Out, wire.LinkAt(at, wire.LoginLinkPath, code)); err != nil {
			return err
		}
		return noted(ctx, db, "admin link", u)
	})
	cmd.Flags().DurationVar(&lasts, "lasts", lasts, "how long the link can be used: 1m to 168h")
	cmd.Flags().StringVar(&at, "url", at, "where browsers reach the platform (MOLERUN_PUBLIC_URL)")
	return checked(command.Nonzero(cmd, "lasts"), func() error {
		if envErr != nil {
			return envErr
		}
		if err := settings.CheckPublicURL("--url", at); err != nil {
			return err
		}
		if _, err := tournament.LinkLife("--lasts", lasts); err != nil {
			return fmt.Errorf("%w: %w", command.ErrUsage, err)
		}
		return nil
	})
}
