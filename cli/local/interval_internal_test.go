package local

import (
	"strings"
	"testing"

	"github.com/molerun/molerun/internal/must"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/rating/sprt"
)

// An interval in Elo is longer on the side of the favourite: half its width says where neither bound is.
func TestLopsidedIntervalsShowBothBounds(t *testing.T) {
	x, err := sprt.Measure(sprt.Tally{6, 1, 2, 0, 1})
	must.OK(t, err)
	want := tournament.Interval("%+.0f", x.Elo.Value, x.Elo.Low, x.Elo.High)
	if strings.Contains(want, "±") || !strings.HasSuffix(want, "]") {
		t.Fatalf("an interval is written %q", want)
	}
	if got := strength(x); !strings.HasPrefix(got, "Elo "+want+",") {
		t.Errorf("play says %q, want the interval %s", got, want)
	}
	if below, above := x.Elo.Value-x.Elo.Low, x.Elo.High-x.Elo.Value; below < above+1 {
		t.Errorf("the bounds lie %.1f below and %.1f above: this tally shows nothing", below, above)
	}
}
