package local

import (
	"encoding/json"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/molerun/molerun/cli/command"
	"github.com/molerun/molerun/cli/local/matches"
	"github.com/molerun/molerun/cli/printer"
	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/engines/game/replay"
)

type redriveOptions struct {
	roomFlags
	seat  string
	exact bool
	write bool
	force bool
	yes   bool
	json  bool
}

func redriveCommand(c command.Console) *cobra.Command {
	o := redriveOptions{}
	cmd := &cobra.Command{
		Use: "redrive FILE|DIR [URL]", Short: "Ask a bot a match's questions again, and show where it now decides differently",
		Long: "Sends a bot on this machine the turns that a seat had in a recorded match: the same view, offer, events and clock, signed, under\n" +
			"their old ids. You can look at a bug as often as you like. The match does not change: after each answer it goes on with the\n" +
			"recorded decision. No record holds memos: the bot gets back those that it sends on the way. --limit and --bank set its time.\n\n" +
			"--seat takes a number or the name of the bot that sat there. If the record names another bot in that seat than the one at URL,\n" +
			"redrive asks before it sends anything; --yes, or a seat named by its bot, answers that.\n\n" +
			"A folder of records is a suite of tests: the lines of expected.jsonl in it say what the bot must do, must not do, or any of several.\n" +
			"--write makes that file from what the bot of --seat decided itself, in whatever seats it had: a number names the bot that had that seat\n" +
			"in the first record. Take out or change lines as you like. Every line that is not met and every fault is listed, and makes the exit\n" +
			"code 1.\n\n" +
			"Exit codes: 0 every turn was answered without a fault, whether it decides differently or not (with --exact: and it decides the same\n" +
			"everywhere), 1 there were faults, 2 the command line is wrong.",
		Example: "  molerun replay redrive games/molehill-0001.jsonl.gz --seat 0 http://127.0.0.1:8000/\n" +
			"  molerun replay redrive MATCH.jsonl.gz --seat wallwizard http://127.0.0.1:8000/\n" +
			"  molerun replay redrive games/molehill-0001.jsonl.gz --seat 0 http://127.0.0.1:8000/ --exact --json\n" +
			"  molerun replay redrive games --seat mine --write\n" +
			"  molerun replay redrive games http://127.0.0.1:8000/",
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := command.Exclusive(cmd, "write", "json"); err != nil {
				return err
			}
			if isFolder(args[0]) {
				return o.suite(cmd, c, args)
			}
			return runRedrive(cmd, c, o, args)
		},
	}
	o.add(cmd)
	f := cmd.Flags()
	f.StringVar(&o.seat, "seat", "", "whose turns are sent: a number or a bot's name (needed)")
	f.BoolVar(&o.write, "write", false, "write expected.jsonl of a folder from its records")
	f.BoolVar(&o.force, "force", false, "overwrite one that is there already")
	f.BoolVar(&o.exact, "exact", false, "exit code 1 also if the bot decides differently anywhere")
	f.BoolVarP(&o.yes, "yes", "y", false, "do not ask before another bot's turns are sent")
	f.BoolVar(&o.json, "json", false, "one JSON object a line: every decision, then the summary")
	return cmd
}

// againEvent is one decision as a JSON line.
type againEvent struct {
	Event  string          `json:"event"`
	Step   int             `json:"step"`
	Was    json.RawMessage `json:"was"`
	By     string          `json:"by"`
	Why    string          `json:"why,omitempty"`
	Now    json.RawMessage `json:"now"` // null at a fault
	Same   bool            `json:"same"`
	Fault  string          `json:"fault,omitempty"`
	Reason string          `json:"reason,omitempty"`
	Debug  string          `json:"debug,omitempty"`
	TookUS int64           `json:"took_us"`
}

type redriveSummary struct {
	Event     string `json:"event"`
	Seat      int    `json:"seat"`
	Of        string `json:"of"` // the bot that the record names in this seat
	Turns     int    `json:"turns"`
	Different int    `json:"different"` // faults included
	Faults    int    `json:"faults"`
}

func runRedrive(cmd *cobra.Command, c command.Console, o redriveOptions, args []string) error {
	switch {
	case o.write:
		return fmt.Errorf("%w: --write is for a folder of records, and %s is a file", command.ErrUsage, args[0])
	case len(args) < 2:
		return fmt.Errorf("%w: URL is missing: molerun replay redrive FILE URL", command.ErrUsage)
	}
	file, url := args[0], args[1]
	if !cmd.Flags().Changed("seat") {
		return fmt.Errorf("%w: --seat says whose turns are sent; molerun replay show %s lists the seats", command.ErrUsage, command.Quoted(file))
	}
	rec, err := matches.Read(file)
	if err != nil {
		return err
	}
	seat, err := seatOf(rec, o.seat, 0)
	if err != nil {
		return err
	}
	room, err := o.open()
	if err != nil {
		return err
	}
	defer room.Close()
	bot, err := room.Bot(cmd.Context(), url, rec.Header.Game)
	if err != nil {
		return err
	}
	t, sum := printer.New(c, o.json), redriveSummary{Event: "summary", Seat: int(seat), Of: rec.Header.Seats[seat].Bot}
	if ok, err := o.agreed(c, seat, rec.Header.Seats[seat], bot); err != nil || !ok {
		return err
	}
	t.Progress("seat %d, %s: its turns go to %s at %s", seat, printer.Printable(sum.Of), bot.Name, url)
	red, asked := command.Coloured(c.Out), t.Counter("asked again", "turns", 1)
	asked.Add(0)
	err = room.Redrive(cmd.Context(), rec, seat, bot, o.clock(), func(a matches.Again) error {
		sum.Turns++
		if !a.Same {
			sum.Different++
		}
		if a.Fault != "" {
			sum.Faults++
		}
		t.Event(againEvent{
			Event: "decision", Step: a.Step, Was: a.Was.Action, By: a.Was.By, Why: a.Was.Why, Now: a.Now, Same: a.Same, Fault: string(a.Fault), Reason: a.Reason, Debug: a.Debug, TookUS: a.Took.Microseconds(),
		})
		if !t.JSON() && !a.Same {
			asked.End()
			if line := againText(a); a.Fault != "" && red {
				command.Draw(c.Out, command.Red, line, command.Plain, "\n")
			} else {
				fmt.Fprintln(c.Out, line)
			}
		}
		asked.Add(1)
		return nil
	})
	asked.End()
	if err != nil {
		return err
	}
	t.Event(sum)
	if !t.JSON() {
		fmt.Fprintf(c.Out, "decides differently at %d of %d\n", sum.Different, sum.Turns)
	}
	switch {
	case sum.Faults > 0:
		return fmt.Errorf("%s; next: molerun check %s", game.Plural(sum.Faults, "fault"), command.QuotedBot(url))
	case o.exact && sum.Different > 0:
		return fmt.Errorf("decides differently at %d of %d", sum.Different, sum.Turns)
	}
	return nil
}

// agreed reports whether a seat's turns may be sent to a bot: those that the record shows to be its own, or that the caller
// named by their bot, without a question.
func (o redriveOptions) agreed(c command.Console, seat game.Seat, was replay.Seat, bot matches.Bot) (bool, error) {
	if matches.IsOf(was, bot) || o.yes || o.seat == was.Bot {
		return true, nil
	}
	yes, err := command.Agreed(c, fmt.Sprintf("Seat %d was %s, not %s. Send its turns to %s all the same?",
		seat, printer.Printable(was.Bot), bot.Name, bot.Arg))
	if err == nil && !yes {
		fmt.Fprintln(c.Err, "nothing was sent")
	}
	return yes, err
}

// againText returns a decision that is not what it was.
func againText(a matches.Again) string {
	was := string(a.Was.Action)
	if a.Was.By == replay.ByHouse {
		was = "FAULT " + a.Was.Why + ", the house played " + was
	}
	now := string(a.Now)
	if a.Fault != "" {
		now = "FAULT " + string(a.Fault) + ": " + a.Reason
	}
	for _, next := range a.Ahead {
		was += " then " + next
	}
	line := fmt.Sprintf("step %d  was %s  now %s", a.Step, was, now)
	if a.Debug != "" {
		line += fmt.Sprintf("  debug %q", a.Debug)
	}
	return line
}
