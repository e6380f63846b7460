package main

import (
	"context"
	"testing"

	"github.com/molerun/molerun/internal/must"
)

// Few events: intervals mostly hold, those without luck are narrower, and the lead of the better bot scatters less.
func TestPointsWithoutLuckScatterLess(t *testing.T) {
	rows, err := playDeals(context.Background(), []int{25}, 8, 3)
	must.OK(t, err)
	if len(rows) != 1 {
		t.Fatalf("%d rows, want one length", len(rows))
	}
	for _, r := range rows {
		if r.Record.Intervals.Of != 8*12 {
			t.Errorf("%d matches: %d intervals, want twelve of eight events", r.Matches, r.Record.Intervals.Of)
		}
		if r.Record.Intervals.Part() < .9 {
			t.Errorf("%d matches: %v intervals of the record hold, want nearly all", r.Matches, r.Record.Intervals)
		}
		if r.Adjusted.Intervals.Part() < .87 {
			t.Errorf("%d matches: %v adjusted intervals hold, want most", r.Matches, r.Adjusted.Intervals)
		}
		if r.Adjusted.Half >= r.Record.Half {
			t.Errorf("%d matches: adjusted intervals reach %.2f points, those of the record %.2f; want less", r.Matches, r.Adjusted.Half, r.Record.Half)
		}
	}
}
