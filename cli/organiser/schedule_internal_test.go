package organiser

import (
	"strings"
	"testing"

	"github.com/molerun/molerun/api/wire"
	"github.com/molerun/molerun/tournament"
)

// An arena has no number of matches, which the API tells as 0.
func TestTheMatchesOfASchedule(t *testing.T) {
	for expected, want := range map[int]string{
		0:  "at most 8 entries, as many matches as 90 min allow\n",
		28: "at most 8 entries, at most 28 matches\n",
	} {
		x := wire.Schedule{Expected: expected}
		x.Capacity, x.Options = 8, &tournament.FormatOptions{LastsMS: 90 * 60_000}
		var b strings.Builder
		tellSchedule(&b, x)
		if !strings.Contains(b.String(), want) {
			t.Errorf("%d: got %q, want %q", expected, b.String(), want)
		}
	}
}
