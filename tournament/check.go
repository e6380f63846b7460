package tournament

import (
	"errors"
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/engines/game/text"
)

// Limits of a tournament.
const (
	MaxTitle    = 80  // characters of a tournament's name
	MaxReason   = 200 // characters of the reason for cancelling one
	maxCycles   = 100
	maxCapacity = 2048
	MaxAhead    = 366 * 24 * time.Hour // from its creation to its start
)

// CheckText refuses text that is empty, longer than limit characters, not a [text.Line], or begins or ends with space.
func CheckText(pointer, said string, limit int) error {
	switch {
	case said == "" || utf8.RuneCountInString(said) > limit:
		return &FieldError{pointer, fmt.Sprintf("wants 1 to %d characters", limit)}
	case strings.TrimSpace(said) != said:
		return &FieldError{pointer, "begins or ends with a space"}
	}
	if err := text.Line.Check(said, len(said)); err != nil {
		return &FieldError{pointer, "wants one line of plain text: " + err.Error()}
	}
	return nil
}

// within refuses a number that is beyond its bounds.
func within(pointer string, got, low, high int) error {
	if got < low || got > high {
		return &FieldError{pointer, fmt.Sprintf("%d is outside %d..%d", got, low, high)}
	}
	return nil
}

// Check refuses a new tournament of the game of info at the time now. It names all wrong fields at once, each by its place in
// the wire form ([*FieldError]). The engine checks the configuration.
func (t *Tournament) Check(info game.Info, now time.Time) error {
	errs := []error{CheckText("/name", t.Name, MaxTitle), t.checkFormat(), t.checkTest(info)}
	seats := max(2, min(t.Table, info.MaxSeats)) // what follows from a wrong table alone is not reported
	if t.Format == SPRT {
		seats = 2
	}
	errs = append(errs,
		within("/table_size", t.Table, info.MinSeats, info.MaxSeats),
		within("/cycles", t.Cycles, 1, maxCycles),
		within("/capacity", t.Capacity, seats, maxCapacity),
		within("/entries_per_owner", t.OwnerEntries, 0, max(0, t.Capacity)),
	)
	if t.Rated && info.Teams && t.OwnerEntries > 1 && t.OwnerEntries <= t.Capacity {
		errs = append(errs, &FieldError{"/entries_per_owner", fmt.Sprintf("is %d; in a rated game with hidden teams an owner has one entry, as two bots could play as one: set it to 1", t.OwnerEntries)})
	}
	if t.Unlisted && t.Rated {
		errs = append(errs, &FieldError{"/rated", "is true, but nobody could look up the matches of an unlisted tournament, by which ratings are explained"})
	}
	return errors.Join(append(errs, t.checkEntering(), SourceTournament.Bounds().Check(t.Clock, t.Limits), t.checkTimes(now), t.Texts.Check())...)
}

// CheckRevised refuses what a tournament before its start is to become, as [Tournament.Check] does a new one. Times that stay may have
// passed; a start that changes lies ahead.
func (t *Tournament) CheckRevised(was Tournament, info game.Info, now time.Time) error {
	as := now
	if t.ClosesAt.Equal(was.ClosesAt) && !t.ClosesAt.After(now) {
		as = t.ClosesAt.Add(-1)
	}
	err := errors.Join(t.Check(info, as), t.CheckSingle())
	if !t.StartsAt.Equal(was.StartsAt) && !t.StartsAt.After(now) && t.StartsAt.After(as) {
		err = errors.Join(err, &FieldError{"/starts_at", "lies in the past: start the tournament in place of that"})
	}
	return err
}

// CheckSingle refuses the name of a tournament that no schedule makes where it has what a schedule fills in.
func (t *Tournament) CheckSingle() error {
	if strings.Contains(t.Name, "{number}") || strings.Contains(t.Name, "{date}") {
		return &FieldError{"/name", "{number} and {date} are filled in by a schedule alone"}
	}
	return nil
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
		errs = append(errs, &FieldError{"/check_in_ms", OutsideTimes(t.CheckIn, minCheckIn, most.Truncate(time.Second)) + ": check-in opens after registration does"})
	}
	return errors.Join(errs...)
}

// checkTimes refuses times out of their order or too far away: one a place.
func (t *Tournament) checkTimes(now time.Time) error {
	var errs []error
	switch {
	case !t.StartsAt.After(now): // the close, which often follows from the start, is not looked at
	case !t.ClosesAt.After(t.OpensAt):
		errs = append(errs, &FieldError{"/closes_at", "is not after the opening of registration"})
	case !t.ClosesAt.After(now):
		errs = append(errs, &FieldError{"/closes_at", "lies in the past: nobody could enter"})
	}
	switch {
	case !t.StartsAt.After(now):
		errs = append(errs, &FieldError{"/starts_at", "lies in the past"})
	case t.StartsAt.Before(t.ClosesAt):
		errs = append(errs, &FieldError{"/starts_at", "is before registration closes"})
	case t.StartsAt.After(now.Add(MaxAhead)):
		errs = append(errs, &FieldError{"/starts_at", "is more than a year ahead"})
	}
	if t.OpensAt.Before(now.Add(-MaxAhead)) {
		errs = append(errs, &FieldError{"/opens_at", "is more than a year ago"})
	}
	return errors.Join(errs...)
}
