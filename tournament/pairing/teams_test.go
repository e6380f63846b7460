package pairing_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/tournament/pairing"
)

func TestOverABlockEverybodyIsOnEachTeamAsOftenAsTheDealHasIt(t *testing.T) {
	for n, moles := range map[int]int{5: 2, 6: 2, 7: 3, 8: 3, 9: 3, 10: 4} {
		teams := make([]string, n)
		for i := range teams {
			teams[i] = "agent"
			if i < moles {
				teams[i] = "mole"
			}
		}
		s := schedule(t, n, pairing.Options{SeatsPerTable: n, Cycles: 1, Duplicate: true}, stream(1))
		patterns := map[string]bool{}
		for draw := range 20 {
			for _, b := range s.Rounds[0].Blocks {
				count := map[int]int{}
				for k, seats := range pairing.Teams(b, teams, game.Stream(game.Seed{byte(draw)}, 0, "teams")) {
					if got := slices.Sorted(slices.Values(seats)); !slices.Equal(got, slices.Sorted(slices.Values(teams))) {
						t.Fatalf("%d seats, game %d: got the teams %v, want a deal's %v", n, k, seats, teams)
					}
					patterns[fmt.Sprint(seats)] = true
					for seat, team := range seats {
						if team == "mole" {
							count[b.Games[k].Seats[seat]]++
						}
					}
				}
				for entry := range n {
					if count[entry] != moles {
						t.Errorf("%d seats: bot %d is a mole in %d of %d games, want %d", n, entry, count[entry], n, moles)
					}
				}
			}
		}
		if len(patterns) < n {
			t.Errorf("%d seats: only %d different patterns of seats in 20 blocks: one game tells the next", n, len(patterns))
		}
	}
}
