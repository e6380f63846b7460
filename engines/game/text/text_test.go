package text_test

import (
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/molerun/molerun/engines/game/text"
	"github.com/molerun/molerun/internal/texttest"
)

func TestWhatIsKept(t *testing.T) {
	for _, row := range []struct {
		in                  string
		line, prose, opaque bool
	}{
		{"", true, true, true},
		{"Groß 日本語 עברית e\u0301 ❤\ufe0f 😀", true, true, true},
		{"two\nlines and\ta tab", false, true, true},
		{"👩\u200d👧", false, true, true},                // zero-width joiner
		{"a\u200bb", false, true, true},                // zero-width space
		{"\u200e\u200f", false, true, true},            // marks of direction reach no further than themselves
		{"\ufeff", false, true, true},                  // byte order mark
		{"\u2028", false, true, true},                  // line separator
		{"\u3164", false, true, true},                  // a letter that cannot be seen
		{"\U000e0041", false, true, true},              // a tag
		{"\u202egnp.exe", false, false, true},          // right-to-left override
		{"\u202a", false, false, true},                 // embedding
		{"\u2066a\u2069", false, false, true},          // isolates
		{"\r\n", false, false, true},                   // carriage return
		{"\x1b[2J", false, false, true},                // what a terminal obeys
		{"\x7f", false, false, true},                   // delete
		{"\u0085", false, false, true},                 // a control character of two bytes
		{"\x00", false, false, false},                  // NUL
		{"a\x00b", false, false, false},                // NUL
		{"\xff", false, false, false},                  // no UTF-8
		{"\xed\xa0\x80", false, false, false},          // half of a surrogate pair
		{"\ufffd\ufffe", true, true, true},             // the replacement character itself
		{"\U0010ffff\ue000", true, true, true},         // private and no characters
		{strings.Repeat("é", 33), false, false, false}, // bytes are counted, not characters
	} {
		for _, kind := range []struct {
			name string
			kind text.Kind
			want bool
		}{{"line", text.Line, row.line}, {"prose", text.Prose, row.prose}, {"opaque", text.Opaque, row.opaque}} {
			if err := kind.kind.Check(row.in, 65); (err == nil) != kind.want {
				t.Errorf("%+q as %s: %v, want kept: %v", row.in, kind.name, err, kind.want)
			}
		}
	}
}

func TestARefusalSaysWhatAndWhere(t *testing.T) {
	for _, row := range []struct {
		in   string
		most int
		want string
	}{
		{"éa\u202eb", 10, "byte 3 is the character U+202E, which is not kept"},
		{"a\x00", 10, "byte 1 is the character U+0000, which is not kept"},
		{"ab\xff", 10, "byte 2 is not valid UTF-8"},
		{"abc", 2, "3 bytes, at most 2 are kept"},
	} {
		if err := text.Line.Check(row.in, row.most); err == nil || err.Error() != row.want {
			t.Errorf("%+q: got %v, want %s", row.in, err, row.want)
		}
	}
}

func TestEscape(t *testing.T) {
	for _, row := range []struct {
		in   string
		most int
		want string
	}{
		{"as it is: é", 50, "as it is: é"},
		{"a\x00b\n\u202e\U000e0001\xff", 50, `a\x00b\x0a\u202e\U000e0001\xff`},
		{"abcdefgh", 8, "abcdefgh"},
		{"abcdefghi", 8, "abcde…"},
		{"ééééé", 8, "éé…"},
		{"\x00\x00\x00\x00", 8, `\x00…`},
	} {
		if got := text.Escape(row.in, row.most); got != row.want {
			t.Errorf("%+q in %d bytes: got %q, want %q", row.in, row.most, got, row.want)
		}
	}
}

// TestAnyTextCanBeEscapedAndCleaned: whatever comes in, what comes out is kept.
func TestAnyTextCanBeEscapedAndCleaned(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 20_000 {
		in := texttest.Text(r)
		if r.IntN(3) == 0 {
			in = string(texttest.Bytes(r, []byte(in)))
		}
		most := 3 + r.IntN(100)
		escaped := text.Escape(in, most)
		if err := text.Line.Check(escaped, most); err != nil {
			t.Fatalf("%+q in %d bytes is escaped as %+q: %v", in, most, escaped, err)
		}
		if again := text.Escape(escaped, most); again != escaped {
			t.Fatalf("%+q is escaped as %+q and then as %+q, want the same", in, escaped, again)
		}
		clean := text.Clean(in)
		if err := text.Opaque.Check(clean, len(in)); err != nil {
			t.Fatalf("%+q is cleaned to %+q: %v", in, clean, err)
		}
		if utf8.ValidString(in) && strings.Count(in, "\x00") == 0 && clean != in {
			t.Fatalf("%+q needs no cleaning, got %+q", in, clean)
		}
	}
}
