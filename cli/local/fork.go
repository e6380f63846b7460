package local

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/molerun/molerun/bots/house"
	"github.com/molerun/molerun/cli/command"
	"github.com/molerun/molerun/cli/local/matches"
	"github.com/molerun/molerun/cli/printer"
	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/engines/game/replay"
	"github.com/molerun/molerun/tournament"
)

// forkOptions say where a match goes on otherwise.
type forkOptions struct {
	roomFlags
	at     int
	seat   int
	action string
	bots   []string
	fill   string
	seed   uint64
	out    string
	json   bool
}

func forkCommand(c command.Console) *cobra.Command {
	o := forkOptions{fill: "greedy", seed: 1}
	cmd := &cobra.Command{
		Use: "fork FILE", Short: "What if: play a match on from one of its steps, with another decision or other bots",
		Long: "Keeps the first --at steps of a record and plays on from there, with the luck that the match had: cards, dice and everything else\n" +
			"that the game draws at a step come out as they would have. With --seat and --action one seat decides differently in the next\n" +
			"step, and other seats due in that step do what they did. Then each seat is played by its --bot S=BOT (a URL or a house bot), or by the house bot\n" +
			"that the record names, or by --fill. The new record says what it is a fork of; molerun replay verify accepts it.",
		Example: "  molerun replay fork games/molehill-0001.jsonl.gz --at 12 --seat 0 --action '{\"type\":\"move\",\"to\":\"d3\"}'\n" +
			"  molerun replay fork games/molehill-0001.jsonl.gz --at 12 --bot 0=http://127.0.0.1:8000/ --bot 1=thinker --out what-if.jsonl.gz",
		RunE: func(cmd *cobra.Command, args []string) error { return runFork(cmd, c, o, args[0]) },
	}
	o.add(cmd)
	f := cmd.Flags()
	f.IntVar(&o.at, "at", 0, "the last step that is kept; 0 is the deal (needed)")
	f.IntVar(&o.seat, "seat", 0, "who decides differently, with --action")
	f.StringVar(&o.action, "action", "", "what it does in the next step: JSON")
	f.StringArrayVar(&o.bots, "bot", nil, "SEAT=BOT: who plays on in a seat; repeat it for other seats")
	f.StringVar(&o.fill, "fill", o.fill, "who plays on in seats that no house bot had")
	f.Uint64Var(&o.seed, "seed", o.seed, "decides the luck of the house bots; that of the game stays")
	command.FlagWords(cmd, "fill", house.Names()...)
	f.StringVar(&o.out, "out", "", "the new record; - is stdout (default: beside FILE, with -fork-N in its name)")
	f.BoolVar(&o.json, "json", false, "the outcome as one JSON object")
	return cmd
}

// forkEvent is the outcome as JSON.
type forkEvent struct {
	Event  string       `json:"event"`
	Match  string       `json:"match"`
	Fork   *replay.Fork `json:"fork"`
	Bots   []string     `json:"bots"` // by seat, who played on
	Before game.Result  `json:"before"`
	After  game.Result  `json:"after"`
	Steps  int          `json:"steps"`
	Faults int          `json:"faults"`
	Record string       `json:"record"`
}

func runFork(cmd *cobra.Command, c command.Console, o forkOptions, file string) error {
	if !cmd.Flags().Changed("at") {
		return fmt.Errorf("%w: --at N says which step is the last that is kept; molerun replay show %s lists them", command.ErrUsage, command.Quoted(file))
	}
	if cmd.Flags().Changed("seat") != (o.action != "") {
		return fmt.Errorf("%w: --seat and --action go together", command.ErrUsage)
	}
	if o.out == "-" && o.json {
		return fmt.Errorf("%w: --out - and --json both write to stdout: give --out a file", command.ErrUsage)
	}
	f := matches.Fork{At: o.at, Seat: game.Seat(o.seat), Fill: o.fill, Seed: o.seed, Clock: o.clock()}
	if o.action != "" {
		f.Action = json.RawMessage(o.action)
	}
	var err error
	if f.Bots, err = seatsOf(o.bots); err != nil {
		return err
	}
	rec, err := matches.Read(file)
	if err != nil {
		return err
	}
	if err := checkSeat(rec, o.seat, 0); err != nil {
		return err
	}
	o.out = cmp.Or(o.out, fmt.Sprintf("%s-fork-%d.jsonl.gz", stem(file), o.at))
	room, err := o.open()
	if err != nil {
		return err
	}
	defer room.Close()
	var forked matches.Forked
	err = command.SaveOr(command.Raw(c.Out), o.out, command.ForAll, func(w io.Writer) error { // played on once there is a place for it
		end := printer.New(c, o.json).During("playing on")
		forked, err = room.Fork(cmd.Context(), rec, f, command.Program())
		end()
		if err != nil {
			return err
		}
		return forked.Write(w)
	})
	if err != nil {
		return err
	}
	if o.out == "-" {
		c.Out = c.Err
	}
	tellFork(c, o, rec, forked)
	switch n := len(forked.Faults); {
	case n > 0 && o.out == "-":
		return errors.New(game.Plural(n, "fault"))
	case n > 0:
		return fmt.Errorf("%s; next: molerun replay show %s --faults", game.Plural(n, "fault"), command.Quoted(o.out))
	}
	return nil
}

func (r *roomFlags) clock() tournament.Clock {
	k := tournament.DefaultClock()
	k.Limit, k.Bank = r.limit, r.bank
	return k
}

// seatsOf reads SEAT=BOT.
func seatsOf(list []string) (map[game.Seat]string, error) {
	out := map[game.Seat]string{}
	for _, word := range list {
		left, bot, ok := strings.Cut(word, "=")
		seat, err := strconv.ParseUint(left, 10, 4)
		if !ok || err != nil || bot == "" {
			return nil, fmt.Errorf("%w: --bot: want SEAT=BOT, like 0=http://127.0.0.1:8000/ or 1=greedy, got %q", command.ErrUsage, word)
		}
		if out[game.Seat(seat)] != "" {
			return nil, fmt.Errorf("%w: --bot: seat %d is given twice", command.ErrUsage, seat)
		}
		out[game.Seat(seat)] = bot
	}
	return out, nil
}

func tellFork(c command.Console, o forkOptions, rec *replay.Record, f matches.Forked) {
	var names []string
	for _, s := range f.Header.Seats {
		names = append(names, s.Bot)
	}
	if o.json {
		printer.New(c, true).Event(forkEvent{
			Event:  "fork",
			Match:  f.Match,
			Fork:   f.Header.Fork,
			Bots:   names,
			Before: rec.Result,
			After:  f.Result,
			Steps:  f.Steps,
			Faults: len(f.Faults),
			Record: o.out,
		})
		return
	}
	fmt.Fprintf(c.Out, "a fork of match %s after step %d, played on by %s\n", printer.Printable(rec.Header.Match), o.at, strings.Join(names, ", "))
	for _, x := range []struct {
		name string
		game.Result
		steps int
	}{{"it was ", rec.Result, len(rec.Steps) - 1}, {"it is  ", f.Result, f.Steps}} {
		fmt.Fprintf(c.Out, "%s rank %v, points %v (%s, %s)\n", x.name, x.Rank, x.Points, x.Why, game.Plural(x.steps, "step"))
	}
	if o.out != "-" {
		fmt.Fprintf(c.Out, "record: %s\n", o.out)
	}
}
