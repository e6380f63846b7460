package author

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/molerun/molerun/api/op"
	"github.com/molerun/molerun/api/wire"
	"github.com/molerun/molerun/cli/account"
	"github.com/molerun/molerun/cli/client"
	"github.com/molerun/molerun/cli/command"
	"github.com/molerun/molerun/cli/printer"
)

func botChallengeCommand(g *account.Group) *cobra.Command {
	in, config := wire.ChallengeCreate{}, ""
	cmd := onBot(g, "challenge BOT OPPONENT...", "Play one unrated match against your other bots, or those that take challenges", "  molerun bot challenge wallwizard wallwizard-2 --game molehill",
		func(ctx context.Context, call *client.Client, bot wire.Bot, opponents []string) error {
			if config != "" {
				if !json.Valid([]byte(config)) {
					return fmt.Errorf("%w: --config wants a JSON object", command.ErrUsage)
				}
				in.Config = json.RawMessage(config)
			}
			in.Bots = []string{bot.ID}
			var unknown []error
			for _, name := range opponents {
				other, err := client.Find[wire.Bot](ctx, call, name)
				unknown = append(unknown, err)
				in.Bots = append(in.Bots, other.ID)
			}
			err := errors.Join(unknown...)
			if err == nil && in.Game == "" {
				in.Game, err = onlyGame(ctx, call, bot)
			}
			if err != nil {
				return err
			}
			return play(ctx, g, call, wire.CreateChallenge, in)
		})
	cmd.Long = "Plays one unrated match at once. The bots sit in the order in which they are named. --json prints the match, whose page shows it.\n\n" +
		"An opponent is a second bot of yours, or any bot that takes challenges: molerun ladder show LADDER names those that play. " +
		"Where there is none, register one of the house's: molerun house greedy, then molerun bot create with the address that it prints."
	account.Completing(cmd, myBots(), account.Names[wire.Bot](""))
	cmd.Flags().StringVar(&in.Game, "game", "", "what they play; left out where the first bot plays one game only")
	cmd.Flags().StringVar(&config, "config", "", "its configuration, a JSON object (default: the base variant)")
	command.FlagWords(cmd, "game", command.GameIDs()...)
	return cmd
}

// onlyGame returns the game that a bot plays, if it is one.
func onlyGame(ctx context.Context, call *client.Client, bot wire.Bot) (string, error) {
	var d wire.BotDetail
	if err := client.Do(ctx, call, wire.GetBot, op.ByID(bot.ID), &d); err != nil {
		return "", err
	}
	if len(d.Active.Games) != 1 {
		return "", fmt.Errorf("%w: %s plays %s: say which with --game", command.ErrUsage, bot.Name, strings.Join(d.Active.Games, ", "))
	}
	return d.Active.Games[0], nil
}

// play has a match made, and prints it: in a game with hidden teams by what its seats are called at the table.
func play[In any](ctx context.Context, g *account.Group, call *client.Client, o op.Operation[In, wire.Match], in In) error {
	return account.Ask(ctx, g, call, o, in, func(w io.Writer, m wire.Match) {
		var bots []string
		for _, s := range m.Seats {
			bots = append(bots, cmp.Or(s.Bot, s.Alias))
		}
		fmt.Fprintln(w, printer.Sprintf("%s %s %s: %s", m.ID, m.Game, m.Status, strings.Join(bots, ", ")))
		g.Next("look at %s/matches/%s", call.Base, m.ID)
	})
}

func botRematchCommand(g *account.Group) *cobra.Command {
	return g.Command("rematch MATCH", "Repeat a finished match, unrated, each bot one seat further", func(ctx context.Context, call *client.Client, args []string) error {
		return play(ctx, g, call, wire.CreateRematch, op.ByID(args[0]))
	})
}

func botTakesCommand(g *account.Group) *cobra.Command {
	return onBot(g, "takes-challenges BOT YES", "Let others challenge a bot to unrated matches, true or false", "  molerun bot takes-challenges wallwizard true",
		func(ctx context.Context, call *client.Client, bot wire.Bot, rest []string) error {
			yes, err := strconv.ParseBool(rest[0])
			if err != nil {
				return fmt.Errorf("%w: %q is neither true nor false", command.ErrUsage, rest[0])
			}
			return account.Do(ctx, g, call, wire.UpdateBot, op.BodyByID(bot.ID, wire.BotPatch{TakesChallenges: yes}), func(now wire.Bot) string {
				if now.TakesChallenges {
					return bot.Name + " takes challenges"
				}
				return bot.Name + " takes no challenges"
			})
		})
}
