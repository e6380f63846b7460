package command_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"
	"unicode"

	"github.com/molerun/molerun/cli/command"
)

// steers reports whether a text could steer a terminal or turn its direction.
func steers(text string) bool {
	return strings.ContainsFunc(text, func(r rune) bool {
		return unicode.IsControl(r) && r != '\n' && r != '\t' || r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069
	}) || strings.ToValidUTF8(text, "?") != text
}

func TestNothingThatSteersATerminalPassesTheDoor(t *testing.T) {
	var all []byte
	for b := range 256 {
		all = append(all, byte(b), ' ')
	}
	var odd strings.Builder
	for r := range rune(0x3000) {
		odd.WriteRune(r)
	}
	for name, text := range map[string]string{
		"bytes":  string(all),
		"runes":  odd.String(),
		"title":  "\x1b]0;owned\x07",
		"c1":     "\u009b2J\u009d0;x\u009c",
		"return": "ok\rFAIL",
		"bidi":   "\u202eabc\u2066",
		"raw c1": "\x9b2J",
	} {
		for size := 1; size < 5; size++ { // pieces, as a program copies
			var out bytes.Buffer
			d := command.NewDoor(&out)
			for rest := []byte(text); len(rest) > 0; rest = rest[min(size, len(rest)):] {
				if n, err := d.Write(rest[:min(size, len(rest))]); err != nil || n != min(size, len(rest)) {
					t.Fatalf("%s: wrote %d, %v", name, n, err)
				}
			}
			if steers(out.String()) || out.Len() == 0 {
				t.Errorf("%s in pieces of %d: %q passes", name, size, out.String())
			}
		}
	}
	plain := "Ünïcödé 漢字 👩‍🚀\n\tend"
	if got := command.Shown(plain); got != plain {
		t.Errorf("got %q, want it as it was", got)
	}
}

func TestJSONIsTheSameBehindTheDoor(t *testing.T) {
	said := "\x1b[31m\u009b\u202e\x7f\u2066 quote\" back\\ tab\t"
	var out bytes.Buffer
	if err := json.NewEncoder(command.NewDoor(&out)).Encode(map[string]string{said: said}); err != nil {
		t.Fatal(err)
	}
	var got map[string]string
	if err := json.Unmarshal(out.Bytes(), &got); err != nil || got[said] != said || steers(out.String()) {
		t.Errorf("got %q (%v), want the same text", out.String(), err)
	}
}

func TestOnlyStylesAreDrawn(t *testing.T) {
	const evil = "\x1b[2J"
	for name, door := range map[string]func(*bytes.Buffer) io.Writer{
		"behind a door": func(b *bytes.Buffer) io.Writer { return command.NewDoor(b) },
		"without one":   func(b *bytes.Buffer) io.Writer { return b },
	} {
		var out bytes.Buffer
		command.Draw(door(&out), command.ClearLine, evil, command.Red, 7, command.Plain)
		if want := "\r\x1b[K\\u001b[2J\x1b[31m7\x1b[0m"; out.String() != want {
			t.Errorf("%s: got %q, want %q", name, out.String(), want)
		}
	}
}

func TestADeviceThatNobodyReadsIsNoTerminal(t *testing.T) {
	for _, name := range []string{os.DevNull, "/dev/zero", "/dev/full"} {
		f, err := os.OpenFile(name, os.O_RDWR, 0)
		if err != nil {
			continue // another system has other devices
		}
		if command.Terminal(f) || command.Terminal(command.NewDoor(f)) {
			t.Errorf("%s is taken for a terminal", name)
		}
		_ = f.Close()
	}
}

// brokenOnce fails at its first write alone.
type brokenOnce struct{ writes int }

func (b *brokenOnce) Write(p []byte) (int, error) {
	if b.writes++; b.writes == 1 {
		return 0, io.ErrShortWrite
	}
	return len(p), nil
}

func TestADoorKnowsWhatWasLost(t *testing.T) {
	for way, write := range map[string]func(d *command.Door){
		"text":   func(d *command.Door) { fmt.Fprint(d, "text") },
		"drawn":  func(d *command.Door) { command.Draw(d, command.Red, "text") },
		"styled": func(d *command.Door) { fmt.Fprint(command.Styled(d), "text") },
	} {
		d := command.NewDoor(&brokenOnce{}, "whsec_AAAA")
		if d.Lost() != nil {
			t.Errorf("%s: something is lost before anything is written", way)
		}
		for range 2 {
			write(d)
		}
		if !errors.Is(d.Lost(), io.ErrShortWrite) {
			t.Errorf("%s: lost %v, want the first error", way, d.Lost())
		}
	}
}
