package author

import (
	"context"
	"fmt"
	"io"
	"net/http"

	"github.com/spf13/cobra"

	"github.com/molerun/molerun/api/wire"
	"github.com/molerun/molerun/cli/account"
	"github.com/molerun/molerun/cli/client"
)

// tournamentArgs completes a bot of the caller's and a tournament.
func tournamentArgs(cmd *cobra.Command) *cobra.Command {
	return account.Completing(cmd, account.Names[wire.Bot]("&owner=me"), account.Names[wire.Tournament](""))
}

func botEnterCommand(b *botCalls) *cobra.Command {
	in := wire.EntryCreate{}
	cmd := tournamentArgs(b.command("enter BOT TOURNAMENT", "Enter a bot in a tournament", "  molerun bot enter wallwizard \"Friday Cup\"", 2,
		func(ctx context.Context, call *client.Client, args []string) error {
			bot, t, err := entering(ctx, call, args)
			if err != nil {
				return err
			}
			in.BotID = bot.ID
			var entry wire.Entry
			if err := call.Post(ctx, "", "/v1/tournaments/"+t.ID+"/entries", in, &entry); err != nil {
				return advise(err, bot.Name, "")
			}
			err = b.tell(entry, func(w io.Writer) { fmt.Fprintf(w, "%s is entered\n", bot.Name) })
			b.next("molerun tournament standings %s", t.ID)
			return err
		}))
	cmd.Flags().StringVar(&in.InviteCode, "invite", "", "the organiser's code, mi_…, where a tournament is by invitation")
	cmd.Flags().BoolVar(&in.Challenger, "challenger", false, "gauntlet: meet all that are not challengers")
	return cmd
}

// entering are the bot of the caller's and the tournament that a command names.
func entering(ctx context.Context, call *client.Client, args []string) (wire.Bot, wire.Tournament, error) {
	bot, err := myBot(ctx, call, args[0])
	if err != nil {
		return bot, wire.Tournament{}, err
	}
	t, err := client.Find[wire.Tournament](ctx, call, args[1])
	return bot, t, advise(err, bot.Name, "")
}

func (b *botCalls) withdraw(ctx context.Context, call *client.Client, args []string) error {
	bot, t, err := entering(ctx, call, args)
	if err != nil {
		return err
	}
	if err := call.Call(ctx, http.MethodDelete, "/v1/tournaments/"+t.ID+"/entries/"+bot.ID, "", nil, nil); err != nil {
		return advise(err, bot.Name, "")
	}
	return b.tell(struct {
		Withdrawn string `json:"withdrawn"`
	}{t.ID}, func(w io.Writer) { fmt.Fprintf(w, "%s is withdrawn\n", bot.Name) })
}
