package printer

import (
	"fmt"
	"strings"
)

// barWidth is how many characters a full bar has.
const barWidth = 30

// Bar shows how much of something is done: redrawn on a terminal, a line for every tenth elsewhere.
type Bar struct {
	p     *Printer
	name  string
	unit  string
	drawn bool
	told  int // tenths
}

// Bar begins a bar for what is called name; unit says what is counted, like "matches rated".
func (p *Printer) Bar(name, unit string) *Bar { return &Bar{p: p, name: name, unit: unit} }

// Set shows that done are done, of so many.
func (b *Bar) Set(done, of int) {
	if of == 0 {
		return
	}
	if b.p.OnTerminal() {
		b.drawn = true
		fmt.Fprintf(b.p.Err, "\r\x1b[K%s", draw(b.name, done, of))
		return
	}
	if tenth := 10 * done / of; tenth > b.told {
		b.told = tenth
		b.p.Progress("%s: %d of %d %s", b.name, done, of, b.unit)
	}
}

// End leaves the bar where it is and goes on below it.
func (b *Bar) End() {
	if b.drawn {
		b.p.Progress("")
	}
}

func draw(name string, done, of int) string {
	full := min(barWidth, barWidth*done/of)
	return fmt.Sprintf("%s %3d%% |%s%s| (%d/%d)", name, 100*done/of, strings.Repeat("█", full), strings.Repeat(" ", barWidth-full), done, of)
}
