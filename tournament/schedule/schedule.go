package schedule

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/tournament"
)

// Status is where a schedule stands.
type Status string

// The states of a schedule.
const (
	Active    Status = "active"
	Paused    Status = "paused"    // makes nothing; what would have come meanwhile is left out
	Cancelled Status = "cancelled" // Reason says why; the tournaments made stay
	Finished  Status = "finished"  // its last start has been dealt with
)

// Bounds of a schedule.
const (
	maxOpen   = 50      // tournaments of one schedule that take entries at once
	MaxMissed = 50      // missed starts kept; MissedTotal counts them all
	lookAhead = 200     // starts looked ahead for more than maxOpen at once
	maxNumber = 999_999 // that many digits of {number} must fit into a name
)

// Schedule is a series of tournaments: a template and the starts to make one for.
type Schedule struct {
	ID          string
	OrganiserID string
	// Template is the tournament but for its id, times and state. {number} in its name becomes 1, 2, …, and {date} the day
	// of the start in the schedule's zone.
	Template    tournament.Tournament `gorm:"-"`
	When        When                  `gorm:"-"`
	Opens       time.Duration         `gorm:"column:opens_before_us;serializer:db"`  // registration opens that long before a start, and then the tournament is made
	Closes      time.Duration         `gorm:"column:closes_before_us;serializer:db"` // registration closes that long before a start; less than Opens
	Status      Status
	Reason      string      // why it was cancelled
	Made        int         // tournaments made so far, which is the number of the last
	Done        time.Time   `gorm:"column:done_at"`
	Missed      []time.Time `gorm:"serializer:db"` // starts for which nobody could enter, the latest MaxMissed of them, ascending
	MissedTotal int
	CreatedAt   time.Time
	EndedAt     *time.Time
}

// New returns an active schedule whose first start is the first that can still be entered at the time now.
func New(s Schedule, now time.Time) Schedule {
	s.Status, s.Reason, s.Made, s.Missed, s.MissedTotal, s.EndedAt = Active, "", 0, nil, 0, nil
	s.Done = now.Add(s.Closes)
	return s
}

// Next returns the first start that has not been dealt with; false if there is none.
func (s *Schedule) Next() (time.Time, bool) { return s.When.Next(s.Done) }

// Upcoming returns the next starts that an active schedule has not dealt with, at most n.
func (s *Schedule) Upcoming(n int) []time.Time {
	var out []time.Time
	if s.Status != Active {
		return nil
	}
	for at, ok := s.Next(); ok && len(out) < n; at, ok = s.When.Next(at) {
		out = append(out, at)
	}
	return out
}

// Announced returns the next tournaments that an active schedule will make, at most n, as they will be if no start is missed.
func (s *Schedule) Announced(n int) []tournament.Tournament {
	var out []tournament.Tournament
	for i, at := range s.Upcoming(n) {
		out = append(out, s.tournament(at, at.Add(-s.Opens), s.Made+1+i))
	}
	return out
}

// DueAt returns when the schedule wants to be looked at, which is when the registration for its next start opens; false if never.
func (s *Schedule) DueAt() (time.Time, bool) {
	next, ok := s.Next()
	return next.Add(-s.Opens), ok && s.Status == Active
}

// Check refuses a new schedule of the game of info: everything wrong at once, each by its place in the wire form
// ([*tournament.FieldError]).
func (s *Schedule) Check(info game.Info) error {
	var errs []error
	refuse := func(pointer, reason string, args ...any) {
		errs = append(errs, &tournament.FieldError{Pointer: pointer, Reason: fmt.Sprintf(reason, args...)})
	}
	sound := *s // with times that are right, to look at the rest
	switch {
	case s.Opens < time.Minute || s.Opens > tournament.MaxAhead:
		refuse("/opens_before_ms", "%s", tournament.OutsideTimes(s.Opens, time.Minute, tournament.MaxAhead))
		sound.Opens, sound.Closes = time.Minute, 0
	case s.Closes < 0 || s.Closes >= s.Opens:
		refuse("/closes_before_ms", "%s: registration closes after it opens and before the start", tournament.OutsideTimes(s.Closes, 0, s.Opens-time.Millisecond))
		sound.Closes = 0
	}
	rest := strings.NewReplacer("{number}", "", "{date}", "").Replace(s.Template.Name)
	if strings.ContainsAny(rest, "{}") {
		refuse("/name", "knows {number} and {date}; other braces have no meaning")
	}
	first, ok := s.Next()
	if !ok && sound.Closes == s.Closes { // else Done is reckoned with what is refused
		refuse("/starts_at", "is too early: nobody could enter")
	}
	if !ok {
		first = s.Done
	}
	t := sound.tournament(first, first.Add(-sound.Opens), maxNumber)
	errs = append(errs, t.Check(info, t.OpensAt))
	if err := errors.Join(errs...); err != nil {
		return err
	}
	return s.checkCrowd()
}

// checkCrowd refuses starts so close to each other that too many tournaments would take entries at once.
func (s *Schedule) checkCrowd() error {
	var starts []time.Time
	for at, ok := s.Next(); ok && len(starts) < lookAhead; at, ok = s.When.Next(at) {
		starts = append(starts, at)
		if n := len(starts); n > maxOpen && at.Sub(starts[n-1-maxOpen]) < s.Opens {
			return &tournament.FieldError{Pointer: "/opens_before_ms", Reason: fmt.Sprintf(
				"lets more than %d tournaments take entries at once: open later, or start less often", maxOpen)}
		}
	}
	return nil
}

// tournament returns the tournament of the template for a start.
func (s *Schedule) tournament(start, opens time.Time, number int) tournament.Tournament {
	t := s.Template
	t.OrganiserID, t.ScheduleID, t.Number = s.OrganiserID, s.ID, number
	t.Name = strings.NewReplacer("{number}", strconv.Itoa(number), "{date}", start.In(s.When.zone).Format(time.DateOnly)).Replace(t.Name)
	t.OpensAt, t.ClosesAt, t.StartsAt = opens, start.Add(-s.Closes), start
	t.Status = tournament.Scheduled
	return t
}

// Due returns what an active schedule has to make at the time now, in order, and the schedule as it is when that is made.
//
// A start whose registration has opened gets its tournament. One whose registration closed before anybody looked was
// missed. If starts were missed and no other is open now, one tournament catches up on all of them: its registration opens
// now and it starts as long after that as ever. Where the next start comes no later than that, it is the catching up.
func (s Schedule) Due(now time.Time) ([]tournament.Tournament, Schedule) {
	if s.Status != Active {
		return nil, s
	}
	var made []tournament.Tournament
	missed := 0
	kept := append([]time.Time(nil), s.Missed...)
	start, ok := s.Next()
	for ; ok && !start.Add(-s.Opens).After(now); start, ok = s.When.Next(start) {
		s.Done = start
		if start.Add(-s.Closes).After(now) {
			made = append(made, s.tournament(start, start.Add(-s.Opens), s.Made+len(made)+1))
			continue
		}
		missed++
		if kept = append(kept, start); len(kept) > MaxMissed {
			kept = kept[1:]
		}
	}
	if missed > 0 && len(made) == 0 {
		made = append(made, s.tournament(now.Add(s.Opens), now, s.Made+1))
	}
	s.Made, s.Missed, s.MissedTotal = s.Made+len(made), kept, s.MissedTotal+missed
	if !ok {
		s.Status, s.EndedAt = Finished, &now
	}
	return made, s
}
