package stats_test

import (
	"context"
	"strings"
	"testing"

	"github.com/molerun/molerun/cli/local/stats"
)

// A match of the short variant that ends by points has five rounds or more that the mole has won.
func TestEveryRoundOfMoleIsCountedOnce(t *testing.T) {
	o := options(t, "mole", 6, 2)
	o.Variants = []string{"short"}
	lines, _, err := stats.Run(context.Background(), o)
	if err != nil {
		t.Fatal(err)
	}
	for _, l := range lines {
		winners, whys := 0, 0
		for _, n := range l.Rounds.Winners {
			winners += n
		}
		for _, n := range l.Rounds.Whys {
			whys += n
		}
		switch {
		case winners != whys:
			t.Errorf("%s: winners is %v, want %v", l.Bot, winners, whys)
		case winners > 60*l.Matches:
			t.Errorf("%s: winners is %v, want at most %v", l.Bot, winners, 60*l.Matches)
		case l.Rounds.Winners["mole"] < 5*l.Whys["points"]:
			t.Errorf(`%s: l.Rounds.Winners["mole"] is %v, want at least %v`, l.Bot, l.Rounds.Winners["mole"], 5*l.Whys["points"])
		case l.Whys["max_rounds"] == 0 && l.Whys["points"] != l.Matches:
			t.Errorf("%s: no match ended after its last round, and not all by points: %v of %d", l.Bot, l.Whys, l.Matches)
		}
	}
	text := page(t, o)
	for _, want := range []string{"| bot | rounds | mole wins | ties | ends |", "| random | ", "| greedy | "} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is not on the page:\n%s", want, text)
		}
	}
	if cia := page(t, options(t, "cia", 1, 1)); strings.Contains(cia, "Rounds:") {
		t.Errorf("a game without rounds has a table of them:\n%s", cia)
	}
}

// In Mole Majority the first turn's event names the first mover, by lot of the deal; CIA has no such event.
func TestFirstMoversAreCountedWhereTheEventsNameThem(t *testing.T) {
	lines, _, err := stats.Run(context.Background(), options(t, "molemajority", 3, 2))
	if err != nil {
		t.Fatal(err)
	}
	wins := 0
	for _, l := range lines {
		if l.First != l.Matches {
			t.Errorf("%d seats, %s: %d first movers of %d matches", l.Seats, l.Bot, l.First, l.Matches)
		}
		if wins += l.FirstWins; l.FirstWins > l.First {
			t.Errorf("%d seats, %s: %d wins of %d first movers", l.Seats, l.Bot, l.FirstWins, l.First)
		}
	}
	if wins == 0 {
		t.Error("no first mover won")
	}
	if text := page(t, options(t, "molemajority", 3, 2)); !strings.Contains(text, "| first mover |") {
		t.Errorf("no column of first movers:\n%s", text)
	}
	if cia := page(t, options(t, "cia", 1, 1)); strings.Contains(cia, "| first mover |") {
		t.Errorf("CIA has a column of first movers:\n%s", cia)
	}
}
