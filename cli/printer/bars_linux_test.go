package printer_test

import (
	"strings"
	"testing"

	"github.com/molerun/molerun/cli/command"
	"github.com/molerun/molerun/cli/printer"
	"github.com/molerun/molerun/internal/clitest"
)

func TestBarsAreRedrawnInPlaceOneBelowTheOther(t *testing.T) {
	screen, _, drawn := clitest.Terminal(t)
	bars := printer.New(command.Console{Err: screen}, false).Bars("cia", "mole")
	bars.Set(1, 3, 6)
	bars.Set(0, 1, 2)
	bars.End()
	empty, half := strings.Repeat(" ", 30), strings.Repeat("█", 15)+strings.Repeat(" ", 15)
	want := "\x1b[?7l\r\x1b[Kcia    0% |" + empty + "| (0/0)\r\n\r\x1b[Kmole  50% |" + half + "| (3/6)\x1b[?7h" +
		"\x1b[?7l\x1b[1A\r\x1b[Kcia   50% |" + half + "| (1/2)\r\n\r\x1b[Kmole  50% |" + half + "| (3/6)\x1b[?7h\r\n"
	if got := drawn(); got != want {
		t.Errorf("got\n%q, want\n%q", got, want)
	}
}
