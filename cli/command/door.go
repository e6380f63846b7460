package command

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"golang.org/x/term"

	"github.com/molerun/molerun/engines/game/text"
)

// Door is the last place that text passes on its way to a terminal. Bots, platforms, records and backups write text that a command
// prints: what could steer the terminal, or turn the direction of what stands beside it, comes out as \u001b or \u202e, which in a JSON
// string is the same character. Only a [Style] passes as it is. A Door is safe for concurrent use.
type Door struct {
	mu   sync.Mutex
	to   io.Writer
	hide *strings.Replacer // secrets that an error may quote
	open []byte            // the begin of a character whose rest comes with the next write
	lost error             // what the first write met that failed
}

// Lost returns why something that was written did not arrive, as on a full disk; nil if all did. Most writers of text do not ask.
func (d *Door) Lost() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.lost
}

// pass writes what was escaped.
func (d *Door) pass(b []byte) error {
	_, err := d.to.Write(b)
	d.lost = cmp.Or(d.lost, err)
	return err
}

// hidden is what a secret comes out as.
const hidden = "(hidden)"

// NewDoor makes a door in front of a stream, at which secrets come out as "(hidden)".
func NewDoor(to io.Writer, secrets ...string) *Door {
	var pairs []string
	slices.SortFunc(secrets, func(a, b string) int { return len(b) - len(a) }) // the longest first
	for _, s := range secrets {
		if s == "" {
			continue
		}
		pairs = append(pairs, s, hidden)
		if quoted, err := json.Marshal(s); err == nil { // as JSON and errors quote it
			pairs = append(pairs, string(quoted[1:len(quoted)-1]), hidden)
		}
	}
	return &Door{to: to, hide: strings.NewReplacer(pairs...)}
}

// Write escapes what text is not [text.Prose].
func (d *Door) Write(b []byte) (int, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if err := d.pass(d.escape(b)); err != nil {
		return 0, err
	}
	return len(b), nil
}

// escape returns what is shown of the bytes so far.
func (d *Door) escape(b []byte) []byte {
	b = append(d.open, b...)
	d.open = nil
	if d.hide != nil {
		b = []byte(d.hide.Replace(string(b)))
	}
	out := make([]byte, 0, len(b))
	for len(b) > 0 {
		if !utf8.FullRune(b) {
			d.open = append(d.open, b...)
			break
		}
		r, size := utf8.DecodeRune(b)
		if text.Prose.Holds(r) {
			out = utf8.AppendRune(out, r) // a byte that is no UTF-8 is U+FFFD here
		} else {
			out = fmt.Appendf(out, `\u%04x`, r)
		}
		b = b[size:]
	}
	return out
}

// Style is what a program draws with on a terminal: colours, moves of the cursor. It is never made of what somebody else wrote.
type Style string

// The styles.
const (
	Red       Style = "\x1b[31m"
	Plain     Style = "\x1b[0m"
	ClearLine Style = "\r\x1b[K"
	ClearDown Style = "\x1b[J"

	cut  Style = "\x1b[?7l" // lines at the edge of the terminal
	wrap Style = "\x1b[?7h"
)

// Up moves the cursor to the begin of the line so many above.
func Up(lines int) Style { return Style(fmt.Sprintf("\x1b[%dA", lines)) }

// Draw writes styles as they are and everything else as text, in one piece.
func Draw(w io.Writer, parts ...any) {
	d, behind := w.(*Door)
	if !behind {
		d = NewDoor(w)
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	var out []byte
	for _, part := range parts {
		if style, is := part.(Style); is {
			out = append(out, style...)
		} else {
			out = append(out, d.escape(fmt.Append(nil, part))...)
		}
	}
	_ = d.pass(out) // whoever cares asks [Door.Lost]
}

// Redraw draws what is to be drawn over: lines that are too long for the terminal are cut, so that there are as many as were written.
func Redraw(w io.Writer, parts ...any) { Draw(w, slices.Concat([]any{cut}, parts, []any{wrap})...) }

// Fit returns text of whole lines so that it can be drawn over on a terminal: one that is too low for it gets the first lines and the last.
func Fit(w io.Writer, text string) string {
	lines := strings.SplitAfter(text, "\n") // the last is where the cursor stands then
	f, ok := behind(w).(*os.File)
	if !ok {
		return text
	}
	if _, rows, err := term.GetSize(int(f.Fd())); err == nil && rows > 3 && len(lines) > rows {
		lines = slices.Concat(lines[:rows-3], []string{"…\n"}, lines[len(lines)-2:])
	}
	return strings.Join(lines, "")
}

// Shown returns text as a door lets it pass.
func Shown(s string) string { return string(new(Door).escape([]byte(s))) }

// Styled returns a stream behind its door for what brings its own styles, and has escaped what is another's. Secrets are hidden.
func Styled(w io.Writer) io.Writer {
	d, is := w.(*Door)
	if !is {
		return w
	}
	return styled{d}
}

type styled struct{ door *Door }

func (s styled) Write(b []byte) (int, error) {
	s.door.mu.Lock()
	defer s.door.mu.Unlock()
	if err := s.door.pass([]byte(s.door.hide.Replace(string(b)))); err != nil {
		return 0, err
	}
	return len(b), nil
}

// Raw returns a stream past its door, for bytes that are no text: archives, pages, what another program reads. A terminal stays behind
// its door: there, whatever it is would be read as text.
func Raw(w io.Writer) io.Writer {
	if Terminal(w) {
		return w
	}
	return behind(w)
}

// behind returns what a door stands in front of.
func behind(w io.Writer) io.Writer {
	if d, is := w.(*Door); is {
		return d.to
	}
	return w
}
