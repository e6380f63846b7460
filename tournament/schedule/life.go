package schedule

import (
	"fmt"
	"time"

	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/tournament"
)

// Pause returns the schedule at rest: it makes nothing until it is resumed. Only an active one can be paused
// ([tournament.ErrState]).
func (s Schedule) Pause() (Schedule, error) {
	if s.Status != Active {
		return s, fmt.Errorf("%w: the schedule is %s; only one that is %s can be paused", tournament.ErrState, s.Status, Active)
	}
	s.Status = Paused
	return s, nil
}

// Resume returns a paused schedule going on at the time now, with the first start that can still be entered: those before it are
// neither made nor counted as missed. A schedule that is not paused, or has no start left, is [tournament.ErrState].
func (s Schedule) Resume(now time.Time) (Schedule, error) {
	if s.Status != Paused {
		return s, fmt.Errorf("%w: the schedule is %s; only one that is %s can be resumed", tournament.ErrState, s.Status, Paused)
	}
	s.skip(now)
	if _, ok := s.Next(); !ok {
		return s, fmt.Errorf("%w: its start passed while it was paused; cancel it and make a new schedule", tournament.ErrState)
	}
	s.Status = Active
	return s, nil
}

// skip passes over the starts that cannot be entered any more at the time now.
func (s *Schedule) skip(now time.Time) {
	if can := now.Add(s.Closes); can.After(s.Done) {
		s.Done = can
	}
}

// Times are when the tournaments of a schedule start, and how long before registration opens and closes.
type Times struct {
	When          When
	Opens, Closes time.Duration
}

// Revised returns the schedule with another template and other times from the time now on; the tournaments it has made stay. With
// other times it goes on with the first start that can still be entered, as if it had known them always: none of the past
// counts as missed. One that has ended is [tournament.ErrState]; the rules of its parts are [Schedule.Check]'s, for the game of
// info.
func (s Schedule) Revised(template tournament.Tournament, times Times, info game.Info, now time.Time) (Schedule, error) {
	if s.Status != Active && s.Status != Paused {
		return s, fmt.Errorf("%w: the schedule is %s", tournament.ErrState, s.Status)
	}
	next := s
	next.Template, next.When, next.Opens, next.Closes = template, times.When, times.Opens, times.Closes
	if !times.When.Equal(s.When) || times.Opens != s.Opens || times.Closes != s.Closes {
		next.skip(now)
	}
	if err := next.Check(info); err != nil {
		return s, err
	}
	return next, nil
}

// Cancel returns the schedule ended for a reason at the time now. The tournaments it has made stay. One that has ended already is
// [tournament.ErrState].
func (s Schedule) Cancel(reason string, now time.Time) (Schedule, error) {
	if s.Status != Active && s.Status != Paused {
		return s, fmt.Errorf("%w: the schedule is %s already", tournament.ErrState, s.Status)
	}
	s.Status, s.Reason, s.EndedAt = Cancelled, reason, &now
	return s, nil
}

// CanDelete returns why a schedule may not be deleted: it has made tournaments, which point at it ([tournament.ErrState]).
func (s Schedule) CanDelete() error {
	if s.Made > 0 {
		return fmt.Errorf("%w: the schedule has made %d tournaments; cancel it instead", tournament.ErrState, s.Made)
	}
	return nil
}
