package printer

import (
	"bytes"
	"strings"
	"testing"

	"github.com/molerun/molerun/cli/command"
)

func TestABarIsDrawnInItsWidth(t *testing.T) {
	for _, row := range []struct {
		done, of int
		want     string
	}{
		{0, 60, "cia   0% |" + strings.Repeat(" ", 30) + "| (0/60)"},
		{20, 60, "cia  33% |" + strings.Repeat("█", 10) + strings.Repeat(" ", 20) + "| (20/60)"},
		{60, 60, "cia 100% |" + strings.Repeat("█", 30) + "| (60/60)"},
	} {
		if got := draw("cia", row.done, row.of); got != row.want {
			t.Errorf("%d of %d: got %q, want %q", row.done, row.of, got, row.want)
		}
	}
}

func TestWhereNothingCanBeRedrawnABarIsALineForEachTenth(t *testing.T) {
	var errs bytes.Buffer
	bar := New(command.Console{Err: &errs}, false).Bar("cia", "matches rated")
	bar.Set(0, 0) // nothing is known yet
	for done := range 41 {
		bar.Set(done, 40)
	}
	bar.End()
	lines := strings.Split(strings.TrimSpace(errs.String()), "\n")
	if len(lines) != 10 {
		t.Errorf("got %d lines, want 10:\n%s", len(lines), errs.String())
	}
	if first := lines[0]; first != "cia: 4 of 40 matches rated" {
		t.Errorf("the first line is %q", first)
	}
}
