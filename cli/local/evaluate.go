package local

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/molerun/molerun/bots/card"
	"github.com/molerun/molerun/cli/command"
	"github.com/molerun/molerun/cli/local/matches"
	"github.com/molerun/molerun/cli/local/scorecard"
	"github.com/molerun/molerun/cli/printer"
	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/engines/game/text"
)

type evaluateOptions struct {
	roomFlags
	plan    string
	mcp     string
	games   []string
	out     string
	beliefs bool
	json    bool
}

func evaluateCommand(c command.Console) *cobra.Command {
	o := evaluateOptions{plan: "standard"}
	cmd := &cobra.Command{
		Use: "evaluate [BOT]", Short: "Measure how strong an agent is, on a card that anyone can derive again",
		Long: "Plays a registered plan on this machine: the same deals for everybody, against the frozen pool of house bots, in pairs of matches in\n" +
			"which the two change seats. A BOT is the URL of a bot on this machine or the name of a house bot.\n\n" +
			"--mcp runs a program in its place that plays by tools: MOLERUN_MCP is the address of a Model Context Protocol server (streamable HTTP) that is there for\n" +
			"it alone. Its command is split at blanks as in a shell, with quotes, but no shell runs it. If it ends before the matches do, it is\n" +
			"started again as long as it decides something each time.\n\n" +
			"The folder then holds the card (card.json, card.md, badge.svg) and the\n" +
			"record of every match. A folder that holds a part of the matches is gone on with.\n\n" +
			"Strength is 0 for the random bot and 100 for the best bot of the pool, with a 95 % interval. The clean\n" +
			"strength leaves errors out: a fault is replaced by an action of the rules, and the match goes on. Beside it is the strength with\n" +
			"errors, for which a match with a fault is lost.",
		Example: "  molerun evaluate http://127.0.0.1:8000/ --plan quick\n" +
			"  molerun evaluate http://127.0.0.1:8000/ --games cia,demol --out mine\n" +
			"  molerun evaluate --mcp 'python3 agent.py' --limit 2m --plan quick\n" +
			"  molerun evaluate greedy --games molehill --plan quick --out greedy --json",
		RunE: func(cmd *cobra.Command, args []string) error { return o.run(cmd, c, args) },
	}
	o.add(cmd)
	f := cmd.Flags()
	command.WordFlag(cmd, &o.plan, "plan", scorecard.PlanNames()...)
	f.StringSliceVar(&o.games, "games", nil, "the games to play (default: all)")
	command.FlagWords(cmd, "games", command.GameIDs()...)
	f.StringVar(&o.out, "out", "", "where the card and the records go (default: a new folder in your cache, of which the last 10 are kept, and all for a day)")
	_ = cmd.MarkFlagDirname("out")
	o.addParallel(cmd)
	f.StringVar(&o.mcp, "mcp", "", "the command of a program that plays by tools, in place of a BOT; the card has it as the name: keep secrets in the environment")
	f.BoolVar(&o.beliefs, "beliefs", false, "ask the agent what it believes of that which it cannot see; the card scores it")
	f.BoolVar(&o.json, "json", false, "the card as JSON on stdout")
	cmd.AddCommand(verifyCardCommand(c), exportCardCommand(c))
	return cmd
}

func (o *evaluateOptions) run(cmd *cobra.Command, c command.Console, args []string) (err error) {
	if (len(args) == 0) == (o.mcp == "") {
		return fmt.Errorf("%w: want the URL of a bot, the name of a house bot, or --mcp COMMAND: one of them", command.ErrUsage)
	}
	plan, err := scorecard.FindPlan(o.plan)
	if err != nil {
		return fmt.Errorf("%w: --plan: %w", command.ErrUsage, err)
	}
	games := plan.GameIDs()
	for i, id := range o.games {
		if !slices.Contains(games, id) || slices.Contains(o.games[:i], id) {
			return fmt.Errorf("%w: --games: %q; want some of %s, each once", command.ErrUsage, id, strings.Join(games, ", "))
		}
	}
	if o.games != nil {
		games = slices.DeleteFunc(games, func(id string) bool { return !slices.Contains(o.games, id) })
	}
	room, err := o.open()
	if err != nil {
		return err
	}
	defer room.Close()
	heard, stop := untilHangup(cmd.Context())
	defer stop()
	cmd.SetContext(heard)
	ctx, cancel := context.WithCancelCause(heard)
	defer cancel(nil)
	var subject matches.Bot
	if o.mcp != "" {
		words, bad := command.Words("mcp", o.mcp)
		if bad != nil {
			return bad
		}
		model, stop, bad := startModel(ctx, words, cancel)
		if bad != nil {
			return bad
		}
		defer func() {
			if err != nil { // the program has nothing to wait for
				cancel(err)
			}
			stop()
		}()
		subject = matches.Seated(commandName(words), model.Player)
	} else {
		for _, id := range games {
			if subject, err = room.Bot(ctx, args[0], id); err != nil {
				if errors.Is(err, matches.ErrGame) {
					err = fmt.Errorf("%w\nor leave the game out with --games", err)
				}
				return err
			}
		}
	}
	here, err := scorecard.Here(cmd.Context())
	if err != nil {
		return err
	}
	if o.out, err = command.RecordsFolder(o.out, "evaluate"); err != nil {
		return err
	}
	release, err := matches.Hold(o.out)
	if err != nil {
		return err
	}
	defer release()
	p := printer.New(c, false)
	p.Progress("%s, plan %s: %s; card and records: %s", printer.Printable(subject.Name), plan.Name, strings.Join(games, ", "), o.out)
	tell, end := progress(p, games)
	v := scorecard.Evaluation{
		Room: room, Subject: subject, Plan: plan, Pool: here, Games: games, Program: command.Program(), Dir: o.out, AtOnce: o.parallel, Tell: tell,
		Clock: card.Clock{LimitMS: o.limit.Milliseconds(), BankMS: o.bank.Milliseconds()}, Beliefs: o.beliefs,
	}
	out, err := v.Run(ctx)
	end()
	if why := context.Cause(ctx); err != nil && why != nil && cmd.Context().Err() == nil {
		return why
	}
	if err != nil && cmd.Context().Err() != nil {
		return fmt.Errorf("stopped; go on with the same command and --out %s", command.Quoted(o.out))
	}
	if err != nil {
		return err
	}
	if o.json {
		b, err := out.JSON()
		if err == nil {
			_, err = c.Out.Write(b)
		}
		return err
	}
	if _, err = io.WriteString(c.Out, text.Unescaped(string(out.Markdown()))); err == nil {
		p.Progress("next: molerun evaluate verify %s %s", command.Quoted(filepath.Join(o.out, scorecard.CardFile)), command.Quoted(o.out))
	}
	return err
}

// commandName returns the name that a card has for a program: its command. No program goes on with the folder of another, so a hash
// distinguishes names that are cut off.
func commandName(words []string) string {
	whole := command.Line(words)
	name := text.Escape(whole, 100)
	if name != whole {
		name += fmt.Sprintf(" (%.4x)", sha256.Sum256([]byte(whole)))
	}
	return name
}

// progress shows a bar for each game; elsewhere than on a terminal a line when a game is done.
func progress(p *printer.Printer, games []string) (tell scorecard.Progress, end func()) {
	bars := p.Bars(games...)
	for i := range games {
		bars.Set(i, 0, 0)
	}
	return func(game string, done, of int) {
		bars.Set(slices.Index(games, game), done, of)
		if done == of && !p.OnTerminal() {
			p.Progress("%s: %d matches", game, of)
		}
	}, bars.End
}

func verifyCardCommand(c command.Console) *cobra.Command {
	parallel := 1
	cmd := &cobra.Command{
		Use: "verify CARD DIR|DECISIONS", Short: "Derive a card again from its records",
		Long: "Checks without a network that a card follows from the records in a folder: each is a match of the plan with its deal, verifies, and the\n" +
			"bots of the pool have decided in it as they decide now; and every number of the card is what the records give. If not, it says the\n" +
			"first place that differs. In place of the folder, the file " + card.DecisionsFile + " is enough to play the matches again; then the hashes of the\n" +
			"records are not checked.\n\nExit codes: 0 the card follows, 1 it does not, 2 the command line is wrong.",
		Example: "  molerun evaluate verify mine/card.json mine",
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := checkParallel(parallel); err != nil {
				return err
			}
			b, x, err := readCard(args[0])
			if err != nil {
				return err
			}
			var games []string
			for _, g := range x.Games {
				games = append(games, g.Game)
			}
			p := printer.New(c, false)
			tell, end := progress(p, games)
			here, err := scorecard.Here(cmd.Context())
			if err != nil {
				return err
			}
			out, err := verifyCard(cmd.Context(), b, args[1], here, parallel, tell)
			end()
			if err != nil {
				return err
			}
			hash, err := out.Hash()
			if err == nil {
				fmt.Fprintf(c.Out, "the card follows from its %s: %s\n", game.Plural(len(out.Run.Records), "match"), hash)
				fmt.Fprintln(c.Out, "not proven is who decided: name, build, clock and program are as the card says")
			}
			return err
		},
	}
	cmd.Flags().IntVar(&parallel, "parallel", parallel, "matches checked at the same time")
	return cmd
}

// verifyCard derives a card again from the folder of its records or the file of its decisions.
func verifyCard(ctx context.Context, b []byte, from string, here card.Pool, parallel int, tell scorecard.Progress) (card.Card, error) {
	f, err := os.Open(from)
	if err != nil {
		return card.Card{}, err
	}
	defer f.Close() //nolint:errcheck // it was only read
	if is, err := f.Stat(); err != nil || is.IsDir() {
		return scorecard.Verify(ctx, b, os.DirFS(from), here, parallel, tell)
	}
	return scorecard.VerifyDecisions(ctx, b, f, here, tell)
}

func exportCardCommand(c command.Console) *cobra.Command {
	out := "-"
	cmd := &cobra.Command{
		Use: "export CARD", Short: "Write a card in the schema of Every Eval Ever",
		Long:    "Writes a card as Every Eval Ever " + card.EveryEvalVersion + " has results of evaluations, for collections of results of many evaluations. It does not check the card.",
		Example: "  molerun evaluate export mine/card.json --out mine/everyeval.json",
		RunE: func(_ *cobra.Command, args []string) error {
			b, x, err := readCard(args[0])
			if err == nil {
				b, err = x.EveryEval(time.Now())
			}
			if err != nil {
				return err
			}
			write := func(w io.Writer) error { _, err := w.Write(b); return err }
			return command.SaveOr(c.Out, out, command.ForAll, write)
		},
	}
	cmd.Flags().StringVar(&out, "out", out, "a new file; - is stdout")
	return cmd
}

// readCard reads a card's file, and does not check what it says.
func readCard(name string) ([]byte, card.Card, error) {
	b, err := os.ReadFile(name)
	if err != nil {
		return nil, card.Card{}, err
	}
	c, err := card.Read(b)
	return b, c, err
}
