package texttest

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"unicode/utf16"
)

// Texts returns those that broke something once, or that somebody might hope break something. All are valid UTF-8.
func Texts() []string {
	return []string{
		"\x00", "a\x00b", "\x00\x00\x00", "end\x00", "\x01", "\x07\x1b[2J\x1b[31mred", "a\tb\nc", "a\r\nb", "\x7f", "\u0080\u009f",
		"\u202egnp.exe", "a\u202ab\u202cc", "\u2066isolated", "\u2069", "\u200e\u200f", "zero\u200bwidth\u200c\u200d\u2060", "\ufeffBOM", "\u00ad",
		"\u2028\u2029", "\ufffd", "\ufffe\uffff", "\U0001fffe", "\U0010ffff", "\ue000\U000f0000", "\U000e0001\U000e0041\U000e007f", "e\u0301\u0301\u0301",
		"' OR 1=1; --", `"; DROP TABLE decisions; --`, `\`, `\u0000`, `\x00`, "%00", "%s%n", "$1 ? :name @p", "{{.}}", "<script>alert(1)</script>", "&#0;",
		"", " ", strings.Repeat("x", 65), strings.Repeat("\u202e", 200), strings.Repeat("é", 400), strings.Repeat("\U0001f480", 3000), strings.Repeat("\x00", 5000),
		strings.Repeat("a", 20_000), "ﷺ", "İstanbul", "ß", "日本語", "עברית", "العربية", "👩‍👩‍👧‍👦", "nul at 499: " + strings.Repeat("y", 487) + "\x00",
	}
}

// Text returns one of [Texts], or some runes of all planes, surrogates aside.
func Text(r *rand.Rand) string {
	if r.IntN(2) == 0 {
		list := Texts()
		return list[r.IntN(len(list))]
	}
	var b strings.Builder
	for range 1 + r.IntN(12) {
		b.WriteRune(oddRune(r))
	}
	return b.String()
}

// oddRune returns any code point but a surrogate; every plane, and the first 256, are as likely as another.
func oddRune(r *rand.Rand) rune {
	if plane := r.IntN(18) - 1; plane >= 0 {
		c := rune(plane<<16 | r.IntN(1<<16))
		if utf16.IsSurrogate(c) {
			return 'x'
		}
		return c
	}
	return rune(r.IntN(256))
}

// Literal returns a JSON string of [Text]: plain, all in escapes, or with half of a surrogate pair, which is valid by the grammar.
func Literal(r *rand.Rand) string {
	text := Text(r)
	switch r.IntN(24) {
	case 0, 1, 2, 3, 4, 5:
		var b strings.Builder
		for _, u := range utf16.Encode([]rune(text)) {
			fmt.Fprintf(&b, `\u%04x`, u)
		}
		return `"` + b.String() + `"`
	case 6:
		return `"` + []string{`\ud800`, `\udc00\ud800`, `\udfff`, `x\udbffx`}[r.IntN(4)] + `"`
	}
	b, _ := json.Marshal(text) // a string always can be written
	return string(b)
}

// Value returns any JSON value, nested at most so deep.
func Value(r *rand.Rand, depth int) string {
	kind := r.IntN(9)
	if depth == 0 {
		kind = r.IntN(6)
	}
	switch kind {
	case 0:
		return []string{"null", "true", "false", "0", "-0", "1.5", "1e400", "-9223372036854775809", "1e-7"}[r.IntN(9)]
	case 6:
		return "[" + Value(r, depth-1) + "," + Value(r, depth-1) + "]"
	case 7:
		return "{" + Literal(r) + ":" + Value(r, depth-1) + "}"
	case 8:
		n := 1 + r.IntN(40)
		return strings.Repeat("[", n) + strings.Repeat("]", n)
	}
	return Literal(r)
}

// Bytes returns bytes that are no JSON, or JSON that some bytes were changed of, put into or cut off.
func Bytes(r *rand.Rand, valid []byte) []byte {
	b := append([]byte(nil), valid...)
	if len(b) == 0 || r.IntN(4) == 0 {
		b = make([]byte, r.IntN(200))
		for i := range b {
			b[i] = byte(r.IntN(256))
		}
		return b
	}
	for range 1 + r.IntN(4) {
		at := r.IntN(len(b))
		switch r.IntN(3) {
		case 0:
			b[at] = byte(r.IntN(256))
		case 1:
			b = append(b[:at], append([]byte{byte(r.IntN(256))}, b[at:]...)...)
		case 2:
			b = b[:at+1]
		}
	}
	return b
}
