package tournament

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/molerun/molerun/engines/game"
)

// Format names how opponents are paired.
type Format string

// The formats; package pairing defines them.
const (
	RoundRobin        Format = "round_robin" // every bot meets every other
	Swiss             Format = "swiss"       // paired by standing, no pair twice
	SingleElimination Format = "single_elimination"
	DoubleElimination Format = "double_elimination" // out after the second loss
	Gauntlet          Format = "gauntlet"           // challengers meet the field
	Groups            Format = "groups"             // balanced tables, then a final
	Arena             Format = "arena"              // free bots are paired by standing until the time is up
	SPRT              Format = "sprt"               // two bots or versions in pairs, until a sequential test decides
)

// Formats lists all formats in the order shown to people.
func Formats() []Format {
	return []Format{RoundRobin, Swiss, SingleElimination, DoubleElimination, Gauntlet, Groups, Arena, SPRT}
}

// FormatOptions are what an organiser chooses of a format; what is left out takes the format's default. Package pairing gives them
// their meaning. Requests, commands, pages and the store read them from here, by the tags: a new one is a field here, a row in
// checkFormat, and what a format makes of it.
type FormatOptions struct {
	MinTable   int  `json:"min_table_size,omitempty" help:"larger tables: the fewest seats at which one is played"` // larger tables: the fewest seats to play with when entries are missing; only full tables if left out
	Rounds     int  `json:"rounds,omitempty" help:"swiss: how many (default: as many as the field needs)"`          // swiss
	BestOf     int  `json:"best_of,omitempty" help:"elimination: most games of a tie"`                              // elimination and playoff at tables of two: most games of a tie; even with duplicate
	ThirdPlace bool `json:"third_place,omitempty" help:"single elimination: a tie for the third place"`             // single_elimination, and such a playoff, at tables of two
	GroupSize  int  `json:"group_size,omitempty" help:"groups: most entries of one"`                                // groups: most entries of one; one group if left out
	// swiss, groups: the second stage, a bracket of the best, seeded by their standing; groups without one end with a round robin
	Playoff   Format `json:"playoff,omitempty" swaggertype:"string" enums:"single_elimination,double_elimination" help:"swiss, groups: the best go on into {enums}"`
	Finalists int    `json:"finalists,omitempty" help:"groups, playoff: how many play the final, or the playoff (default 8 of a playoff)"` // groups: how many play the final, one table if left out; with playoff how many play that, eight if left out
	// what breaks ties, in this order; the format's own if left out
	TieBreaks []string `json:"tie_breaks,omitempty" enums:"direct_encounter,wins,sonneborn_berger,buchholz,buchholz_cut1,buchholz_median,progressive,koya,performance,game_score" help:"what breaks ties in points, with commas between, in place of the format's own"`
	LastsMS   int64    `json:"lasts_ms,omitempty" help:"arena: how long matches are made (default 1h)"` // arena: how long new matches are made, 1000 to 86 400 000; an hour if left out
	PausedMS  int64    `json:"-"`                                                                       // arena: how long its pauses took that are over; it lasts longer by them, and whoever copies it does not want them
	// how long each round but the first waits after the one before, up to 86 400 000; without a pause if left out
	RoundPauseMS int64 `json:"round_pause_ms,omitempty" help:"swiss, elimination, groups: how long the next round waits, for people to look at the last"`
	LateEntries  bool  `json:"late_entries,omitempty" help:"swiss, arena: bots may enter after the start"` // swiss, arena: bots may enter after the start; a swiss takes them during its first half
	Test
} // @name FormatOptions

// storedOptions are options as a row holds them. Release 0.1.0, of which a process may run beside this one, has other names for three of
// them: both are written, and either is read.
type storedOptions struct {
	FormatOptions
	OldMinTable int   `json:"min_table,omitempty"`
	OldLastsUS  int64 `json:"lasts_us,omitempty"`
	OldTest     Test  `json:"test,omitzero"`
	Paused      int64 `json:"paused_ms,omitempty"`
}

// MarshalStored returns the options as a row holds them.
func (o FormatOptions) MarshalStored() ([]byte, error) {
	return json.Marshal(storedOptions{o, o.MinTable, o.Lasts().Microseconds(), o.Test, o.PausedMS})
}

// UnmarshalStored reads the options of a row.
func (o *FormatOptions) UnmarshalStored(text []byte) error {
	var x storedOptions
	err := json.Unmarshal(text, &x)
	*o = x.FormatOptions
	o.PausedMS = x.Paused
	o.MinTable, o.LastsMS, o.Test = cmp.Or(o.MinTable, x.OldMinTable), cmp.Or(o.LastsMS, x.OldLastsUS/1000), cmp.Or(o.Test, x.OldTest)
	return err
}

// IsZero reports whether no option is set.
func (o FormatOptions) IsZero() bool { return reflect.ValueOf(o).IsZero() }

// Lasts returns how long an arena makes new matches, from its start, with the pauses that are over.
func (o FormatOptions) Lasts() time.Duration {
	return time.Duration(o.LastsMS+o.PausedMS) * time.Millisecond
}

// RoundPause returns how long the matches of a round wait after the round before.
func (o FormatOptions) RoundPause() time.Duration {
	return time.Duration(o.RoundPauseMS) * time.Millisecond
}

// TieBreaks returns the names of all tie-breaks; package pairing defines them.
func TieBreaks() []string {
	return []string{
		"direct_encounter", "wins", "sonneborn_berger", "buchholz", "buchholz_cut1", "buchholz_median", "progressive", "koya",
		"performance", "game_score",
	}
}

// Test is the sequential test of an sprt. What is 0 is [Test.Filled]'s.
type Test struct {
	// sprt: is the first entry stronger than the second by elo0 or less (H0), or by elo1 or more (H1)? Both left out: 0 and 30.
	Elo0       float64 `json:"elo0,omitempty" help:"sprt: no stronger than that" kind:"elo"`
	Elo1       float64 `json:"elo1,omitempty" help:"sprt: or stronger by that (default 30)" kind:"elo"`
	Alpha      float64 `json:"alpha,omitempty" help:"sprt: chance of a wrong H1 (default 0.05)" kind:"p"` // sprt: chance of a wrong H1; 0.05 if left out
	Beta       float64 `json:"beta,omitempty" help:"sprt: chance of a wrong H0 (default 0.05)" kind:"p"`  // sprt: chance of a wrong H0; 0.05 if left out
	Normalised bool    `json:"normalised,omitempty" help:"sprt: elo0 and elo1 are normalised Elo"`        // sprt: elo0 and elo1 are normalised Elo
	MaxPairs   int     `json:"max_pairs,omitempty" help:"sprt: most pairs of matches (default 1000)"`     // sprt: it ends undecided after this many pairs of matches; 1000 if left out
}

// Filled returns the test with defaults for what is left out: they ask whether the first is 30 Elo stronger or not stronger at
// all, with 5 % errors, in at most 1000 pairs.
func (t Test) Filled() Test {
	d := Test{Elo1: 30, Alpha: .05, Beta: .05, MaxPairs: 1000}
	if t.Elo0 == 0 && t.Elo1 == 0 {
		t.Elo0, t.Elo1 = d.Elo0, d.Elo1
	}
	t.Alpha, t.Beta, t.MaxPairs = cmp.Or(t.Alpha, d.Alpha), cmp.Or(t.Beta, d.Beta), cmp.Or(t.MaxPairs, d.MaxPairs)
	return t
}

// Widest returns how far from 0 the hypotheses may be. Beyond 150 in normalised Elo the search for the likeliest chances does not end well:
// package sprt solves a condition that is not linear by straight lines.
func (t Test) Widest() float64 {
	if t.Normalised {
		return 150
	}
	return 1000
}

// Limits of the options.
const (
	maxRounds = 1000 // of a swiss, and of the games of a tie
	minArena  = time.Second
	maxArena  = 24 * time.Hour // and of the pause before a round
)

// formatOption declares one of the [FormatOptions].
type formatOption struct {
	name      string
	got, most int
	in        []Format // that know it; nil: all
}

// foreign reports whether an option is set that means nothing in a format.
func (x formatOption) foreign(f Format) bool {
	return x.got != 0 && x.in != nil && !slices.Contains(x.in, f)
}

// formatOptions returns the table of all options but the sequential test's.
func (t *Tournament) formatOptions() []formatOption {
	o := t.Options
	best, third, finals := []Format{SingleElimination, DoubleElimination}, []Format{SingleElimination}, []Format{Groups}
	byRounds := []Format{Swiss, SingleElimination, DoubleElimination, Groups}
	if o.Playoff != "" {
		best = append(best, Swiss, Groups)
		third = append(third, Swiss, Groups)
		finals = append(finals, Swiss)
	}
	return []formatOption{
		{name: "min_table_size", got: o.MinTable, most: t.Table},
		{name: "rounds", got: o.Rounds, most: maxRounds, in: []Format{Swiss}},
		{name: "best_of", got: o.BestOf, most: maxRounds, in: best},
		{name: "third_place", got: number(o.ThirdPlace), most: 1, in: third},
		{name: "group_size", got: o.GroupSize, most: maxCapacity, in: []Format{Groups}},
		{name: "playoff", got: number(o.Playoff != ""), most: 1, in: []Format{Swiss, Groups}},
		{name: "finalists", got: o.Finalists, most: maxCapacity, in: finals},
		{name: "tie_breaks", got: len(o.TieBreaks), most: len(TieBreaks()), in: []Format{RoundRobin, Swiss, Gauntlet, Groups, Arena}},
		{name: "lasts_ms", got: atMost32(o.LastsMS), most: int(maxArena.Milliseconds()), in: []Format{Arena}},
		{name: "round_pause_ms", got: atMost32(o.RoundPauseMS), most: int(maxArena.Milliseconds()), in: byRounds},
		{name: "late_entries", got: number(o.LateEntries), most: 1, in: []Format{Swiss, Arena}},
	}
}

// DropForeignOptions leaves out the options that mean nothing in the format, as when another format had them.
func (t *Tournament) DropForeignOptions() {
	for _, one := range t.formatOptions() {
		if one.foreign(t.Format) {
			t.Options.clear(one.name)
		}
	}
	if t.Format != SPRT {
		t.Options.Test = Test{}
	}
}

// clear leaves out the option of a name.
func (o *FormatOptions) clear(name string) {
	v := reflect.ValueOf(o).Elem()
	for i := range v.NumField() {
		if key, _, _ := strings.Cut(v.Type().Field(i).Tag.Get("json"), ","); key == name {
			v.Field(i).SetZero()
		}
	}
}

// checkFormat refuses unknown formats, and options that mean nothing in the format.
func (t *Tournament) checkFormat() error {
	if !slices.Contains(Formats(), t.Format) {
		return &FieldError{"/format", "wants one of " + Listed(Formats())}
	}
	var errs []error
	o := t.Options
	for _, one := range t.formatOptions() {
		pointer := "/format_options/" + one.name
		switch {
		case one.foreign(t.Format):
			errs = append(errs, &FieldError{pointer, fmt.Sprintf("means nothing in the format %s; it is for %s", t.Format, Listed(one.in))})
		case one.got < 0 || one.got > one.most:
			reason := fmt.Sprintf("%d is outside 0..%d", one.got, one.most)
			if strings.HasSuffix(one.name, "_ms") {
				reason = OutsideTimes(time.Duration(one.got)*time.Millisecond, 0, time.Duration(one.most)*time.Millisecond)
			}
			errs = append(errs, &FieldError{pointer, reason})
		}
	}
	if o.Playoff != "" && !slices.Contains([]Format{SingleElimination, DoubleElimination}, o.Playoff) {
		errs = append(errs, &FieldError{"/format_options/playoff", fmt.Sprintf("wants %s or %s", SingleElimination, DoubleElimination)})
	}
	for i, by := range o.TieBreaks {
		if !slices.Contains(TieBreaks(), by) || slices.Contains(o.TieBreaks[:i], by) {
			pointer := fmt.Sprintf("/format_options/tie_breaks/%d", i)
			errs = append(errs, &FieldError{pointer, fmt.Sprintf("%.40q is no tie-break, or is there twice; they are %s", by, Listed(TieBreaks()))})
		}
	}
	if o.MinTable == 1 && t.Table >= 1 {
		errs = append(errs, &FieldError{"/format_options/min_table_size", "1 is outside 2..table_size; leave it out to play at full tables only"})
	}
	if t.Format == Arena && o.LastsMS >= 0 && o.LastsMS < minArena.Milliseconds() {
		errs = append(errs, &FieldError{"/format_options/lasts_ms", "an arena lasts " + SpanText(minArena) + " to " + SpanText(maxArena)})
	}
	return errors.Join(errs...)
}

// atMost32 returns a number of milliseconds as an int of any machine; what is too large stays too large, what is negative negative.
func atMost32(ms int64) int { return int(min(max(ms, -math.MaxInt32), math.MaxInt32)) }

// mostPairs bounds the pairs of an sprt.
const mostPairs = 10_000

// checkTest refuses an sprt that is none, or of a game without tables of two, and a test in another format.
func (t *Tournament) checkTest(info game.Info) error {
	if t.Format != SPRT {
		if t.Options.Test == (Test{}) || !slices.Contains(Formats(), t.Format) {
			return nil
		}
		return &FieldError{"/format_options/elo0", fmt.Sprintf("and elo1, alpha, beta, normalised and max_pairs mean nothing in the format %s; they are for %s", t.Format, SPRT)}
	}
	if info.Name != "" && info.MinSeats > 2 {
		return &FieldError{"/format", fmt.Sprintf("an %s is played at tables of two, which %s has not: choose another format", SPRT, info.Name)}
	}
	var errs []error
	refuse := func(wrong bool, pointer, reason string, args ...any) {
		if wrong {
			errs = append(errs, &FieldError{pointer, fmt.Sprintf(reason, args...)})
		}
	}
	refuse(t.Rated, "/rated", "an sprt is never rated: its length hangs on its results")
	refuse(!t.Duplicate, "/duplicate", "an sprt plays pairs with the seats swapped: send true")
	refuse(t.Table != 2, "/table_size", "%d: an sprt is played at tables of two", t.Table)
	refuse(t.Capacity != 2, "/capacity", "%d: an sprt compares two", t.Capacity)
	refuse(t.Cycles != 1, "/cycles", "%d: an sprt goes on until it knows; its bound is max_pairs: send 1", t.Cycles)
	x := t.Options.Test.Filled()
	most := x.Widest()
	refuse(!(math.Abs(x.Elo0) <= most), "/format_options/elo0", "%v is outside %v..%v", x.Elo0, -most, most)
	refuse(!(x.Elo1 > x.Elo0 && x.Elo1 <= most), "/format_options/elo1", "%v is outside %v..%v: it lies above elo0", x.Elo1, x.Elo0, most)
	refuse(!(x.Alpha >= .001 && x.Alpha < .5), "/format_options/alpha", "%v is outside 0.001..0.5", x.Alpha)
	refuse(!(x.Beta >= .001 && x.Beta < .5), "/format_options/beta", "%v is outside 0.001..0.5", x.Beta)
	refuse(x.MaxPairs < 1 || x.MaxPairs > mostPairs, "/format_options/max_pairs", "%d is outside 1..%d", x.MaxPairs, mostPairs)
	return errors.Join(errs...)
}

func number(b bool) int {
	if b {
		return 1
	}
	return 0
}
