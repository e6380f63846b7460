package web

import (
	"testing"
	"time"

	"github.com/molerun/molerun/api/web/pages"
	"github.com/molerun/molerun/tournament"
)

func TestThePageSaysWhenCheckInOpensAndThatItIsOpen(t *testing.T) {
	x := tournament.Tournament{Status: tournament.Scheduled, StartsAt: time.Date(2026, 6, 5, 20, 0, 0, 0, time.UTC), CheckIn: 30 * time.Minute}
	checkIn := func(now time.Time) string {
		for _, f := range facts(x, 2, now) {
			if f.Name == "Check-in" {
				return f.Value
			}
		}
		return ""
	}
	opens := x.StartsAt.Add(-30 * time.Minute)
	if got, want := checkIn(opens.Add(-time.Second)), pages.Day(opens)+" until the start"; got != want {
		t.Errorf("before it opens: %q, want %q", got, want)
	}
	if got := checkIn(opens); got != "open until the start" {
		t.Errorf("when it opens: %q, want that it is open", got)
	}
	x.CheckIn = 0
	if got := checkIn(opens); got != "" {
		t.Errorf("nobody is asked: %q, want nothing", got)
	}
}
