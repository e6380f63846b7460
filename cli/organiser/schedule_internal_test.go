package organiser

import (
	"strings"
	"testing"

	"github.com/molerun/molerun/api/wire"
)

// An arena has no number of matches, which the API tells as 0.
func TestTheMatchesOfASchedule(t *testing.T) {
	for expected, want := range map[int]string{
		0:  "at most 8 entries, as many matches as its time allows\n",
		28: "at most 8 entries, at most 28 matches\n",
	} {
		x := wire.Schedule{Expected: expected}
		x.Capacity = 8
		var b strings.Builder
		tellSchedule(&b, x)
		if !strings.Contains(b.String(), want) {
			t.Errorf("%d: got %q, want %q", expected, b.String(), want)
		}
	}
}
