package text

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Kind is what a text is for. That decides which characters it may hold; all of it is valid UTF-8 without NUL, which
// PostgreSQL cannot store.
type Kind int

const (
	// Line is one line that reads as it is written: no control, format or zero-width character, no line separator.
	Line Kind = iota
	// Prose is some lines that people read: newline and tab, but no other control character, and nothing that turns the
	// direction of the text around it (U+202A–202E, U+2066–2069).
	Prose
	// Opaque is handed back as it came to whoever wrote it, and holds anything else.
	Opaque
)

// Check says why s, as text of this kind and of so many bytes at most, is not kept; nil if it is.
func (k Kind) Check(s string, most int) error {
	if len(s) > most {
		return fmt.Errorf("%d bytes, at most %d are kept", len(s), most)
	}
	for i, r := range s {
		if r == utf8.RuneError && !strings.HasPrefix(s[i:], string(utf8.RuneError)) {
			return fmt.Errorf("byte %d is not valid UTF-8", i)
		}
		if !k.Holds(r) {
			return fmt.Errorf("byte %d is the character %U, which is not kept", i, r)
		}
	}
	return nil
}

// Holds reports whether text of this kind may hold a character.
func (k Kind) Holds(r rune) bool {
	switch {
	case r == 0:
		return false
	case k == Opaque:
		return true
	case r == '\n', r == '\t':
		return k == Prose
	case unicode.IsControl(r), r >= 0x202a && r <= 0x202e, r >= 0x2066 && r <= 0x2069:
		return false
	}
	return k == Prose || !unicode.In(r, unicode.Cf, unicode.Zl, unicode.Zp, unicode.Other_Default_Ignorable_Code_Point)
}

// Escape makes foreign text a [Line] of at most so many bytes that can be quoted: what a line may not hold is written as Go
// writes it (\x00, \u202e), and what is too long ends in "…". What is a line already stays as it is.
func Escape(s string, most int) string {
	const cut = "…"
	if Line.Check(s, most) == nil {
		return s
	}
	var b strings.Builder
	fits := 0 // of what is written, if it must end in cut
	for i, r := range s {
		size := len(string(r))
		switch {
		case r == utf8.RuneError && !strings.HasPrefix(s[i:], string(r)):
			fmt.Fprintf(&b, `\x%02x`, s[i])
		case Line.Holds(r):
			b.WriteString(s[i : i+size])
		case r < utf8.RuneSelf:
			fmt.Fprintf(&b, `\x%02x`, r)
		case r <= 0xffff:
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			fmt.Fprintf(&b, `\U%08x`, r)
		}
		if b.Len() > most {
			return b.String()[:fits] + cut
		}
		if b.Len()+len(cut) <= most {
			fits = b.Len()
		}
	}
	return b.String()
}

// Literal returns Markdown that shows s as it is.
func Literal(s string) string {
	var b strings.Builder
	for _, r := range s {
		if strings.ContainsRune("\\`*_{}[]<>()#+-.!|~&:", r) {
			b.WriteByte('\\')
		}
		b.WriteRune(r)
	}
	return b.String()
}

// Unescaped returns Markdown as a terminal shows it, which renders none: what [Literal] escaped, as it was.
func Unescaped(markdown string) string {
	var b strings.Builder
	for escaped, rest := false, markdown; rest != ""; rest = rest[1:] {
		if escaped = !escaped && rest[0] == '\\'; !escaped {
			b.WriteByte(rest[0])
		}
	}
	return b.String()
}

// Clean returns s as every database can store it: each NUL, and each run of bytes that are not UTF-8, becomes "?". It is never
// longer than s, and s itself if there is nothing to clean.
func Clean(s string) string {
	return strings.ReplaceAll(strings.ToValidUTF8(s, "?"), "\x00", "?")
}
