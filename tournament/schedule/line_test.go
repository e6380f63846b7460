package schedule_test

import (
	"testing"

	"github.com/molerun/molerun/tournament/schedule"
)

func TestRepeatedStartsBecomeACronLine(t *testing.T) {
	for text, want := range map[string]string{
		"friday 20:00":  "0 20 * * FRI",
		"day 07:05":     "5 7 * * *",
		"weekday 18:30": "30 18 * * MON-FRI",
		"0 20 * * FRI":  "0 20 * * FRI",
		"@weekly":       "@weekly",
	} {
		if got, err := schedule.LineOf(text); err != nil || got != want {
			t.Errorf("%q: got %q, %v; want %q", text, got, err, want)
		}
	}
	for _, text := range []string{"friday", "never 20:00", "friday 8pm", ""} {
		if got, err := schedule.LineOf(text); err == nil {
			t.Errorf("%q is taken for %q, want it refused", text, got)
		}
	}
}
