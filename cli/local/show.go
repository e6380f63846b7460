package local

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/molerun/molerun/cli/command"
	"github.com/molerun/molerun/cli/local/matches"
	"github.com/molerun/molerun/cli/printer"
	"github.com/molerun/molerun/engines/catalog"
	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/engines/game/claim"
	"github.com/molerun/molerun/engines/game/replay"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/rating"
	"github.com/molerun/molerun/tournament/runner"
)

// showOptions say what of a record is shown.
type showOptions struct {
	step   int
	seat   game.Seat
	faults bool
	all    bool
	json   bool
	open   bool
	force  bool
}

func showCommand(c command.Console) *cobra.Command {
	o, seat := showOptions{step: -1, seat: game.Spectator}, ""
	cmd := &cobra.Command{
		Use: "show FILE", Short: "Show a match: who decided what and how long it took, what happened, and the board in words",
		Long: "Shows a record in the format replay/1 after checking it: who played, every decision with its clock, faults in red, the result and\n" +
			"the last board.\n\nThe board is what a spectator saw; with --seat S it is what that seat saw, and only its decisions are listed.\n" +
			"With --step N it shows what happened in that step (0 is the deal) and the board after it, from which molerun replay fork --at N goes on.\n\n" +
			"A decision's time is from the request to the last byte of the answer; with it come what was charged and the bank left afterwards.\n\n" +
			"--open writes a page beside the record instead, with every step as every seat saw it, and opens it in the browser.\n" +
			"NO_COLOR is respected.",
		Example: "  molerun replay show games/molehill-0001.jsonl.gz\n  molerun replay show games/molehill-0001.jsonl.gz --seat 0 --faults\n" +
			"  molerun replay show games/molehill-0001.jsonl.gz --step 12 --seat 1",
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := command.Given(cmd, "seat"); err != nil {
				return err
			}
			if others := cmd.Flags().NFlag(); o.open && (others > 2 || others == 2 && !o.force) {
				return fmt.Errorf("%w: --open shows the whole match; no other flag than --force goes with it", command.ErrUsage)
			}
			if o.open {
				return openRecord(cmd.Context(), c, args[0], o.force)
			}
			if o.force {
				return fmt.Errorf("%w: --force goes with --open: nothing else writes a file", command.ErrUsage)
			}
			if err := command.Exclusive(cmd, "step", "all", "faults"); err != nil {
				return err
			}
			if cmd.Flags().Changed("step") && o.step < 0 {
				return fmt.Errorf("%w: --step %d: steps count from 0, the deal", command.ErrUsage, o.step)
			}
			return runShow(c, o, seat, args[0])
		},
	}
	f := cmd.Flags()
	f.IntVar(&o.step, "step", o.step, "this step alone, with the board after it")
	f.StringVar(&seat, "seat", "", "from one seat's side, its view and its decisions: a number or a bot's name")
	f.BoolVar(&o.faults, "faults", false, "only decisions that the house made for a bot that failed, each with the board before it")
	f.BoolVar(&o.all, "all", false, "the board after every step")
	f.BoolVar(&o.json, "json", false, "one JSON object a line: the match, then each step")
	f.BoolVar(&o.open, "open", false, "in the browser: write FILE as a page and open it")
	f.BoolVar(&o.force, "force", false, "with --open, overwrite a file that is there already")
	return cmd
}

func runShow(c command.Console, o showOptions, seat, file string) error {
	rec, err := matches.Read(file)
	if err != nil {
		return err
	}
	if seat != "" {
		if o.seat, err = seatOf(rec, seat, game.Spectator); err != nil {
			return err
		}
	}
	if last := len(rec.Steps) - 1; o.step > last {
		return fmt.Errorf("%w: --step %d: the record has the steps 0 to %d", command.ErrUsage, o.step, last)
	}
	engine, _ := catalog.Find(rec.Header.Game) // the record has been verified
	s := shower{w: c.Out, o: o, rec: rec, engine: engine, red: command.Coloured(c.Out)}
	if o.json {
		s.lines = json.NewEncoder(c.Out)
		s.lines.SetEscapeHTML(false)
	}
	s.head()
	s.claims = make([]claim.Account, len(rec.Header.Seats))
	err = rec.Play(func(p *replay.Player) error {
		if next := p.Step() + 1; next < len(rec.Steps) && !rec.Header.Taken(next) {
			for _, t := range rec.Steps[next].Turns {
				s.claims[t.Seat].Take(p.Table(), t.Seat, t.Usage, t.Belief)
			}
		}
		return s.step(p.Step(), p.Table(), p.Events())
	})
	if err != nil {
		return err
	}
	if o.step < 0 && !o.faults {
		s.claimed()
	}
	if o.faults && !o.json && s.faults == 0 {
		fmt.Fprintln(c.Out, "no faults")
	}
	return nil
}

// seatOf returns the seat that --seat names: by its number, from least on, or by the bot that the record names in it.
func seatOf(rec *replay.Record, name string, least game.Seat) (game.Seat, error) {
	if n, err := strconv.Atoi(name); err == nil {
		return game.Seat(n), checkSeat(rec, n, int(least))
	}
	var found, all []string
	seat := least
	for i, s := range rec.Header.Seats {
		all = append(all, fmt.Sprintf("%d %s", i, printer.Printable(s.Bot)))
		if s.Bot == name {
			seat, found = game.Seat(i), append(found, strconv.Itoa(i))
		}
	}
	switch len(found) {
	case 1:
		return seat, nil
	case 0:
		return seat, fmt.Errorf("%w: --seat: no seat of this match was %q; the seats: %s", command.ErrUsage, name, strings.Join(all, ", "))
	}
	return seat, fmt.Errorf("%w: --seat: %q had the seats %s: give one of the numbers", command.ErrUsage, name, strings.Join(found, " and "))
}

func checkSeat(rec *replay.Record, seat, least int) error {
	if n := len(rec.Header.Seats); seat < least || seat >= n {
		return fmt.Errorf("%w: --seat: there is no seat %d at a table of %d", command.ErrUsage, seat, n)
	}
	return nil
}

// shower writes a record for people or as JSON lines.
type shower struct {
	w      io.Writer
	lines  *json.Encoder // nil: text
	o      showOptions
	rec    *replay.Record
	engine game.Engine // whose words are shown
	red    bool
	before string          // the board before the step
	faults int             // shown so far
	claims []claim.Account // by seat
}

// claimLine is the last JSON line of a seat whose bot claimed something: how its beliefs did, beside what the rules alone would have.
type claimLine struct {
	Event        string   `json:"event"`
	Seat         int      `json:"seat"`
	Usages       int      `json:"usages"` // decisions that came with one
	Models       []string `json:"models,omitempty"`
	InputTokens  int64    `json:"input_tokens,omitempty"` // left out: no decision said, as with the next two
	OutputTokens int64    `json:"output_tokens,omitempty"`
	CostUSD      float64  `json:"cost_usd,omitempty"`
	Beliefs      int      `json:"beliefs"`
	Brier        float64  `json:"brier"` // the mean, as the next three
	RulesBrier   float64  `json:"rules_brier"`
	Log          float64  `json:"log"`
	RulesLog     float64  `json:"rules_log"`
}

// claimed shows what the bots claimed of what they used and believed.
func (s *shower) claimed() {
	for seat, a := range s.claims {
		if a.Decisions+a.Own.Beliefs == 0 || s.o.seat >= 0 && game.Seat(seat) != s.o.seat {
			continue
		}
		brier, log := a.Own.Mean()
		rulesBrier, rulesLog := a.Rules.Mean()
		if s.lines != nil {
			_ = s.lines.Encode(claimLine{"claims", seat, a.Decisions, a.Models, a.InputTokens, a.OutputTokens, a.CostUSD(), a.Own.Beliefs, brier, rulesBrier, log, rulesLog})
			continue
		}
		fmt.Fprintf(s.w, "\nseat %d claims", seat)
		if a.Decisions > 0 {
			used := slices.Concat(a.Models, []string{a.Used.String()}) // a usage may name its model alone
			fmt.Fprintf(s.w, "\n  to have used %s, in %s", strings.TrimSuffix(strings.Join(used, ", "), ", "), game.Plural(a.Decisions, "decision"))
		}
		if a.Own.Beliefs > 0 {
			fmt.Fprintf(s.w, "\n  %s, less is better: Brier %.4f (by the rules alone %.4f), log %.4f (%.4f)", game.Plural(a.Own.Beliefs, "belief"), brier, rulesBrier, log, rulesLog)
		}
		fmt.Fprintln(s.w)
	}
}

// matchLine is the first JSON line.
type matchLine struct {
	Event   string        `json:"event"`
	Header  replay.Header `json:"header"`
	Result  game.Result   `json:"result"`
	Rank    []int         `json:"rank"` // by seat, after retirements
	Retired game.Seats    `json:"retired"`
	Steps   int           `json:"steps"`
}

func (s *shower) head() {
	h, rank := s.rec.Header, rating.Placing(s.rec.Result, s.rec.Retired)
	if s.lines != nil {
		_ = s.lines.Encode(matchLine{
			Event:   "match",
			Header:  h,
			Result:  s.rec.Result,
			Rank:    rank,
			Retired: s.rec.Retired,
			Steps:   len(s.rec.Steps) - 1,
		})
		return
	}
	fmt.Fprintf(s.w, "%s, rules %d, match %s, played by %s\nconfig %s\n", h.Game, h.RulesVersion, printer.Printable(h.Match), printer.Printable(h.Engine), h.Config)
	if f := h.Fork; f != nil {
		fmt.Fprintf(s.w, "a fork of match %s after step %d; the decisions up to there are those of its bots\n", printer.Printable(f.Match), f.Step)
	}
	for i, seat := range h.Seats {
		line := fmt.Sprintf("seat %d  %s", i, printer.Printable(seat.Bot))
		if seat.Build != "" {
			line += " build " + printer.Printable(seat.Build)
		}
		line += fmt.Sprintf("  rank %d, points %g", rank[i], s.rec.Result.Points[i])
		if len(s.rec.Result.Team) > 0 {
			line += ", " + s.rec.Result.Team[i]
		}
		if s.rec.Retired.Has(game.Seat(i)) {
			line += ", given up"
		}
		fmt.Fprintln(s.w, line)
	}
	fmt.Fprintf(s.w, "ended after %s: %s\n", game.Plural(len(s.rec.Steps)-1, "step"), s.rec.Result.Why)
}

// stepLine is the JSON line of a step. Text and View are there where the board is asked for.
type stepLine struct {
	Event  string            `json:"event"`
	Step   int               `json:"step"`
	Turns  []replay.Turn     `json:"turns"`
	Events []json.RawMessage `json:"events"` // that this side was sent
	Due    game.Seats        `json:"due"`    // after the step
	Text   string            `json:"text,omitempty"`
	View   json.RawMessage   `json:"view,omitempty"`
}

func (s *shower) step(step int, table game.Table, events []game.Event) error {
	text := s.board(table)
	defer func() { s.before = text }()
	if s.o.step >= 0 && s.o.step != step {
		return nil
	}
	turns := s.turns(step)
	board := s.o.step == step || s.o.all
	if s.lines != nil {
		s.json(step, table, events, turns, board, text)
		return nil
	}
	if s.o.faults {
		s.faults += len(turns)
		if len(turns) > 0 {
			fmt.Fprintf(s.w, "\nbefore step %d:\n%s\n", step, strings.TrimRight(s.before, "\n"))
		}
		s.tell(step, turns)
		return nil
	}
	if board {
		fmt.Fprintln(s.w)
	}
	s.tell(step, turns)
	if board {
		s.happened(events)
	}
	switch last := step == len(s.rec.Steps)-1; {
	case board:
		fmt.Fprintf(s.w, "after step %d:\n%s\n", step, strings.TrimRight(text, "\n"))
		if due := table.Due(); s.o.step == step && due != 0 {
			fmt.Fprintf(s.w, "due next: seats %s\n", due.AppendJSON(nil))
		}
	case last:
		fmt.Fprintf(s.w, "\nat the end:\n%s\n", strings.TrimRight(text, "\n"))
	}
	return nil
}

func (s *shower) json(step int, table game.Table, events []game.Event, turns []replay.Turn, board bool, text string) {
	if s.o.faults && len(turns) == 0 {
		return
	}
	line := stepLine{Event: "step", Step: step, Turns: turns, Events: []json.RawMessage{}, Due: table.Due()}
	for _, e := range events {
		if s.o.seat < 0 || e.VisibleTo(s.o.seat) {
			line.Events = append(line.Events, e.AppendJSON(nil))
		}
	}
	if board {
		line.Text, line.View = text, table.View(s.o.seat)
	}
	_ = s.lines.Encode(line) // a closed stdout ends the program soon enough
}

// board returns the view in words, or as JSON where the game has none.
func (s *shower) board(table game.Table) string {
	text, err := table.Describe(s.o.seat)
	if err != nil {
		return string(table.View(s.o.seat))
	}
	return text
}

// turns returns the turns of a step to show.
func (s *shower) turns(step int) []replay.Turn {
	return slices.DeleteFunc(slices.Clone(s.rec.Steps[step].Turns), func(t replay.Turn) bool {
		return s.o.seat >= 0 && game.Seat(t.Seat) != s.o.seat || s.o.faults && !matches.Faulty(t)
	})
}

// happened lists what this side was sent.
func (s *shower) happened(events []game.Event) {
	for _, e := range events {
		if words := e.Words(); words != "" && e.VisibleTo(s.o.seat) {
			fmt.Fprintln(s.w, "  "+words)
		}
	}
}

func (s *shower) tell(step int, turns []replay.Turn) {
	for _, t := range turns {
		who := printer.Printable(s.rec.Header.Seats[t.Seat].Bot)
		if s.rec.Header.Taken(step) {
			who = "as in " + printer.Printable(s.rec.Header.Fork.Match) // whose record names the bot
		}
		line := fmt.Sprintf("step %d  seat %d %s  %s", step, t.Seat, who, strings.TrimSpace(s.engine.ActionWords(t.Action)+"  "+string(t.Action)))
		if t.Say != "" {
			line += fmt.Sprintf("  says %q", t.Say)
		}
		switch {
		case matches.Faulty(t):
			line += "  FAULT " + t.Why + ": the house played"
		case t.Why == tournament.WhyRetired:
			line += "  given up: the house plays"
		case t.Why == tournament.WhyThen:
			line += "  sent ahead"
		}
		line += clockText(t)
		if matches.Faulty(t) && s.red {
			command.Draw(s.w, command.Red, line, command.Plain, "\n")
			continue
		}
		fmt.Fprintln(s.w, line)
	}
}

// clockText returns a decision's ledger in words; "" where nobody was asked, as with a bot of this process.
func clockText(t replay.Turn) string {
	l, ok := runner.ReadClock(t.Clock)
	if !ok || l == (runner.ClockLine{BankUS: l.BankUS}) {
		return ""
	}
	ms := func(us int64) string { return fmt.Sprintf("%.1f", float64(us)/1000) }
	var phases []string
	for _, p := range []struct {
		name string
		us   int64
	}{
		{"dns", l.DNSUS}, {"connect", l.ConnectUS}, {"tls", l.TLSUS}, {"written", l.WrittenUS}, {"first byte", l.FirstByteUS}, {"body", l.BodyUS}, {"round trip", l.RoundTripUS}, {"the platform stood still", l.StoodUS},
	} {
		if p.us >= 50 {
			phases = append(phases, p.name+" "+ms(p.us))
		}
	}
	if l.Kernel {
		phases = append(phases, "by the kernel")
	}
	return fmt.Sprintf("  %s ms (%s), charged %s, bank %s", ms(l.ElapsedUS), strings.Join(phases, ", "), ms(l.ChargedUS), time.Duration(l.BankUS)*time.Microsecond)
}
