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
	seat  int
	exact bool
	json  bool
}

func redriveCommand(c command.Console) *cobra.Command {
	o := redriveOptions{}
	cmd := &cobra.Command{
		Use: "redrive FILE URL", Short: "Send the recorded turns of a seat to a bot again and tell where it now decides differently",
		Long: "Sends the turns that a seat had in a recorded match, signed and under their old ids, to a bot on this machine: the view, the offer, the\n" +
			"events and the clock are as they were, so that a bug can be looked at as often as it takes. The match itself does not change: after\n" +
			"each answer the recorded decision is taken. The memo, which no record holds, is what the bot itself asks for on the way. Limit and\n" +
			"bank at the start are those of --limit and --bank.\n\n" +
			"Exit codes: 0 every turn was answered without a fault, whether it decides differently or not (with --exact: and it decides the same\n" +
			"everywhere), 1 there were faults, 2 the command line is wrong.",
		Example: "  molerun replay redrive games/molehill-0001.jsonl.gz --seat 0 http://127.0.0.1:8000/\n" +
			"  molerun replay redrive games/molehill-0001.jsonl.gz --seat 0 http://127.0.0.1:8000/ --exact --json",
		Args: command.Args(2, 2),
		RunE: func(cmd *cobra.Command, args []string) error { return runRedrive(cmd, c, o, args[0], args[1]) },
	}
	o.add(cmd)
	f := cmd.Flags()
	f.IntVar(&o.seat, "seat", 0, "whose turns are sent (needed)")
	f.BoolVar(&o.exact, "exact", false, "exit code 1 also if the bot decides differently anywhere")
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
	Turns     int    `json:"turns"`
	Different int    `json:"different"` // faults included
	Faults    int    `json:"faults"`
}

func runRedrive(cmd *cobra.Command, c command.Console, o redriveOptions, file, url string) error {
	if !cmd.Flags().Changed("seat") {
		return fmt.Errorf("%w: --seat S says whose turns are sent; molerun replay show %s tells who sat where", command.ErrUsage, file)
	}
	rec, err := matches.Read(file)
	if err != nil {
		return err
	}
	if err := checkSeat(rec, o.seat, "--seat", 0); err != nil {
		return err
	}
	room, err := o.open(1)
	if err != nil {
		return err
	}
	defer room.Close()
	bot, err := room.Bot(cmd.Context(), url, rec.Header.Game)
	if err != nil {
		return badArgument(err)
	}
	t, sum := printer.New(c, o.json), redriveSummary{Event: "summary"}
	red := command.Coloured(c.Out)
	err = room.Redrive(cmd.Context(), rec, game.Seat(o.seat), bot, o.clock(), func(a matches.Again) error {
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
			fmt.Fprintln(c.Out, againText(a, red))
		}
		return nil
	})
	if err != nil {
		return err
	}
	t.Event(sum)
	if !t.JSON() {
		fmt.Fprintf(c.Out, "decides differently at %d of %d\n", sum.Different, sum.Turns)
	}
	switch {
	case sum.Faults > 0:
		return fmt.Errorf("%d faults; next: molerun check %s", sum.Faults, url)
	case o.exact && sum.Different > 0:
		return fmt.Errorf("decides differently at %d of %d", sum.Different, sum.Turns)
	}
	return nil
}

// againText is a decision that is not what it was.
func againText(a matches.Again, red bool) string {
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
	if a.Fault != "" && red {
		line = "\x1b[31m" + line + "\x1b[0m"
	}
	return line
}
