package pages

import (
	"time"

	"github.com/molerun/molerun/tournament/broadcast"
)

// Broadcast is the page on which people watch a tournament together.
type Broadcast struct {
	Page
	Path, Name, Game string   // of the tournament
	Over             bool     // it is: after the showings there is nothing to wait for
	Showing          *Showing // nil while nothing is shown
	Left             int      // showings after it that are known
	Empty            bool     // no match is ready to be shown, or was
}

// Showing is a match at the step that is shown.
type Showing struct {
	broadcast.Showing
	Name    string // what its tournament calls this part of it
	Step    int
	Now     time.Time
	Players []MatchPlayer
	Stage   Stage
}

// Millis returns a time as scripts count it.
func (s Showing) Millis(t time.Time) int64 { return t.UnixMilli() }
