package author

import (
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

// botArg completes a command's first argument with the caller's bots.
func botArg(cmd *cobra.Command) *cobra.Command {
	return account.Completing(cmd, account.Names[wire.Bot]("&owner=me"))
}

func botChallengeCommand(b *botCalls) *cobra.Command {
	game, config := "", ""
	cmd := b.command("challenge BOT OPPONENT...", "Play one unrated match against your other bots, or those that take challenges", "  molerun bot challenge wallwizard house-greedy --game molehill", 0,
		func(ctx context.Context, call *client.Client, args []string) error {
			return b.challenge(ctx, call, args, game, config)
		})
	cmd.Args = command.Args(2, command.Any)
	cmd.Long = "Plays one unrated match at once. The bots sit in the order in which they are named. --json prints the match, whose page shows it."
	account.Completing(cmd, account.Names[wire.Bot]("&owner=me"), account.Names[wire.Bot](""))
	cmd.Flags().StringVar(&game, "game", "", "what they play; left out where the first bot plays one game only")
	cmd.Flags().StringVar(&config, "config", "", "its configuration, a JSON object (default: the base variant)")
	_ = cmd.RegisterFlagCompletionFunc("game", cobra.FixedCompletions(command.GameIDs(), cobra.ShellCompDirectiveNoFileComp))
	return cmd
}

func (b *botCalls) challenge(ctx context.Context, call *client.Client, args []string, game, config string) error {
	bot, err := myBot(ctx, call, args[0])
	if err != nil {
		return err
	}
	in := wire.ChallengeCreate{Game: game, Bots: []string{bot.ID}}
	if config != "" {
		if !json.Valid([]byte(config)) {
			return fmt.Errorf("%w: --config wants a JSON object", command.ErrUsage)
		}
		in.Config = json.RawMessage(config)
	}
	var unknown []error
	for _, name := range args[1:] {
		other, err := client.Find[wire.Bot](ctx, call, name)
		unknown = append(unknown, err)
		in.Bots = append(in.Bots, other.ID)
	}
	if err := errors.Join(unknown...); err != nil {
		return advise(err, bot.Name, "")
	}
	if in.Game == "" {
		if in.Game, err = onlyGame(ctx, call, bot); err != nil {
			return err
		}
	}
	var m wire.Match
	if err := client.Do(ctx, call, wire.CreateChallenge, in, &m); err != nil {
		return advise(err, bot.Name, "")
	}
	return b.toldMatch(call, m)
}

// onlyGame returns the game that a bot plays, if it is one.
func onlyGame(ctx context.Context, call *client.Client, bot wire.Bot) (string, error) {
	var d wire.BotDetail
	if err := client.Do(ctx, call, wire.GetBot, op.ByID(bot.ID), &d); err != nil {
		return "", advise(err, bot.Name, "")
	}
	if len(d.Active.Games) != 1 {
		return "", fmt.Errorf("%w: %s plays %s: say which with --game", command.ErrUsage, bot.Name, strings.Join(d.Active.Games, ", "))
	}
	return d.Active.Games[0], nil
}

// toldMatch prints a match that was made.
func (b *botCalls) toldMatch(call *client.Client, m wire.Match) error {
	var bots []string
	for _, s := range m.Seats {
		bots = append(bots, printer.Printable(s.Bot))
	}
	err := b.tell(m, func(w io.Writer) { fmt.Fprintf(w, "%s %s %s: %s\n", m.ID, m.Game, m.Status, strings.Join(bots, ", ")) })
	b.next("look at %s/matches/%s", call.Base, m.ID)
	return err
}

func (b *botCalls) rematch(ctx context.Context, call *client.Client, args []string) error {
	var m wire.Match
	if err := client.Do(ctx, call, wire.CreateRematch, op.ByID(args[0]), &m); err != nil {
		return advise(err, "", "")
	}
	return b.toldMatch(call, m)
}

func botTakesCommand(b *botCalls) *cobra.Command {
	return botArg(b.command("takes-challenges BOT YES", "Let others challenge a bot to unrated matches, true or false", "  molerun bot takes-challenges wallwizard true", 2,
		func(ctx context.Context, call *client.Client, args []string) error {
			yes, err := strconv.ParseBool(args[1])
			if err != nil {
				return fmt.Errorf("%w: %q is neither true nor false", command.ErrUsage, args[1])
			}
			bot, err := myBot(ctx, call, args[0])
			if err != nil {
				return err
			}
			if err := client.Do(ctx, call, wire.UpdateBot, op.BodyByID(bot.ID, wire.BotPatch{TakesChallenges: yes}), &bot); err != nil {
				return advise(err, bot.Name, "")
			}
			said := "takes no challenges"
			if bot.TakesChallenges {
				said = "takes challenges"
			}
			return b.tell(bot, func(w io.Writer) { fmt.Fprintf(w, "%s %s\n", bot.Name, said) })
		}))
}
