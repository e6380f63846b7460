package broadcast

import (
	"slices"
	"time"
)

// MatchesPerRound is how many matches of a round are shown: those of its first tables, where the leaders play.
const MatchesPerRound = 8

// How long a match is shown.
const (
	shortest = 30 * time.Second
	longest  = 2 * time.Minute
	perStep  = 600 * time.Millisecond
	before   = 3 * time.Second // on the first step, and
	after    = 5 * time.Second // on the last
)

// Match is a match that is over.
type Match struct {
	ID    string
	Round int
	Steps int
	Over  time.Time // when the last match of its round ended
}

// Showing is a match with the time at which it is shown.
type Showing struct {
	Match
	StartsAt time.Time
}

// Ends returns when the next match may be shown.
func (s Showing) Ends() time.Time { return s.StartsAt.Add(s.lasts()) }

// lasts returns how long the match is shown: by its steps, within bounds.
func (s Showing) lasts() time.Duration {
	return min(max(before+after+time.Duration(s.Steps)*perStep, shortest), longest)
}

// StepAt returns the step that is shown at a time, 0 to Steps: the first before the showing begins, the last after it.
func (s Showing) StepAt(t time.Time) int {
	run := s.lasts() - before - after
	gone := min(max(t.Sub(s.StartsAt)-before, 0), run)
	return int(gone * time.Duration(s.Steps) / run)
}

// Plan returns when each of some matches is shown, given by round and in the order of their tables: when its round is over, and the
// matches before it have been shown.
func Plan(list []Match) []Showing {
	out := make([]Showing, len(list))
	var free time.Time
	for i, m := range list {
		out[i] = Showing{m, m.Over}
		if free.After(m.Over) {
			out[i].StartsAt = free
		}
		free = out[i].Ends()
	}
	return out
}

// At returns which showing is on at a time: the last that has begun, or the first if none has; −1 of none.
func At(list []Showing, t time.Time) int {
	next := slices.IndexFunc(list, func(s Showing) bool { return s.StartsAt.After(t) })
	if next < 0 {
		return len(list) - 1
	}
	return max(0, next-1)
}
