package schedule

import (
	"fmt"
	"strings"
	"time"
)

// LineForms says the ways to say how often something starts.
const LineForms = `wants "friday 20:00", "day 20:00", "weekday 20:00" or a cron line such as "0 20 * * FRI"`

// LineOf returns the cron line of starts that come again, as people say it; what looks like one already is kept, for [Cron] to read.
func LineOf(text string) (string, error) {
	if strings.HasPrefix(text, "@") || len(strings.Fields(text)) == 5 {
		return text, nil
	}
	day, hour, _ := strings.Cut(text, " ")
	clock, err := time.Parse("15:04", hour)
	if err != nil {
		return "", fmt.Errorf("%q: %s", text, LineForms)
	}
	day = strings.ToLower(day)
	days := ""
	switch weekday, named := DayOf(day); {
	case day == "day":
		days = "*"
	case day == "weekday":
		days = "MON-FRI"
	case named:
		days = strings.ToUpper(weekday.String()[:3])
	default:
		return "", fmt.Errorf("%q: %s", text, LineForms)
	}
	return fmt.Sprintf("%d %d * * %s", clock.Minute(), clock.Hour(), days), nil
}

// DayOf returns the day of the week with that name, or whose name begins with those three letters or more.
func DayOf(word string) (time.Weekday, bool) {
	for day := time.Sunday; day <= time.Saturday; day++ {
		if len(word) >= 3 && strings.HasPrefix(strings.ToLower(day.String()), word) {
			return day, true
		}
	}
	return 0, false
}
