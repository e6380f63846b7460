package organiser

import (
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
)

func findTournament(ctx context.Context, call *client.Client, word string, states ...string) (wire.Tournament, error) {
	return client.Find[wire.Tournament](ctx, call, word, states...)
}

func findSchedule(ctx context.Context, call *client.Client, word string, states ...string) (wire.Schedule, error) {
	return client.Find[wire.Schedule](ctx, call, word, states...)
}

func findSeries(ctx context.Context, call *client.Client, word string) (wire.Series, error) {
	return client.Find[wire.Series](ctx, call, word)
}

func tournamentArg(cmd *cobra.Command) *cobra.Command {
	return account.Completing(cmd, account.Names[wire.Tournament](""))
}

func scheduleArg(cmd *cobra.Command) *cobra.Command {
	return account.Completing(cmd, account.Names[wire.Schedule](""))
}

func seriesArg(cmd *cobra.Command) *cobra.Command {
	return account.Completing(cmd, account.Names[wire.Series](""))
}

// entryArgs completes a tournament and a bot of it.
func entryArgs(cmd *cobra.Command) *cobra.Command {
	return account.Completing(cmd, account.Names[wire.Tournament](""), enteredBots)
}

// enteredBots offers the bots of the tournament that is named before.
func enteredBots(ctx context.Context, call *client.Client, before []string, _ string) ([]string, error) {
	t, err := findTournament(ctx, call, before[0])
	if err != nil {
		return nil, err
	}
	entries, err := entriesOf(ctx, call, t)
	var out []string
	for _, e := range entries {
		out = append(out, e.Bot)
	}
	return out, err
}

// entriesOf returns the entries of a tournament, withdrawn ones too.
func entriesOf(ctx context.Context, call *client.Client, t wire.Tournament) ([]wire.Entry, error) {
	out := []wire.Entry{}
	err := client.Each(ctx, call, wire.ListTournamentEntries, op.ListByID(t.ID), func(e wire.Entry) error {
		out = append(out, e)
		return nil
	})
	return out, err
}

// entryNamed returns the entry of a bot, named in any case or by its id.
func entryNamed(ctx context.Context, call *client.Client, t wire.Tournament, bot string) (wire.Entry, error) {
	entries, err := entriesOf(ctx, call, t)
	if err != nil {
		return wire.Entry{}, err
	}
	if i := indexOfBot(entries, bot); i >= 0 {
		return entries[i], nil
	}
	return wire.Entry{}, fmt.Errorf("%s has no entry %s; it has %s", t.Name, protocol.Quote(bot), botsOf(entries))
}

// indexOfBot returns where the entry of a bot is; -1 where it has none.
func indexOfBot(entries []wire.Entry, bot string) int {
	return slices.IndexFunc(entries, func(e wire.Entry) bool { return strings.EqualFold(e.Bot, bot) || e.BotID == bot })
}

// botsOf returns the names of entries, to be read.
func botsOf(entries []wire.Entry) string {
	var names []string
	for _, e := range entries {
		names = append(names, e.Bot)
	}
	return strings.Join(names, ", ")
}
