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

// Bounds of a tournament.
const (
	MaxTitle    = 80  // bytes of a tournament's name
	MaxReason   = 200 // bytes of the reason for cancelling one
	MaxCycles   = 100
	MaxCapacity = 2048
	MaxAhead    = 366 * 24 * time.Hour // from its creation to its start
	MaxRounds   = 1000                 // of a swiss, and of the games of a tie
	MinArena    = time.Second
	MaxArena    = 24 * time.Hour
)

// CheckText refuses text that is empty, longer than limit bytes, no [text.Line], or has space at its ends.
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

// Check refuses a new tournament of the game of info at the time now: everything wrong at once, each a [*FieldError] by its place in
// the wire form. Whether the configuration is right is the engine's to say.
func (t *Tournament) Check(info game.Info, now time.Time) error {
	errs := []error{CheckText("/name", t.Name, MaxTitle), t.checkFormat(), t.checkTest()}
	seats := max(2, min(t.Table, info.MaxSeats)) // of a table that there can be: what follows from a wrong one is not told
	if t.Format == SPRT {
		seats = 2
	}
	for _, n := range []struct {
		pointer        string
		got, low, high int
	}{
		{"/table_size", t.Table, info.MinSeats, info.MaxSeats},
		{"/cycles", t.Cycles, 1, MaxCycles},
		{"/capacity", t.Capacity, seats, MaxCapacity},
		{"/entries_per_owner", t.OwnerEntries, 0, t.Capacity},
	} {
		if n.got < n.low || n.got > n.high {
			errs = append(errs, &FieldError{n.pointer, fmt.Sprintf("%d is outside %d..%d", n.got, n.low, n.high)})
		}
	}
	if t.OwnerEntries > t.PerOwner(info) && t.OwnerEntries <= t.Capacity {
		errs = append(errs, &FieldError{"/entries_per_owner", "in a rated game with hidden teams an owner has one entry: two bots could play as one"})
	}
	errs = append(errs, SourceTournament.Bounds().Check(t.Clock, t.Limits), t.checkTimes(now))
	return errors.Join(errs...)
}

// checkFormat refuses a format that there is not, and options that mean nothing in it.
func (t *Tournament) checkFormat() error {
	if !slices.Contains(Formats(), t.Format) {
		return &FieldError{"/format", fmt.Sprintf("wants one of %v", Formats())}
	}
	var errs []error
	refuse := func(name, reason string, args ...any) {
		errs = append(errs, &FieldError{"/format_options/" + name, fmt.Sprintf(reason, args...)})
	}
	o := t.Options
	brackets := []Format{SingleElimination, DoubleElimination}
	if slices.Contains(brackets, o.Playoff) {
		brackets = append(brackets, Swiss, Groups)
	}
	for _, one := range []struct {
		name      string
		got, most int
		in        []Format // that know it; nil: all
	}{
		{"min_table_size", o.MinTable, t.Table, nil},
		{"rounds", o.Rounds, MaxRounds, []Format{Swiss}},
		{"best_of", o.BestOf, MaxRounds, brackets},
		{"third_place", number(o.ThirdPlace), 1, brackets},
		{"group_size", o.GroupSize, MaxCapacity, []Format{Groups}},
		{"playoff", number(o.Playoff != ""), 1, []Format{Swiss, Groups}},
		{"finalists", o.Finalists, MaxCapacity, append([]Format{Groups}, brackets[2:]...)},
		{"tie_breaks", len(o.TieBreaks), len(TieBreaks()), []Format{RoundRobin, Swiss, Gauntlet, Groups, Arena}},
		{"lasts_ms", int(min(o.Lasts.Milliseconds(), 1<<31-1)), int(MaxArena.Milliseconds()), []Format{Arena}},
		{"late_entries", number(o.LateEntries), 1, []Format{Swiss, Arena}},
	} {
		switch {
		case one.got != 0 && one.in != nil && !slices.Contains(one.in, t.Format):
			refuse(one.name, "means nothing in a %s; it is for %v", t.Format, one.in)
		case one.got < 0 || one.got > one.most:
			refuse(one.name, "%d is outside 0..%d", one.got, one.most)
		}
	}
	if o.MinTable == 1 {
		refuse("min_table_size", "1 is outside 2..table_size; leave it out to play at full tables only")
	}
	if o.Playoff != "" && !slices.Contains(brackets[:2], o.Playoff) {
		refuse("playoff", "wants one of %v", brackets[:2])
	}
	for i, by := range o.TieBreaks {
		if !slices.Contains(TieBreaks(), by) || slices.Contains(o.TieBreaks[:i], by) {
			refuse(fmt.Sprintf("tie_breaks/%d", i), "%.40q is no tie-break, or is there twice; they are %v", by, TieBreaks())
		}
	}
	if t.Format == Arena && o.Lasts < MinArena {
		refuse("lasts_ms", "an arena lasts %d to %d ms", MinArena.Milliseconds(), MaxArena.Milliseconds())
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
	x := t.Options.Test.Filled()
	at := func(name, reason string, args ...any) error {
		return &FieldError{"/format_options/" + name, fmt.Sprintf(reason, args...)}
	}
	if t.Format != SPRT {
		if t.Options.Test != (Test{}) {
			return at("elo0", "and elo1, alpha, beta, normalised and max_pairs mean nothing in a %s; they are for an %s", t.Format, SPRT)
		}
		return nil
	}
	var errs []error
	refuse := func(is bool, err error) {
		if is {
			errs = append(errs, err)
		}
	}
	refuse(t.Rated, &FieldError{"/rated", "an sprt is never rated: its length hangs on its results"})
	refuse(!t.Duplicate, &FieldError{"/duplicate", "an sprt plays pairs with the seats swapped: send true"})
	refuse(t.Table != 2, &FieldError{"/table_size", fmt.Sprintf("%d: an sprt is played at tables of two", t.Table)})
	refuse(t.Capacity != 2, &FieldError{"/capacity", fmt.Sprintf("%d: an sprt compares two", t.Capacity)})
	refuse(t.Cycles != 1, &FieldError{"/cycles", fmt.Sprintf("%d: an sprt goes on until it knows; its bound is max_pairs: send 1", t.Cycles)})
	refuse(!(x.Elo0 >= -mostElo && x.Elo0 <= mostElo), at("elo0", "%v is outside %d..%d", x.Elo0, -mostElo, mostElo))
	refuse(!(x.Elo1 > x.Elo0 && x.Elo1 <= mostElo), at("elo1", "%v is outside %v..%d: it lies above elo0", x.Elo1, x.Elo0, mostElo))
	refuse(!(x.Alpha >= .001 && x.Alpha < .5), at("alpha", "%v is outside 0.001..0.5", x.Alpha))
	refuse(!(x.Beta >= .001 && x.Beta < .5), at("beta", "%v is outside 0.001..0.5", x.Beta))
	refuse(x.MaxPairs < 1 || x.MaxPairs > mostPairs, at("max_pairs", "%d is outside 1..%d", x.MaxPairs, mostPairs))
	return errors.Join(errs...)
}

func number(b bool) int {
	if b {
		return 1
	}
	return 0
}

func (t *Tournament) checkTimes(now time.Time) error {
	var errs []error
	refuse := func(is bool, pointer, reason string) {
		if is {
			errs = append(errs, &FieldError{pointer, reason})
		}
	}
	past := !t.ClosesAt.After(now)
	refuse(!past && !t.ClosesAt.After(t.OpensAt), "/closes_at", "is not after opens_at")
	refuse(past, "/closes_at", "lies in the past: nobody could enter")
	refuse(t.StartsAt.Before(t.ClosesAt), "/starts_at", "is before closes_at")
	refuse(t.StartsAt.After(now.Add(MaxAhead)), "/starts_at", "is more than a year ahead")
	refuse(t.OpensAt.Before(now.Add(-MaxAhead)), "/opens_at", "is more than a year ago")
	return errors.Join(errs...)
}
