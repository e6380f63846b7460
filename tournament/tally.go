package tournament

import "time"

// Tally summarises the matches behind a ladder line's rating.
type Tally struct {
	Wins, Draws, Losses, Faults int
	Form                        string        // the latest matches, the newest first: W, D or L
	P95                         time.Duration // of the last match; 0 if not known
}

// formed is how many matches the form tells of.
const formed = 5

// Add counts one match in which the version held these seats: its best verdict, all its faults, its slowest seat.
func (t *Tally) Add(seats []MatchSeat) {
	best, slowest := Loss, time.Duration(0)
	for _, s := range seats {
		t.Faults += s.Faults
		slowest = max(slowest, s.P95)
		if s.Verdict == Win || s.Verdict == Draw && best == Loss {
			best = s.Verdict
		}
	}
	letter := "L"
	switch best {
	case Win:
		letter = "W"
		t.Wins++
	case Draw:
		letter = "D"
		t.Draws++
	default:
		t.Losses++
	}
	t.Form = (letter + t.Form)[:min(formed, 1+len(t.Form))]
	t.P95 = slowest.Truncate(time.Microsecond)
}
