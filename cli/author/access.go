package author

import (
	"context"
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"github.com/molerun/molerun/api/op"
	"github.com/molerun/molerun/api/wire"
	"github.com/molerun/molerun/cli/account"
	"github.com/molerun/molerun/cli/client"
	"github.com/molerun/molerun/cli/printer"
)

func accountShowCommand(g *account.Group) *cobra.Command {
	cmd := g.Command("show", "Who you are, which logins enter your account, and which browsers are logged in", func(ctx context.Context, call *client.Client, _ []string) error {
		return showAccount(ctx, g, call)
	})
	cmd.Flags().BoolVar(&g.JSON, "json", false, "print the answer of the API, as one JSON object")
	return cmd
}

// showAccount lists the ways into the account beside tokens, which molerun token list has.
func showAccount(ctx context.Context, g *account.Group, call *client.Client) error {
	return account.Ask(ctx, g, call, wire.GetMe, op.None{}, func(w io.Writer, me wire.Me) {
		fmt.Fprintf(w, "%s, %s, since %s\n", me.Name, me.Role, dayOr(&me.CreatedAt, ""))
		rows := printer.NewTable("way in", "", "since", "until", "id")
		for _, l := range me.Logins {
			rows.Row("login", l.Subject+" at "+l.Issuer, dayOr(&l.LinkedAt, ""), "", l.ID)
		}
		for _, s := range me.Sessions {
			rows.Row("browser", "", dayOr(&s.BeganAt, ""), dayOr(&s.ExpiresAt, ""), s.ID)
		}
		if rows.Length() > 0 {
			fmt.Fprintln(w, rows.Render())
		}
		g.Next("molerun token list, for tokens; molerun account end ID, for a login or a browser that is not yours")
	})
}

func accountBrowseCommand(g *account.Group) *cobra.Command {
	lasts := time.Duration(0)
	cmd := calling(g, "browse", "Print a link that logs a browser in as you, once", "  molerun account browse\n  molerun account browse --lasts 24h",
		func(ctx context.Context, call *client.Client, _ []string) error {
			var made wire.LoginLink
			in := wire.MyLoginLink{Body: &wire.LoginLinkCreate{LastsMS: lasts.Milliseconds()}}
			if err := client.Do(ctx, call, wire.CreateMyLoginLink, in, &made); err != nil {
				return err
			}
			fmt.Fprintf(g.Err, "opens %s's account in a browser, once, until %s; whoever has it first comes in\n", made.Name, made.ExpiresAt.Local().Format(time.DateTime))
			_, err := fmt.Fprintln(g.Out, made.URL)
			return err
		})
	cmd.Long = "Prints a link that logs one browser in with the account that molerun login kept, where a platform has no other login, or on another device.\n" +
		"The token must not expire, as that of molerun login --name does not."
	cmd.Flags().DurationVar(&lasts, "lasts", lasts, "how long the link can be used: 1m to 168h (default 15m)")
	return cmd
}

func accountEndCommand(g *account.Group) *cobra.Command {
	cmd := calling(g, "end ID", "End a login, or log a browser out", "  molerun account end 3f0c2b5a9d1e4f7", func(ctx context.Context, call *client.Client, args []string) error {
		var me wire.Me
		if err := client.Do(ctx, call, wire.GetMe, op.None{}, &me); err != nil {
			return err
		}
		end := wire.DeleteSession
		if slices.ContainsFunc(me.Logins, func(l wire.Login) bool { return l.ID == args[0] }) {
			end = wire.DeleteLogin
		}
		if err := client.Do(ctx, call, end, wire.KeyOf{ID: args[0]}, nil); err != nil {
			return fmt.Errorf("%w\nnext: molerun account show", err)
		}
		fmt.Fprintf(g.Out, "%s has ended\n", args[0])
		return nil
	})
	cmd.Long = "Ends a login or a session that molerun account show lists. With a login, all browsers are logged out."
	return cmd
}

func accountRotateCommand(g *account.Group) *cobra.Command {
	cmd := g.Command("rotate", "End all other ways into your account, as after a leak", func(ctx context.Context, call *client.Client, _ []string) error {
		kept, err := account.Read()
		if err != nil {
			return err
		}
		kept, err = login(ctx, func(ctx context.Context) (account.Account, error) {
			var made wire.TokenCreated
			err := client.Do(ctx, call, wire.RotateAccount, wire.Rotate{Name: kept.Name}, &made)
			kept.Token = made.Token
			return kept, err
		})
		if err != nil {
			return err
		}
		fmt.Fprintf(g.Err, "%s at %s has one new token, which is kept here; all other tokens, codes, logins and sessions have ended, and webhooks are off\n", kept.Name, kept.URL)
		g.Next("start each molerun connect again; molerun bot versions BOT, for versions that are not yours; a login of yours is linked again with a token that does not expire")
		return nil
	})
	cmd.Long = "Ends all tokens of the account, the one that is kept here too, its recovery codes, logins and sessions, and disables its webhooks. A new token,\n" +
		"which may what the kept one may, takes its place. Bots, their versions and their secrets stay. A molerun connect that runs ends too: start it\n" +
		"again, or its bot fails its next checks."
	return cmd
}
