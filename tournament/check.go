package tournament

import (
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

// Check refuses a new tournament of the game of info at the time now: the first thing wrong, by its place in the wire form.
// Whether the configuration is right is the engine's to say.
func (t *Tournament) Check(info game.Info, now time.Time) error {
	if err := CheckText("/name", t.Name, MaxTitle); err != nil {
		return err
	}
	if err := t.checkFormat(); err != nil {
		return err
	}
	if err := t.checkTest(); err != nil {
		return err
	}
	for _, n := range []struct {
		pointer        string
		got, low, high int
	}{
		{"/table_size", t.Table, info.MinSeats, info.MaxSeats},
		{"/cycles", t.Cycles, 1, MaxCycles},
		{"/capacity", t.Capacity, max(2, t.Table), MaxCapacity},
		{"/entries_per_owner", t.OwnerEntries, 0, t.Capacity},
	} {
		if n.got < n.low || n.got > n.high {
			return &FieldError{n.pointer, fmt.Sprintf("%d is outside %d..%d", n.got, n.low, n.high)}
		}
	}
	if t.OwnerEntries > t.PerOwner(info) {
		return &FieldError{"/entries_per_owner", "in a rated game with hidden teams an owner has one entry: two bots could play as one"}
	}
	if err := SourceTournament.Bounds().Check(t.Clock, t.Limits); err != nil {
		return err
	}
	return t.checkTimes(now)
}

// checkFormat refuses a format that there is not, and options that mean nothing in it.
func (t *Tournament) checkFormat() error {
	if !slices.Contains(Formats(), t.Format) {
		return &FieldError{"/format", fmt.Sprintf("wants one of %v", Formats())}
	}
	o := t.Options
	for _, one := range []struct {
		name      string
		got, most int
		in        []Format // that know it; nil: all
	}{
		{"min_table_size", o.MinTable, t.Table, nil},
		{"rounds", o.Rounds, MaxRounds, []Format{Swiss}},
		{"best_of", o.BestOf, MaxRounds, []Format{SingleElimination, DoubleElimination}},
		{"third_place", number(o.ThirdPlace), 1, []Format{SingleElimination}},
		{"group_size", o.GroupSize, MaxCapacity, []Format{Groups}},
		{"finalists", o.Finalists, MaxCapacity, []Format{Groups}},
		{"lasts_ms", int(min(o.Lasts.Milliseconds(), 1<<31-1)), int(MaxArena.Milliseconds()), []Format{Arena}},
		{"late_entries", number(o.LateEntries), 1, []Format{Swiss, Arena}},
	} {
		pointer := "/format_options/" + one.name
		switch {
		case one.got != 0 && one.in != nil && !slices.Contains(one.in, t.Format):
			return &FieldError{pointer, fmt.Sprintf("means nothing in a %s; it is for %v", t.Format, one.in)}
		case one.got < 0 || one.got > one.most:
			return &FieldError{pointer, fmt.Sprintf("%d is outside 0..%d", one.got, one.most)}
		}
	}
	switch {
	case o.MinTable == 1:
		return &FieldError{"/format_options/min_table_size", "1 is outside 2..table_size; leave it out to play at full tables only"}
	case t.Format == Arena && o.Lasts < MinArena:
		return &FieldError{"/format_options/lasts_ms", fmt.Sprintf("an arena lasts %d to %d ms", MinArena.Milliseconds(), MaxArena.Milliseconds())}
	}
	return nil
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
	switch {
	case t.Format != SPRT && t.Options.Test != (Test{}):
		return at("elo0", "and elo1, alpha, beta, normalised and max_pairs mean nothing in a %s; they are for an %s", t.Format, SPRT)
	case t.Format != SPRT:
		return nil
	case t.Rated:
		return &FieldError{"/rated", "an sprt is never rated: its length hangs on its results"}
	case !t.Duplicate:
		return &FieldError{"/duplicate", "an sprt plays pairs with the seats swapped: send true"}
	case t.Table != 2:
		return &FieldError{"/table_size", fmt.Sprintf("%d: an sprt is played at tables of two", t.Table)}
	case t.Capacity != 2:
		return &FieldError{"/capacity", fmt.Sprintf("%d: an sprt compares two", t.Capacity)}
	case t.Cycles != 1:
		return &FieldError{"/cycles", fmt.Sprintf("%d: an sprt goes on until it knows; its bound is max_pairs: send 1", t.Cycles)}
	case !(x.Elo0 >= -mostElo && x.Elo0 <= mostElo):
		return at("elo0", "%v is outside %d..%d", x.Elo0, -mostElo, mostElo)
	case !(x.Elo1 > x.Elo0 && x.Elo1 <= mostElo):
		return at("elo1", "%v is outside %v..%d: it lies above elo0", x.Elo1, x.Elo0, mostElo)
	case !(x.Alpha >= .001 && x.Alpha < .5):
		return at("alpha", "%v is outside 0.001..0.5", x.Alpha)
	case !(x.Beta >= .001 && x.Beta < .5):
		return at("beta", "%v is outside 0.001..0.5", x.Beta)
	case x.MaxPairs < 1 || x.MaxPairs > mostPairs:
		return at("max_pairs", "%d is outside 1..%d", x.MaxPairs, mostPairs)
	}
	return nil
}

func number(b bool) int {
	if b {
		return 1
	}
	return 0
}

func (t *Tournament) checkTimes(now time.Time) error {
	switch {
	case !t.ClosesAt.After(t.OpensAt):
		return &FieldError{"/closes_at", "is not after opens_at"}
	case !t.ClosesAt.After(now):
		return &FieldError{"/closes_at", "lies in the past: nobody could enter"}
	case t.StartsAt.Before(t.ClosesAt):
		return &FieldError{"/starts_at", "is before closes_at"}
	case t.StartsAt.After(now.Add(MaxAhead)):
		return &FieldError{"/starts_at", "is more than a year ahead"}
	case t.OpensAt.Before(now.Add(-MaxAhead)):
		return &FieldError{"/opens_at", "is more than a year ago"}
	}
	return nil
}
