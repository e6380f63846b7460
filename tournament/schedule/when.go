package schedule

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/robfig/cron/v3"

	"github.com/molerun/molerun/tournament"
)

// Bounds of the text of a cron line and a zone, in bytes.
const (
	maxLine = 100
	maxZone = 64
)

// When is a set of starts: one instant, or what a cron line matches on the clocks of a zone. Make it with [Once] or [Cron];
// the zero value has no start.
type When struct {
	At   time.Time // the only start of a one-off; zero with a cron line
	Line string    // minute, hour, day of month, month, day of week; or @hourly, @daily, @weekly, @monthly, @yearly
	Zone string    // IANA name of the zone of Line

	spec *cron.SpecSchedule
	zone *time.Location
}

// Once returns the start at one instant.
func Once(at time.Time) When { return When{At: at.UTC(), zone: time.UTC} }

// Cron returns the starts of a cron line on the clocks of an IANA zone. A line that cannot be read, or that no date ever
// matches, is a [*tournament.FieldError] at /cron, an unknown zone one at /zone; both are said at once.
func Cron(line, zone string) (When, error) {
	line = sundayFirst(line)
	spec, why := parseLine(line)
	var wrong []error
	if why != "" {
		wrong = append(wrong, &tournament.FieldError{Pointer: "/cron", Reason: why})
	}
	var where *time.Location
	if zone != "" && zone != "Local" && len(zone) <= maxZone {
		where, _ = time.LoadLocation(zone) // nil: there is none
	}
	if where == nil {
		wrong = append(wrong, &tournament.FieldError{Pointer: "/zone", Reason: "is no IANA zone such as Europe/Amsterdam or UTC"})
	}
	if wrong != nil {
		return When{}, errors.Join(wrong...)
	}
	w := When{Line: line, Zone: zone, spec: spec, zone: where}
	if w.match(time.Unix(0, 0).UTC()).IsZero() {
		return When{}, &tournament.FieldError{Pointer: "/cron", Reason: "names a day that is in no year"}
	}
	return w, nil
}

// sundayFirst returns a cron line in which 7, or SUN at the end of a range, is Sunday as in many crons; here Sunday is 0, before Monday.
func sundayFirst(line string) string {
	fields := strings.Fields(line)
	if len(fields) != 5 {
		return line
	}
	days := strings.Split(fields[4], ",")
	for i, day := range days {
		switch from, to, _ := strings.Cut(strings.ToUpper(day), "-"); {
		case day == "7":
			days[i] = "0"
		case to == "7" || to == "SUN" && from != "SUN" && from != "0":
			days[i] = from + "-6,0"
		}
	}
	if to := strings.Join(days, ","); to != fields[4] {
		fields[4] = to
		return strings.Join(fields, " ")
	}
	return line
}

// parseLine reads a cron line, or says what is wrong with it.
func parseLine(line string) (*cron.SpecSchedule, string) {
	if len(line) > maxLine {
		return nil, fmt.Sprintf("wants at most %d bytes", maxLine)
	}
	if strings.Contains(line, "=") {
		return nil, "names a zone; that goes into zone"
	}
	parsed, err := cron.NewParser(cron.Minute | cron.Hour | cron.Dom | cron.Month | cron.Dow | cron.Descriptor).Parse(line)
	if err != nil {
		return nil, "is no cron line (minute, hour, day of month, month, day of week): " + err.Error()
	}
	spec, ok := parsed.(*cron.SpecSchedule)
	if !ok {
		return nil, "@every counts from no fixed instant; write the minutes and hours"
	}
	if slices.Contains([]uint64{spec.Minute, spec.Hour, spec.Dom, spec.Month, spec.Dow}, 0) {
		return nil, "has an empty field"
	}
	spec.Location = time.UTC // it is asked about the figures on a wall clock, not about instants
	return spec, ""
}

// Equal reports whether two have the same text: the zone's rules may still have changed between them.
func (w When) Equal(o When) bool { return w.At.Equal(o.At) && w.Line == o.Line && w.Zone == o.Zone }

// Next returns the first start later than after, in UTC; false if there is none.
//
// A cron line is read on the wall clock: a start happens at the first instant at which the clock shows its time or a later
// one. So a start in an hour that is skipped happens once, when the skipped hour would have begun, together with any other
// that falls on that instant; and one in an hour that is repeated happens once, the first time.
func (w When) Next(after time.Time) (time.Time, bool) {
	if w.spec == nil {
		return w.At, w.At.After(after)
	}
	for shown := w.match(wall(after, w.zone)); !shown.IsZero(); shown = w.match(shown) {
		if at := instant(shown, w.zone); at.After(after) { // not so in the second half of a repeated hour
			return at, true
		}
	}
	return time.Time{}, false
}

// match returns the first time on a wall clock, written as if in UTC, later than shown that the line names; zero if none. The
// library looks five years ahead, and eight years can pass between leap days.
func (w When) match(shown time.Time) time.Time {
	if next := w.spec.Next(shown); !next.IsZero() {
		return next
	}
	return w.spec.Next(time.Date(shown.Year()+5, time.December, 31, 23, 59, 0, 0, time.UTC))
}

// wall returns what a clock of the zone shows at t, written as if in UTC.
func wall(t time.Time, zone *time.Location) time.Time {
	_, offset := t.In(zone).Zone()
	return t.UTC().Add(time.Duration(offset) * time.Second)
}

// mostOffset is more than any zone was ever away from UTC.
const mostOffset = 26 * time.Hour

// At returns the first instant at which a clock of the zone shows this time or a later one; shown is written as if in UTC. exact reports
// whether it shows this very time: clocks that are put forward skip some. All who read a time from a wall clock ask here.
func At(shown time.Time, zone *time.Location) (at time.Time, exact bool) {
	at = instant(shown, zone)
	return at, wall(at, zone).Equal(shown)
}

// instant walks over the spans between the zone's changes, within each of which the clock runs evenly.
func instant(shown time.Time, zone *time.Location) time.Time {
	for t := shown.Add(-mostOffset).In(zone); ; {
		_, end := t.ZoneBounds()
		_, offset := t.Zone()
		at := shown.Add(-time.Duration(offset) * time.Second)
		if at.Before(t) {
			at = t
		}
		if !end.IsZero() && !end.After(t) {
			end = t.Add(time.Minute) // on the last day of a leap year ZoneBounds may give the day's beginning (go1.26)
		}
		if end.IsZero() || at.Before(end) {
			return at.UTC()
		}
		t = end
	}
}
