package organiser

import (
	"context"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/molerun/molerun/api/op"
	"github.com/molerun/molerun/api/wire"
	"github.com/molerun/molerun/cli/account"
	"github.com/molerun/molerun/cli/client"
	"github.com/molerun/molerun/cli/command"
	"github.com/molerun/molerun/cli/printer"
	"github.com/molerun/molerun/engines/game"
)

func classCommand(o *calls) *cobra.Command {
	cmd := &cobra.Command{
		Use: "class", Short: "Links by which a class makes its accounts: create, list, show, login, end",
		Long: "Works with the account that molerun login kept. Whoever opens such a link chooses a name, has an account, and is logged in. The accounts may\n" +
			"enter the events of the link without an invite code.",
	}
	cmd.AddCommand(classCreateCommand(o), classListCommand(o), classShowCommand(o), classLoginCommand(o), classEndCommand(o))
	return cmd
}

func classCreateCommand(o *calls) *cobra.Command {
	var tournaments, schedules []string
	in, lasts := wire.ClassLinkCreate{}, time.Duration(0)
	var cmd *cobra.Command
	cmd = o.Command("create", "Make a link by which a class makes its accounts, and print it once", func(ctx context.Context, call *client.Client, _ []string) error {
		in.Events = []string{}
		for _, name := range tournaments {
			t, err := client.Find[wire.Tournament](ctx, call, name, "scheduled")
			if err != nil {
				return err
			}
			in.Events = append(in.Events, t.ID)
		}
		for _, name := range schedules {
			x, err := client.Find[wire.Schedule](ctx, call, name, "active")
			if err != nil {
				return err
			}
			in.Events = append(in.Events, x.ID)
		}
		if cmd.Flags().Changed("lasts") {
			in.ExpiresAt = new(o.now().Add(lasts))
		}
		var wrong refusals
		place := func(key string) string {
			return map[string]string{"accounts": "--accounts", "expires_at": "--lasts", "note": "--note", "events": "--tournament or --schedule"}[key]
		}
		return wrong.answered(account.Ask(ctx, o.Group, call, wire.CreateClassLink, in, func(w io.Writer, made wire.ClassLinkCreated) {
			fmt.Fprintf(o.Err, "makes %s until %s; shown this once:\n", game.Plural(made.Accounts, "account"), moment(made.ExpiresAt))
			fmt.Fprintln(w, made.URL)
			o.Next("molerun class show %s", made.ID)
		}), place)
	})
	cmd.Example = "  molerun class create --tournament \"Friday Cup\" --accounts 30 --lasts 24h --note \"Class 4b\""
	f := cmd.Flags()
	f.StringSliceVar(&tournaments, "tournament", nil, "a tournament that they may enter, by name or id; may be repeated")
	f.StringSliceVar(&schedules, "schedule", nil, "a schedule whose tournaments they may enter; may be repeated")
	f.IntVar(&in.Accounts, "accounts", 30, "how many accounts it makes")
	f.DurationVar(&lasts, "lasts", 0, "how long the link makes accounts (default 168h)")
	f.StringVar(&in.Note, "note", "", "your name for it")
	return cmd
}

func classListCommand(o *calls) *cobra.Command {
	return o.Command("list", "Your links, the newest first", func(ctx context.Context, call *client.Client, _ []string) error {
		rows := printer.NewTable("class", "made", "of", "state", "id")
		return account.List(ctx, o.Group, call, wire.ListClassLinks, op.Paging{}, "molerun class create --tournament NAME", rows, func(l wire.ClassLink) []any {
			return []any{l.Note, l.Made, l.Accounts, untilOf(l), l.ID}
		})
	})
}

// untilOf returns how long a link makes accounts, or since when it makes none.
func untilOf(l wire.ClassLink) string {
	if l.EndedAt != nil {
		return "ended " + moment(*l.EndedAt)
	}
	return "until " + moment(l.ExpiresAt)
}

func classShowCommand(o *calls) *cobra.Command {
	return o.Command("show ID", "The accounts made by a link, and its state", func(ctx context.Context, call *client.Client, args []string) error {
		return account.Ask(ctx, o.Group, call, wire.GetClassLink, op.ByID(args[0]), func(w io.Writer, l wire.ClassLinkDetail) {
			fmt.Fprintf(w, "%s: %d of %s made, %s\n", printer.Printable(strings.TrimSpace(l.Note+" "+l.ID)), l.Made, game.Plural(l.Accounts, "account"), untilOf(l.ClassLink))
			for _, e := range l.Events {
				fmt.Fprintf(w, "  for %s\n", printer.Printable(e.Name))
			}
			for _, a := range l.Came {
				fmt.Fprintf(w, "  %s, %s\n", printer.Printable(a.Name), moment(a.JoinedAt))
			}
		})
	})
}

func classLoginCommand(o *calls) *cobra.Command {
	lasts := time.Duration(0)
	cmd := o.Command("login ID NAME", "Print a link that logs a browser in, once, as one of the accounts", func(ctx context.Context, call *client.Client, args []string) error {
		var l wire.ClassLinkDetail
		if err := client.Do(ctx, call, wire.GetClassLink, op.ByID(args[0]), &l); err != nil {
			return err
		}
		for _, a := range l.Came {
			if strings.EqualFold(a.Name, args[1]) {
				return account.Do(ctx, o.Group, call, wire.CreateLoginLink, op.BodyByID(a.UserID, &wire.LoginLinkCreate{LastsMS: lasts.Milliseconds()}), func(x wire.LoginLink) string { return x.URL })
			}
		}
		return fmt.Errorf("no account of that name was made by this link\nnext: molerun class show %s", l.ID)
	})
	cmd.Flags().DurationVar(&lasts, "lasts", 0, "how long the link can be used: 1m to 168h (default 15m)")
	return command.Nonzero(cmd, "lasts")
}

func classEndCommand(o *calls) *cobra.Command {
	return o.Command("end ID", "Make no more accounts by a link; those that are made stay", func(ctx context.Context, call *client.Client, args []string) error {
		if err := client.Do(ctx, call, wire.DeleteClassLink, op.ByID(args[0]), nil); err != nil {
			return err
		}
		return account.Do(ctx, o.Group, call, wire.GetClassLink, op.ByID(args[0]), func(l wire.ClassLinkDetail) string { return l.ID + " makes no more accounts" })
	})
}
