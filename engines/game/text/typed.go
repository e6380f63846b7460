package text

import (
	"encoding/binary"
	"strings"
	"unicode"
	"unicode/utf16"
)

// Typed returns what a person's editor or shell has written, as plain text: UTF-8 without a byte-order mark, each line ended by \n. Windows'
// PowerShell writes UTF-16. Its byte order mark shows that, or the NULs that ASCII has there.
func Typed(b []byte) string {
	text := string(b)
	switch {
	case strings.HasPrefix(text, "\xff\xfe"):
		text = wide(b[2:], binary.LittleEndian)
	case strings.HasPrefix(text, "\xfe\xff"):
		text = wide(b[2:], binary.BigEndian)
	case len(b) > 1 && b[0] != 0 && b[1] == 0:
		text = wide(b, binary.LittleEndian)
	case len(b) > 1 && b[0] == 0 && b[1] != 0:
		text = wide(b, binary.BigEndian)
	}
	return strings.ReplaceAll(strings.TrimPrefix(text, "\ufeff"), "\r\n", "\n")
}

// wide converts UTF-16 to UTF-8. Half a character at the end, as where a line was cut behind the first byte of its end, is dropped.
func wide(b []byte, order binary.ByteOrder) string {
	units := make([]uint16, len(b)/2)
	for i := range units {
		units[i] = order.Uint16(b[2*i:])
	}
	return string(utf16.Decode(units))
}

// Word returns a token, a secret or a code as it is meant, where a person has typed or pasted it: without space, marks that nobody sees, and a
// pair of quotes around it.
func Word(typed string) string {
	unseen := func(r rune) bool { return unicode.IsSpace(r) || unicode.In(r, unicode.Cf, unicode.Cc) }
	word := strings.TrimFunc(Typed([]byte(typed)), unseen)
	for _, pair := range []string{`""`, "''", "``", "“”", "‘’", "„“", "«»", "<>"} {
		left, right := string([]rune(pair)[:1]), string([]rune(pair)[1:])
		if inner, is := strings.CutPrefix(word, left); is {
			if inner, is = strings.CutSuffix(inner, right); is {
				return strings.TrimFunc(inner, unseen)
			}
		}
	}
	return word
}
