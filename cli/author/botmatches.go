package author

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/molerun/molerun/api/op"
	"github.com/molerun/molerun/api/wire"
	"github.com/molerun/molerun/cli/account"
	"github.com/molerun/molerun/cli/client"
	"github.com/molerun/molerun/cli/command"
	"github.com/molerun/molerun/cli/printer"
	"github.com/molerun/molerun/tournament"
)

// matchesShown is how many matches are listed.
const matchesShown = 20

// botMatches lists what a bot has played last.
func botMatches(g *account.Group) func(context.Context, *client.Client, wire.Bot, []string) error {
	return func(ctx context.Context, call *client.Client, bot wire.Bot, _ []string) error {
		var page wire.Page[wire.Match]
		if err := client.Do(ctx, call, wire.ListBotMatches, op.ListOf{One: op.ByID(bot.ID), Paging: op.Paging{Limit: matchesShown}}, &page); err != nil {
			return err
		}
		rows := printer.NewTable("match", "game", "ended", "seat", "rank", "faults", "against")
		for _, m := range page.Data {
			if err := g.Tell(m, func(io.Writer) { rows.Row(matchCells(m, bot.ID)...) }); err != nil {
				return err
			}
		}
		switch {
		case g.JSON:
		case len(page.Data) == 0:
			return noMatches(ctx, g, call, bot)
		default:
			fmt.Fprintln(g.Out, rows.Render())
			at := max(0, slices.IndexFunc(page.Data, func(m wire.Match) bool { return lost(m, bot.ID) }))
			g.Next("molerun bot replay %s", page.Data[at].ID)
		}
		return nil
	}
}

// noMatches says of a bot without a match that is over why there is none, as far as its ladders know.
func noMatches(ctx context.Context, g *account.Group, call *client.Client, bot wire.Bot) error {
	fmt.Fprintln(g.Err, "no match of it is over yet")
	var health wire.BotHealth
	if err := client.Do(ctx, call, wire.GetBotHealth, op.ListOf{One: op.ByID(bot.ID), Paging: op.Paging{Limit: 1}}, &health); err != nil {
		return err
	}
	for _, l := range health.Ladders {
		fmt.Fprintln(g.Err, ladderLine(l))
	}
	switch {
	case bot.Status == string(tournament.BotPaused):
		g.Next("molerun bot check %s", bot.Name)
	case len(health.Ladders) == 0:
		g.Next("molerun bot join %s GAME", bot.Name)
	}
	return nil
}

// lost reports whether another bot came before this one in a match.
func lost(m wire.Match, botID string) bool {
	at := slices.IndexFunc(m.Seats, func(s wire.MatchSeat) bool { return s.BotID == botID })
	return at >= 0 && m.Outcome != nil && m.Seats[at].Seat < len(m.Outcome.Rank) && m.Outcome.Rank[m.Seats[at].Seat] > 1
}

// matchCells returns how a match went for a bot.
func matchCells(m wire.Match, botID string) []any {
	seat, rank, faults, ended := "", "", "", ""
	var against []string
	for _, s := range m.Seats {
		if s.BotID != botID {
			against = append(against, s.Bot)
			continue
		}
		seat = fmt.Sprint(s.Seat)
		if o := m.Outcome; o != nil && s.Seat < len(o.Rank) && s.Seat < len(o.Faults) {
			rank, faults = fmt.Sprintf("%d of %d", o.Rank[s.Seat], len(o.Rank)), fmt.Sprint(o.Faults[s.Seat])
		}
	}
	if m.EndedAt != nil {
		ended = m.EndedAt.Format(time.DateTime)
	}
	return []any{m.ID, m.Game, ended, seat, rank, faults, strings.Join(against, ", ")}
}

func botReplayCommand(g *account.Group) *cobra.Command {
	force := false
	cmd := g.Command("replay MATCH", "Save the record of a match as a file", func(ctx context.Context, call *client.Client, args []string) error {
		file := args[0] + ".jsonl.gz"
		if strings.ContainsAny(args[0], `/\`) {
			return fmt.Errorf("%w: %q is not the id of a match", command.ErrUsage, args[0])
		}
		record, err := call.Read(ctx, wire.GetMatchReplay.Target(op.ByID(args[0])))
		if err != nil {
			return err
		}
		if err := command.WriteNew(file, record, force); err != nil {
			return err
		}
		defer g.Next("molerun replay show %s", command.Quoted(file))
		return g.Say(map[string]string{"file": file}, "%s", file)
	})
	cmd.Flags().BoolVar(&force, "force", false, "overwrite a file that is there already")
	return cmd
}
