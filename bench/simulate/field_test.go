package main

import (
	"context"
	"testing"
)

// Small fields: most intervals and ranks hold, hardly a pair is distinguished wrongly, and where there are camps the fit that knows
// of them is nearer than the one that does not.
func TestFieldsOfCamps(t *testing.T) {
	rows, err := playFields(context.Background(), 4, 3)
	if err != nil || len(rows) != 48 {
		t.Fatalf("got %d rows (%v), want four sizes, six spreads, two fits", len(rows), err)
	}
	for i, r := range rows {
		if r.Intervals.Of != 4*r.Bots || r.Distinct.Of != 4*r.Bots*(r.Bots-1)/2 {
			t.Errorf("%d bots, %s, %s: %d intervals and %d pairs of four fields", r.Bots, r.Spread, r.Fit, r.Intervals.Of, r.Distinct.Of)
		}
		if r.Ranks.Part() < .9 {
			t.Errorf("%d bots, %s, %s: %v ranks hold, want nearly all", r.Bots, r.Spread, r.Fit, r.Ranks)
		}
		if r.Fit != "camps" || r.Spread != "camps" || r.Bots != 20 {
			continue
		}
		if oneField := rows[i-1].ErrorElo; r.ErrorElo >= oneField {
			t.Errorf("20 bots in camps: off by %.0f Elo, by %.0f as one field", r.ErrorElo, oneField)
		}
	}
}
