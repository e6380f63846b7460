package schedule_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/robfig/cron/v3"
	"pgregory.net/rapid"

	"github.com/molerun/molerun/internal/must"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/schedule"
)

func line(t interface {
	Helper()
	Fatalf(string, ...any)
}, text, zone string,
) schedule.When {
	t.Helper()
	w, err := schedule.Cron(text, zone)
	if err != nil {
		t.Fatalf("%s in %s: %v", text, zone, err)
	}
	return w
}

func TestStartsOnTheClocksOfAZone(t *testing.T) {
	for _, row := range []struct {
		name, line, zone, after string
		want                    string // UTC, space between
	}{
		{"no changes in UTC", "30 2 * * *", "UTC", "2026-03-28T00:00:00Z", "2026-03-28T02:30 2026-03-29T02:30 2026-03-30T02:30"},
		{"a start at the instant asked about is not later", "30 2 * * *", "UTC", "2026-03-28T02:30:00Z", "2026-03-29T02:30"},
		{"an instant before it is", "30 2 * * *", "UTC", "2026-03-28T02:29:59.999999999Z", "2026-03-28T02:30"},
		{"an evening keeps its time on the clock in spring", "0 20 * * *", "Europe/Amsterdam", "2026-03-28T00:00:00Z", "2026-03-28T19:00 2026-03-29T18:00 2026-03-30T18:00"},
		{"and in autumn", "0 20 * * *", "Europe/Amsterdam", "2026-10-24T00:00:00Z", "2026-10-24T18:00 2026-10-25T19:00 2026-10-26T19:00"},
		{"in the skipped hour: once, when the gap ends", "30 2 * * *", "Europe/Amsterdam", "2026-03-28T00:00:00Z", "2026-03-28T01:30 2026-03-29T01:00 2026-03-30T00:30"},
		{"several in the skipped hour are one", "15,30,45 2 * * *", "Europe/Amsterdam", "2026-03-28T02:00:00Z", "2026-03-29T01:00 2026-03-30T00:15"},
		{"and one with that at its end", "0 2,3 * * *", "Europe/Amsterdam", "2026-03-28T23:00:00Z", "2026-03-29T01:00 2026-03-30T00:00 2026-03-30T01:00"},
		{"the last instant before the gap is none of it", "59 1 * * *", "Europe/Amsterdam", "2026-03-28T12:00:00Z", "2026-03-29T00:59 2026-03-29T23:59"},
		{"in the repeated hour: once, the first time", "30 2 * * *", "Europe/Amsterdam", "2026-10-24T12:00:00Z", "2026-10-25T00:30 2026-10-26T01:30"},
		{"asked between the two", "30 2 * * *", "Europe/Amsterdam", "2026-10-25T00:30:00Z", "2026-10-26T01:30"},
		{"asked in the second one, before its minute", "30 2 * * *", "Europe/Amsterdam", "2026-10-25T01:10:00Z", "2026-10-26T01:30"},
		{"a line of every ten minutes rests for the second one", "*/20 * * * *", "Europe/Amsterdam", "2026-10-25T00:20:00Z", "2026-10-25T00:40 2026-10-25T02:00 2026-10-25T02:20"},
		{"the end of the repeated hour", "0 3 * * *", "Europe/Amsterdam", "2026-10-24T12:00:00Z", "2026-10-25T02:00"},
		{"half an hour skipped on Lord Howe", "15 2 * * *", "Australia/Lord_Howe", "2026-10-02T20:00:00Z", "2026-10-03T15:30 2026-10-04T15:15"},
		{"half an hour repeated there", "45 1 * * *", "Australia/Lord_Howe", "2026-04-03T20:00:00Z", "2026-04-04T14:45 2026-04-05T15:15"},
		{"what is not repeated there", "15 1 * * *", "Australia/Lord_Howe", "2026-04-03T20:00:00Z", "2026-04-04T14:15 2026-04-05T14:45"},
		{"midnight skipped in Cairo", "0 0 * * *", "Africa/Cairo", "2026-04-22T23:00:00Z", "2026-04-23T22:00 2026-04-24T21:00"},
		{"a whole day skipped in Apia", "0 12 * * *", "Pacific/Apia", "2011-12-29T00:00:00Z", "2011-12-29T22:00 2011-12-30T10:00 2011-12-30T22:00"},
		{"leap days", "0 0 29 2 *", "UTC", "2026-01-01T00:00:00Z", "2028-02-29T00:00 2032-02-29T00:00"},
		{"eight years between leap days", "0 0 29 2 *", "UTC", "2096-02-29T00:00:00Z", "2104-02-29T00:00"},
		{"the last day of a leap year, whose end the time package gives wrongly", "0 20 * * *", "Europe/Amsterdam", "2040-12-30T00:00:00Z", "2040-12-30T19:00 2040-12-31T19:00 2041-01-01T19:00"},
		{"the same with changes of half an hour", "0 20 * * *", "Australia/Lord_Howe", "2040-12-31T00:00:00Z", "2040-12-31T09:00 2041-01-01T09:00 2041-01-02T09:00"},
		{"names of days", "0 19 * * FRI", "Europe/Amsterdam", "2026-11-21T00:00:00Z", "2026-11-27T18:00 2026-12-04T18:00"},
		{"a word", "@monthly", "Europe/Amsterdam", "2026-11-21T00:00:00Z", "2026-11-30T23:00 2026-12-31T23:00"},
	} {
		t.Run(row.name, func(t *testing.T) {
			at := must.Get(time.Parse(time.RFC3339Nano, row.after))(t)
			w := line(t, row.line, row.zone)
			for _, want := range strings.Fields(row.want) {
				next, ok := w.Next(at)
				if got := next.Format("2006-01-02T15:04"); !ok || got != want || next.Location() != time.UTC {
					t.Fatalf("after %s: got %s (%v), want %s", at.Format(time.RFC3339), next, ok, want)
				}
				at = next
			}
		})
	}
}

// Whether a time is shown, and when first, is found here by trying every offset that the zone has around it.
func TestAWallTimeIsTheFirstInstantThatShowsIt(t *testing.T) {
	zones := []string{
		"UTC", "America/New_York", "Europe/Amsterdam", "Australia/Lord_Howe", "Pacific/Apia", "America/Sao_Paulo", "Africa/Casablanca", "Antarctica/Troll", "Asia/Kathmandu",
	}
	from, to := time.Date(2005, 1, 1, 0, 0, 0, 0, time.UTC).Unix()/60, time.Date(2035, 1, 1, 0, 0, 0, 0, time.UTC).Unix()/60
	rapid.Check(t, func(t *rapid.T) {
		zone := must.Get(time.LoadLocation(rapid.SampledFrom(zones).Draw(t, "zone")))(t)
		near := time.Unix(60*rapid.Int64Range(from, to).Draw(t, "minute"), 0).In(zone)
		if _, change := near.ZoneBounds(); !change.IsZero() && rapid.Bool().Draw(t, "near a change") {
			near = change.Add(time.Duration(rapid.IntRange(-150, 150).Draw(t, "minutes")) * time.Minute)
		}
		shown := time.Date(near.Year(), near.Month(), near.Day(), near.Hour(), near.Minute(), 0, 0, time.UTC)
		shown = shown.Add(time.Duration(rapid.IntRange(-90, 90).Draw(t, "away")) * time.Minute) // into gaps, which no instant shows
		var first time.Time
		for hour := range 60 {
			_, offset := shown.Add(time.Duration(hour-30) * time.Hour).In(zone).Zone()
			at := shown.Add(-time.Duration(offset) * time.Second)
			if at.In(zone).Format(time.DateTime) == shown.Format(time.DateTime) && (first.IsZero() || at.Before(first)) {
				first = at
			}
		}
		at, exact := schedule.At(shown, zone)
		if exact == first.IsZero() || exact && !at.Equal(first) {
			t.Fatalf("%s in %s: got %s, shown %v; want %s", shown.Format(time.DateTime), zone, at, exact, first)
		}
		if later := at.In(zone).Format(time.DateTime); !exact && later <= shown.Format(time.DateTime) {
			t.Fatalf("%s in %s is skipped: got %s, want a later one", shown.Format(time.DateTime), zone, later)
		}
	})
}

func TestAOneOffStartsOnce(t *testing.T) {
	at := time.Date(2026, 5, 1, 12, 0, 0, 0, time.FixedZone("east", 3600))
	w := schedule.Once(at)
	if got, ok := w.Next(at.Add(-1)); !ok || !got.Equal(at) || got.Location() != time.UTC {
		t.Errorf("before: got %v %v, want %v in UTC", got, ok, at)
	}
	if got, ok := w.Next(at); ok {
		t.Errorf("at the start: got %v, want no other", got)
	}
	if got, ok := (schedule.When{}).Next(at); ok {
		t.Errorf("the zero value: got %v, want no start", got)
	}
}

func TestLinesThatCannotBeReadAreRefusedWithTheirPlace(t *testing.T) {
	for _, row := range []struct{ line, zone, pointer string }{
		{"", "UTC", "/cron"},
		{"* * * *", "UTC", "/cron"},
		{"* * * * * *", "UTC", "/cron"},
		{"60 * * * *", "UTC", "/cron"},
		{"* 24 * * *", "UTC", "/cron"},
		{"* * 0 * *", "UTC", "/cron"},
		{"* * * 13 *", "UTC", "/cron"},
		{"*/0 * * * *", "UTC", "/cron"},
		{", * * * *", "UTC", "/cron"},
		{"0 0 30 2 *", "UTC", "/cron"},
		{"@every 1h", "UTC", "/cron"},
		{"@reboot", "UTC", "/cron"},
		{"TZ=UTC", "UTC", "/cron"}, // the library would panic
		{"CRON_TZ=Asia/Tokyo 0 5 * * *", "UTC", "/cron"},
		{strings.Repeat("1,", 60) + "1 * * * *", "UTC", "/cron"},
		{"0 5 * * *", "", "/zone"},
		{"0 5 * * *", "Local", "/zone"},
		{"0 5 * * *", "Europe/Mole Hill", "/zone"},
		{"0 5 * * *", "../../etc/passwd", "/zone"},
		{"0 5 * * *", "+01:00", "/zone"},
	} {
		_, err := schedule.Cron(row.line, row.zone)
		var field *tournament.FieldError
		if !errors.As(err, &field) || field.Pointer != row.pointer || field.Reason == "" {
			t.Errorf("%q in %q: got %v, want it refused at %s", row.line, row.zone, err, row.pointer)
		}
	}
}

func FuzzCron(f *testing.F) {
	f.Add("30 2 * * *", "Europe/Amsterdam", int64(1_790_000_000))
	f.Add("*/7 1-5/2 ? JAN-MAR MON", "Australia/Lord_Howe", int64(0))
	f.Add("TZ=", "", int64(-1))
	f.Fuzz(func(t *testing.T, text, zone string, unix int64) {
		w, err := schedule.Cron(text, zone)
		if err != nil {
			if !errors.Is(err, tournament.ErrInvalid) {
				t.Errorf("%q in %q: %v is no refusal of a value", text, zone, err)
			}
			return
		}
		after := time.Unix(unix%(1<<34), 0)
		if next, ok := w.Next(after); ok && !next.After(after) {
			t.Errorf("%q in %q: next after %v is %v", text, zone, after, next)
		}
	})
}

// zones are ordinary ones, and those that change by half an hour, at midnight, by a day, or in Ramadan.
var zones = []string{
	"UTC", "Europe/Amsterdam", "Europe/London", "America/New_York", "Australia/Lord_Howe", "Africa/Cairo", "Africa/Casablanca", "America/Havana",
	"America/Santiago", "Asia/Kathmandu", "Pacific/Apia", "Pacific/Chatham", "Antarctica/Troll", "America/Nuuk",
}

func anyLine(t *rapid.T) (text, zone string) {
	minute := rapid.SampledFrom([]string{"0", "30", "*/15", "5,59", "*", "45-50"}).Draw(t, "minute")
	hour := rapid.SampledFrom([]string{"*", "0", "1", "2", "3", "23", "*/5", "1-3", "0,12"}).Draw(t, "hour")
	day := rapid.SampledFrom([]string{"*", "*", "1", "29", "*/9"}).Draw(t, "day")
	week := rapid.SampledFrom([]string{"*", "*", "0", "5-6"}).Draw(t, "weekday")
	return fmt.Sprintf("%s %s %s * %s", minute, hour, day, week), rapid.SampledFrom(zones).Draw(t, "zone")
}

// anyInstant returns often near a change of the zone's clocks.
func anyInstant(t *rapid.T, zone string) time.Time {
	where := must.Get(time.LoadLocation(zone))(t)
	at := time.Unix(rapid.Int64Range(1_230_000_000, 2_400_000_000).Draw(t, "unix"), 0).In(where)
	if rapid.IntRange(0, 9).Draw(t, "at the end of a year") == 0 {
		at = time.Date(at.Year(), time.December, 31, at.Hour(), at.Minute(), at.Second(), 0, where)
	}
	if _, end := at.ZoneBounds(); !end.IsZero() && rapid.Bool().Draw(t, "near a change") {
		at = end.Add(time.Duration(rapid.Int64Range(-30*3600, 30*3600).Draw(t, "seconds from the change")) * time.Second)
	}
	return at.Add(time.Duration(rapid.Int64Range(0, 999_999_999).Draw(t, "ns")))
}

func TestNextIsLaterAndNeverPassesAStartOver(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text, zone := anyLine(t)
		w, after := line(t, text, zone), anyInstant(t, zone)
		first, ok := w.Next(after)
		if !ok || !first.After(after) {
			t.Fatalf("%s in %s: next after %v is %v (%v)", text, zone, after, first, ok)
		}
		between := after.Add(time.Duration(rapid.Int64Range(0, int64(first.Sub(after))-1).Draw(t, "between")))
		if again, _ := w.Next(between); !again.Equal(first) {
			t.Fatalf("%s in %s: next after %v is %v, and after %v, no later than that, %v", text, zone, after, first, between, again)
		}
		for at, i := first, 0; i < 50; i++ {
			next, ok := w.Next(at)
			if !ok || !next.After(at) {
				t.Fatalf("%s in %s: after %v comes %v (%v)", text, zone, at, next, ok)
			}
			at = next
		}
	})
}

// TestEveryMinuteOfTheClockIsPassedOnce walks minute by minute and looks at the clock: a start is when a minute that the
// line names is first shown or jumped over. That is the whole rule, said without spans and offsets.
func TestEveryMinuteOfTheClockIsPassedOnce(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text, zone := anyLine(t)
		w, from := line(t, text, zone), anyInstant(t, zone).Truncate(time.Minute)
		where := from.Location()
		rule := must.Get(cron.ParseStandard(text))(t)
		shown := func(at time.Time) time.Time {
			y, mo, d := at.In(where).Date()
			h, m, s := at.In(where).Clock()
			return time.Date(y, mo, d, h, m, s, 0, time.UTC)
		}
		seen := shown(from) // the latest time that the clock has shown; it may have gone back lately
		for back := from.Add(-30 * time.Hour); back.Before(from); back = back.Add(time.Minute) {
			if s := shown(back); s.After(seen) {
				seen = s
			}
		}
		var want []time.Time
		end := from.Add(40 * time.Hour)
		for at := from.Add(time.Minute); !at.After(end); at = at.Add(time.Minute) {
			now := shown(at)
			if !now.After(seen) {
				continue
			}
			if due := rule.Next(seen); !due.After(now) {
				want = append(want, at)
			}
			seen = now
		}
		var got []time.Time
		for at, ok := w.Next(from); ok && !at.After(end); at, ok = w.Next(at) {
			got = append(got, at)
		}
		if fmt.Sprint(got) != fmt.Sprint(utc(want)) {
			t.Fatalf("%s in %s from %v:\ngot  %v\nwant %v", text, zone, from, got, utc(want))
		}
	})
}

func utc(list []time.Time) []time.Time {
	var out []time.Time
	for _, t := range list {
		out = append(out, t.UTC())
	}
	return out
}
