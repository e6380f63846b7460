package broadcast_test

import (
	"math/rand/v2"
	"testing"
	"time"

	"github.com/molerun/molerun/tournament/broadcast"
)

// matches returns the matches of some rounds, each over a while after the one before.
func matches(r *rand.Rand) (list []broadcast.Match) {
	over := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	for round := range 1 + r.IntN(5) {
		over = over.Add(time.Duration(r.Int64N(int64(10 * time.Minute))))
		for range r.IntN(broadcast.MatchesPerRound + 1) {
			list = append(list, broadcast.Match{Round: round + 1, Steps: r.IntN(2000), Over: over})
		}
	}
	return list
}

// Nothing is shown before its round is over or beside another match; steps come one after another, the first and the last of each match
// stand a while; and what has begun stays where it is when later rounds are over.
func TestEverybodySeesTheSameStepAtTheSameTime(t *testing.T) {
	for seed := range uint64(500) {
		list := matches(rand.New(rand.NewPCG(seed, 1)))
		plan := broadcast.Plan(list)
		for i, s := range plan {
			if s.StartsAt.Before(s.Over) || i > 0 && s.StartsAt.Before(plan[i-1].Ends()) {
				t.Fatalf("seed %d: showing %d starts at %v; its round is over at %v, the one before ends at %v", seed, i, s.StartsAt, s.Over, plan[max(i-1, 0)].Ends())
			}
			if lasts := s.Ends().Sub(s.StartsAt); lasts < 30*time.Second || lasts > 2*time.Minute {
				t.Fatalf("seed %d: showing %d lasts %v", seed, i, lasts)
			}
			last := 0
			for at := s.StartsAt.Add(-time.Second); at.Before(s.Ends()); at = at.Add(100 * time.Millisecond) {
				step := s.StepAt(at)
				if step < last || at.Before(s.StartsAt.Add(3*time.Second)) && step != 0 {
					t.Fatalf("seed %d: showing %d is at step %d after %d, %v after its start", seed, i, step, last, at.Sub(s.StartsAt))
				}
				last = step
			}
			if got := s.StepAt(s.Ends().Add(-5 * time.Second)); got != s.Steps {
				t.Fatalf("seed %d: showing %d ends at step %d of %d", seed, i, got, s.Steps)
			}
			if got := s.StepAt(s.Ends().AddDate(200, 0, 0)); got != s.Steps {
				t.Fatalf("seed %d: showing %d is at step %d of %d long after its end", seed, i, got, s.Steps)
			}
			if begun := broadcast.Plan(list[:i+1])[i]; begun != s {
				t.Fatalf("seed %d: showing %d moves from %v to %v when a later round is over", seed, i, begun, s)
			}
			if on := broadcast.At(plan, s.StartsAt); on != i {
				t.Fatalf("seed %d: at the start of showing %d number %d is on", seed, i, on)
			}
		}
	}
	if on := broadcast.At(nil, time.Time{}); on != -1 {
		t.Errorf("showing %d of none is on", on)
	}
}
