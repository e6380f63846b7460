package organiser

import (
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/pelletier/go-toml/v2"

	"github.com/molerun/molerun/internal/must"
)

func TestTimesAreReadOnTheClocksOfTheZone(t *testing.T) {
	amsterdam, err := time.LoadLocation("Europe/Amsterdam")
	must.OK(t, err)
	now := time.Date(2026, 3, 27, 19, 30, 0, 0, time.UTC) // a Friday, 20:30 in Amsterdam; the clocks change on Sunday
	for text, want := range map[string]string{
		"friday 20:00":              "2026-04-03T18:00:00Z",
		"Fri 21:00":                 "2026-03-27T20:00:00Z",
		"20:00":                     "2026-03-28T19:00:00Z",
		"tomorrow 09:15":            "2026-03-28T08:15:00Z",
		"sunday 20:00":              "2026-03-29T18:00:00Z",
		"2026-12-04 20:00":          "2026-12-04T19:00:00Z",
		"in 90m":                    "2026-03-27T21:00:00Z",
		"2026-12-04T20:00:00+03:00": "2026-12-04T17:00:00Z",
	} {
		at, err := startAt(text, amsterdam, now)
		if got := at.UTC().Format(time.RFC3339); err != nil || got != want {
			t.Errorf("%q: got %s, %v; want %s", text, got, err, want)
		}
	}
	for _, text := range []string{"", "soon", "friday", "fr 20:00", "noday 20:00", "25:00", "in 0s", "in -1h", "in a while", "2026-02-30 20:00"} {
		if at, err := startAt(text, amsterdam, now); err == nil {
			t.Errorf("%q is taken for %s, want it refused", text, at)
		}
	}
}

func TestATimeThatTheClocksSkipIsRefusedAndOneShownTwiceIsTheFirst(t *testing.T) {
	for _, row := range []struct {
		zone, now, text string
		want            string // UTC, or the two times to say instead
	}{
		{"America/New_York", "2027-03-01T12:00:00Z", "2027-03-14 02:30", "say 2027-03-14 01:59 or 2027-03-14 03:00"},
		{"America/New_York", "2027-03-01T12:00:00Z", "2027-03-14T02:30", "say 2027-03-14 01:59 or 2027-03-14 03:00"},
		{"America/New_York", "2027-03-01T12:00:00Z", "2027-03-14 01:59", "2027-03-14T06:59:00Z"},
		{"America/New_York", "2027-03-01T12:00:00Z", "2027-03-14 03:00", "2027-03-14T07:00:00Z"},
		{"America/New_York", "2027-03-13T12:00:00Z", "tomorrow 02:00", "say 2027-03-14 01:59 or 2027-03-14 03:00"},
		{"America/New_York", "2027-03-14T06:00:00Z", "today 02:59", "say 2027-03-14 01:59 or 2027-03-14 03:00"},
		{"America/New_York", "2027-03-14T06:00:00Z", "02:30", "say 2027-03-14 01:59 or 2027-03-14 03:00"},
		{"America/New_York", "2027-03-14T08:00:00Z", "02:30", "2027-03-15T06:30:00Z"},
		{"America/New_York", "2027-03-12T12:00:00Z", "sunday 02:30", "say 2027-03-14 01:59 or 2027-03-14 03:00"},
		{"America/New_York", "2027-11-01T12:00:00Z", "2027-11-07 01:30", "2027-11-07T05:30:00Z"},
		{"America/New_York", "2027-11-07T05:45:00Z", "01:30", "2027-11-08T06:30:00Z"},
		{"Europe/Amsterdam", "2026-10-01T12:00:00Z", "2026-10-25 02:30", "2026-10-25T00:30:00Z"},
		{"Europe/Amsterdam", "2026-10-24T12:00:00Z", "sun 02:00", "2026-10-25T00:00:00Z"},
		{"Europe/Amsterdam", "2026-10-24T12:00:00Z", "sun 03:00", "2026-10-25T02:00:00Z"},
		{"Australia/Lord_Howe", "2026-10-01T12:00:00Z", "2026-10-04 02:15", "say 2026-10-04 01:59 or 2026-10-04 02:30"},
		{"Australia/Lord_Howe", "2026-10-01T12:00:00Z", "2026-10-04 02:30", "2026-10-03T15:30:00Z"},
		{"Australia/Lord_Howe", "2026-04-01T12:00:00Z", "2026-04-05 01:45", "2026-04-04T14:45:00Z"},
		{"Pacific/Apia", "2011-12-28T12:00:00Z", "2011-12-30 12:00", "say 2011-12-29 23:59 or 2011-12-31 00:00"},
		{"Pacific/Apia", "2011-12-28T12:00:00Z", "friday 12:00", "say 2011-12-29 23:59 or 2011-12-31 00:00"},
		{"America/Sao_Paulo", "2018-11-01T12:00:00Z", "2018-11-04 00:00", "say 2018-11-03 23:59 or 2018-11-04 01:00"},
		{"America/Sao_Paulo", "2018-11-03T12:00:00Z", "00:30", "say 2018-11-03 23:59 or 2018-11-04 01:00"},
		{"America/Sao_Paulo", "2018-02-17T12:00:00Z", "saturday 23:30", "2018-02-18T01:30:00Z"},
		{"Africa/Casablanca", "2026-02-01T12:00:00Z", "2026-02-15 02:30", "2026-02-15T01:30:00Z"},
	} {
		zone, err := time.LoadLocation(row.zone)
		must.OK(t, err)
		now, err := time.Parse(time.RFC3339, row.now)
		must.OK(t, err)
		at, err := startAt(row.text, zone, now)
		got := at.UTC().Format(time.RFC3339)
		if err != nil {
			got = err.Error()
		}
		if !strings.HasSuffix(got, row.want) {
			t.Errorf("%q in %s: got %s, want %s", row.text, row.zone, got, row.want)
		}
		_, advice, refused := strings.Cut(row.want, "say ")
		for advised := range strings.SplitSeq(advice, " or ") {
			if _, err := startAt(advised, zone, now); refused && err != nil {
				t.Errorf("%q in %s, as advised: %v", advised, row.zone, err)
			}
		}
	}
}

func TestTheZoneOfTheMachineIsOneThatLoads(t *testing.T) {
	for tz, want := range map[string]string{
		"Europe/Amsterdam": "Europe/Amsterdam", ":Europe/Amsterdam": "Europe/Amsterdam", "/usr/share/zoneinfo/Europe/Rome": "Europe/Rome",
		":/usr/share/zoneinfo/Europe/Rome": "Europe/Rome", "": "UTC", ":": "UTC", "CET-1CEST": "UTC", "Local": "UTC", "Mars/Olympus": "UTC",
	} {
		t.Setenv("TZ", tz)
		if got := localZone(); got != want {
			t.Errorf("TZ=%s: got %q, want %q", tz, got, want)
		}
	}
	t.Setenv("TZ", ":/etc/localtime")
	named := localZone()
	if os.Unsetenv("TZ"); localZone() != named {
		t.Errorf("without TZ: got %q, want %q", localZone(), named)
	}
}

func TestATimeOfAFileIsReadAsOneOfAFlag(t *testing.T) {
	var keys map[string]any
	must.OK(t, toml.Unmarshal([]byte("zoned = 2026-12-04T20:00:00+03:00\nlocal = 2026-12-04T20:00:00\nspaced = 2026-12-04 20:00:00\ntext = \"2026-12-04 20:00\""), &keys))
	for key, want := range map[string]string{"zoned": "2026-12-04T17:00:00Z", "local": "2026-12-04T20:00:00Z", "spaced": "2026-12-04T20:00:00Z", "text": "2026-12-04T20:00:00Z"} {
		text, err := fileText(keys[key])
		must.OK(t, err)
		if at, err := startAt(text, time.UTC, time.Time{}); err != nil || at.UTC().Format(time.RFC3339) != want {
			t.Errorf("%s: got %v (%v), want %s", key, at, err, want)
		}
	}
}

func TestAPlaceOfTheAPIIsToldByItsFlagOrItsKeyInAFile(t *testing.T) {
	places := map[string]bool{}
	for _, f := range append(fields(), startFields(true)...) {
		places[placeOf(f.key)] = true
	}
	for pointer, want := range map[string]string{
		"/table_size":                  "--table-size",
		"/format_options/lasts_ms":     "--lasts",
		"/clock/limit_ms":              "--limit",
		"/fault_limits/max_faults":     "max_faults",
		"/cron":                        "--every",
		"/starts_at":                   "--starts",
		"/opens_before_ms":             "opens_before",
		"/closes_at":                   "closes_before",
		"/entries_per_owner":           "entries_per_owner",
		"/format_options/late_entries": "late_entries",
	} {
		if got := pointed(pointer, placeInDraft); got != want || !places[got] {
			t.Errorf("%s: got %s, want %s, which somebody can say", pointer, got, want)
		}
	}
	if got := pointed("/clock_class", placeInDraft); got != "clock_class" {
		t.Errorf("a key that begins as an object does: got %s", got)
	}
	if got := pointed("/config/discs/black", placeInDraft); got != "config at discs/black" {
		t.Errorf("a place in the configuration: got %s", got)
	}
}

func TestANumberThatIsTooLargeIsOne(t *testing.T) {
	for text, want := range map[string]string{"99999999999": "out of range", "-99999999999": "out of range", "1.5": "a whole number"} {
		if err := setText(new(int), text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v, want %q", text, err, want)
		}
	}
}

func TestEveryFlagIsAKey(t *testing.T) {
	for _, key := range daily() {
		if !slices.ContainsFunc(append(fields(), startFields(true)...), func(f field) bool { return f.key == key }) {
			t.Errorf("%s is a flag of nothing", key)
		}
	}
}
