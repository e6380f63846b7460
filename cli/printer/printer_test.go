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
		{0, 0, "cia     0% |" + strings.Repeat(" ", 30) + "| (0/0)"},
		{0, 60, "cia     0% |" + strings.Repeat(" ", 30) + "| (0/60)"},
		{20, 60, "cia    33% |" + strings.Repeat("█", 10) + strings.Repeat(" ", 20) + "| (20/60)"},
		{60, 60, "cia   100% |" + strings.Repeat("█", 30) + "| (60/60)"},
	} {
		if got := (bar{"cia", row.done, row.of}).draw(5); got != row.want {
			t.Errorf("%d of %d: got %q, want %q", row.done, row.of, got, row.want)
		}
	}
}

func TestWhereNothingCanBeRedrawnNoProgressIsShown(t *testing.T) {
	var errs bytes.Buffer
	p := New(command.Console{Err: &errs}, false)
	bars, counter, end := p.Bars("cia", "mole"), p.Counter("read", "MB", 1), p.During("migrating")
	bars.Set(0, 1, 2)
	counter.Add(1)
	bars.End()
	counter.End()
	end()
	if errs.Len() > 0 {
		t.Errorf("got %q, want nothing", errs.String())
	}
}
