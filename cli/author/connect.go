package author

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"

	"github.com/spf13/cobra"

	"github.com/molerun/molerun/api/op"
	"github.com/molerun/molerun/api/wire"
	"github.com/molerun/molerun/bots/protocol"
	"github.com/molerun/molerun/cli/account"
	"github.com/molerun/molerun/cli/client"
	"github.com/molerun/molerun/cli/command"
	"github.com/molerun/molerun/cli/printer"
	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/tournament"
)

func connectCommand(c command.Console) *cobra.Command {
	to, platform, room, public := "", "", 16, false
	cmd := &cobra.Command{
		Use: "connect BOT --to URL", Short: "Let the platform reach a bot behind a home router",
		Long: "Fetches the messages for a bot from the platform, posts them unchanged to the bot at --to, and brings its answers back, until\n" +
			"SIGINT or SIGTERM; what is under way then is brought to its end, within nine seconds. All connections go out from here. The bot's\n" +
			"address at the platform is relay:BOT: start connect first, then register the bot with it. If the link breaks, connect restores it;\n" +
			"a message whose answer did not arrive is fetched again while there is time. Start it twice, on two machines, and one may stop. Works\n" +
			"with the account that molerun login kept.",
		Example: "  molerun connect wallwizard --to http://127.0.0.1:8000\n  molerun bot create wallwizard relay:wallwizard  # in another terminal, once",
		RunE: func(cmd *cobra.Command, args []string) error {
			if to == "" {
				return fmt.Errorf("%w: --to is missing: where the bot listens, like http://127.0.0.1:8000", command.ErrUsage)
			}
			to, err := command.Address(to)
			if err != nil {
				return err
			}
			if !public && !command.Nearby(to) {
				return fmt.Errorf("%w: --to: %s is neither on this machine nor at a private address; --allow-public carries the bot's messages there", command.ErrUsage, protocol.Quote(to))
			}
			if err := tournament.CheckName("BOT", args[0]); err != nil {
				return fmt.Errorf("%w: %w", command.ErrUsage, err)
			}
			if room < 1 || room > tournament.MaxRelayRoom {
				return fmt.Errorf("%w: --at-once: %d is outside 1..%d", command.ErrUsage, room, tournament.MaxRelayRoom)
			}
			call, err := signedInAt(platform)
			if err != nil {
				return err
			}
			return connect(cmd.Context(), c, call, args[0], to, room)
		},
	}
	cmd.Flags().StringVar(&to, "to", "", "where the bot listens, like http://127.0.0.1:8000")
	cmd.Flags().BoolVar(&public, "allow-public", false, "carry messages to a bot that is neither on this machine nor at a private address")
	cmd.Flags().StringVar(&platform, "platform", "", "another address of the platform than login kept; your token is sent there")
	cmd.Flags().IntVar(&room, "at-once", room, "messages carried at a time")
	return cmd
}

// signedInAt does what signedIn does, at another address of the platform if one is given.
func signedInAt(platform string) (*client.Client, error) {
	if platform != "" {
		var err error
		if platform, err = account.PlatformURL(platform); err != nil {
			return nil, err
		}
	}
	call, err := account.SignedIn()
	if err == nil {
		call.Base = cmp.Or(platform, call.Base)
	}
	return call, err
}

// elsewhere returns the address of the caller's bot of a name whose messages do not lie in the mailbox of that name; "" where there is
// no such bot, or the platform does not say.
func elsewhere(ctx context.Context, call *client.Client, name string) string {
	bot, err := myBot(ctx, call, name)
	var d wire.BotDetail
	if err != nil || client.Do(ctx, call, wire.GetBot, op.ByID(bot.ID), &d) != nil || d.Active.Private == nil {
		return ""
	}
	if at := d.Active.Private.URL; !strings.EqualFold(at, "relay:"+name) {
		return printer.Printable(at)
	}
	return ""
}

// connect carries messages until ctx ends, which is a good end.
func connect(ctx context.Context, c command.Console, call *client.Client, name, to string, room int) error {
	r, err := newRelay(call, name, to, room, func(format string, args ...any) { fmt.Fprintf(c.Err, format+"\n", args...) })
	if err != nil {
		return err
	}
	looking, cancel := context.WithTimeout(ctx, answerWait)
	at := elsewhere(looking, call, name)
	if cancel(); at != "" {
		r.tell("your bot %s plays at %s, not at relay:%s: none of its messages come here\nnext: molerun bot release %[3]s relay:%[3]s in another terminal, then molerun bot promote", name, at, name)
	}
	err = r.run(ctx)
	fmt.Fprintf(c.Out, "%s carried, %s taken, %d refused, the link made again %s\n",
		game.Plural(r.carried.Load(), "message"), game.Plural(r.taken.Load(), "answer"), r.refused.Load(), game.Plural(r.again.Load(), "time"))
	if no, is := errors.AsType[*client.Refusal](err); is && no.Problem.Status == http.StatusUnauthorized {
		if kept, err := account.SignedIn(); err == nil && kept.Token != call.Token {
			return fmt.Errorf("%w\nnext: the same command again, with the token that this machine has by now", no)
		}
	}
	return advise(err)
}
