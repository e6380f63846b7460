package queue

import (
	"fmt"
	"testing"

	"golang.org/x/time/rate"

	"github.com/molerun/molerun/internal/must"
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
		must.Same(t, fmt.Sprintf("look %d: jobs taken", i), x.take(row.free, waiting)[tournament.SourceTournament], row.want)
	}
}

func TestALateWorkerTakesNoMoreThanItPlaysAndRisesSlowly(t *testing.T) {
	for _, row := range []struct {
		name                 string
		slots, playing, most int
		late                 bool
		want                 int
	}{
		{"well", 16, 3, 16, false, 16},
		{"late with none", 16, 0, 16, true, 1},
		{"late", 16, 9, 16, true, 9},
		{"late again, with fewer", 16, 4, 9, true, 4},
		{"late with more than it might play now", 16, 12, 9, true, 9},
		{"well again", 16, 4, 4, false, 6},
		{"well again, a small one", 2, 1, 1, false, 2},
	} {
		must.Same(t, row.name, admit(row.slots, row.playing, row.most, row.late), row.want)
	}
}
