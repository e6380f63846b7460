package director_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/molerun/molerun/engines/demol"
	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/internal/storetest"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/director"
)

// From four games of a block, public when they are over, nobody can tell the moles of the fifth: those who were moles least
// often are guessed, and that is right about as often as any guess, in one block of ten.
func TestFourGamesOfABlockDoNotTellTheRolesOfTheFifth(t *testing.T) {
	const seats, cycles = 5, 60
	storetest.Each(t, func(t *testing.T, open storetest.Open) {
		engine := game.Wrap(demol.Rules{})
		w := newWorld(t, open)
		w.Director = director.New(w.Store, director.Options{
			Engines: func(string) (game.Engine, bool) { return engine, true },
			Rand:    rand.NewChaCha8([32]byte{1}),
		})
		x, list := w.Running(seats, func(x *tournament.Tournament) {
			config, err := engine.Configure(nil, seats)
			w.Must(err)
			x.Game, x.Config, x.Table, x.Cycles, x.Duplicate, x.Rated, x.LadderID = "demol", config, seats, cycles, true, false, ""
		})
		seeds, blocks, sat := map[game.Seed]bool{}, map[string]bool{}, map[string]int{}
		right := 0
		for games := range slices.Chunk(list, seats) {
			var moles [seats][]string
			for i, m := range games {
				seeds[m.Seed], blocks[fmt.Sprint(m.Round, "/", m.Block)] = true, true
				table, _, err := engine.New(x.Config, seats, m.Seed)
				w.Must(err)
				for seat, role := range table.Teams() {
					sat[fmt.Sprint(m.Seats[seat].BotName, " in ", seat)]++
					if role == "mole" {
						moles[i] = append(moles[i], m.Seats[seat].BotName)
					}
				}
				slices.Sort(moles[i])
			}
			if slices.Equal(leastOften(games[0].Seats, moles[:seats-1], len(moles[0])), moles[seats-1]) {
				right++
			}
		}
		if len(seeds) != len(list) || len(blocks) != len(list) || len(list) != seats*cycles {
			t.Errorf("%d seeds in %d blocks for %d matches; want one of each for each", len(seeds), len(blocks), len(list))
		}
		if right > cycles/3 {
			t.Errorf("both moles of the fifth game follow from the four before in %d of %d blocks; want about one in ten", right, cycles)
		}
		for who, n := range sat {
			if n != cycles {
				t.Errorf("%s %d times, want %d: seats stay balanced", who, n, cycles)
			}
		}
	})
}

// leastOften returns the n bots that were moles least often.
func leastOften(seats []tournament.MatchSeat, moles [][]string, n int) []string {
	count := map[string]int{}
	for _, bot := range slices.Concat(moles...) {
		count[bot]++
	}
	bots := make([]string, len(seats))
	for i, s := range seats {
		bots[i] = s.BotName
	}
	slices.SortStableFunc(bots, func(a, b string) int { return count[a] - count[b] })
	return slices.Sorted(slices.Values(bots[:n]))
}

func TestTheMatchesOfABlockShareADealOnlyWhereItIsAllTheLuck(t *testing.T) {
	on(t, storetest.Each, func(t *testing.T, w *world) {
		for id, shared := range map[string]bool{storetest.Toy: true, storetest.ToyTeams: false} {
			_, list := w.Running(2, func(x *tournament.Tournament) { x.Game, x.LadderID, x.Duplicate, x.Rated = id, "", true, false })
			a, b := list[0], list[1]
			if got := a.Seed == b.Seed; got != shared {
				t.Errorf("%s: one seed for both is %v, want %v", id, got, shared)
			}
			if got := a.Block == b.Block; got != shared {
				t.Errorf("%s: one block for both is %v, want %v", id, got, shared)
			}
			if a.Nonce == b.Nonce || a.Commitment() == b.Commitment() {
				t.Errorf("%s: the commitments of two matches are equal, and show whether their seeds are", id)
			}
		}
	})
}
