package simulate_test

import (
	"context"
	"reflect"
	"testing"

	"github.com/molerun/molerun/tournament/simulate"
)

// Small fields: most intervals and ranks hold, hardly a pair is told apart wrongly, and where there are camps the fit that knows
// of them is nearer than the one that does not.
func TestFieldsOfCamps(t *testing.T) {
	rows, err := simulate.Fields(context.Background(), 4, 3)
	if err != nil || len(rows) != 24 {
		t.Fatalf("got %d rows (%v), want four sizes, three spreads, two fits", len(rows), err)
	}
	for i, r := range rows {
		if r.Intervals.Of != 4*r.Bots || r.Told.Of != 4*r.Bots*(r.Bots-1)/2 {
			t.Errorf("%d bots, %s, %s: %d intervals and %d pairs of four fields", r.Bots, r.Spread, r.Fit, r.Intervals.Of, r.Told.Of)
		}
		if r.Ranks.Part() < .9 {
			t.Errorf("%d bots, %s, %s: %v ranks hold, want nearly all", r.Bots, r.Spread, r.Fit, r.Ranks)
		}
		if r.Fit == "camps" && r.Spread == "camps" && r.Bots == 20 && !(r.ErrorElo < rows[i-1].ErrorElo) {
			t.Errorf("20 bots in camps: off by %.0f Elo, by %.0f as one field", r.ErrorElo, rows[i-1].ErrorElo)
		}
	}
	again, err := simulate.Fields(context.Background(), 4, 3)
	if err != nil || !reflect.DeepEqual(rows, again) {
		t.Errorf("one seed, two answers (%v)", err)
	}
}
