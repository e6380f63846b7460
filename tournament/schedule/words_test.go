package schedule_test

import (
	"strconv"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/molerun/molerun/internal/must"
	"github.com/molerun/molerun/tournament/schedule"
)

func TestTimesAreSaidAsPeopleSayThem(t *testing.T) {
	for text, want := range map[string]string{
		"0 20 * * FRI":       "every Friday at 20:00",
		"5 7 * * *":          "every day at 07:05",
		"5 7 ? * ?":          "every day at 07:05",
		"30 18 * * MON-FRI":  "Monday to Friday at 18:30",
		"30 18 * * 1-5":      "Monday to Friday at 18:30",
		"30 18 * * 5,1,2-4":  "Monday to Friday at 18:30",
		"0 9 * * sat,sun":    "every Sunday and Saturday at 09:00",
		"0 9 * * 1,3,6":      "every Monday, Wednesday and Saturday at 09:00",
		"0 12 1 * *":         "on day 1 of every month at 12:00",
		"0 20 * * 7":         "every Sunday at 20:00",
		"0 20 * * 1,7":       "every Sunday and Monday at 20:00",
		"0 20 * * 5-7":       "every Sunday, Friday and Saturday at 20:00",
		"0 20 * * sat-sun":   "every Sunday and Saturday at 20:00",
		"0 20 * * SUN-MON":   "every Sunday and Monday at 20:00",
		"0 20 * * 0-7":       "every Sunday, Monday, Tuesday, Wednesday, Thursday, Friday and Saturday at 20:00",
		"@weekly":            "every Sunday at 00:00",
		"@hourly":            "every hour",
		"@monthly":           "on day 1 of every month at 00:00",
		"@yearly":            "by a cron line",
		"*/10 * * * *":       "by a cron line",
		"0 9,20 * * *":       "by a cron line",
		"0 12 1 1 *":         "by a cron line",
		"0 12 13 * FRI":      "by a cron line",
		"0 12 * * FRI-SAT/2": "by a cron line",
	} {
		must.Same(t, text, line(t, text, "UTC").Words(), want)
	}
	if got := schedule.Once(time.Unix(0, 0)).Words(); got != "once" {
		t.Errorf("one start: got %q", got)
	}
}

// What is said of days and times is held against the starts themselves.
func TestTheWordsAreThoseOfTheStarts(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		days := rapid.SampledFrom([]string{"*", "?", "0", "SUN", "1,3", "MON-FRI", "5-6", "TUE,4", "6,0", "0-6", "7", "6-7", "FRI-SUN"}).Draw(t, "days")
		dom := rapid.SampledFrom([]string{"*", "1", "28", "31"}).Draw(t, "day of month")
		text := strings.Join([]string{strconv.Itoa(rapid.IntRange(0, 59).Draw(t, "minute")), strconv.Itoa(rapid.IntRange(0, 23).Draw(t, "hour")), dom, "*", days}, " ")
		w := line(t, text, "UTC")
		said := w.Words()
		at := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
		for range 20 {
			at, _ = w.Next(at)
			fits := strings.Contains(said, at.Weekday().String()) || strings.HasPrefix(said, "every day") ||
				strings.HasPrefix(said, "Monday to Friday") && at.Weekday() != time.Saturday && at.Weekday() != time.Sunday ||
				strings.HasPrefix(said, "on day "+strconv.Itoa(at.Day())+" ")
			if said != "by a cron line" && (!fits || !strings.HasSuffix(said, at.Format(" at 15:04"))) {
				t.Fatalf("%s is %q, but starts at %s", text, said, at.Format(time.RFC1123))
			}
		}
	})
}
