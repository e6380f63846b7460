package text_test

import (
	"encoding/binary"
	"testing"
	"unicode/utf16"

	"github.com/molerun/molerun/engines/game/text"
)

// in16 returns a text as UTF-16.
func in16(s string, order binary.AppendByteOrder) string {
	var b []byte
	for _, u := range utf16.Encode([]rune(s)) {
		b = order.AppendUint16(b, u)
	}
	return string(b)
}

// spoilt returns a text as editors, shells and people hand it over.
func spoilt(s string) map[string]string {
	return map[string]string{
		"as it is":             s,
		"a line":               s + "\n",
		"Windows":              s + "\r\n",
		"old Mac":              s + "\r",
		"a mark":               "\ufeff" + s + "\r\n",
		"PowerShell":           in16("\ufeff"+s+"\r\n", binary.LittleEndian),
		"PowerShell, one line": in16("\ufeff"+s+"\r\n", binary.LittleEndian)[:2*len("x"+s+"\r\n")-1],
		"big end first":        in16("\ufeff"+s+"\n", binary.BigEndian),
		"UTF-16, no mark":      in16(s, binary.LittleEndian),
		"UTF-16 BE, no mark":   in16(s, binary.BigEndian),
		"spaces":               " \t" + s + "\u00a0 ",
		"quotes":               `"` + s + `"`,
		"quotes and a line":    "'" + s + "'\r\n",
		"a word processor":     "“" + s + "”",
		"zero width":           "\u200b" + s + "\u2060",
		"brackets":             "<" + s + ">",
	}
}

func TestAWordIsReadHoweverItWasKept(t *testing.T) {
	const word = "mr_0kJ3hT9dPq2LxYz"
	for name, s := range spoilt(word) {
		if got := text.Word(s); got != word {
			t.Errorf("%s: got %q, want %q", name, got, word)
		}
	}
	for in, want := range map[string]string{`"`: `"`, "": "", `"a`: `"a`, "a b": "a b", `""`: ""} {
		if got := text.Word(in); got != want {
			t.Errorf("%q: got %q, want %q", in, got, want)
		}
	}
}

func TestAFileIsReadHoweverItWasWritten(t *testing.T) {
	const file = "name = \"Füchse\"\ngame = \"molehill\"\n"
	for name, s := range map[string]string{
		"as it is": file, "a mark": "\ufeff" + file, "PowerShell": in16("\ufeff"+file, binary.LittleEndian), "big end first": in16("\ufeff"+file, binary.BigEndian),
		"Windows": "name = \"Füchse\"\r\ngame = \"molehill\"\r\n",
	} {
		if got := text.Typed([]byte(s)); got != file {
			t.Errorf("%s: got %q", name, got)
		}
	}
}
