package organiser

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/molerun/molerun/api/op"
	"github.com/molerun/molerun/api/wire"
	"github.com/molerun/molerun/bots/protocol"
	"github.com/molerun/molerun/cli/account"
	"github.com/molerun/molerun/cli/client"
	"github.com/molerun/molerun/cli/printer"
	"github.com/molerun/molerun/tournament"
)

// entryState returns what is unusual about an entry of a format, in words.
func entryState(format string, e wire.Entry) string {
	text := ""
	if e.Challenger && format == string(tournament.Gauntlet) {
		text += ", challenger"
	}
	if e.Waiting {
		text += ", waits for a place"
	}
	if e.CheckedInAt != nil {
		text += ", checked in"
	}
	switch {
	case e.LeftOut != "":
		text += ", left out: " + strings.ReplaceAll(e.LeftOut, "_", " ")
	case e.State == "replaced" || e.State == "excluded":
		text += ", " + printer.Printable(e.Text)
	case e.WithdrawnAt != nil:
		text += ", withdrew " + moment(*e.WithdrawnAt)
	case e.State == "paused" || e.State == "greeting" || e.State == "check_in":
		text += ", " + e.Text
	}
	return text
}

// entryCommand returns a command about the entry of a bot, which is named in any case or by its id, in a tournament: of several of that name,
// one in some state.
func (o *calls) entryCommand(use, short string, do func(context.Context, *client.Client, wire.Tournament, wire.Entry, []string) error, states ...string) *cobra.Command {
	cmd := account.On(o.Group, use, short, func(ctx context.Context, call *client.Client, t wire.Tournament, rest []string) error {
		entries, err := entriesOf(ctx, call, t)
		if err != nil {
			return err
		}
		i := indexOfBot(entries, rest[0])
		if i < 0 {
			return fmt.Errorf("%s has no entry %s; it has %s", t.Name, protocol.Quote(rest[0]), botsOf(entries))
		}
		return do(ctx, call, t, entries[i], rest[1:])
	}, states...)
	return account.Completing(cmd, account.Names[wire.Tournament](""), enteredBots)
}

// enteredBots offers the bots of the tournament that is named before.
func enteredBots(ctx context.Context, call *client.Client, before []string, _ string) ([]string, error) {
	t, err := client.Find[wire.Tournament](ctx, call, before[0])
	if err != nil {
		return nil, err
	}
	entries, err := entriesOf(ctx, call, t)
	return namesOf(entries), err
}

func withdrawCommand(o *calls) *cobra.Command {
	return o.entryCommand("withdraw NAME BOT", "Exclude a bot from a tournament of yours, until you admit it; after the start that is permanent",
		func(ctx context.Context, call *client.Client, t wire.Tournament, e wire.Entry, _ []string) error {
			in := wire.EntryOf{One: op.ByID(t.ID), BotID: e.BotID}
			return account.Done(ctx, o.Group, call, wire.WithdrawEntry, in, e, "%s has left %s", e.Bot, t.Name)
		})
}

func admitCommand(o *calls) *cobra.Command {
	return o.entryCommand("admit NAME BOT", "Enter a bot again that you have excluded from a tournament",
		func(ctx context.Context, call *client.Client, t wire.Tournament, e wire.Entry, _ []string) error {
			return account.Do(ctx, o.Group, call, wire.AdmitEntry, wire.EntryOf{One: op.ByID(t.ID), BotID: e.BotID}, func(wire.Entry) string {
				return fmt.Sprintf("%s is in %s again", e.Bot, t.Name)
			})
		})
}

func substituteCommand(o *calls) *cobra.Command {
	cmd := o.entryCommand("substitute NAME BOT OTHER", "Have another bot take a bot's place, before the start or between rounds",
		func(ctx context.Context, call *client.Client, t wire.Tournament, e wire.Entry, other []string) error {
			by, err := client.Find[wire.Bot](ctx, call, other[0], "active")
			if err != nil {
				return err
			}
			in := wire.SubstituteOf{EntryOf: wire.EntryOf{One: op.ByID(t.ID), BotID: e.BotID}, Body: wire.Substitute{BotID: by.ID}}
			return account.Do(ctx, o.Group, call, wire.SubstituteEntry, in, func(now wire.Entry) string {
				return fmt.Sprintf("%s plays for %s", now.Bot, e.Bot)
			})
		}, "running", "scheduled")
	cmd.Long = "The other bot belongs to the same owner, or to you. It plays on with the results, the seed and the place of the one that it replaces, which is\n" +
		"out. Nobody is replaced in what has begun: pause the tournament, and substitute when the round is over. Ratings stay with the bot that played."
	return cmd
}

func checkInCommand(o *calls) *cobra.Command {
	return o.entryCommand("checkin NAME BOT", "Check a bot in for its owner, where a tournament of yours asks for it",
		func(ctx context.Context, call *client.Client, t wire.Tournament, e wire.Entry, _ []string) error {
			return account.Do(ctx, o.Group, call, wire.CheckInEntry, wire.EntryOf{One: op.ByID(t.ID), BotID: e.BotID}, func(wire.Entry) string {
				return e.Bot + " is checked in"
			})
		})
}

// entriesOf returns the entries of a tournament, withdrawn ones too.
func entriesOf(ctx context.Context, call *client.Client, t wire.Tournament) ([]wire.Entry, error) {
	return client.All(ctx, call, wire.ListTournamentEntries, op.ListByID(t.ID))
}

// indexOfBot returns where the entry of a bot is; -1 where it has none.
func indexOfBot(entries []wire.Entry, bot string) int {
	return slices.IndexFunc(entries, func(e wire.Entry) bool { return strings.EqualFold(e.Bot, bot) || e.BotID == bot })
}

func namesOf(entries []wire.Entry) []string {
	var names []string
	for _, e := range entries {
		names = append(names, e.Bot)
	}
	return names
}

// botsOf returns the names of entries, to be read.
func botsOf(entries []wire.Entry) string {
	return cmp.Or(strings.Join(namesOf(entries), ", "), "none")
}
