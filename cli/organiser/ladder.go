package organiser

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/molerun/molerun/api/wire"
	"github.com/molerun/molerun/cli/account"
	"github.com/molerun/molerun/cli/client"
	"github.com/molerun/molerun/cli/command"
	"github.com/molerun/molerun/cli/printer"
)

func ladderCommand(o *calls) *cobra.Command {
	cmd := &cobra.Command{Use: "ladder", Short: "Standing ladders: show", Long: "Works with the account that molerun login kept. A LADDER is named by its game."}
	cmd.AddCommand(command.Completed(o.Command("show LADDER", "A ladder, the best first; those without a rank follow", o.showLadder), command.Offer{Words: command.GameIDs()}))
	return cmd
}

func (o *calls) showLadder(ctx context.Context, call *client.Client, args []string) error {
	rows := printer.NewTable("#>", "bot", "owner", "Elo>", "95 %", "on-line>", "matches>", "won>", "drawn>", "lost>", "form")
	in := wire.LadderList{LadderOf: wire.LadderOf{ID: args[0]}}
	return account.List(ctx, o.Group, call, wire.ListLadderEntries, in, "molerun bot join BOT "+args[0], rows, func(e wire.LadderEntry) []any {
		place, interval := fmt.Sprint(e.Rank), ""
		if e.Rank == 0 {
			place = e.Class
		}
		if e.Fit != nil {
			interval = fmt.Sprintf("[%.0f, %.0f]", e.Fit.Low, e.Fit.High)
		}
		return []any{
			place, e.Bot, e.Owner, fmt.Sprintf("%.0f", e.Rating), interval, fmt.Sprintf("%.0f", e.Online), e.Matches, e.Wins, e.Draws, e.Losses, e.Form,
		}
	})
}
