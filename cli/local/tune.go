package local

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/molerun/molerun/bots/house"
	"github.com/molerun/molerun/cli/command"
	"github.com/molerun/molerun/cli/local/matches"
	"github.com/molerun/molerun/cli/printer"
	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/tournament/rating/sprt"
)

// tuneOptions are the flags of tune.
type tuneOptions struct {
	seriesFlags
	t      matches.Tuning
	params []string
	state  string
}

func tuneCommand(c command.Console) *cobra.Command {
	o := tuneOptions{t: matches.Tuning{Steps: 100, Pairs: 8, Final: 200, Gain: .3, Move: .1}}
	cmd := &cobra.Command{
		Use: "tune [GAME]", Short: "Find better numbers for a bot that takes them from its environment",
		Long: "Starts your bot with numbers of its environment a little higher and lower, has the two play pairs of games against each other, or\n" +
			"against --opponent on the same deals, and moves the numbers towards the better of the two: simultaneous perturbation (SPSA), which\n" +
			"takes two settings a step however many numbers there are. At the end the best setting plays against the start.\n\n" +
			"--cmd is split at blanks as in a shell, with quotes, but no shell runs it; it starts in this folder and listens on the port in PORT.\n" +
			"A --param whose three numbers have no point is a whole number. In step k, from 0, each number moves by c/(k+1)^0.101 of its range, a whole one by 1 at least, up or down by chance, and then by the gain\n" +
			"a/(k+1+steps/10)^0.602 times what the points say; the best setting is the mean of the second half of the steps.\n\n" +
			"The file of --state has the numbers after each step; a tuning that was stopped goes on from it with --resume. Exit codes: 0 done, 1\n" +
			"stopped or the bot failed, 2 the command line is wrong.",
		Example: "  molerun tune molehill --cmd \"python3 bot.py\" --param DEPTH=2:1:6 --param WEIGHT=0.5:0.0:2.0\n" +
			"  molerun tune cia --cmd ./bot --param RISK=0.3:0.0:1.0 --opponent greedy --steps 40 --pairs 20\n" +
			"  molerun tune --resume tune-cia.json",
		RunE: func(cmd *cobra.Command, args []string) error { return o.run(cmd, c, args) },
	}
	o.roomFlags.add(cmd)
	f := cmd.Flags()
	f.StringVar(&o.t.Command, "cmd", "", "the command that starts the bot")
	f.StringArrayVar(&o.params, "param", nil, "a number: NAME=START:MIN:MAX; may be given several times")
	f.StringVar(&o.t.Opponent, "opponent", "", "a house bot or URL that both settings play (default: each other)")
	f.IntVar(&o.t.Steps, "steps", o.t.Steps, "how many steps")
	f.IntVar(&o.t.Pairs, "pairs", o.t.Pairs, "pairs of games of a step")
	f.IntVar(&o.t.Final, "final", o.t.Final, "pairs of games of the best setting against the start; 0: none")
	f.Float64Var(&o.t.Gain, "a", o.t.Gain, "how far a step goes")
	f.Float64Var(&o.t.Move, "c", o.t.Move, "how far the two settings of the first step are from the middle, as a share of each range")
	f.StringVar(&o.state, "state", "", "the file that keeps the tuning (default: tune-GAME.json)")
	f.StringVar(&o.resume, "resume", "", "go on with the tuning of this file")
	command.FlagWords(cmd, "opponent", house.Names()...)
	o.addTable(cmd)
	return cmd
}

func (o *tuneOptions) run(cmd *cobra.Command, c command.Console, args []string) error {
	if err := o.prepare(cmd, args); err != nil {
		return err
	}
	ctx, stop := untilHangup(cmd.Context())
	defer stop()
	cmd.SetContext(ctx)
	release, err := matches.HoldFile(o.state)
	if err != nil {
		return err
	}
	defer release()
	if err := o.find(); err != nil {
		return err
	}
	room, err := o.open()
	if err != nil {
		return err
	}
	defer room.Close()
	for _, arg := range []string{o.t.Opponent, o.t.Series.Fill} { // before a bot is started
		if arg == "" {
			continue
		}
		err := room.Check(arg, o.t.Series.Game)
		if err != nil && o.resume != "" { // a file says it, and no command line
			err = fmt.Errorf("the tuning in %s: %s", o.resume, command.Text(err))
		}
		if err != nil {
			return err
		}
	}
	r := &tuneRun{Printer: printer.New(c, o.json), o: o, room: room}
	err = r.tune(cmd.Context())
	if err != nil && o.resume == "" && o.t.Step == 0 && cmd.Context().Err() == nil { // nothing was found yet: the command may be mended
		if failed := os.Remove(o.state); !errors.Is(failed, fs.ErrNotExist) {
			err = errors.Join(err, failed)
		}
		return err
	}
	if err != nil && cmd.Context().Err() != nil {
		return fmt.Errorf("stopped after step %d of %d; go on with: molerun tune --resume %s%s", o.t.Step, o.t.Steps, command.Quoted(o.state), o.again())
	}
	return err
}

// prepare reads the command line.
func (o *tuneOptions) prepare(cmd *cobra.Command, args []string) error {
	if o.resume != "" {
		return o.goOn(cmd, args)
	}
	var bad error
	for _, word := range o.params {
		p, err := matches.ParseParam(word)
		bad = errors.Join(bad, err)
		o.t.Params = append(o.t.Params, p)
	}
	bad = errors.Join(bad, o.t.Check())
	if len(args) == 0 {
		return errors.Join(bad, fmt.Errorf("%w: the game is missing: tune GAME, one of %s", command.ErrUsage, command.Listed(command.GameIDs())))
	}
	engine, err := command.Game(args[0])
	if err != nil {
		return errors.Join(bad, err)
	}
	o.t.Series = o.s
	s := &o.t.Series
	s.Config, err = o.configuration(engine.Info())
	bad = errors.Join(bad, err)
	s.Game, s.Meetings, s.Rotate, s.Paired = args[0], matches.RoundRobin, true, true
	s.LimitMS, s.BankMS = o.limit.Milliseconds(), o.bank.Milliseconds()
	if s.Bots, s.Games = []string{"", ""}, 2; bad == nil {
		if err := s.Settle(engine); err != nil {
			bad = fmt.Errorf("%w: %w", command.ErrUsage, err)
		}
	}
	o.state = cmp.Or(o.state, "tune-"+args[0]+".json")
	return bad
}

// find reads the tuning to go on with, or sees that a new one has a place.
func (o *tuneOptions) find() (err error) {
	if o.resume != "" {
		o.t, err = matches.LoadTuning(o.resume)
		return err
	}
	if _, err := os.Stat(o.state); err == nil {
		if _, err := matches.LoadTuning(o.state); err != nil {
			return fmt.Errorf("%w: --state: %s is there already, and is no tuning: choose another file", command.ErrUsage, o.state)
		}
		return fmt.Errorf("%w: %s is there already: go on with it by --resume %s, or choose another file with --state", command.ErrUsage, o.state, command.Quoted(o.state))
	}
	return nil
}

// goOn refuses what cannot change.
func (o *tuneOptions) goOn(cmd *cobra.Command, args []string) error {
	for _, name := range []string{
		"cmd", "param", "opponent", "steps", "pairs", "final", "a", "c", "state", "seed", "config", "variant", "seats", "fill", "limit", "bank", "beliefs",
	} {
		if cmd.Flags().Changed(name) || len(args) > 0 {
			return fmt.Errorf("%w: a tuning that has begun stays as it is: give nothing beside --resume but --secret, --parallel and --json", command.ErrUsage)
		}
	}
	o.state = o.resume
	return nil
}

// tuneRun is a tuning under way.
type tuneRun struct {
	*printer.Printer
	o    *tuneOptions
	room *matches.Room
}

// stepEvent is a step as a JSON line.
type stepEvent struct {
	Event string   `json:"event"`
	Step  int      `json:"step"` // from 1
	Of    int      `json:"of"`
	Plus  []string `json:"plus"` // lines of the environment
	Minus []string `json:"minus"`
	Ahead float64  `json:"ahead"` // what plus scored more than minus in a game, -1 to 1
	Best  []string `json:"best"`
}

// tuneEvent is the last JSON line of a tuning.
type tuneEvent struct {
	Event      string        `json:"event"`
	Best       []string      `json:"best"`
	Start      []string      `json:"start"`
	Difference *differenceOf `json:"difference"` // of the best setting and the start; null without final games
	Faults     int           `json:"faults"`
	State      string        `json:"state"`
}

func (r *tuneRun) tune(ctx context.Context) error {
	t := &r.o.t
	if err := t.Keep(r.o.state); err != nil {
		return err
	}
	r.Progress("%s: %s of %s of %s, seed %d; the state: %s", t.Command, game.Plural(t.Steps, "step"), game.Plural(t.Pairs, "pair"), t.Series.Game, t.Series.Seed, r.o.state)
	for t.Step < t.Steps {
		plus, minus := t.Settings()
		ahead, err := r.compare(ctx, plus, minus)
		if err != nil {
			return err
		}
		t.Learn(ahead)
		if err := t.Keep(r.o.state); err != nil {
			return err
		}
		best, _ := t.Best()
		r.Event(stepEvent{Event: "step", Step: t.Step, Of: t.Steps, Plus: plus, Minus: minus, Ahead: ahead, Best: best})
		r.Progress("step %d of %d: %s – %s: %+.2f; best: %s", t.Step, t.Steps, strings.Join(plus, " "), strings.Join(minus, " "), ahead, strings.Join(best, " "))
	}
	best, start := t.Best()
	end := tuneEvent{Event: "summary", Best: best, Start: start, State: r.o.state}
	text := strings.Join(best, "\n") + "\n"
	if t.Final > 0 {
		m, err := r.settings(ctx, best, start)
		if err != nil {
			return err
		}
		x, _ := m.Strength()
		end.Difference = &differenceOf{First: "best", Second: "start", Score: x.Score, Elo: x.Elo.Value, Low: x.Elo.Low, High: x.Elo.High, Superior: x.Superior, Tally: m.Tally}
		text += fmt.Sprintf("best – start (%s), %s: %s\n", strings.Join(start, " "), game.Plural(m.Tally.Units(), "pair"), strength(x))
	}
	end.Faults = t.Faults
	r.Event(end)
	if !r.JSON() {
		fmt.Fprint(r.Out, text)
	}
	if t.Faults > 0 {
		return fmt.Errorf("%s of the bot, where the house decided: look for what is wrong with molerun check", game.Plural(t.Faults, "fault"))
	}
	return nil
}

// compare returns what a setting scored more than another in a game, −1 to 1.
func (r *tuneRun) compare(ctx context.Context, plus, minus []string) (float64, error) {
	if r.o.t.Opponent == "" {
		m, err := r.settings(ctx, plus, minus)
		return 2*score(m) - 1, err
	}
	var scores []float64
	for _, setting := range [][]string{plus, minus} {
		bot, err := startBot(ctx, r.o.t.Command, r.env(setting))
		if err != nil {
			return 0, err
		}
		m, err := r.meet(ctx, bot.url, r.o.t.Opponent, bot)
		bot.stop()
		if err != nil {
			return 0, err
		}
		scores = append(scores, score(m))
	}
	return scores[0] - scores[1], nil
}

// settings has two settings play each other.
func (r *tuneRun) settings(ctx context.Context, first, second []string) (matches.Meeting, error) {
	a, err := startBot(ctx, r.o.t.Command, r.env(first))
	if err != nil {
		return matches.Meeting{}, err
	}
	defer a.stop()
	b, err := startBot(ctx, r.o.t.Command, r.env(second))
	if err != nil {
		return matches.Meeting{}, err
	}
	defer b.stop()
	return r.meet(ctx, a.url, b.url, a, b)
}

// env returns a setting with the secret that the bot is to expect.
func (r *tuneRun) env(setting []string) []string {
	if r.o.secret == "" {
		return setting
	}
	return append([]string{"MOLERUN_SECRET=" + r.o.secret}, setting...)
}

// meet plays the games of a step. It fails as soon as a bot that was started has ended.
func (r *tuneRun) meet(ctx context.Context, first, second string, started ...*botProcess) (matches.Meeting, error) {
	s := r.o.t.Matches(first, second)
	field, err := r.room.Field(ctx, &s)
	if err != nil {
		return matches.Meeting{}, err
	}
	what := fmt.Sprintf("step %d of %d", r.o.t.Step+1, r.o.t.Steps)
	if r.o.t.Step == r.o.t.Steps {
		what = "best and start"
	}
	played := r.Counter(what, "matches", 1)
	defer played.End()
	played.Add(0)
	total := matches.NewScore(&s, field)
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	for _, p := range started {
		defer context.AfterFunc(p.ended, cancel)() // it would only be waited for
	}
	err = r.room.Run(ctx, &s, field, matches.Folder{}, command.Program(), r.o.parallel, func(p matches.Played) (bool, error) {
		for _, f := range p.Faults {
			if p.Players[f.Seat] < len(started) {
				r.o.t.Faults++
			}
		}
		played.Add(1)
		return true, total.Add(p)
	})
	for _, p := range started {
		err = cmp.Or(p.gone(), err)
	}
	return total.Meetings[0], err
}

// score returns the mean points of a game, ½ before the first.
func score(m matches.Meeting) float64 {
	x, err := sprt.Measure(m.Tally)
	if err != nil {
		return .5
	}
	return x.Score
}
