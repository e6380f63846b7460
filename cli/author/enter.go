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
	"github.com/molerun/molerun/engines/game/text"
)

// tournamentArgs completes a bot of the caller's and a tournament.
func tournamentArgs(cmd *cobra.Command) *cobra.Command {
	return account.Completing(cmd, account.Names[wire.Bot]("&owner=me"), account.Names[wire.Tournament](""))
}

func botEnterCommand(b *botCalls) *cobra.Command {
	in := wire.EntryCreate{}
	cmd := tournamentArgs(b.command("enter BOT TOURNAMENT", "Enter a bot in a tournament", "  molerun bot enter wallwizard \"Friday Cup\"", 2,
		func(ctx context.Context, call *client.Client, args []string) error {
			bot, t, err := entering(ctx, call, args, "scheduled")
			if err != nil {
				return err
			}
			in.BotID, in.InviteCode = bot.ID, text.Word(in.InviteCode)
			var entry wire.Entry
			if err := client.Do(ctx, call, wire.JoinTournament, op.BodyByID(t.ID, in), &entry); err != nil {
				return advise(err, bot.Name, "")
			}
			said := "is entered"
			if entry.Waiting {
				said = "waits for a place: all are taken"
			}
			err = b.tell(entry, func(w io.Writer) { fmt.Fprintf(w, "%s %s\n", bot.Name, said) })
			if t.CheckInMS != 0 && entry.CheckedInAt == nil {
				opens := t.StartsAt.Add(-time.Duration(t.CheckInMS) * time.Millisecond)
				b.next("molerun bot checkin %s %s, from %s until the start", bot.Name, t.ID, opens.Local().Format("2006-01-02 15:04"))
				return err
			}
			b.next("molerun tournament standings %s", t.ID)
			return err
		}))
	cmd.Flags().StringVar(&in.InviteCode, "invite", "", "the organiser's code, mi_…, where a tournament is by invitation")
	cmd.Flags().BoolVar(&in.Challenger, "challenger", false, "gauntlet: meet all that are not challengers")
	return cmd
}

// entering returns the caller's bot and the tournament that a command names: of several of that name, one in this state.
func entering(ctx context.Context, call *client.Client, args []string, states ...string) (wire.Bot, wire.Tournament, error) {
	bot, err := myBot(ctx, call, args[0])
	if err != nil {
		return bot, wire.Tournament{}, err
	}
	t, err := client.Find[wire.Tournament](ctx, call, args[1], states...)
	return bot, t, advise(err, bot.Name, "")
}

func (b *botCalls) checkIn(ctx context.Context, call *client.Client, args []string) error {
	bot, t, err := entering(ctx, call, args, "scheduled")
	if err != nil {
		return err
	}
	var entry wire.Entry
	if err := client.Do(ctx, call, wire.CheckInEntry, wire.EntryOf{One: op.ByID(t.ID), BotID: bot.ID}, &entry); err != nil {
		return advise(err, bot.Name, "")
	}
	return b.tell(entry, func(w io.Writer) { fmt.Fprintf(w, "%s is checked in\n", bot.Name) })
}

func (b *botCalls) withdraw(ctx context.Context, call *client.Client, args []string) error {
	bot, t, err := entering(ctx, call, args)
	if err != nil {
		return err
	}
	if err := client.Do(ctx, call, wire.WithdrawEntry, wire.EntryOf{One: op.ByID(t.ID), BotID: bot.ID}, nil); err != nil {
		return advise(err, bot.Name, "")
	}
	return b.tell(struct {
		Withdrawn string `json:"withdrawn"`
	}{t.ID}, func(w io.Writer) { fmt.Fprintf(w, "%s is withdrawn\n", bot.Name) })
}
