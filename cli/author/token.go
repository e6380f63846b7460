package author

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/molerun/molerun/api/op"
	"github.com/molerun/molerun/api/wire"
	"github.com/molerun/molerun/bots/protocol"
	"github.com/molerun/molerun/cli/account"
	"github.com/molerun/molerun/cli/client"
	"github.com/molerun/molerun/cli/command"
	"github.com/molerun/molerun/cli/printer"
)

func tokenCommand(c command.Console) *cobra.Command {
	cmd := &cobra.Command{
		Use: "token", Short: "Your tokens at a platform: create, list, revoke",
		Long: "Works with the account that molerun login kept. A token may do what its scopes say, of what your role allows: read (every token may),\n" +
			"bot, enter, account, organise, admin. Give each program one of its own, with what it needs.",
	}
	g := &account.Group{Console: c, Advice: advice}
	g.JSONFlag(cmd.PersistentFlags())
	cmd.AddCommand(tokenCreateCommand(g), tokenListCommand(g), tokenRevokeCommand(g))
	return cmd
}

func tokenCreateCommand(g *account.Group) *cobra.Command {
	in, bot, expires := wire.TokenCreate{}, "", ""
	cmd := calling(g, "create NAME", "Print a new token, once; NAME is yours to know it by", "  molerun token create laptop --bot wallwizard\n  molerun token create ci --scope bot,enter --expires 30d",
		func(ctx context.Context, call *client.Client, args []string) error {
			in.Note = args[0]
			if bot != "" {
				found, err := myBot(ctx, call, bot)
				if err != nil {
					return err
				}
				in.BotID = &found.ID
			}
			var made wire.TokenCreated
			if err := client.Do(ctx, call, wire.CreateToken, in, &made); err != nil {
				return err
			}
			fmt.Fprintf(g.Err, "%s may %s, and expires %s; it is shown this once\n", printer.Printable(made.Note), strings.Join(made.Scopes, ", "), dayOr(made.ExpiresAt, "never"))
			return g.Say(made, "%s", made.Token)
		})
	cmd.PreRunE = func(cmd *cobra.Command, _ []string) (err error) {
		in.ExpiresAt, in.Lasting, err = endOf(expires, time.Now())
		return errors.Join(err, command.Given(cmd, "scope", "bot", "expires")) // nothing would be all that yours may
	}
	cmd.Long = "Makes a token and prints it. It can never grant more than the token of molerun login that creates it, and lasts no longer. A token for one bot\n" +
		"may enter it, change it and carry its messages, and nothing of your other bots."
	cmd.Flags().StringSliceVar(&in.Scopes, "scope", nil, "what it may: read, bot, enter, account, organise, admin; all that yours may, if left out")
	cmd.Flags().StringVar(&bot, "bot", "", "the only bot it is for, by name or id")
	cmd.Flags().StringVar(&expires, "expires", "", "30d for days from now, a date such as 2027-01-31, or never; 90d if left out")
	return cmd
}

// endOf reads when a token is to end: in days, on a date, or (true) never; "" leaves it to the platform.
func endOf(text string, now time.Time) (*time.Time, bool, error) {
	switch {
	case text == "":
		return nil, false, nil
	case text == "never":
		return nil, true, nil
	}
	if number, is := strings.CutSuffix(text, "d"); is {
		if days, err := strconv.Atoi(number); err == nil && days > 0 {
			return new(now.AddDate(0, 0, days)), false, nil
		}
	}
	if day, err := time.Parse(time.DateOnly, text); err == nil {
		return &day, false, nil
	}
	return nil, false, fmt.Errorf("%w: --expires: %s is neither days, such as 30d, nor a date, such as 2027-01-31, nor never", command.ErrUsage, protocol.Quote(text))
}

// dayOr returns the day of a time, or what is said where there is none.
func dayOr(at *time.Time, none string) string {
	if at == nil {
		return none
	}
	return at.Format(time.DateOnly)
}

func tokenListCommand(g *account.Group) *cobra.Command {
	return g.Command("list", "Your tokens: what they may, when they were used last, when they end", func(ctx context.Context, call *client.Client, _ []string) error {
		rows := printer.NewTable("token", "may", "bot", "last used", "expires", "id")
		return account.List(ctx, g, call, wire.ListTokens, op.Paging{}, "molerun token create NAME", rows, func(t wire.Token) []any {
			end := dayOr(t.ExpiresAt, "never")
			if t.RevokedAt != nil {
				end = "revoked " + dayOr(t.RevokedAt, "")
			}
			return []any{t.Note, strings.Join(t.Scopes, ", "), t.BotID, dayOr(t.LastUsedAt, "never"), end, t.ID}
		})
	})
}

func tokenRevokeCommand(g *account.Group) *cobra.Command {
	return calling(g, "revoke ID", "End a token at once", "  molerun token revoke 0kJ3hT9dPq2LxYz", func(ctx context.Context, call *client.Client, args []string) error {
		err := client.Do(ctx, call, wire.DeleteToken, wire.KeyOf{ID: args[0]}, nil)
		if err == nil && !g.JSON {
			fmt.Fprintf(g.Err, "%s is revoked\n", printer.Printable(args[0]))
		}
		return err
	})
}
