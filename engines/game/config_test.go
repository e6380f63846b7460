package game_test

import (
	"strings"
	"testing"

	"github.com/molerun/molerun/engines/game"
)

func TestTheFirstSeatIsASeatOrALot(t *testing.T) {
	for text, want := range map[string]game.First{`"lot"`: game.Lot, ` "lot" `: game.Lot, "0": 0, " 6 ": 6, "15": 15} {
		got := game.First(-9)
		if err := got.UnmarshalJSON([]byte(text)); err != nil || got != want {
			t.Errorf("%q: want %d, got %d, %v", text, want, got, err)
		}
		if again, err := got.MarshalJSON(); err != nil || string(again) != strings.TrimSpace(text) {
			t.Errorf("%q is written as %s, %v", text, again, err)
		}
	}
	for _, text := range []string{"", " ", `"`, `"x"`, "null", "-1", "16", "256", "1.5", "[]", "01"} {
		var f game.First
		if err := f.UnmarshalJSON([]byte(text)); err == nil || !strings.HasSuffix(err.Error(), `wants a seat or "lot"`) {
			t.Errorf("%q: want a refusal, got %d, %v", text, f, err)
		}
	}
	for first, want := range map[game.First]string{-2: `first: want a seat 0 to 1 or "lot", got -2`, -1: "", 0: "", 1: "", 2: `first: want a seat 0 to 1 or "lot", got 2`} {
		if err := first.Check("first", 2); (err == nil) != (want == "") || err != nil && err.Error() != want {
			t.Errorf("first %d of two: want %q, got %v", first, want, err)
		}
	}
}

func TestNumbersAndWordsOutsideTheirBoundsAreRefusedByKey(t *testing.T) {
	for _, x := range []struct {
		err  error
		want string
	}{
		{game.Within(game.Bound{Key: "a", Got: 1, Min: 1, Max: 2}, game.Bound{Key: "b", Got: 2, Min: 1, Max: 2}), ""},
		{game.Within(game.Bound{Key: "a", Got: 0, Min: 1, Max: 2}), "a: want 1 to 2, got 0"},
		{game.Within(game.Bound{Key: "a", Got: 1, Min: 1, Max: 2}, game.Bound{Key: "b", Got: 3, Min: 1, Max: 2}), "b: want 1 to 2, got 3"},
		{game.Within(game.Bound{Key: "seats", Got: 3, Min: 2, Max: 2}), "seats: want 2, got 3"},
		{game.OneOf("c", "y", "x", "y"), ""},
		{game.OneOf("c", "z", "x", "y"), `c: want "x" or "y", got "z"`},
		{game.OneOf("c", "", "x", "y", "w"), `c: want "x", "y" or "w", got ""`},
	} {
		if (x.err == nil) != (x.want == "") || x.err != nil && x.err.Error() != x.want {
			t.Errorf("want %q, got %v", x.want, x.err)
		}
	}
}
