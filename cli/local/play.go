package local

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/molerun/molerun/bots/house"
	"github.com/molerun/molerun/cli/command"
	"github.com/molerun/molerun/cli/local/matches"
	"github.com/molerun/molerun/cli/printer"
	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/httpbot"
	"github.com/molerun/molerun/tournament/rating/sprt"
)

func playCommand(c command.Console) *cobra.Command {
	o, open := seriesFlags{}, false
	cmd := &cobra.Command{
		Use: "play GAME BOT...", Short: "Play matches on this machine between your bots and house bots",
		Long: "Plays matches without a database or an account. A BOT is the URL of a bot on this machine or the name of a house bot:\n" +
			strings.Join(house.Names(), ", ") + " (molerun house --help says how they play).\n\n" +
			"Over several games the bots take turns at the seats. Every deal is played by everybody in every seat, and such a block of games is\n" +
			"one observation; with --paired=false each match has a deal of its own, for bots that learn from one match for the next.\n\n" +
			"Empty seats go to the house's random. In demol two bots leave none without --fill: one has all moles, the other all agents, then they change.\n\n" +
			"At the end it prints what each bot has won, by role and seat too, how much stronger the first is than the second (in Elo, with a 95 %\n" +
			"interval), or every bot than every other and than the filler, and every fault with what to do next.\n" +
			"Each match leaves a record for molerun replay show, fork, redrive and verify.\n\n" +
			"Exit codes: 0 all games were played without a fault of a bot behind a URL, 1 there were faults or the series was stopped, 2 the\n" +
			"command line is wrong.",
		Example: "  molerun play molehill http://127.0.0.1:8000/ greedy\n" +
			"  molerun play molehill http://127.0.0.1:8000/ thinker --games 100 --out games\n" +
			"  molerun play --resume games --games 200\n" +
			"  molerun play cia http://127.0.0.1:8000/ greedy thinker --round-robin --games 40\n" +
			"  molerun play demol http://127.0.0.1:8000/ --seats 7 --fill greedy --games 70 --variant full",
		Args: command.Args(0, command.Any),
		RunE: func(cmd *cobra.Command, args []string) error { return runPlay(cmd, c, &o, open, args) },
	}
	o.add(cmd)
	cmd.Flags().BoolVar(&open, "open", false, "show the first match in the browser afterwards")
	cmd.Flags().IntVar(&o.s.Games, "games", 1, "how many matches; with --round-robin and --gauntlet of each couple, an even number, 2 if it is left out")
	cmd.Flags().BoolVar(&o.roundRobin, "round-robin", false, "every two bots meet, at tables of their own")
	cmd.Flags().BoolVar(&o.gauntlet, "gauntlet", false, "the first bot meets each of the others, at tables of their own")
	cmd.Flags().BoolVar(&o.s.Rotate, "rotate", true, "everybody goes round the seats; with --rotate=false the first bot stays in seat 0, and so on")
	return cmd
}

func runPlay(cmd *cobra.Command, c command.Console, o *seriesFlags, open bool, args []string) error {
	folder, err := o.series(cmd, args, "games")
	if err != nil {
		return err
	}
	t := &playReport{Printer: printer.New(c, o.json), s: &o.s}
	err = o.play(cmd.Context(), folder, t.begin, t.match)
	if t.folder.Path == "" { // it never began
		return err
	}
	t.end(err)
	if open && t.played > 0 && err == nil {
		err = openRecord(cmd.Context(), c, t.record(1), true)
	}
	if err == nil && t.mine > 0 {
		err = fmt.Errorf("%s of bots behind URLs", game.Plural(t.mine, "fault"))
	}
	return err
}

// playReport prints how a series goes.
type playReport struct {
	*printer.Printer
	s      *matches.Series
	field  []matches.Bot
	folder matches.Folder
	score  *matches.Score
	played int
	lost   string        // the record of the first match that the first bot behind a URL, or the first of all, has lost
	faults []playedFault // of bots behind URLs, the first of each bot and kind
	mine   int
	drawn  int // lines of the table on the terminal
	last   time.Time
}

// playedFault is a kind of fault that a bot met, and where first.
type playedFault struct {
	bot    int
	count  int
	number int
	file   string
	matches.Fault
}

func (t *playReport) begin(field []matches.Bot, folder matches.Folder) {
	t.field, t.folder, t.score = field, folder, matches.NewScore(t.s, field)
	names := make([]string, len(field))
	for i, b := range field {
		names[i] = b.Name
		if b.Remote() {
			names[i] += " at " + b.Arg
		}
	}
	t.Event(struct {
		Event  string          `json:"event"`
		Bots   []string        `json:"players"`
		Folder string          `json:"folder"`
		Series *matches.Series `json:"series"`
	}{Event: "series", Bots: names, Folder: folder.Path, Series: t.s})
	t.Progress("%s, %d seats, seed %d: %s", t.s.Game, t.s.Seats, t.s.Seed, strings.Join(names, ", "))
	t.Progress("records: %s", folder.Path)
	if t.OnTerminal() {
		t.draw() // the first match may take long
	}
}

// matchEvent is one match as a JSON line.
type matchEvent struct {
	Event   string       `json:"event"`
	Number  int          `json:"number"`
	Match   string       `json:"match"`
	Bots    []string     `json:"bots"` // by seat
	Rank    []int        `json:"rank"` // by seat, after retirements
	Points  []float64    `json:"points"`
	Why     string       `json:"why"`
	Steps   int          `json:"steps"`
	Faults  []faultEvent `json:"faults"`
	Record  string       `json:"record"`
	Resumed bool         `json:"resumed"`
}

type faultEvent struct {
	Bot string `json:"bot"`
	matches.Fault
}

// add counts a match.
func (t *playReport) add(p matches.Played) error {
	if err := t.score.Add(p); err != nil {
		return err
	}
	t.played++
	t.note(p)
	t.Event(t.matchEvent(p))
	return nil
}

func (t *playReport) match(p matches.Played) (bool, error) {
	if err := t.add(p); err != nil {
		return false, err
	}
	switch {
	case t.OnTerminal():
		if now := time.Now(); now.Sub(t.last) >= printer.RedrawEvery {
			t.last = now
			t.draw()
		}
	case !p.Kept:
		t.Progress("match %d of %d: %s", p.Number, t.s.Games, t.lineOf(p))
	}
	return true, nil
}

func (t *playReport) matchEvent(p matches.Played) matchEvent {
	e := matchEvent{
		Event: "match", Number: p.Number, Match: p.Match, Rank: p.Rank, Points: p.Result.Points, Why: p.Result.Why, Steps: p.Steps,
		Faults: []faultEvent{}, Record: p.File, Resumed: p.Kept,
	}
	for _, player := range p.Players {
		e.Bots = append(e.Bots, t.field[player].Name)
	}
	for _, f := range p.Faults {
		e.Faults = append(e.Faults, faultEvent{t.field[p.Players[f.Seat]].Name, f})
	}
	return e
}

// lineOf returns a match as a line: the bots and their seats, the best first.
func (t *playReport) lineOf(p matches.Played) string {
	seats := make([]int, len(p.Rank))
	for i := range seats {
		seats[i] = i
	}
	slices.SortStableFunc(seats, func(a, b int) int { return p.Rank[a] - p.Rank[b] })
	var parts []string
	for _, seat := range seats {
		parts = append(parts, fmt.Sprintf("%d. %s", p.Rank[seat], t.field[p.Players[seat]].Name))
	}
	line := fmt.Sprintf("%s (%s, %s)", strings.Join(parts, ", "), p.Result.Why, game.Plural(p.Steps, "step"))
	if len(p.Faults) > 0 {
		line += "; " + game.Plural(len(p.Faults), "fault")
	}
	return line
}

// note keeps for the end what should be looked at: a lost match, and the faults of bots behind URLs.
func (t *playReport) note(p matches.Played) {
	mine := max(0, slices.IndexFunc(t.field, matches.Bot.Remote))
	if seat := slices.Index(p.Players, mine); t.lost == "" && seat >= 0 && p.Lost(seat) {
		t.lost = p.File
	}
	for _, f := range p.Faults {
		bot := p.Players[f.Seat]
		if !t.field[bot].Remote() {
			continue
		}
		t.mine++
		at := slices.IndexFunc(t.faults, func(x playedFault) bool { return x.bot == bot && x.Kind == f.Kind })
		if at < 0 {
			at = len(t.faults)
			t.faults = append(t.faults, playedFault{bot: bot, number: p.Number, file: p.File, Fault: f})
		}
		t.faults[at].count++
	}
}

// draw draws the table in place on the terminal.
func (t *playReport) draw() {
	t.erase()
	text := command.Fit(t.Err, t.table())
	t.drawn = strings.Count(text, "\n")
	command.Redraw(t.Err, text)
}

func (t *playReport) erase() {
	if t.drawn > 0 {
		command.Draw(t.Err, command.Up(t.drawn), command.ClearDown)
		t.drawn = 0
	}
}

// table returns how the series stands.
func (t *playReport) table() string {
	w := printer.NewTable("bot", "games", "won", "drawn", "lost", "points", "without luck", "faults", "given up")
	t.score.Adjust()
	for _, l := range t.score.Lines {
		w.Row(l.Bot, l.Games, l.Wins, l.Draws, l.Losses, fmt.Sprintf("%.1f", l.Points), withoutLuck(l), l.Faults, l.Retired)
	}
	text := w.Render() + "\n"
	text += fmt.Sprintf("%d of %d games", t.played, t.s.Games)
	if x, ok := t.strength(); ok && t.s.Meetings == "" {
		text += fmt.Sprintf("; %s – %s: %s", t.field[0].Name, t.field[1].Name, strength(x))
	} else if n := t.s.Block(); t.played > 0 && t.played < n {
		text += fmt.Sprintf("; how much stronger a bot is shows after a block of %d", n)
	}
	return text + "\n"
}

// shares returns what each bot took of its games, by role and by seat.
func (t *playReport) shares() string {
	w := printer.NewTable("bot", "by", "of", "games>", "points, % [95 %]>")
	for i, l := range t.score.Lines {
		for _, x := range t.score.Splits(i) {
			if x.By != "opponent" {
				w.Row(l.Bot, x.By, x.Of, x.Units, tournament.Interval("%.0f", 100*x.Share, 100*x.Low, 100*x.High))
			}
		}
	}
	return w.Render() + "\n"
}

// cross returns how much stronger each bot is than each other, in Elo.
func (t *playReport) cross() string {
	names := []string{"Elo [95 %] of"}
	for _, b := range t.field {
		names = append(names, "over "+b.Name)
	}
	w := printer.NewTable(names...)
	for i, b := range t.field {
		row := []any{b.Name}
		for j := range t.field {
			cell := ""
			for _, m := range t.score.Meetings {
				if x, ok := m.Strength(); ok && m.First == i && m.Second == j {
					cell = tournament.Interval("%+.0f", x.Elo.Value, x.Elo.Low, x.Elo.High)
				} else if ok && m.First == j && m.Second == i {
					cell = tournament.Interval("%+.0f", -x.Elo.Value, -x.Elo.High, -x.Elo.Low)
				}
			}
			row = append(row, cell)
		}
		w.Row(row...)
	}
	return w.Render() + "\n"
}

// withoutLuck returns the points without what chance gave, with their interval; "–" before it is known.
func withoutLuck(l matches.Line) string {
	if l.Adjusted == nil {
		return "–"
	}
	return tournament.Interval("%.1f", l.Adjusted.Value, l.Adjusted.Low, l.Adjusted.High)
}

// strength returns how much stronger the first of the field is than the second; false before a unit shows it.
func (t *playReport) strength() (sprt.Strength, bool) {
	if len(t.score.Meetings) == 0 {
		return sprt.Strength{}, false
	}
	return t.score.Meetings[0].Strength()
}

// strength returns a difference in words.
func strength(x sprt.Strength) string {
	return fmt.Sprintf("Elo %s, the first is the stronger with likelihood %.1f %%", tournament.Interval("%+.0f", x.Elo.Value, x.Elo.Low, x.Elo.High), 100*x.Superior)
}

// summary is the last JSON line of a series.
type summary struct {
	Event      string         `json:"event"`
	Games      int            `json:"games"`
	Of         int            `json:"of"`
	Standing   []lineEvent    `json:"standing"`
	Difference *differenceOf  `json:"difference"` // of the first bot and the second; null before there are results of both
	Meetings   []differenceOf `json:"meetings"`   // of every two that met
	Faults     int            `json:"faults"`     // of bots behind URLs
	Folder     string         `json:"folder"`
}

// lineEvent is a line of the standing.
type lineEvent struct {
	matches.Line
	Splits []matches.Split `json:"splits"`
}

type differenceOf struct {
	First    string  `json:"first"`
	Second   string  `json:"second"`
	Score    float64 `json:"score"`
	Elo      float64 `json:"elo"`
	Low      float64 `json:"elo_low"`
	High     float64 `json:"elo_high"`
	Superior float64 `json:"superior"`
	Tally    []int   `json:"tally"` // units by points of the first, in steps of 1/2: games, or blocks of so many games
}

// end prints the outcome, and what to do about faults.
func (t *playReport) end(failed error) {
	t.erase()
	if t.JSON() {
		t.score.Adjust()
		s := summary{Event: "summary", Games: t.played, Of: t.s.Games, Meetings: []differenceOf{}, Faults: t.mine, Folder: t.folder.Path}
		for i, l := range t.score.Lines {
			s.Standing = append(s.Standing, lineEvent{l, t.score.Splits(i)})
		}
		for i, m := range t.score.Meetings {
			x, ok := m.Strength()
			if !ok {
				continue
			}
			d := differenceOf{
				First: t.field[m.First].Name, Second: t.field[m.Second].Name, Score: x.Score, Elo: x.Elo.Value, Low: x.Elo.Low, High: x.Elo.High,
				Superior: x.Superior, Tally: m.Tally,
			}
			if s.Meetings = append(s.Meetings, d); i == 0 {
				s.Difference = &d
			}
		}
		t.Event(s)
	} else {
		text := t.table()
		if t.played > 1 {
			text = t.shares() + text
		}
		if len(t.score.Meetings) > 1 {
			text = t.cross() + text
		}
		fmt.Fprint(t.Out, text)
	}
	t.blame(t.Err)
	if t.played > 0 && failed == nil {
		t.Progress("next: molerun replay show %s", command.Quoted(cmp.Or(t.lost, t.record(1))))
	}
}

func (t *playReport) record(number int) string {
	return fmt.Sprintf("%s/%s-%04d.jsonl.gz", t.folder.Path, t.s.Game, number)
}

// blame prints each kind of fault once, with what to do next.
func (t *playReport) blame(w io.Writer) {
	for _, f := range t.faults {
		bot := t.field[f.bot]
		where := fmt.Sprintf("match %d, step %d", f.number, f.Step)
		if f.Reason != "" {
			where += ": " + f.Reason
		}
		fmt.Fprintf(w, "%s met %d × %s, first in %s\n  %s\n  next: molerun replay show %s --seat %d --faults\n  next: molerun check %s\n",
			bot.Name, f.count, f.Kind, where, advice(f.Fault), command.Quoted(f.file), f.Seat, command.QuotedBot(bot.Arg))
	}
}

// advice returns what the author of a bot may do about a fault.
func advice(f matches.Fault) string {
	switch tournament.Fault(f.Kind) {
	case tournament.FaultTimeout:
		return "it did not answer in time: answer faster, or give it more with --limit and --bank to find out how much it needs"
	case tournament.FaultConnect:
		return "it could not be reached, or closed the connection instead of answering: is it still running? See what it wrote at this turn"
	case tournament.FaultStatus:
		return cmp.Or(httpbot.AtReason(f.Reason), "it answered with another status than 200: see its log for what went wrong") // a record has no reason
	case tournament.FaultBadJSON, tournament.FaultTooLarge, tournament.FaultWrongDecision:
		return `its answer is not {"action":{…}} or {"choose":k} to this turn: docs/1-bot.md says what may stand in it`
	case tournament.FaultIllegal:
		return "the rules refuse what it wanted: answer with what stands in the turn's offer"
	default:
		return "docs/1-bot.md describes each kind of fault"
	}
}
