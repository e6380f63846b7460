package local

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/molerun/molerun/bots/review"
	"github.com/molerun/molerun/bots/review/report"
	"github.com/molerun/molerun/cli/command"
	"github.com/molerun/molerun/cli/local/matches"
	"github.com/molerun/molerun/cli/printer"
	"github.com/molerun/molerun/engines/catalog"
	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/engines/game/replay"
)

func reviewCommand(c command.Console) *cobra.Command {
	o, seat, asJSON := review.Options{Playouts: review.DefaultPlayouts, Seed: 1}, "", false
	cmd := &cobra.Command{
		Use: "review FILE", Short: "Find the decisions that lost a match",
		Long: "Checks a record and judges each decision by what its seat knew then, never by what was hidden from it: tables that the seat could\n" +
			"not tell from its own are drawn, and every alternative is played out on the same ones by a quick house bot.\n\n" +
			"The regret of a decision is how much better the best alternative did, in chances to win (at larger tables in expected shares of the rank), with a 95 %\n" +
			"interval.\n\nMarks, as far as the interval allows: best, good (worse, by 5 % at most), doubtful (worse), mistake (by 5 % and more),\n" +
			"blunder (by 15 % and more).\n\n" +
			"For each seat come its chances after every step, its accuracy by phase (100 % less the mean regret that\n" +
			"is certain), and the three decisions that cost most, with what was better and the command that plays the match on from there.\n\n" +
			"The same record, --playouts and --seed give the same review on any machine; more --playouts narrow the intervals and take longer.",
		Example: "  molerun replay review games/molehill-0001.jsonl.gz\n  molerun replay review games/molehill-0001.jsonl.gz --seat 0 --playouts 3000\n" +
			"  molerun replay review games/molehill-0001.jsonl.gz --step 13 --json",
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := command.Given(cmd, "seat"); err != nil {
				return err
			}
			if cmd.Flags().Changed("step") && o.Step < 1 {
				return fmt.Errorf("%w: --step %d: the deal is step 0, decisions begin with step 1", command.ErrUsage, o.Step)
			}
			return runReview(cmd, c, o, seat, asJSON, args[0])
		},
	}
	f := cmd.Flags()
	f.StringVar(&seat, "seat", "", "the decisions of one seat alone: a number or a bot's name")
	f.IntVar(&o.Playouts, "playouts", o.Playouts, "at most so many for a decision")
	f.IntVar(&o.Step, "step", 0, "the decisions of this step alone")
	f.Uint64Var(&o.Seed, "seed", o.Seed, "decides the luck of the playouts")
	f.BoolVar(&asJSON, "json", false, "the whole review as one JSON object")
	return cmd
}

func runReview(cmd *cobra.Command, c command.Console, o review.Options, seat string, asJSON bool, file string) error {
	rec, err := matches.Read(file)
	if err != nil {
		return err
	}
	if seat != "" {
		s, err := seatOf(rec, seat, 0)
		if err != nil {
			return err
		}
		o.Seats = []game.Seat{s}
	}
	engine, _ := catalog.Find(rec.Header.Game) // the record has been verified
	p := printer.New(c, asJSON)
	bar := p.Bars("reviewing")
	o.Progress = func(done, all int) { bar.Set(0, done, all) }
	made, err := review.Review(cmd.Context(), engine, rec, o)
	bar.End()
	switch {
	case errors.Is(err, review.ErrOptions):
		return fmt.Errorf("%w: %w", command.ErrUsage, err)
	case err != nil:
		return err
	case asJSON:
		p.Event(made)
		return nil
	}
	reviewed{c.Out, file, rec, made}.print()
	return nil
}

// reviewed is a review for people.
type reviewed struct {
	w    io.Writer
	file string
	rec  *replay.Record
	*report.Report
}

func (r reviewed) print() {
	fmt.Fprintf(r.w, "%s, match %s: %s, at most %s each, by the valuer %q, version %d\n\n",
		r.Game, printer.Printable(r.rec.Header.Match), game.Plural(len(r.Decisions), "decision"), game.Plural(r.Playouts, "playout"), r.Valuer.Name, r.Valuer.Version)
	fmt.Fprintln(r.w, "chances by step, as each seat could know them:")
	for seat, s := range r.rec.Header.Seats {
		first, last := r.Steps[0].Values[seat].Value, r.Steps[len(r.Steps)-1].Values[seat].Value
		fmt.Fprintf(r.w, "  seat %d  %s  %s to %s  %s\n", seat, r.line(seat), percent(first), percent(last), printer.Printable(s.Bot))
	}
	t := printer.NewTable("step>", "seat>", "phase", "decision", "regret [95 %]", "mark", "better")
	for i := range r.Decisions {
		if d := &r.Decisions[i]; d.Low > 0 {
			t.Row(d.Step, int(d.Seat), d.Phase, d.Words, cost(d), string(d.Mark), d.BetterWords)
		}
	}
	if t.Length() > 0 {
		fmt.Fprintf(r.w, "\ndecisions that certainly cost something:\n%s\n", t.Render())
	} else {
		fmt.Fprintln(r.w, "\nno decision certainly cost anything; more --playouts see smaller differences")
	}
	for _, s := range r.Seats {
		r.seat(s)
	}
}

// seat prints the summary of one.
func (r reviewed) seat(s report.Summary) {
	fmt.Fprintf(r.w, "\nseat %d, %s\n  accuracy:", s.Seat, printer.Printable(r.rec.Header.Seats[s.Seat].Bot))
	for i, a := range s.Phases {
		if i > 0 {
			fmt.Fprint(r.w, ",")
		}
		fmt.Fprintf(r.w, " %s %s of %d", a.Phase, percent(a.Accuracy), a.Decisions)
	}
	fmt.Fprintf(r.w, "\n  luck: %+.1f %%\n", 100*s.Luck)
	for _, k := range s.Costliest {
		d := &r.Decisions[k]
		fmt.Fprintf(r.w, "  step %d cost %s: %s; better: %s\n", d.Step, cost(d), d.Words, d.BetterWords)
		fmt.Fprintf(r.w, "    molerun replay fork %s --at %d --seat %d --action %s\n", command.Quoted(r.file), d.Step-1, d.Seat, command.Quoted(string(d.Better)))
	}
}

// line draws a seat's chances, at most 60 of them.
func (r reviewed) line(seat int) string {
	const widest = 60
	levels := []rune("▁▂▃▄▅▆▇█")
	var out strings.Builder
	n := min(len(r.Steps), widest)
	for k := range n {
		at := r.Steps[(k*(len(r.Steps)-1)+(n-1)/2)/max(n-1, 1)]
		out.WriteRune(levels[min(int(at.Values[seat].Value*float64(len(levels))), len(levels)-1)])
	}
	return out.String()
}

func percent(share float64) string { return fmt.Sprintf("%.0f %%", 100*share) }

// cost returns a regret with its interval; a solved one has none.
func cost(d *report.Decision) string {
	if d.Low == d.High {
		return fmt.Sprintf("%.1f %%, solved", 100*d.Regret)
	}
	return fmt.Sprintf("%.1f %% [%.1f to %.1f]", 100*d.Regret, 100*d.Low, 100*d.High)
}
