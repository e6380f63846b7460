package organiser

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/molerun/molerun/api/op"
	"github.com/molerun/molerun/api/wire"
	"github.com/molerun/molerun/cli/account"
	"github.com/molerun/molerun/cli/client"
	"github.com/molerun/molerun/cli/command"
	"github.com/molerun/molerun/cli/printer"
)

func ladderCommand(o *calls) *cobra.Command {
	cmd := &cobra.Command{
		Use: "ladder", Short: "Standing ladders: list, show, create",
		Long: "Works with the account that molerun login kept. The LADDER of a base game is named by its game.",
	}
	cmd.AddCommand(o.Command("list", "All ladders, by game, and what matches each is of", o.listLadders), ladderCreateCommand(o), command.Completed(o.Command("show LADDER", "A ladder, the best first; those without a rank follow", o.showLadder), command.Offer{Words: command.GameIDs()}))
	return cmd
}

func (o *calls) listLadders(ctx context.Context, call *client.Client, _ []string) error {
	rows := printer.NewTable("ladder", "game", "variant", "rated>")
	return account.List(ctx, o.Group, call, wire.ListLadders, op.Paging{}, "molerun serve", rows, func(l wire.Ladder) []any {
		return []any{l.ID, l.Game, cmp.Or(l.Variant, "base"), l.Rated}
	})
}

func ladderCreateCommand(o *calls) *cobra.Command {
	var in wire.LadderCreate
	var config, variant string
	cmd := o.Command("create LADDER GAME", "Open a ladder of a variant, as an administrator", func(ctx context.Context, call *client.Client, args []string) error {
		in.ID, in.Game, in.Config = args[0], args[1], json.RawMessage(config)
		var wrong refusals
		switch {
		case config != "" && variant != "":
			wrong.add("--variant", "does not go with --config: say one of them")
			return wrong.err()
		case variant != "":
			var g wire.Game
			if err := client.Do(ctx, call, wire.GetGame, wire.GameOf{Game: in.Game}, &g); err != nil {
				return err
			}
			if in.Config = variantOf(g, variant, &wrong); in.Config == nil {
				return wrong.err()
			}
		}
		place := func(key string) string {
			argument := map[string]string{"id": "LADDER", "game": "GAME"}[key]
			return cmp.Or(argument, "--"+strings.ReplaceAll(strings.TrimSuffix(key, "_size"), "_", "-"))
		}
		return wrong.answered(account.Ask(ctx, o.Group, call, wire.CreateLadder, in, func(w io.Writer, made wire.Ladder) {
			fmt.Fprintln(w, printer.Sprintf("opened ladder %s of %s: %s", made.ID, made.Game, made.Variant))
			o.Next("molerun bot join BOT %s", made.ID)
		}), place)
	})
	cmd.Long = "Opens a ladder of a game's matches in one configuration, at one number of seats or all, by one class of clocks. Rated tournaments of such\n" +
		"matches enter it from now on; those that are announced stay where they were announced to be. A ladder cannot be closed."
	cmd.Example = "  molerun ladder create demol-talk demol --variant talk --clock-class slow"
	f := cmd.Flags()
	f.StringVar(&config, "config", "", "the configuration, a JSON object (default: the base variant)")
	f.StringVar(&variant, "variant", "", "the configuration of this name; molerun rules GAME lists them")
	f.IntVar(&in.Table, "table", 0, "seats of every match (default: every number that the game has)")
	f.BoolVar(&in.Beliefs, "beliefs", false, "turns ask bots what they believe about what they cannot see")
	command.WordFlag(cmd, &in.ClockClass, "clock-class", "standard", "slow")
	return command.Completed(command.Nonzero(cmd, "table"), command.Offer{}, command.Offer{Words: command.GameIDs()})
}

func (o *calls) showLadder(ctx context.Context, call *client.Client, args []string) error {
	rows := printer.NewTable("#>", "bot", "owner", "Elo>", "95 %", "on-line>", "matches>", "won>", "drawn>", "lost>", "form")
	in := wire.LadderList{LadderOf: wire.LadderOf{ID: strings.ToLower(args[0])}}
	return account.List(ctx, o.Group, call, wire.ListLadderEntries, in, "molerun bot join BOT "+command.Quoted(args[0]), rows, func(e wire.LadderEntry) []any {
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
