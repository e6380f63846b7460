package printer

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"unicode"

	"github.com/molerun/molerun/cli/command"
)

// Printer reports how a command goes: progress on stderr; results on stdout as text, which the command writes itself, or as JSON lines.
type Printer struct {
	command.Console
	lines *json.Encoder // nil: text
}

// New returns a printer of JSON lines or of text.
func New(c command.Console, asJSON bool) *Printer {
	p := &Printer{Console: c}
	if asJSON {
		p.lines = json.NewEncoder(c.Out)
	}
	return p
}

// JSON reports whether results are JSON lines.
func (p *Printer) JSON() bool { return p.lines != nil }

// Event writes one line of JSON, where JSON is wanted.
func (p *Printer) Event(v any) {
	if p.lines != nil {
		_ = p.lines.Encode(v) // a closed stdout ends the program soon enough
	}
}

// Progress writes a line on stderr, wherever that goes: what a command is about, not how far it is.
func (p *Printer) Progress(format string, args ...any) { fmt.Fprintf(p.Err, format+"\n", args...) }

// OnTerminal reports whether progress can be redrawn.
func (p *Printer) OnTerminal() bool { return command.Terminal(p.Err) }

// Ranks writes a rank from–to.
func Ranks(from, to int) string {
	if from == to {
		return strconv.Itoa(from)
	}
	return fmt.Sprintf("%d–%d", from, to)
}

// Printable returns text of others as a terminal may show it: "·" replaces each character that could steer the terminal.
func Printable(text string) string {
	return strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) {
			return '·'
		}
		return r
	}, text)
}

// Sprintf is [fmt.Sprintf] whose texts are [Printable].
func Sprintf(format string, args ...any) string {
	printable(args)
	return fmt.Sprintf(format, args...)
}
