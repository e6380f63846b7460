package queue

import (
	"testing"

	"golang.org/x/time/rate"

	"github.com/molerun/molerun/tournament"
)

// A worker that gets to run too late leaves matches in the queue until enough of its own are over.
func TestALateWorkerLeavesMatchesInTheQueue(t *testing.T) {
	late := false
	x := &slots{total: 8, late: func() bool { return late }, again: rate.NewLimiter(rate.Inf, 1), most: 8, held: map[tournament.Source]int{}}
	waiting := map[tournament.Source]int{tournament.SourceTournament: 100}
	for i, row := range []struct {
		late       bool
		free, want int
	}{
		{false, 8, 8}, // all of them
		{true, 0, 0},  // late with eight
		{true, 3, 0},  // three are over
		{false, 4, 2}, // well with four, and may play six
		{false, 2, 1},
		{false, 1, 1},
		{true, 8, 1}, // late with none: one all the same
	} {
		late = row.late
		if got := x.take(row.free, waiting)[tournament.SourceTournament]; got != row.want {
			t.Errorf("look %d: %d were taken, want %d", i, got, row.want)
		}
	}
}
