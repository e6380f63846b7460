package organiser

import (
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/molerun/molerun/tournament/schedule"
)

// startForms are the ways to say when something starts.
const startForms = `wants a time such as "friday 20:00", "tomorrow 19:30", "20:00", "2026-12-04 20:00", "in 2h" or 2026-12-04T20:00:00Z`

// startAt reads when something starts, on the clocks of zone, from the time now on. A time that the clocks skip is refused: whoever
// says it once can say another. Of a time that they show twice it is the first.
func startAt(text string, zone *time.Location, now time.Time) (time.Time, error) {
	wrong := fmt.Errorf("%q: %s", text, startForms)
	if at, err := time.Parse(time.RFC3339, text); err == nil {
		return at, nil
	}
	if rest, ok := strings.CutPrefix(text, "in "); ok {
		ahead, err := time.ParseDuration(rest)
		if err != nil || ahead <= 0 {
			return time.Time{}, wrong
		}
		return now.Add(ahead), nil
	}
	for _, form := range []string{wallForm, "2006-01-02T15:04", "2006-01-02T15:04:05"} { // the last is TOML's
		if shown, err := time.Parse(form, text); err == nil {
			return onClock(shown, zone)
		}
	}
	day, hour, both := strings.Cut(text, " ")
	if !both {
		day, hour = "", text
	}
	clock, err := time.Parse("15:04", hour)
	if err != nil {
		return time.Time{}, wrong
	}
	today := now.In(zone)
	on := func(days int) time.Time {
		return time.Date(today.Year(), today.Month(), today.Day()+days, clock.Hour(), clock.Minute(), 0, 0, time.UTC)
	}
	day = strings.ToLower(day)
	weekday, named := schedule.DayOf(day)
	switch {
	case day == "today":
		return onClock(on(0), zone)
	case day == "tomorrow":
		return onClock(on(1), zone)
	case day != "" && !named:
		return time.Time{}, wrong
	}
	for days := range 8 {
		shown := on(days)
		if at, _ := schedule.At(shown, zone); at.After(now) && (day == "" || shown.Weekday() == weekday) {
			return onClock(shown, zone)
		}
	}
	return time.Time{}, wrong
}

// wallForm is a time on a wall clock.
const wallForm = "2006-01-02 15:04"

// onClock returns when a clock of the zone shows a time, or an error that names the times nearest to it that the clock does show.
func onClock(shown time.Time, zone *time.Location) (time.Time, error) {
	at, exact := schedule.At(shown, zone)
	if !exact {
		return at, fmt.Errorf("the clocks of %s skip %s: say %s or %s", zone, shown.Format(wallForm),
			at.Add(-time.Minute).In(zone).Format(wallForm), at.In(zone).Format(wallForm))
	}
	return at, nil
}

// localZone returns the IANA name of this machine's zone, as TZ or else /etc/localtime has it; UTC where they name none.
func localZone() string {
	zone, set := os.LookupEnv("TZ")
	if zone = strings.TrimPrefix(zone, ":"); !set || zone == "/etc/localtime" {
		zone, _ = os.Readlink("/etc/localtime")
	}
	if _, name, isFile := strings.Cut(zone, "zoneinfo/"); isFile {
		zone = name
	}
	if _, known := zoneNamed(zone); !known {
		return "UTC"
	}
	return zone
}

// zoneNamed returns the zone of an IANA name, and whether there is one. Go takes "" and Local for zones too.
func zoneNamed(name string) (*time.Location, bool) {
	zone, err := time.LoadLocation(name)
	return zone, err == nil && name != "" && name != "Local"
}
