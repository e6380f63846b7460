package printer

import (
	"fmt"
	"strings"

	"github.com/molerun/molerun/cli/command"
)

// barWidth is how many characters a full bar has.
const barWidth = 30

// Bars shows on a terminal how much of several things is done, one below the other; elsewhere it shows nothing.
type Bars struct {
	p     *Printer
	bars  []bar
	drawn bool
}

type bar struct {
	name     string
	done, of int
}

// Bars begins a bar for each of what is called names.
func (p *Printer) Bars(names ...string) *Bars {
	b := &Bars{p: p}
	for _, name := range names {
		b.bars = append(b.bars, bar{name: name})
	}
	return b
}

// Set shows that done are done of the i-th, of so many.
func (b *Bars) Set(i, done, of int) {
	b.bars[i].done, b.bars[i].of = done, of
	if !b.p.OnTerminal() {
		return
	}
	var parts []any
	if up := len(b.bars) - 1; b.drawn && up > 0 {
		parts = append(parts, command.Up(up))
	}
	wide := 0
	for _, x := range b.bars {
		wide = max(wide, len(x.name))
	}
	for i, x := range b.bars {
		if i > 0 {
			parts = append(parts, "\n")
		}
		parts = append(parts, command.ClearLine, x.draw(wide))
	}
	command.Draw(b.p.Err, parts...)
	b.drawn = true
}

// End leaves the bars where they are and goes on below them.
func (b *Bars) End() {
	if b.drawn {
		fmt.Fprintln(b.p.Err)
	}
}

// draw returns the bar as a line, its name in so many columns. None done of none is an empty bar.
func (b bar) draw(wide int) string {
	full := min(barWidth, barWidth*b.done/max(b.of, 1))
	return fmt.Sprintf("%-*s %3d%% |%s%s| (%d/%d)", wide, b.name, 100*b.done/max(b.of, 1), strings.Repeat("█", full), strings.Repeat(" ", barWidth-full), b.done, b.of)
}
