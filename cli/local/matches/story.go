package matches

import (
	"time"

	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/engines/game/replay"
	"github.com/molerun/molerun/tournament"
)

func us(n int64) time.Duration { return time.Duration(n) * time.Microsecond }

// asked reports whether a bot was asked for this turn.
func asked(t replay.Turn) bool {
	return t.Why != tournament.WhyThen && t.Why != tournament.WhyRetired
}

// ahead returns the actions that a seat had sent ahead with its turn of a step, as far as they were used up to the step last.
func ahead(rec *replay.Record, seat game.Seat, step, last int) []string {
	var list []string
	for i := step + 1; i <= last; i++ {
		t, ok := turnOf(rec.Steps[i], seat)
		if !ok || t.Why != tournament.WhyThen {
			break
		}
		list = append(list, string(t.Action))
	}
	return list
}

// turnOf returns what a seat did in a step.
func turnOf(s replay.Step, seat game.Seat) (replay.Turn, bool) {
	for _, t := range s.Turns {
		if t.Seat == seat {
			return t, true
		}
	}
	return replay.Turn{}, false
}
