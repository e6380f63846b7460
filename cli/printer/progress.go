package printer

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"sync"
	"time"

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
	command.Redraw(b.p.Err, parts...)
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

// RedrawEvery keeps a terminal readable.
const RedrawEvery = 100 * time.Millisecond

// Counter shows on a terminal how much has been done where nobody knows of how much; elsewhere it shows nothing.
type Counter struct {
	p     *Printer
	name  string
	unit  string
	each  int64 // of the unit
	done  int64
	drawn time.Time
}

// Counter begins a count of what is called name: one of unit for each that are done.
func (p *Printer) Counter(name, unit string, each int64) *Counter {
	return &Counter{p: p, name: name, unit: unit, each: each}
}

// Add counts n more; 0 shows that it begins.
func (c *Counter) Add(n int64) {
	c.done += n
	if now := time.Now(); c.p.OnTerminal() && now.Sub(c.drawn) >= RedrawEvery {
		c.drawn = now
		command.Redraw(c.p.Err, command.ClearLine, fmt.Sprintf("%s: %s", c.name, c))
	}
}

// String returns what was counted, as "7 matches".
func (c *Counter) String() string { return fmt.Sprintf("%d %s", c.done/c.each, c.unit) }

// Write counts the bytes that pass; it never fails.
func (c *Counter) Write(b []byte) (int, error) {
	c.Add(int64(len(b)))
	return len(b), nil
}

// Lines counts the lines that pass.
func (c *Counter) Lines() io.Writer { return lines{c} }

type lines struct{ *Counter }

// Write never fails.
func (n lines) Write(b []byte) (int, error) {
	n.Add(int64(bytes.Count(b, []byte("\n"))))
	return len(b), nil
}

// End clears the count, for what is printed next.
func (c *Counter) End() {
	if !c.drawn.IsZero() {
		command.Draw(c.p.Err, command.ClearLine)
	}
}

// During shows on a terminal what goes on and for how long, where nobody knows how much of it is done; elsewhere it shows nothing. end
// clears that for what is printed next; a second call does nothing.
func (p *Printer) During(what string) (end func()) {
	if !p.OnTerminal() {
		return func() {}
	}
	begun := time.Now()
	draw := func() {
		command.Redraw(p.Err, command.ClearLine, fmt.Sprintf("%s: %.0f s", what, time.Since(begun).Seconds()))
	}
	draw()
	stop, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		each := time.NewTicker(time.Second)
		defer each.Stop()
		for {
			select {
			case <-stop:
				return
			case <-each.C:
				draw()
			}
		}
	}()
	return sync.OnceFunc(func() {
		close(stop)
		<-ended
		command.Draw(p.Err, command.ClearLine)
	})
}
