package organiser

import (
	"testing"
	"time"

	"github.com/molerun/molerun/api/wire"
)

// The announced times say nothing once a tournament has started, early or late, or was cancelled.
func TestATournamentIsShownWithTheTimesThatHold(t *testing.T) {
	at := time.Date(2026, 11, 27, 20, 0, 0, 0, time.Local)
	later := at.Add(90 * time.Minute)
	for want, x := range map[string]wire.Tournament{
		"registration 2026-11-27 20:00 to 2026-11-27 21:30, starts 2026-11-27 21:30": {},
		"started 2026-11-27 20:00":                         {StartedAt: &at},
		"started 2026-11-27 20:00, ended 2026-11-27 21:30": {StartedAt: &at, EndedAt: &later},
		"ended 2026-11-27 20:00 before it started":         {EndedAt: &at},
	} {
		x.OpensAt, x.ClosesAt, x.StartsAt = at, later, later
		if got := whenOf(x); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}
