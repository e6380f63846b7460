package organiser

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/molerun/molerun/api/wire"
	"github.com/molerun/molerun/tournament"
)

// draft is what a tournament or a schedule is to be, in the words of whoever makes it.
type draft struct {
	wire.TournamentTemplate
	options wire.FormatOptions
	clock   wire.Clock
	faults  wire.FaultLimits
	variant string

	starts string
	every  string
	zone   string
	opens  int64 // ms before the start; 0 is now, of a schedule a day
	closes int64 // ms before the start
}

// newDraft has the defaults that hang on nothing.
func newDraft() *draft {
	clock, limits := tournament.DefaultClock(), tournament.DefaultFaultLimits()
	d := &draft{
		clock: wire.Clock{
			LimitMS:            clock.Limit.Milliseconds(),
			BankMS:             clock.Bank.Milliseconds(),
			IncrementMS:        clock.Increment.Milliseconds(),
			NetworkAllowanceMS: clock.Allowance.Milliseconds(),
		},
		faults: wire.FaultLimits{InRow: limits.InRow, Total: limits.Total},
		zone:   localZone(),
	}
	d.Format, d.Cycles, d.Capacity = string(tournament.Swiss), 1, 16
	return d
}

// field is one thing that may be said of a tournament: a flag of that name, and a key of a file with _ for -.
type field struct {
	name string
	kind string // as help shows it; "" for a switch
	help string
	put  func(d *draft, text string) error
}

func newField(name, kind, help string, put func(*draft, string) error) field {
	return field{
		name: name,
		kind: kind,
		help: help,
		put:  put,
	}
}

// key is the field's name in a file.
func (f field) key() string { return strings.ReplaceAll(f.name, "-", "_") }

// formatsInWords is all formats: "round_robin, swiss or sprt".
func formatsInWords() string {
	var words []string
	for _, f := range tournament.Formats() {
		words = append(words, string(f))
	}
	last := len(words) - 1
	return strings.Join(words[:last], ", ") + " or " + words[last]
}

// fields are all that may be said, in the order in which a file has them.
func fields() []field {
	const none = ""
	return []field{
		newField("name", "text", "what it is called; of a schedule {number} becomes 1, 2, … and {date} the day (default: game, format and day)", word(func(d *draft) *string { return &d.Name })),
		newField("format", "word", formatsInWords()+" (default swiss)", word(func(d *draft) *string { return &d.Format })),
		newField("variant", "word", "the configuration of this name; molerun rules GAME lists them (default base)", word(func(d *draft) *string { return &d.variant })),
		newField("config", "json", "the configuration itself, a JSON object", putConfig),
		newField("table-size", "n", "seats a match (default: the fewest that the game has)", whole(func(d *draft) *int { return &d.Table })),
		newField("capacity", "n", "most entries (default 16; of an sprt 2)", whole(func(d *draft) *int { return &d.Capacity })),
		newField("entries-per-owner", "n", "most entries of one owner (default 1 where rated, else no bound)", whole(func(d *draft) *int { return &d.PerOwner })),
		newField("waiting-list", none, "when it is full, entries wait for a place", yes(func(d *draft) *bool { return &d.Waiting })),
		newField("check-in", "time", "check-in opens that long before the start; who does not check in is left out (default: no check-in)", span(func(d *draft) *int64 { return &d.CheckInMS })),
		newField("rated", none, "results enter the game's ladder (default: where matches are like the ladder's)", yes(func(d *draft) *bool {
			d.Rated = new(bool)
			return d.Rated
		})),
		newField("duplicate", none, "every line-up goes round the seats (default true at tables of two)", yes(func(d *draft) *bool { return &d.Duplicate })),
		newField("cycles", "n", "how often everybody meets everybody (default 1)", whole(func(d *draft) *int { return &d.Cycles })),
		newField("rounds", "n", "swiss: how many (default: as many as the field needs)", whole(func(d *draft) *int { return &d.options.Rounds })),
		newField("playoff", "word", "swiss, groups: the best go on into single_elimination or double_elimination", word(func(d *draft) *string { return &d.options.Playoff })),
		newField("best-of", "n", "elimination: most games of a tie", whole(func(d *draft) *int { return &d.options.BestOf })),
		newField("third-place", none, "single elimination: a tie for the third place", yes(func(d *draft) *bool { return &d.options.ThirdPlace })),
		newField("group-size", "n", "groups: most entries of one", whole(func(d *draft) *int { return &d.options.GroupSize })),
		newField("finalists", "n", "groups, playoff: how many play the final, or the playoff (default 8 of a playoff)", whole(func(d *draft) *int { return &d.options.Finalists })),
		newField("tie-breaks", "words", "what breaks ties in points, with commas between, in place of the format's own", list(func(d *draft) *[]string { return &d.options.TieBreaks })),
		newField("lasts", "time", "arena: how long matches are made (default 1h)", span(func(d *draft) *int64 { return &d.options.LastsMS })),
		newField("late-entries", none, "swiss, arena: bots may enter after the start", yes(func(d *draft) *bool { return &d.options.LateEntries })),
		newField("min-table-size", "n", "larger tables: the fewest seats at which one is played", whole(func(d *draft) *int { return &d.options.MinTable })),
		newField("elo0", "elo", "sprt: no stronger than that", decimal(func(d *draft) *float64 { return &d.options.Elo0 })),
		newField("elo1", "elo", "sprt: or stronger by that (default 30)", decimal(func(d *draft) *float64 { return &d.options.Elo1 })),
		newField("alpha", "p", "sprt: chance of a wrong H1 (default 0.05)", decimal(func(d *draft) *float64 { return &d.options.Alpha })),
		newField("beta", "p", "sprt: chance of a wrong H0 (default 0.05)", decimal(func(d *draft) *float64 { return &d.options.Beta })),
		newField("normalised", none, "sprt: elo0 and elo1 are normalised Elo", yes(func(d *draft) *bool { return &d.options.Normalised })),
		newField("max-pairs", "n", "sprt: most pairs of matches (default 1000)", whole(func(d *draft) *int { return &d.options.MaxPairs })),
		newField("limit", "time", "free time for a decision (default 1s)", span(func(d *draft) *int64 { return &d.clock.LimitMS })),
		newField("bank", "time", "time beyond the limits for a match (default 10s)", span(func(d *draft) *int64 { return &d.clock.BankMS })),
		newField("increment", "time", "added to the bank after a decision (default 0s)", span(func(d *draft) *int64 { return &d.clock.IncrementMS })),
		newField("network-allowance", "time", "round trip forgiven for a decision (default 150ms)", span(func(d *draft) *int64 { return &d.clock.NetworkAllowanceMS })),
		newField("max-faults-in-row", "n", "faults in a row that retire a bot (default 3)", whole(func(d *draft) *int { return &d.faults.InRow })),
		newField("max-faults", "n", "faults in a match that retire a bot (default 10)", whole(func(d *draft) *int { return &d.faults.Total })),
		newField("invite-only", none, "entries need a code, which is shown once", yes(func(d *draft) *bool { return &d.InviteOnly })),
		newField("description", "markdown", "what it is about", word(func(d *draft) *string { return &d.Description })),
		newField("rules", "markdown", "rules of this event, beside the game's", word(func(d *draft) *string { return &d.Rules })),
		newField("prizes", "markdown", "what there is to win", word(func(d *draft) *string { return &d.Prizes })),
		newField("zone", "zone", "IANA zone of the times (default: this machine's)", word(func(d *draft) *string { return &d.zone })),
		newField("opens-before", "time", "registration opens that long before a start (default: at once; of a schedule 24h)", span(func(d *draft) *int64 { return &d.opens })),
		newField("closes-before", "time", "and closes that long before it (default 0s)", span(func(d *draft) *int64 { return &d.closes })),
	}
}

// startFields are those that say when: of one tournament, or of a schedule.
func startFields(schedule bool) []field {
	starts := newField("starts", "time", `when it starts: "friday 20:00", "tomorrow 19:30", "2026-12-04 20:00", "in 2h"`, word(func(d *draft) *string { return &d.starts }))
	if !schedule {
		return []field{starts}
	}
	return []field{
		newField("every", "times", `when they start: "friday 20:00", "day 20:00", "weekday 20:00" or a cron line`, word(func(d *draft) *string { return &d.every })),
		starts,
	}
}

func word(of func(*draft) *string) func(*draft, string) error {
	return func(d *draft, text string) error {
		*of(d) = text
		return nil
	}
}

func list(of func(*draft) *[]string) func(*draft, string) error {
	return func(d *draft, text string) error {
		*of(d) = nil
		for one := range strings.SplitSeq(text, ",") {
			*of(d) = append(*of(d), strings.TrimSpace(one))
		}
		return nil
	}
}

func whole(of func(*draft) *int) func(*draft, string) error {
	return func(d *draft, text string) error {
		n, err := strconv.ParseInt(text, 10, 32)
		if err != nil {
			return fmt.Errorf("%q: wants a whole number", text)
		}
		*of(d) = int(n)
		return nil
	}
}

func decimal(of func(*draft) *float64) func(*draft, string) error {
	return func(d *draft, text string) error {
		x, err := strconv.ParseFloat(text, 64)
		if err != nil || x-x != 0 {
			return fmt.Errorf("%q: wants a number", text)
		}
		*of(d) = x
		return nil
	}
}

func yes(of func(*draft) *bool) func(*draft, string) error {
	return func(d *draft, text string) error {
		b, err := strconv.ParseBool(text)
		if err != nil {
			return fmt.Errorf("%q: wants true or false", text)
		}
		*of(d) = b
		return nil
	}
}

// span reads a duration into milliseconds; a bare 0 is one.
func span(of func(*draft) *int64) func(*draft, string) error {
	return func(d *draft, text string) error {
		x, err := time.ParseDuration(text)
		if err != nil || x%time.Millisecond != 0 {
			return fmt.Errorf("%q: wants a time such as 90s, 10m or 24h, in whole milliseconds", text)
		}
		*of(d) = x.Milliseconds()
		return nil
	}
}

func putConfig(d *draft, text string) error {
	var object map[string]json.RawMessage
	if json.Unmarshal([]byte(text), &object) != nil || object == nil {
		return errors.New("wants a JSON object")
	}
	d.Config = json.RawMessage(text)
	return nil
}

// fill gives what was not said the defaults that hang on the game, the format and the day.
func (d *draft) fill(said map[string]string, g wire.Game, day string) {
	isSaid := func(name string) bool { _, ok := said[name]; return ok }
	if !isSaid("table-size") {
		d.Table = cmp.Or(g.MinSeats, 2)
	}
	if !isSaid("duplicate") {
		d.Duplicate = d.Table == 2
	}
	if d.Format == string(tournament.SPRT) {
		if !isSaid("capacity") {
			d.Capacity = 2
		}
	}
	if d.Format == string(tournament.Arena) && !isSaid("lasts") {
		d.options.LastsMS = time.Hour.Milliseconds()
	}
	if !isSaid("name") {
		d.Name = strings.Join([]string{cmp.Or(g.Name, d.Game, "tournament"), strings.ReplaceAll(d.Format, "_", " "), day}, " ")
	}
	d.Options, d.Clock, d.Faults = &d.options, &d.clock, &d.faults
}
