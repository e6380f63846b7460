package tournament

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/engines/game/text"
)

// Limits of a tournament.
const (
	MaxTitle    = 80  // bytes of a tournament's name
	MaxReason   = 200 // bytes of the reason for cancelling one
	maxCycles   = 100
	maxCapacity = 2048
	MaxAhead    = 366 * 24 * time.Hour // from its creation to its start
	maxRounds   = 1000                 // of a swiss, and of the games of a tie
	minArena    = time.Second
	maxArena    = 24 * time.Hour
)

// CheckText refuses text that is empty, longer than limit bytes, not a [text.Line], or begins or ends with space.
func CheckText(pointer, said string, limit int) error {
	switch {
	case said == "" || len(said) > limit:
		return &FieldError{pointer, fmt.Sprintf("wants 1 to %d bytes of text", limit)}
	case strings.TrimSpace(said) != said:
		return &FieldError{pointer, "begins or ends with a space"}
	}
	if err := text.Line.Check(said, limit); err != nil {
		return &FieldError{pointer, "wants one line of plain text: " + err.Error()}
	}
	return nil
}

// Check refuses a new tournament of the game of info at the time now. It names all wrong fields at once, each by its place in
// the wire form ([*FieldError]). The engine checks the configuration.
func (t *Tournament) Check(info game.Info, now time.Time) error {
	errs := []error{CheckText("/name", t.Name, MaxTitle), t.checkFormat(), t.checkTest()}
	seats := max(2, min(t.Table, info.MaxSeats)) // what follows from a wrong table alone is not told
	if t.Format == SPRT {
		seats = 2
	}
	for _, n := range []struct {
		pointer        string
		got, low, high int
	}{
		{pointer: "/table_size", got: t.Table, low: info.MinSeats, high: info.MaxSeats},
		{pointer: "/cycles", got: t.Cycles, low: 1, high: maxCycles},
		{pointer: "/capacity", got: t.Capacity, low: seats, high: maxCapacity},
		{pointer: "/entries_per_owner", got: t.OwnerEntries, low: 0, high: max(0, t.Capacity)},
	} {
		if n.got < n.low || n.got > n.high {
			errs = append(errs, &FieldError{n.pointer, fmt.Sprintf("%d is outside %d..%d", n.got, n.low, n.high)})
		}
	}
	if t.Rated && info.Teams && t.OwnerEntries > 1 && t.OwnerEntries <= t.Capacity {
		errs = append(errs, &FieldError{"/entries_per_owner", "in a rated game with hidden teams an owner has one entry: two bots could play as one"})
	}
	errs = append(errs, t.checkEntering())
	return errors.Join(append(errs, SourceTournament.Bounds().Check(t.Clock, t.Limits), t.checkTimes(now), t.Texts.Check())...)
}

// minCheckIn is the shortest check-in.
const minCheckIn = time.Minute

// checkEntering refuses a check-in that begins before registration, or is too short to be met, and a waiting list of two.
func (t *Tournament) checkEntering() error {
	var errs []error
	if t.WaitingList && t.Format == SPRT {
		errs = append(errs, &FieldError{"/waiting_list", fmt.Sprintf("means nothing in an %s, which compares two", SPRT)})
	}
	most := max(0, t.StartsAt.Sub(t.OpensAt))
	if t.CheckIn != 0 && (t.CheckIn < minCheckIn || t.CheckIn > most) {
		errs = append(errs, &FieldError{"/check_in_ms", fmt.Sprintf("%d is outside %d..%d: check-in opens after registration does", t.CheckIn.Milliseconds(), minCheckIn.Milliseconds(), most.Milliseconds())})
	}
	return errors.Join(errs...)
}

// checkFormat refuses a format that there is not, and options that mean nothing in it.
func (t *Tournament) checkFormat() error {
	if !slices.Contains(Formats(), t.Format) {
		return &FieldError{"/format", fmt.Sprintf("wants one of %v", Formats())}
	}
	var errs []error
	o := t.Options
	best, third, finals := []Format{SingleElimination, DoubleElimination}, []Format{SingleElimination}, []Format{Groups}
	if o.Playoff != "" {
		best = append(best, Swiss, Groups)
		third = append(third, Swiss, Groups)
		finals = append(finals, Swiss)
	}
	for _, one := range []struct {
		name      string
		got, most int
		in        []Format // that know it; nil: all
	}{
		{name: "min_table_size", got: o.MinTable, most: t.Table},
		{name: "rounds", got: o.Rounds, most: maxRounds, in: []Format{Swiss}},
		{name: "best_of", got: o.BestOf, most: maxRounds, in: best},
		{name: "third_place", got: number(o.ThirdPlace), most: 1, in: third},
		{name: "group_size", got: o.GroupSize, most: maxCapacity, in: []Format{Groups}},
		{name: "playoff", got: number(o.Playoff != ""), most: 1, in: []Format{Swiss, Groups}},
		{name: "finalists", got: o.Finalists, most: maxCapacity, in: finals},
		{name: "tie_breaks", got: len(o.TieBreaks), most: len(TieBreaks()), in: []Format{RoundRobin, Swiss, Gauntlet, Groups, Arena}},
		{name: "lasts_ms", got: int(min(o.Lasts.Milliseconds(), 1<<31-1)), most: int(maxArena.Milliseconds()), in: []Format{Arena}},
		{name: "late_entries", got: number(o.LateEntries), most: 1, in: []Format{Swiss, Arena}},
	} {
		pointer := "/format_options/" + one.name
		switch {
		case one.got != 0 && one.in != nil && !slices.Contains(one.in, t.Format):
			errs = append(errs, &FieldError{pointer, fmt.Sprintf("means nothing in a %s; it is for %v", t.Format, one.in)})
		case one.got < 0 || one.got > one.most:
			errs = append(errs, &FieldError{pointer, fmt.Sprintf("%d is outside 0..%d", one.got, one.most)})
		}
	}
	if o.Playoff != "" && !slices.Contains([]Format{SingleElimination, DoubleElimination}, o.Playoff) {
		errs = append(errs, &FieldError{"/format_options/playoff", fmt.Sprintf("wants %s or %s", SingleElimination, DoubleElimination)})
	}
	for i, by := range o.TieBreaks {
		if !slices.Contains(TieBreaks(), by) || slices.Contains(o.TieBreaks[:i], by) {
			pointer := fmt.Sprintf("/format_options/tie_breaks/%d", i)
			errs = append(errs, &FieldError{pointer, fmt.Sprintf("%.40q is no tie-break, or is there twice; they are %v", by, TieBreaks())})
		}
	}
	if o.MinTable == 1 && t.Table >= 1 {
		errs = append(errs, &FieldError{"/format_options/min_table_size", "1 is outside 2..table_size; leave it out to play at full tables only"})
	}
	if t.Format == Arena && o.Lasts >= 0 && o.Lasts < minArena {
		errs = append(errs, &FieldError{"/format_options/lasts_ms", fmt.Sprintf("an arena lasts %d to %d ms", minArena.Milliseconds(), maxArena.Milliseconds())})
	}
	return errors.Join(errs...)
}

// mostPairs bounds the pairs of an sprt, and mostElo its hypotheses.
const (
	mostPairs = 10_000
	mostElo   = 1000
)

// checkTest refuses an sprt that is none, and a test in another format.
func (t *Tournament) checkTest() error {
	if t.Format != SPRT {
		if t.Options.Test == (Test{}) || !slices.Contains(Formats(), t.Format) {
			return nil
		}
		return &FieldError{"/format_options/elo0", fmt.Sprintf("and elo1, alpha, beta, normalised and max_pairs mean nothing in a %s; they are for an %s", t.Format, SPRT)}
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
	refuse(!(x.Elo0 >= -mostElo && x.Elo0 <= mostElo), "/format_options/elo0", "%v is outside %d..%d", x.Elo0, -mostElo, mostElo)
	refuse(!(x.Elo1 > x.Elo0 && x.Elo1 <= mostElo), "/format_options/elo1", "%v is outside %v..%d: it lies above elo0", x.Elo1, x.Elo0, mostElo)
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

// checkTimes refuses times out of their order or too far away: one a place.
func (t *Tournament) checkTimes(now time.Time) error {
	var errs []error
	switch {
	case !t.ClosesAt.After(t.OpensAt):
		errs = append(errs, &FieldError{"/closes_at", "is not after opens_at"})
	case !t.ClosesAt.After(now):
		errs = append(errs, &FieldError{"/closes_at", "lies in the past: nobody could enter"})
	}
	switch {
	case t.StartsAt.Before(t.ClosesAt):
		errs = append(errs, &FieldError{"/starts_at", "is before closes_at"})
	case t.StartsAt.After(now.Add(MaxAhead)):
		errs = append(errs, &FieldError{"/starts_at", "is more than a year ahead"})
	}
	if t.OpensAt.Before(now.Add(-MaxAhead)) {
		errs = append(errs, &FieldError{"/opens_at", "is more than a year ago"})
	}
	return errors.Join(errs...)
}
