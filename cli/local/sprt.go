package local

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/molerun/molerun/cli/command"
	"github.com/molerun/molerun/cli/local/matches"
	"github.com/molerun/molerun/cli/printer"
	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/rating/sprt"
)

// The further exit codes of molerun sprt.
const (
	exitH0        = 3 // the first bot is not stronger by elo1
	exitUndecided = 4 // the games ended before the test
)

func sprtCommand(c command.Console) *cobra.Command {
	start := matches.Test(sprt.Default())
	o := seriesFlags{s: matches.Series{Test: &start}}
	cmd := &cobra.Command{
		Use: "sprt GAME BOT_A BOT_B", Short: "Test whether one bot is stronger than another, and stop as soon as it is known",
		Long: "Plays pairs of games on this machine, the second with the seats of the two bots changed, and after every pair judges whether A is\n" +
			"stronger than B by --elo1 (H1) or only by --elo0 (H0): a sequential probability ratio test on the points of pairs.\n" +
			"A BOT is a URL or a house bot's name. Nothing is rated.\n\n" +
			"Both games of a pair are on one deal; with --paired=false each has its own, for bots that learn from one match\n" +
			"for the next. Seats besides those of the two are filled (--fill). In demol none is left without --fill: A has all moles and B all\n" +
			"agents, then they change. The same bots and seed end after the same pair, however many matches are played at once.\n\n" +
			"The Elo and its interval are those that play prints for the same games. A test stops while one side is ahead, so the Elo of a stopped\n" +
			"test leans to that side, and its interval holds the truth about 90 times of 100 in place of 95.\n\n" +
			"Exit codes: 0 H1, A is stronger; 3 H0, it is not; 4 undecided after --max games; 1 a fault of ours or stopped; 2 the command line is\n" +
			"wrong. Faults of bots count as games played by the house; they are reported at the end.",
		Example: "  molerun sprt molehill http://127.0.0.1:8001/ http://127.0.0.1:8000/ --elo1 20\n" +
			"  molerun sprt demol greedy random --seats 5 --fill greedy --parallel 4",
		Args: command.Args(0, 3),
		RunE: func(cmd *cobra.Command, args []string) error { return runSPRT(cmd, c, &o, args) },
	}
	o.add(cmd)
	f := cmd.Flags()
	f.Float64Var(&start.Elo0, "elo0", start.Elo0, "the difference that is not worth having")
	f.Float64Var(&start.Elo1, "elo1", start.Elo1, "the difference that is")
	f.Float64Var(&start.Alpha, "alpha", start.Alpha, "chance of H1 when the difference is elo0")
	f.Float64Var(&start.Beta, "beta", start.Beta, "chance of H0 when the difference is elo1")
	f.BoolVar(&start.Normalised, "normalised", false, "elo0 and elo1 are in normalised Elo, by the deviation of a game's points")
	f.IntVar(&o.s.Games, "max", 10_000, "games at most; an even number")
	return cmd
}

func runSPRT(cmd *cobra.Command, c command.Console, o *seriesFlags, args []string) error {
	folder, err := o.series(cmd, args, "max")
	if err != nil {
		return err
	}
	t := &sprtReport{playReport: playReport{Printer: printer.New(c, o.json), s: &o.s}, test: sprt.Test(*o.s.Test)}
	err = o.play(cmd.Context(), folder, t.begin, t.match)
	if t.folder.Path == "" {
		return err
	}
	if t.OnTerminal() {
		t.Progress("")
	}
	t.blame(c.Err)
	if err != nil {
		return err
	}
	return t.verdict()
}

// sprtReport prints how a test goes.
type sprtReport struct {
	playReport
	test sprt.Test
	now  sprt.Verdict
}

func (t *sprtReport) match(p matches.Played) (bool, error) {
	if err := t.add(p); err != nil {
		return false, err
	}
	if t.played%2 != 0 {
		return true, nil
	}
	var err error
	if t.now, err = t.test.Judge(t.score.Meetings[0].Tally); err != nil {
		return false, err
	}
	if t.OnTerminal() {
		command.Redraw(t.Err, command.ClearLine, t.line())
	}
	return t.now.State == sprt.Continue, nil
}

func (t *sprtReport) line() string {
	text := fmt.Sprintf("%s: %s", game.Plural(t.now.Units, "pair"), t.ratio())
	if x, ok := t.strength(); ok {
		text += ", " + strength(x)
	}
	return text
}

// ratio returns the log-likelihood ratio between its bounds.
func (t *sprtReport) ratio() string {
	return "LLR " + tournament.Interval("%.2f", t.now.LLR, t.now.Lower, t.now.Upper)
}

// verdictEvent is the last JSON line of a test.
type verdictEvent struct {
	Event    string           `json:"event"`
	Verdict  string           `json:"verdict"` // "H0", "H1" or "continue": undecided
	Pairs    int              `json:"pairs"`
	Games    int              `json:"games"`
	Tally    []int            `json:"tally"` // pairs by points of the first bot: 0, 1/2, 1, 3/2, 2
	LLR      float64          `json:"llr"`
	Lower    float64          `json:"lower"`
	Upper    float64          `json:"upper"`
	Elo      float64          `json:"elo"` // as play prints it: a test that stops when it may stops while one side is ahead
	EloLow   float64          `json:"elo_low"`
	EloHigh  float64          `json:"elo_high"`
	Superior float64          `json:"superior"`                  // the likelihood that the first is the stronger
	Points   float64          `json:"points"`                    // of the first bot
	Adjusted *tournament.Mean `json:"adjusted_points,omitempty"` // without what chance gave
	Test     *matches.Test    `json:"test"`
	Faults   int              `json:"faults"` // of bots behind URLs
	Folder   string           `json:"folder"`
}

// verdict prints how the test ended.
func (t *sprtReport) verdict() error {
	x, err := sprt.Measure(t.score.Meetings[0].Tally)
	if err != nil {
		return err
	}
	t.score.Adjust()
	v, a, b, first := t.now, t.field[0].Name, t.field[1].Name, t.score.Lines[0]
	t.Event(verdictEvent{
		Event: "verdict", Verdict: string(v.State), Pairs: v.Units, Games: t.played, Tally: t.score.Meetings[0].Tally, LLR: v.LLR, Lower: v.Lower, Upper: v.Upper,
		Elo: x.Elo.Value, EloLow: x.Elo.Low, EloHigh: x.Elo.High, Superior: x.Superior, Points: first.Points, Adjusted: first.Adjusted, Test: t.s.Test, Faults: t.mine, Folder: t.folder.Path,
	})
	word, code := "undecided: play on with molerun sprt --resume "+command.Quoted(t.folder.Path)+" --max N", exitUndecided
	switch v.State {
	case sprt.H1:
		word, code = "H1: "+a+" is stronger", command.ExitOK
	case sprt.H0:
		word, code = fmt.Sprintf("H0: %s is not stronger by %g Elo", a, t.test.Elo1), exitH0
	case sprt.Continue:
	}
	if !t.JSON() {
		tally := strings.Trim(fmt.Sprint([]int(t.score.Meetings[0].Tally)), "[]")
		fmt.Fprintf(t.Out, "%s – %s: %s\n%s, %s; %s\npairs by points 0, ½, 1, 1½, 2: %s\n%s\npoints of %s: %.1f, without luck %s\nrecords: %s\n",
			a, b, word, game.Plural(v.Units, "pair"), game.Plural(t.played, "game"), t.ratio(), tally, strength(x), a, first.Points, withoutLuck(first), t.folder.Path)
	}
	if code != command.ExitOK {
		return command.Exit(code)
	}
	return nil
}
