package author

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/molerun/molerun/api/wire"
	"github.com/molerun/molerun/bots/protocol"
	"github.com/molerun/molerun/cli/account"
	"github.com/molerun/molerun/cli/client"
	"github.com/molerun/molerun/cli/command"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/httpbot"
)

// advice returns what to do after a refusal of a command whose arguments may name a bot and an address.
func advice(code string, cmd *cobra.Command, args []string) string {
	argument := func(name string) string {
		if at := slices.Index(strings.Fields(cmd.Use), name) - 1; at >= 0 && at < len(args) {
			return args[at]
		}
		return ""
	}
	bot, address := argument("BOT"), argument("URL")
	switch code {
	case tournament.ErrTaken.Error():
		return "choose another name, or look at what is yours: molerun bot list"
	case tournament.ErrBot.Error():
		if name, ok := strings.CutPrefix(address, "relay:"); ok {
			return "molerun connect " + command.Quoted(name) + " --to URL in another terminal, where the bot runs with the same secret in MOLERUN_SECRET"
		}
		next := "molerun check " + command.Quoted(cmp.Or(address, "URL")) + ", with the same secret in MOLERUN_SECRET"
		if address != "" && httpbot.CheckURL(address, httpbot.Guard{}) != nil {
			next += "\nnext: if it finds no fault, the platform cannot reach this machine: molerun connect " + command.Quoted(args[0]) + " --to " + command.Quoted(address) +
				" in another terminal, then register relay:" + args[0] + " in place of the URL"
		}
		return next
	case tournament.ErrState.Error():
		if bot == "" || argument("TOURNAMENT")+argument("LADDER")+argument("OPPONENT...") != "" {
			return "" // the refusal says what is in the way: what an account organises, a match, a tournament, another's bot
		}
		return "molerun bot show " + command.Quoted(bot)
	case tournament.ErrNotFound.Error(), tournament.ErrNotYours.Error():
		return lists(cmd)
	}
	return ""
}

// lists returns the command that shows what the last argument of another may name.
func lists(cmd *cobra.Command) string {
	for _, x := range []struct{ argument, list string }{
		{"LADDER", "ladder list"}, {"TOURNAMENT", "tournament list"}, {"MATCH", "bot matches BOT"}, {"NUMBER", "bot versions BOT"},
	} {
		if slices.Contains(strings.Fields(cmd.Use), x.argument) {
			return "molerun " + x.list
		}
	}
	if cmd.Name() == "end" {
		return "molerun account show"
	}
	return account.ListOf(cmd)
}

// advise adds the next command to try to a refusal before there is an account.
func advise(err error) error {
	return account.Advise(err, func(code string) string { return advice(code, &cobra.Command{}, nil) })
}

// calling returns a command that calls the platform, with an example.
func calling(g *account.Group, use, short, example string, do func(context.Context, *client.Client, []string) error) *cobra.Command {
	cmd := g.Command(use, short, do)
	cmd.Example = example
	return cmd
}

// onBot returns a command about a bot of the caller's, which its first argument names.
func onBot(g *account.Group, use, short, example string, do func(ctx context.Context, call *client.Client, bot wire.Bot, rest []string) error) *cobra.Command {
	return account.Completing(calling(g, use, short, example, func(ctx context.Context, call *client.Client, args []string) error {
		bot, err := myBot(ctx, call, args[0])
		if err != nil {
			return err
		}
		return do(ctx, call, bot, args[1:])
	}), myBots())
}

// myBots offers the caller's bots.
func myBots() account.Offer { return account.Names[wire.Bot]("&owner=me") }

// myBot finds a bot of the caller's by name, in any case, or by id.
func myBot(ctx context.Context, call *client.Client, name string) (wire.Bot, error) {
	bots, err := client.All(ctx, call, wire.ListBots, wire.BotsQuery{Owner: "me"})
	var names []string
	for _, b := range bots {
		if strings.EqualFold(b.Name, name) || strings.EqualFold(b.ID, name) {
			return b, nil
		}
		names = append(names, b.Name)
	}
	switch {
	case err == nil && names != nil: // a slip, or somebody else's bot, whose name cannot be had
		err = fmt.Errorf("you have no bot %s; you have %s\nnext: molerun bot list", protocol.Quote(name), strings.Join(names, ", "))
	case err == nil:
		err = errors.New("you have no bot\nnext: molerun bot create NAME URL")
	}
	return wire.Bot{}, err
}
