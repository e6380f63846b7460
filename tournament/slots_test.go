package tournament_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/molerun/molerun/tournament"
)

func TestFreeSlotsAreShared(t *testing.T) {
	type by map[tournament.Source]int
	const tour, ladder, challenge = tournament.SourceTournament, tournament.SourceLadder, tournament.SourceChallenge
	for _, row := range []struct {
		name                string
		slots               int
		held, waiting, want by
	}{
		{"tournaments alone take all", 16, by{}, by{tour: 99}, by{tour: 16}},
		{"ladders alone take all", 16, by{}, by{ladder: 99}, by{ladder: 16}},
		{"challenges alone leave an eighth", 16, by{}, by{challenge: 99}, by{challenge: 14}},
		{"all wait: half, a quarter, a quarter", 16, by{}, by{tour: 99, ladder: 99, challenge: 99}, by{tour: 8, ladder: 4, challenge: 4}},
		{"what one leaves goes to tournaments first", 16, by{}, by{tour: 99, ladder: 1, challenge: 99}, by{tour: 11, ladder: 1, challenge: 4}},
		{"what is lent comes back as matches end", 16, by{challenge: 14}, by{ladder: 99, challenge: 99}, by{ladder: 2}},
		{"a slot that comes free is the ladder's", 16, by{tour: 15}, by{tour: 99, ladder: 1, challenge: 9}, by{ladder: 1}},
		{"a share once used up waits for a loan", 16, by{tour: 8, ladder: 4, challenge: 3}, by{ladder: 1, challenge: 1}, by{challenge: 1}},
		{"nothing free", 16, by{tour: 16}, by{ladder: 5}, by{}},
		{"more held than there are", 2, by{tour: 3}, by{ladder: 5}, by{}},
		{"one slot: in order", 1, by{}, by{ladder: 1, challenge: 1}, by{ladder: 1}},
		{"one slot: even a challenge", 1, by{}, by{challenge: 1}, by{challenge: 1}},
		{"two slots: one stays free of challenges", 2, by{}, by{challenge: 5}, by{challenge: 1}},
		{"two slots: a ladder beside a tournament", 2, by{}, by{tour: 5, ladder: 5}, by{tour: 1, ladder: 1}},
		{"four slots", 4, by{}, by{tour: 9, ladder: 9, challenge: 9}, by{tour: 2, ladder: 1, challenge: 1}},
	} {
		free := row.slots
		for _, n := range row.held {
			free -= n
		}
		got := tournament.GrantSlots(row.slots, free, row.held, row.waiting)
		for _, s := range tournament.Sources() {
			if got[s] != row.want[s] {
				t.Errorf("%s: %v begin, want %v", row.name, got, row.want)
				break
			}
		}
	}
}

// TestSharesHoldInEveryState plays random arrivals and ends: nobody gets more than waits or is free, no source that waits is
// kept below its share while slots are free, and challenges leave room for the others.
func TestSharesHoldInEveryState(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for round := range 20_000 {
		slots := 1 + rng.IntN(40)
		held, waiting := map[tournament.Source]int{}, map[tournament.Source]int{}
		free := slots
		for _, s := range tournament.Sources() {
			held[s], waiting[s] = rng.IntN(free+1), rng.IntN(50)
			free -= held[s]
		}
		got := tournament.GrantSlots(slots, free, held, waiting)
		state := fmt.Sprintf("round %d: %d slots, held %v, waiting %v, granted %v", round, slots, held, waiting, got)
		sum := 0
		for _, s := range tournament.Sources() {
			if got[s] < 0 || got[s] > waiting[s] {
				t.Fatalf("%s: %s has %d", state, s, got[s])
			}
			sum += got[s]
		}
		if sum > free {
			t.Fatalf("%s: only %d are free", state, free)
		}
		left := map[tournament.Source]int{}
		for _, s := range tournament.Sources() {
			left[s] = waiting[s] - got[s]
		}
		if sum < free && left[tournament.SourceTournament]+left[tournament.SourceLadder] > 0 {
			t.Fatalf("%s: slots are free, and a match of a tournament or ladder waits", state)
		}
		if slots >= 4 && left[tournament.SourceChallenge] > 0 && sum < free && held[tournament.SourceChallenge]+got[tournament.SourceChallenge] < slots/4 {
			t.Fatalf("%s: challenges are below their quarter", state)
		}
		if slots > 1 && got[tournament.SourceChallenge] > 0 && sum == free && held[tournament.SourceChallenge]+got[tournament.SourceChallenge] > max(slots/4, 1) {
			t.Fatalf("%s: challenges took the last slot beyond their share", state)
		}
	}
}
