package runner_test

import (
	"strconv"
	"strings"
	"testing"

	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/tournament/runner"
)

func TestDecisionIDsAreStableDistinctAndWithoutADot(t *testing.T) {
	seen := map[string]string{}
	for _, match := range []string{"m1", "m", "1", "m/1", ""} {
		for step := range 12 {
			for seat := range game.Seat(11) {
				id := runner.DecisionID(match, step, seat)
				if id != runner.DecisionID(match, step, seat) || len(id) != 36 || !strings.HasPrefix(id, "dec_") || strings.Contains(id, ".") {
					t.Fatalf("got %q, want dec_ and 32 more, without a dot, each time", id)
				}
				key := match + "|" + strconv.Itoa(step) + "|" + strconv.Itoa(int(seat))
				if other, ok := seen[id]; ok {
					t.Fatalf("%s and %s share %s", key, other, id)
				}
				seen[id] = key
			}
		}
	}
	// sha256sum of "m1/7/2", by hand.
	if got, want := runner.DecisionID("m1", 7, 2), "dec_e10b910330c5436d01d1b6442362fa73"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}
