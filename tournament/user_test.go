package tournament_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/molerun/molerun/tournament"
)

func TestNamesAreShortAndPlain(t *testing.T) {
	for name, ok := range map[string]bool{
		"ab": true, "Ada_Lovelace-1": true, "0x": true, strings.Repeat("a", 32): true,
		"": false, "a": false, "-a": false, "_a": false, strings.Repeat("a", 33): false, "a b": false, "é2": false, "ab\n": false, "a/b": false,
	} {
		err := tournament.CheckName("/name", name)
		if (err == nil) != ok {
			t.Errorf("%q: got %v, want accepted %v", name, err, ok)
		}
		if err != nil && !errors.Is(err, tournament.ErrInvalid) {
			t.Errorf("%q: got %v, want %v", name, err, tournament.ErrInvalid)
		}
	}
}

func TestCheckText(t *testing.T) {
	for said, want := range map[string]string{
		"Friday Cup": "", "Größe 日本 😀": "", "": "wants 1 to 20 characters", strings.Repeat("é", 20): "", strings.Repeat("é", 21): "wants 1 to 20 characters", " x": "begins or ends with a space",
		"a\nb": "U+000A", "a\x00": "U+0000", "cup\u202egnp.exe": "U+202E", "a\u2066b": "U+2066", "a\u200bb": "U+200B", "\ufeffcup": "U+FEFF", "a\xffb": "UTF-8",
	} {
		err := tournament.CheckText("/name", said, 20)
		if want == "" && err != nil || want != "" && (!errors.Is(err, tournament.ErrInvalid) || !strings.Contains(err.Error(), want)) {
			t.Errorf("%+q: %v, want %q", said, err, want)
		}
	}
}
