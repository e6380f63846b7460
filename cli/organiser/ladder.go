package organiser

import (
	"context"
	"fmt"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/spf13/cobra"

	"github.com/molerun/molerun/api/wire"
	"github.com/molerun/molerun/cli/client"
	"github.com/molerun/molerun/cli/command"
	"github.com/molerun/molerun/cli/printer"
)

func ladderCommand(c command.Console) *cobra.Command {
	cmd, o := group(c, "ladder", "Standing ladders: show", "Works with the account that molerun login kept. A LADDER is named by its game.")
	show := o.command("show LADDER", "A ladder, the best first; those without a rank follow", 1, o.showLadder)
	show.ValidArgsFunction = func(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
		if len(args) > 0 {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		return command.GameIDs(), cobra.ShellCompDirectiveNoFileComp
	}
	cmd.AddCommand(show)
	return cmd
}

func (o *calls) showLadder(ctx context.Context, call *client.Client, args []string) error {
	rows := newTable("#", "bot", "owner", "Elo", "95 %", "on-line", "matches", "won", "drawn", "lost", "form")
	alignNumbers(rows, 1, 4, 6, 7, 8, 9, 10)
	err := client.Each(ctx, call, wire.ListLadderEntries, wire.LadderList{LadderOf: wire.LadderOf{ID: args[0]}}, func(e wire.LadderEntry) error {
		place, interval := fmt.Sprint(e.Rank), ""
		if e.Rank == 0 {
			place = e.Class
		}
		if e.Fit != nil {
			interval = fmt.Sprintf("[%.0f, %.0f]", e.Fit.Low, e.Fit.High)
		}
		rows.AppendRow(table.Row{
			place, printer.Printable(e.Bot), printer.Printable(e.Owner), fmt.Sprintf("%.0f", e.Rating), interval, fmt.Sprintf("%.0f", e.Online),
			e.Matches, e.Wins, e.Draws, e.Losses, e.Form,
		})
		return o.line(e)
	})
	return o.end(rows, err, "molerun bot join BOT "+args[0])
}
