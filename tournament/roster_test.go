package tournament_test

import (
	"fmt"
	"testing"

	"github.com/molerun/molerun/internal/must"
	"github.com/molerun/molerun/tournament"
)

// Of a place that three had one after another each is named where it played.
func TestAPlaceIsOfWhoeverHadItThen(t *testing.T) {
	r := tournament.Roster{
		Entries: []tournament.Entry{{BotID: "other"}, {BotID: "third", Replaces: "second", SinceRound: 4}},
		Out:     map[string]tournament.Entry{"second": {BotID: "second", Replaces: "first", SinceRound: 2}, "first": {BotID: "first"}},
		Sat:     map[string][]string{"m1": {"first"}, "m2": {"second"}},
	}
	for round, want := range map[int]string{1: "first", 2: "second", 3: "second", 4: "third", 9: "third"} {
		must.Same(t, fmt.Sprintf("round %d", round), r.In(1, round).BotID, want)
	}
	for match, want := range map[string]string{"m1": "first", "m2": "second", "m3": "third"} {
		must.Same(t, fmt.Sprintf("match %s", match), r.At(1, match).BotID, want)
	}
	if r.In(0, 1).BotID != "other" || r.At(0, "m1").BotID != "other" {
		t.Error("a place that nobody took over has another's name")
	}
}
