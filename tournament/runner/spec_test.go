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
				switch {
				case id != runner.DecisionID(match, step, seat):
					t.Fatalf("id is %v, want %v", id, runner.DecisionID(match, step, seat))
				case len(id) != 36:
					t.Fatalf("len(id) is %v, want 36", len(id))
				case !strings.HasPrefix(id, "dec_"):
					t.Fatalf("got %q, want it to begin with %q", id, "dec_")
				case strings.Contains(id, "."):
					t.Fatalf("got %q, want no %q in it", id, ".")
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
