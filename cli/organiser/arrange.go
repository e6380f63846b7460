package organiser

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
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
	"github.com/molerun/molerun/engines/game/text"
)

func seedCommand(o *calls) *cobra.Command {
	order, file, clear := []string{}, "", false
	cmd := account.On(o.Group, "seed NAME", "Seed it by hand before the start; bots that are not named follow by rating",
		func(ctx context.Context, call *client.Client, t wire.Tournament, _ []string) error {
			bots, err := seedsSaid(order, file, clear)
			if err != nil {
				return err
			}
			return o.seed(ctx, call, t, bots)
		}, "scheduled")
	cmd.Example = "  molerun tournament seed \"Friday Cup\" --order wallwizard,fox\n" +
		"  molerun tournament seed \"Friday Cup\" --file seeds.txt"
	cmd.Flags().StringSliceVar(&order, "order", nil, "the bots, the best first, with commas between")
	cmd.Flags().StringVar(&file, "file", "", "a file that names them, one a line; # begins a remark")
	cmd.Flags().BoolVar(&clear, "clear", false, "remove the seeds: all bots are seeded by rating")
	return cmd
}

// seedsSaid returns the bots that flags or a file name; none with --clear.
func seedsSaid(order []string, file string, clear bool) ([]string, error) {
	said := 0
	for _, is := range []bool{len(order) > 0, file != "", clear} {
		if is {
			said++
		}
	}
	if said != 1 {
		return nil, fmt.Errorf("%w: give one of --order, --file and --clear", command.ErrUsage)
	}
	if file == "" {
		return order, nil
	}
	raw, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	var bots []string
	for line := range strings.Lines(text.Typed(raw)) {
		line, _, _ = strings.Cut(line, "#")
		if line = strings.TrimSpace(line); line != "" {
			bots = append(bots, line)
		}
	}
	if len(bots) == 0 {
		return nil, fmt.Errorf("%w: %s names no bot; --clear removes the seeds", command.ErrUsage, file)
	}
	return bots, nil
}

func (o *calls) seed(ctx context.Context, call *client.Client, t wire.Tournament, bots []string) error {
	f, err := fieldNow(ctx, call, t)
	if err != nil {
		return err
	}
	in := wire.Seeds{Bots: []string{}}
	for _, bot := range bots {
		in.Bots = append(in.Bots, f.take("seeds", bot))
	}
	if err := f.wrong.err(); err != nil {
		return err
	}
	return account.Ask(ctx, o.Group, call, wire.SeedTournament, op.BodyByID(t.ID, in), func(w io.Writer, page wire.Page[wire.Entry]) {
		fmt.Fprintf(w, "%s: %d of %s seeded by hand\n", printer.Printable(t.Name), len(bots), game.Plural(len(page.Data), "entry"))
		for i, id := range in.Bots {
			fmt.Fprintf(w, "%3d  %s\n", i+1, printer.Printable(f.nameOf(id)))
		}
	})
}

// inField is who is in a tournament, each of whom may be named once.
type inField struct {
	entries []wire.Entry
	taken   []string
	wrong   refusals
}

func fieldNow(ctx context.Context, call *client.Client, t wire.Tournament) (*inField, error) {
	entries, err := entriesOf(ctx, call, t)
	return &inField{entries: slices.DeleteFunc(entries, func(e wire.Entry) bool { return e.WithdrawnAt != nil || e.Waiting })}, err
}

// take returns the id of a bot that is named at a place. It refuses a bot without an entry, and one that is named twice.
func (f *inField) take(place, bot string) string {
	i := indexOfBot(f.entries, strings.TrimSpace(bot))
	switch {
	case i < 0:
		f.wrong.add(fmt.Sprintf("%s: %s", place, protocol.Quote(bot)), "has no entry; there are "+botsOf(f.entries))
		return ""
	case slices.Contains(f.taken, f.entries[i].BotID):
		f.wrong.add(fmt.Sprintf("%s: %s", place, protocol.Quote(bot)), "is named twice")
	}
	f.taken = append(f.taken, f.entries[i].BotID)
	return f.entries[i].BotID
}

func (f *inField) nameOf(id string) string { return f.entries[indexOfBot(f.entries, id)].Bot }

// arrangement is how a command line wants a round to be.
type arrangement struct {
	round  int
	tables []string // the bots of one each, with commas between
	byes   []string
	swaps  []string // two bots each, with a comma between
	reason string
}

func pairCommand(o *calls) *cobra.Command {
	a := arrangement{}
	cmd := account.On(o.Group, "pair NAME", "Pair a round of a swiss again by hand, before one of its matches begins",
		func(ctx context.Context, call *client.Client, t wire.Tournament, _ []string) error {
			return o.pair(ctx, call, t, a)
		}, "running")
	cmd.Long = "Pairs the last round of a swiss again: start it paused, or pause it while the round before is played, then pair and resume.\n" +
		"--swap exchanges two bots and leaves the rest; or --table and --bye name everybody of the round. Tables that stay keep their matches."
	cmd.Example = "  molerun tournament pair \"Friday Cup\" --swap wallwizard,fox --reason \"they share a machine\"\n" +
		"  molerun tournament pair \"Friday Cup\" --round 2 --table wallwizard,owl --table fox,hare --bye mole --reason \"asked for\""
	cmd.Flags().IntVar(&a.round, "round", 0, "its number, from 1 (default: the last that is made)")
	cmd.Flags().StringArrayVar(&a.swaps, "swap", nil, "two bots that change places, with a comma between; may be repeated")
	cmd.Flags().StringArrayVar(&a.tables, "table", nil, "the bots of a table in the order of the seats, with commas between; once for each table")
	cmd.Flags().StringSliceVar(&a.byes, "bye", nil, "bots that have a bye, with commas between")
	cmd.Flags().StringVar(&a.reason, "reason", "", "why, for everybody to see")
	return command.Nonzero(cmd, "round")
}

func (o *calls) pair(ctx context.Context, call *client.Client, t wire.Tournament, a arrangement) error {
	var wrong refusals
	if a.reason == "" {
		wrong.add("--reason", "is missing: everybody sees it")
	}
	switch whole := len(a.tables) > 0 || len(a.byes) > 0; {
	case whole == (len(a.swaps) > 0):
		wrong.add("--swap", "say two bots that change places, or all of the round with --table and --bye")
	case whole && len(a.tables) == 0:
		wrong.add("--table", "is missing: --bye alone leaves nobody to play")
	}
	f, err := fieldNow(ctx, call, t)
	if err != nil {
		return err
	}
	f.wrong = wrong
	rounds, err := roundsOf(ctx, call, t)
	if err != nil {
		return err
	}
	if a.round = cmp.Or(a.round, len(rounds)); a.round < 1 || a.round > len(rounds) {
		f.wrong.add("--round", fmt.Sprintf("%d: the tournament has %s so far; molerun tournament start %s --paused makes the first, some seconds later, when its bots have been greeted", a.round, game.Plural(len(rounds), "round"), t.ID))
		return f.wrong.err()
	}
	in := a.wanted(f, rounds[a.round-1])
	if err := f.wrong.err(); err != nil {
		return err
	}
	err = account.Ask(ctx, o.Group, call, wire.ArrangeRound, wire.RoundOf{One: op.ByID(t.ID), Round: a.round, Body: in}, func(w io.Writer, now wire.Round) {
		tellRound(w, t, now)
		if t.PausedAt != nil {
			o.Next("molerun tournament resume %s", t.ID)
		}
	})
	return f.wrong.answered(err, func(key string) string { return "--" + strings.TrimSuffix(key, "s") })
}

// wanted returns the round as the command line wants it, by the ids of bots.
func (a arrangement) wanted(f *inField, was wire.Round) wire.RoundChange {
	in := wire.RoundChange{Reason: a.reason}
	if len(a.swaps) > 0 {
		in.Tables, in.Byes = a.swapped(f, was)
		return in
	}
	for _, line := range a.tables {
		var ids []string
		for bot := range strings.SplitSeq(line, ",") {
			ids = append(ids, f.take("--table", bot))
		}
		in.Tables = append(in.Tables, ids)
	}
	for _, bot := range a.byes {
		in.Byes = append(in.Byes, f.take("--bye", bot))
	}
	return in
}

// swapped returns the tables and the byes of a round with the bots of each swap in each other's places.
func (a arrangement) swapped(f *inField, was wire.Round) ([][]string, []string) {
	var tables [][]string
	var byes []string
	moved := map[string]string{} // by name
	for _, pair := range a.swaps {
		one, two, both := strings.Cut(pair, ",")
		if !both || strings.Contains(two, ",") {
			f.wrong.add("--swap: "+protocol.Quote(pair), "wants two bots with a comma between")
			continue
		}
		first, second := f.take("--swap", one), f.take("--swap", two)
		moved[first], moved[second] = second, first
	}
	place := func(bot string) string {
		i := indexOfBot(f.entries, bot)
		if i < 0 { // it withdrew meanwhile: the platform says so
			return bot
		}
		id := f.entries[i].BotID
		if other, is := moved[id]; is {
			delete(moved, id)
			return other
		}
		return id
	}
	for _, x := range was.Tables {
		if len(x.Bots) == 0 {
			f.wrong.add("--swap", "the tables of this game are hidden until they are over: name them with --table and --bye")
			return nil, nil
		}
		var ids []string
		for _, bot := range x.Bots {
			ids = append(ids, place(bot))
		}
		tables = append(tables, ids)
	}
	for _, bot := range was.Byes {
		if indexOfBot(f.entries, bot) >= 0 { // else it has withdrawn, and keeps its bye
			byes = append(byes, place(bot))
		}
	}
	for _, id := range slices.Sorted(maps.Keys(moved)) {
		if id != "" {
			f.wrong.add("--swap: "+protocol.Quote(f.nameOf(id)), "is not in this round")
		}
	}
	return tables, byes
}
