package schedule

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Words says when the starts are as people say it: "every Friday at 20:00". Lines that people rarely write are "by a cron line".
func (w When) Words() string {
	const other = "by a cron line"
	if said, known := map[string]string{
		"":          "once",
		"@hourly":   "every hour",
		"@daily":    "every day at 00:00",
		"@midnight": "every day at 00:00",
		"@weekly":   "every Sunday at 00:00",
		"@monthly":  "on day 1 of every month at 00:00",
	}[w.Line]; known {
		return said
	}
	f := strings.Fields(w.Line)
	if len(f) != 5 || f[3] != "*" {
		return other
	}
	hour, minute := number(f[1], 0, 23), number(f[0], 0, 59)
	if hour < 0 || minute < 0 {
		return other
	}
	everyDay, everyWeekday := f[2] == "*" || f[2] == "?", f[4] == "*" || f[4] == "?"
	days := weekdays(f[4])
	day := number(f[2], 1, 31)
	switch at := fmt.Sprintf(" at %02d:%02d", hour, minute); {
	case everyDay && everyWeekday:
		return "every day" + at
	case everyDay && slices.Equal(days, weekdays("MON-FRI")):
		return "Monday to Friday" + at
	case everyDay && len(days) > 0:
		var names []string
		for _, d := range days {
			names = append(names, d.String())
		}
		last := len(names) - 1
		if last == 0 {
			return "every " + names[0] + at
		}
		return "every " + strings.Join(names[:last], ", ") + " and " + names[last] + at
	case everyWeekday && day > 0:
		return fmt.Sprintf("on day %d of every month%s", day, at)
	}
	return other
}

// number reads a field of a cron line that is one number; -1 if it is none.
func number(field string, low, high int) int {
	n, err := strconv.Atoi(field)
	if err != nil || n < low || n > high {
		return -1
	}
	return n
}

// weekdays reads days of the week, as FRI, 1,3 or MON-FRI, in order; nil if the field says something else.
func weekdays(field string) []time.Weekday {
	day := func(word string) int {
		if d, named := DayOf(strings.ToLower(word)); named {
			return int(d)
		}
		return number(word, 0, 6)
	}
	var out []time.Weekday
	for part := range strings.SplitSeq(field, ",") {
		from, to, isRange := strings.Cut(part, "-")
		first, last := day(from), day(from)
		if isRange {
			last = day(to)
		}
		if first < 0 || last < first {
			return nil
		}
		for d := first; d <= last; d++ {
			out = append(out, time.Weekday(d))
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}
