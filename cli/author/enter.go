package author

import (
	"context"
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"

	"github.com/molerun/molerun/api/op"
	"github.com/molerun/molerun/api/wire"
	"github.com/molerun/molerun/cli/account"
	"github.com/molerun/molerun/cli/client"
	"github.com/molerun/molerun/cli/printer"
	"github.com/molerun/molerun/engines/game/text"
)

// onEntry returns a command about a bot of the caller's in a tournament: of several of that name, one in a state.
func onEntry(g *account.Group, use, short, example string, do func(ctx context.Context, call *client.Client, bot wire.Bot, t wire.Tournament) error, states ...string) *cobra.Command {
	cmd := onBot(g, use, short, example, func(ctx context.Context, call *client.Client, bot wire.Bot, rest []string) error {
		t, err := client.Find[wire.Tournament](ctx, call, rest[0], states...)
		if err != nil {
			return err
		}
		return do(ctx, call, bot, t)
	})
	return account.Completing(cmd, myBots(), account.Names[wire.Tournament](""))
}

func botEnterCommand(g *account.Group) *cobra.Command {
	in := wire.EntryCreate{}
	cmd := onEntry(g, "enter BOT TOURNAMENT", "Enter a bot in a tournament", "  molerun bot enter wallwizard \"Friday Cup\"",
		func(ctx context.Context, call *client.Client, bot wire.Bot, t wire.Tournament) error {
			in.BotID, in.InviteCode = bot.ID, text.Word(in.InviteCode)
			return account.Ask(ctx, g, call, wire.JoinTournament, op.BodyByID(t.ID, in), func(w io.Writer, entry wire.Entry) {
				said := "is entered"
				if entry.Waiting {
					said = "waits for a place: all are taken"
				}
				fmt.Fprintln(w, printer.Sprintf("%s %s", bot.Name, said))
				if t.CheckInMS != 0 && entry.CheckedInAt == nil {
					opens := t.StartsAt.Add(-time.Duration(t.CheckInMS) * time.Millisecond)
					g.Next("molerun bot checkin %s %s, from %s until the start", bot.Name, t.ID, opens.Local().Format("2006-01-02 15:04"))
				} else {
					g.Next("molerun tournament standings %s", t.ID)
				}
			})
		}, "scheduled")
	cmd.Flags().StringVar(&in.InviteCode, "invite", "", "the organiser's code, mi_…, where a tournament is by invitation")
	cmd.Flags().BoolVar(&in.Challenger, "challenger", false, "gauntlet: meet all that are not challengers")
	return cmd
}

func botCheckInCommand(g *account.Group) *cobra.Command {
	return onEntry(g, "checkin BOT TOURNAMENT", "Confirm that a bot will play, in a tournament with check-in", "  molerun bot checkin wallwizard \"Friday Cup\"",
		func(ctx context.Context, call *client.Client, bot wire.Bot, t wire.Tournament) error {
			return account.Do(ctx, g, call, wire.CheckInEntry, wire.EntryOf{One: op.ByID(t.ID), BotID: bot.ID}, func(wire.Entry) string {
				return bot.Name + " is checked in"
			})
		}, "scheduled")
}

func botWithdrawCommand(g *account.Group) *cobra.Command {
	return onEntry(g, "withdraw BOT TOURNAMENT", "Take a bot out of a tournament; after the start that is permanent", "  molerun bot withdraw wallwizard \"Friday Cup\"",
		func(ctx context.Context, call *client.Client, bot wire.Bot, t wire.Tournament) error {
			in := wire.EntryOf{One: op.ByID(t.ID), BotID: bot.ID}
			return account.Done(ctx, g, call, wire.WithdrawEntry, in, map[string]string{"withdrawn": t.ID}, "%s is withdrawn", bot.Name)
		})
}
