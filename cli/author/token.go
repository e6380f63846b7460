package author

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/spf13/cobra"

	"github.com/molerun/molerun/api/op"
	"github.com/molerun/molerun/api/wire"
	"github.com/molerun/molerun/bots/protocol"
	"github.com/molerun/molerun/cli/client"
	"github.com/molerun/molerun/cli/command"
	"github.com/molerun/molerun/cli/printer"
)

func tokenCommand(c command.Console) *cobra.Command {
	cmd := &cobra.Command{
		Use: "token", Short: "Your tokens at a platform: create, list, revoke", Args: command.Args(0, 0),
		Long: "Works with the account that molerun login kept. A token may do what its scopes say, of what your role allows: read (every token may),\n" +
			"bot, enter, account, organise, admin. Give each program one of its own, with what it needs.",
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	b := &botCalls{Console: c}
	cmd.PersistentFlags().BoolVar(&b.json, "json", false, "print the answer of the API, one JSON object a line")
	cmd.AddCommand(
		tokenCreateCommand(b),
		b.command("list", "Your tokens: what they may, when they were used last, when they end", "", 0, b.tokens),
		b.command("revoke ID", "End a token at once", "  molerun token revoke 0kJ3hT9dPq2LxYz", 1, b.revoke),
	)
	return cmd
}

func tokenCreateCommand(b *botCalls) *cobra.Command {
	var scopes []string
	bot, expires := "", ""
	cmd := b.command("create NAME", "Print a new token, once; NAME is yours to know it by", "  molerun token create laptop --bot wallwizard\n  molerun token create ci --scope bot,enter --expires 30d", 1,
		func(ctx context.Context, call *client.Client, args []string) error {
			in := wire.TokenCreate{Note: args[0], Scopes: scopes}
			var err error
			if in.ExpiresAt, in.Lasting, err = endOf(expires, time.Now()); err != nil {
				return err
			}
			if bot != "" {
				found, err := myBot(ctx, call, bot)
				if err != nil {
					return err
				}
				in.BotID = found.ID
			}
			var made wire.TokenCreated
			if err := client.Do(ctx, call, wire.CreateToken, in, &made); err != nil {
				return advise(err, bot, "")
			}
			fmt.Fprintf(b.Err, "%s may %s, and expires %s; it is shown this once\n", printer.Printable(made.Note), strings.Join(made.Scopes, ", "), dayOr(made.ExpiresAt, "never"))
			return b.tell(made, func(w io.Writer) { fmt.Fprintln(w, made.Token) })
		})
	cmd.PreRunE = func(*cobra.Command, []string) error {
		_, _, err := endOf(expires, time.Now())
		return err
	}
	cmd.Long = "Makes a token and prints it. It can never grant more than the token of molerun login that creates it, and lasts no longer. A token for one bot\n" +
		"may enter it, change it and carry its messages, and nothing of your other bots."
	cmd.Flags().StringSliceVar(&scopes, "scope", nil, "what it may: read, bot, enter, account, organise, admin; all that yours may, if left out")
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

func (b *botCalls) tokens(ctx context.Context, call *client.Client, _ []string) error {
	rows := table.NewWriter()
	rows.AppendHeader(table.Row{"token", "may", "bot", "last used", "expires", "id"})
	err := client.Each(ctx, call, wire.ListTokens, op.Paging{}, func(t wire.Token) error {
		if b.json {
			return json.NewEncoder(b.Out).Encode(t)
		}
		end := dayOr(t.ExpiresAt, "never")
		if t.RevokedAt != nil {
			end = "revoked " + dayOr(t.RevokedAt, "")
		}
		rows.AppendRow(table.Row{printer.Printable(t.Note), strings.Join(t.Scopes, ", "), t.BotID, dayOr(t.LastUsedAt, "never"), end, t.ID})
		return nil
	})
	if err == nil && !b.json {
		fmt.Fprintln(b.Out, rows.Render())
	}
	return advise(err, "", "")
}

func (b *botCalls) revoke(ctx context.Context, call *client.Client, args []string) error {
	if err := client.Do(ctx, call, wire.DeleteToken, wire.KeyOf{ID: args[0]}, nil); err != nil {
		return advise(err, "", "")
	}
	if !b.json {
		fmt.Fprintf(b.Err, "%s is revoked\n", printer.Printable(args[0]))
	}
	return nil
}
