package export

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/molerun/molerun/api/op"
	"github.com/molerun/molerun/api/wire"
	"github.com/molerun/molerun/bots/protocol"
	"github.com/molerun/molerun/cli/account"
	"github.com/molerun/molerun/cli/client"
	"github.com/molerun/molerun/cli/command"
	"github.com/molerun/molerun/cli/printer"
	"github.com/molerun/molerun/tournament"
)

// Commands returns the commands of this package.
func Commands(c command.Console) []*cobra.Command {
	cmd := &cobra.Command{
		Use: "export", Short: "Save what a platform has: matches, records",
		Long: "Needs no account if --platform names the platform; without it, works with the account that molerun login kept.",
	}
	o := &options{Console: c}
	f := cmd.PersistentFlags()
	f.StringVar(&o.platform, "platform", "", "the platform's address, to ask it as anybody")
	command.SpanFlags(f, "made", &o.since, &o.until)
	f.StringVar(&o.out, "out", "-", "a new file; - is stdout")
	cmd.AddCommand(matchesCommand(o), recordsCommand(o))
	return []*cobra.Command{cmd}
}

// options say what is exported, from where and to where.
type options struct {
	command.Console
	platform, out                         string
	since, until                          time.Time
	tournament, ladder, game, bot, result string // matches alone
}

func matchesCommand(o *options) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "matches",
		Short: "All matches that are over, one line of JSON each",
		Long: "Writes the matches of a platform in the order in which they were made, each as far as it is open. A file is written as FILE.part\n" +
			"and gets its name when it is whole. If the export breaks off, the exit code is 1 and the file is gone.",
		Example: "  molerun export matches --ladder molehill --out matches.ndjson\n" +
			"  molerun export matches --platform https://molerun.example.org --bot wallwizard --result loss --since 2026-11-01",
		RunE: func(cmd *cobra.Command, _ []string) error { return o.matches(cmd.Context()) },
	}
	f := cmd.Flags()
	f.StringVar(&o.tournament, "tournament", "", "of this tournament, by name or id")
	f.StringVar(&o.ladder, "ladder", "", "of this ladder")
	f.StringVar(&o.game, "game", "", "of this game")
	f.StringVar(&o.bot, "bot", "", "in which this bot played, by name or id")
	f.StringVar(&o.result, "result", "", "with this result for that bot: win, draw, loss")
	command.FlagWords(cmd, "game", command.GameIDs()...)
	command.FlagWords(cmd, "result", results()...)
	return cmd
}

func recordsCommand(o *options) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "records BOT",
		Short: "The records of a bot's matches, as a tar",
		Long: "Writes the records of all matches of a bot that are open, the newest first, as a tar. BOT is the name or the id of any bot. A file is\n" +
			"written as FILE.part and gets its name when it is whole. If the export breaks off, the exit code is 1 and the file is gone.",
		Example: "  molerun export records wallwizard --out wallwizard.tar && tar xf wallwizard.tar && molerun replay verify *.replay.jsonl.gz",
		RunE:    func(cmd *cobra.Command, args []string) error { return o.records(cmd.Context(), args[0]) },
	}
	return account.Completing(cmd, account.Names[wire.Bot](""))
}

// results returns the results that a bot can have.
func results() []string {
	return []string{string(tournament.Win), string(tournament.Draw), string(tournament.Loss)}
}

func (o *options) matches(ctx context.Context) error {
	in, err := o.filter()
	if err != nil {
		return err
	}
	call, err := o.caller()
	if err != nil {
		return err
	}
	if o.bot != "" {
		bot, err := client.Find[wire.Bot](ctx, call, o.bot)
		if err != nil {
			return err
		}
		in.Bot = bot.ID
	}
	if o.tournament != "" {
		t, err := client.Find[wire.Tournament](ctx, call, o.tournament)
		if err != nil {
			return err
		}
		in.Tournament = t.ID
	}
	n := printer.New(o.Console, false).Counter("exported", "matches", 1)
	return o.save(ctx, call, wire.ExportMatches.Target(in), o.Out, n, n.Lines())
}

func (o *options) records(ctx context.Context, name string) error {
	in, err := o.filter()
	if err != nil {
		return err
	}
	if o.out == "-" && command.Terminal(o.Out) {
		return fmt.Errorf("%w: an archive is nothing for a terminal: name a file with --out", command.ErrUsage)
	}
	call, err := o.caller()
	if err != nil {
		return err
	}
	bot, err := client.Find[wire.Bot](ctx, call, name)
	if err != nil {
		return err
	}
	n := printer.New(o.Console, false).Counter("exported", "kB", 1000)
	path := wire.ExportRecords.Target(wire.RecordsExport{One: op.ByID(bot.ID), Since: in.Since, Until: in.Until})
	return o.save(ctx, call, path, command.Raw(o.Out), n, n)
}

// save copies what a path answers to stdout or to a new file, and prints how much it was. What goes through counter is counted in n.
func (o *options) save(ctx context.Context, call *client.Client, path string, stdout io.Writer, n *printer.Counter, counter io.Writer) error {
	fill := func(to io.Writer) error {
		n.Add(0)
		err := call.Stream(ctx, path, io.MultiWriter(to, counter))
		n.End()
		if err != nil {
			return fmt.Errorf("%w\nthe export is not whole: it ends after %s", err, n)
		}
		return nil
	}
	if err := command.SaveOr(stdout, o.out, command.ForAll, fill); err != nil {
		return err
	}
	to := ""
	if o.out != "-" {
		to = " to " + o.out
	}
	fmt.Fprintf(o.Err, "exported %s%s\n", n, to)
	return nil
}

// caller asks the platform that is named as anybody, or that of the account as its owner.
func (o *options) caller() (*client.Client, error) {
	if o.platform == "" {
		return account.SignedIn()
	}
	base, err := account.PlatformURL(o.platform)
	if err != nil {
		return nil, err
	}
	return client.New(base), nil
}

// filter returns what the platform narrows by, except for the ids that it has to be asked for. Everything that is wrong is one
// [command.ErrUsage].
func (o *options) filter() (wire.MatchFilter, error) {
	in := wire.MatchFilter{Game: o.game, Ladder: o.ladder, Result: o.result, Since: o.since, Until: o.until}
	var wrong []string
	if o.game != "" {
		if _, err := command.Game(o.game); err != nil {
			wrong = append(wrong, "--game: "+command.Text(err))
		}
	}
	switch {
	case o.result == "":
	case !slices.Contains(results(), o.result):
		wrong = append(wrong, fmt.Sprintf("--result: %s is none of win, draw, loss", protocol.Quote(o.result)))
	case o.bot == "":
		wrong = append(wrong, "--result: it is the result of a bot: name it with --bot")
	}
	if err := command.CheckSpan(o.since, o.until); err != nil {
		wrong = append(wrong, command.Text(err))
	}
	if len(wrong) > 0 {
		return in, fmt.Errorf("%w: %s", command.ErrUsage, strings.Join(wrong, "; "))
	}
	return in, nil
}
