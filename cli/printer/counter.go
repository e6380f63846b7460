package printer

import (
	"bytes"
	"fmt"
	"io"
	"time"

	"github.com/molerun/molerun/cli/command"
)

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
		command.Draw(c.p.Err, command.ClearLine, fmt.Sprintf("%s: %s", c.name, c))
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
