package pairing_test

import (
	"fmt"
	"slices"
	"strings"
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
		turned := 0 // blocks in which everybody has the teams of the first, so many games later
		for draw := range 20 {
			for _, b := range s.Rounds[0].Blocks {
				count := map[int]int{}
				course := make([]string, n) // by entry: its teams, game by game
				for k, seats := range pairing.Teams(b, teams, game.Stream(game.Seed{byte(draw)}, 0, "teams")) {
					if got := slices.Sorted(slices.Values(seats)); !slices.Equal(got, slices.Sorted(slices.Values(teams))) {
						t.Fatalf("%d seats, game %d: got the teams %v, want a deal's %v", n, k, seats, teams)
					}
					patterns[fmt.Sprint(seats)] = true
					for seat, team := range seats {
						course[b.Games[k].Seats[seat]] += team[:1]
						if team == "mole" {
							count[b.Games[k].Seats[seat]]++
						}
					}
				}
				if !slices.ContainsFunc(course, func(c string) bool { return !strings.Contains(course[0]+course[0], c) }) {
					turned++
				}
				for entry := range n {
					if count[entry] != moles {
						t.Errorf("%d seats: bot %d is a mole in %d of %d games, want %d", n, entry, count[entry], n, moles)
					}
				}
			}
		}
		if turned > 15 {
			t.Errorf("%d seats: in %d of 20 blocks each bot has the teams of the first, some games later: who is a mole now tells who is next", n, turned)
		}
		if len(patterns) < n {
			t.Errorf("%d seats: only %d different patterns of seats in 20 blocks: one game tells the next", n, len(patterns))
		}
	}
}

func TestABlockHasOneDealOrWhereTeamsAreHiddenOneForEachGame(t *testing.T) {
	block := pairing.Block{Games: []pairing.Game{{Seats: []int{0, 1, 2}}, {Seats: []int{2, 0, 1}}, {Seats: []int{1, 2, 0}}}}
	luck := game.Stream(game.Seed{1}, 0, "test")
	draw := func() (s game.Seed) { s[0] = byte(luck.IntN(3)); s[1] = byte(luck.IntN(256)); return s }
	dealt := func(s game.Seed) ([]string, error) { // the mole sits where the seed says
		out := []string{"agent", "agent", "agent"}
		out[s[0]] = "mole"
		return out, nil
	}
	seeds, err := pairing.Deals(block, dealt, draw, game.Stream(game.Seed{2}, 0, "teams"))
	if err != nil {
		t.Fatal(err)
	}
	moles := map[int]int{}
	for i, s := range seeds {
		moles[block.Games[i].Seats[s[0]]]++
	}
	if len(seeds) != 3 || len(moles) != 3 {
		t.Errorf("%d seeds, moles %v; want everybody the mole once in three games", len(seeds), moles)
	}
	seeds, err = pairing.Deals(block, func(game.Seed) ([]string, error) { return nil, nil }, draw, luck)
	if err != nil || len(seeds) != 3 || seeds[0] != seeds[1] || seeds[0] != seeds[2] {
		t.Errorf("without teams: %v, %v; want one deal three times", seeds, err)
	}
	if _, err := pairing.Deal(func([]string) bool { return false }, dealt, draw); err == nil {
		t.Error("a deal that cannot be was found")
	}
}
