package organiser

import (
	"testing"
	"time"
)

func TestTimesAreReadOnTheClocksOfTheZone(t *testing.T) {
	amsterdam, err := time.LoadLocation("Europe/Amsterdam")
	if err != nil {
		t.Fatal(err)
	}
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

func TestRepeatedStartsBecomeACronLine(t *testing.T) {
	for text, want := range map[string]string{
		"friday 20:00":  "0 20 * * FRI",
		"day 07:05":     "5 7 * * *",
		"weekday 18:30": "30 18 * * MON-FRI",
		"0 20 * * FRI":  "0 20 * * FRI",
		"@weekly":       "@weekly",
	} {
		if got, err := cronOf(text); err != nil || got != want {
			t.Errorf("%q: got %q, %v; want %q", text, got, err, want)
		}
	}
	for _, text := range []string{"friday", "never 20:00", "friday 8pm", ""} {
		if got, err := cronOf(text); err == nil {
			t.Errorf("%q is taken for %q, want it refused", text, got)
		}
	}
}

func TestAPlaceOfTheAPIIsToldByItsFlag(t *testing.T) {
	flags := map[string]bool{}
	for _, f := range append(fields(), startFields(true)...) {
		flags["--"+f.name] = true
	}
	for pointer, want := range map[string]string{
		"/table_size":                  "--table-size",
		"/format_options/lasts_ms":     "--lasts",
		"/clock/limit_ms":              "--limit",
		"/fault_limits/max_faults":     "--max-faults",
		"/cron":                        "--every",
		"/starts_at":                   "--starts",
		"/opens_before_ms":             "--opens-before",
		"/closes_at":                   "--closes-before",
		"/entries_per_owner":           "--entries-per-owner",
		"/format_options/late_entries": "--late-entries",
	} {
		if got := flagOf(pointer); got != want || !flags[got] {
			t.Errorf("%s: got %s, want %s, which is a flag", pointer, got, want)
		}
	}
	if got := flagOf("/config/discs/black"); got != "--config at discs/black" {
		t.Errorf("a place in the configuration: got %s", got)
	}
}
