package author

import (
	"context"
	"encoding/base64"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/molerun/molerun/api/op"
	"github.com/molerun/molerun/api/wire"
	"github.com/molerun/molerun/bots/card"
	"github.com/molerun/molerun/cli/account"
	"github.com/molerun/molerun/cli/client"
	"github.com/molerun/molerun/cli/command"
	"github.com/molerun/molerun/cli/printer"
	"github.com/molerun/molerun/tournament"
)

func cardCommand(c command.Console) *cobra.Command {
	cmd := &cobra.Command{
		Use: "card", Short: "Cards of agents at a platform: list, upload, show, delete",
		Long: "Works with the account that molerun login kept, on cards that molerun evaluate has written.",
	}
	g := &account.Group{Console: c, Advice: func(code string, _ *cobra.Command, _ []string) string {
		if code == tournament.ErrNotFound.Error() || code == tournament.ErrNotYours.Error() {
			return "molerun card list"
		}
		return ""
	}}
	g.JSONFlag(cmd.PersistentFlags())
	cmd.AddCommand(cardListCommand(g), cardUploadCommand(g), cardShowCommand(g), cardDeleteCommand(g))
	return cmd
}

func cardListCommand(g *account.Group) *cobra.Command {
	return calling(g, "list", "The cards that were checked: those over the most games first, and of these the strongest", "  molerun card list", func(ctx context.Context, call *client.Client, _ []string) error {
		rows := printer.NewTable("agent", "build", "plan", "games>", "clean", "with errors", "$ a match>", "card")
		return account.List(ctx, g, call, wire.ListCards, op.Paging{}, "molerun evaluate", rows, func(c wire.ListedCard) []any {
			s, cost := c.Summary, ""
			if each := s.MatchCost(); each > 0 {
				cost = fmt.Sprintf("%.2g", each)
			}
			interval := func(m tournament.Mean) string { return tournament.Interval("%.0f", m.Value, m.Low, m.High) }
			return []any{s.Subject, s.Build, s.Plan, len(s.Games), interval(s.Clean), interval(s.WithErrors), cost, c.Hash}
		})
	})
}

func cardUploadCommand(g *account.Group) *cobra.Command {
	cmd := calling(g, "upload DIR", "Upload a card, to be checked and shown to everybody", "  molerun card upload mine", func(ctx context.Context, call *client.Client, args []string) error {
		text, err := os.ReadFile(filepath.Join(args[0], "card.json"))
		if err != nil {
			return err
		}
		decided, err := os.ReadFile(filepath.Join(args[0], card.DecisionsFile))
		if err != nil {
			return err
		}
		return askCard(ctx, g, call, wire.UploadCard, wire.CardUpload{Card: text, Decisions: base64.StdEncoding.EncodeToString(decided)})
	})
	cmd.Long = "Uploads card.json and " + card.DecisionsFile + " of the folder of an evaluation. The platform plays the matches again with these decisions and\n" +
		"derives the card; until then only you see it. Then its page is open to everybody, or it is refused with the first place that differs."
	return cmd
}

func cardShowCommand(g *account.Group) *cobra.Command {
	return calling(g, "show HASH", "Say how far the check of a card has come", "  molerun card show 6b86b273ff34fce19d6b804eff5a3f5747ada4eaa22f1d49c01e52ddb7875b4b", func(ctx context.Context, call *client.Client, args []string) error {
		return askCard(ctx, g, call, wire.GetCard, wire.CardOf{Hash: args[0]})
	})
}

func cardDeleteCommand(g *account.Group) *cobra.Command {
	return calling(g, "delete HASH", "Delete a card of yours", "  molerun card delete 6b86b273ff34fce19d6b804eff5a3f5747ada4eaa22f1d49c01e52ddb7875b4b", func(ctx context.Context, call *client.Client, args []string) error {
		err := client.Do(ctx, call, wire.DeleteCard, wire.CardOf{Hash: args[0]}, nil)
		if err == nil && !g.JSON {
			fmt.Fprintf(g.Err, "%s is deleted\n", printer.Printable(args[0]))
		}
		return err
	})
}

// askCard says how far the check of a card has come.
func askCard[In any](ctx context.Context, g *account.Group, call *client.Client, o op.Operation[In, wire.UploadedCard], in In) error {
	return account.Ask(ctx, g, call, o, in, func(w io.Writer, up wire.UploadedCard) {
		reason, hash := printer.Printable(up.Reason), printer.Printable(up.Hash)
		switch up.State {
		case "checked":
			fmt.Fprintf(w, "%s/cards/%s\n", call.Base, hash)
			if reason != "" {
				fmt.Fprintln(w, reason)
			}
		case "refused":
			fmt.Fprintf(w, "refused: %s\n", reason)
		default:
			fmt.Fprintf(w, "%s %s\n", printer.Printable(up.State), hash)
			g.Next("molerun card show %s, in a minute", up.Hash)
		}
	})
}
