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
