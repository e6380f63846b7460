package pairing

import (
	"fmt"
	"slices"

	"github.com/molerun/molerun/engines/game"
)

// mostDeals bounds the search for a deal with given teams: the rarest pattern, of ten seats, comes once in 210 deals.
const mostDeals = 20_000

// Deals is the seed of each game of a block: one for all, but where teams tells the hidden teams of a deal by seat each its
// own, such that over the block everybody is on each team as often as the deal has it. draw gives fresh seeds, luck plans
// the teams.
func Deals(b Block, teams func(game.Seed) ([]string, error), draw func() game.Seed, luck *game.Rand) ([]game.Seed, error) {
	first := draw()
	out := slices.Repeat([]game.Seed{first}, len(b.Games))
	if len(b.Games) == 1 {
		return out, nil
	}
	dealt, err := teams(first)
	if err != nil || dealt == nil {
		return out, err
	}
	for i, want := range Teams(b, dealt, luck) {
		if out[i], err = Deal(func(got []string) bool { return slices.Equal(got, want) }, teams, draw); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// Deal draws seeds until the teams of one please. It stays uniform among those that do.
func Deal(please func([]string) bool, teams func(game.Seed) ([]string, error), draw func() game.Seed) (game.Seed, error) {
	for range mostDeals {
		seed := draw()
		if got, err := teams(seed); err != nil || please(got) {
			return seed, err
		}
	}
	return game.Seed{}, fmt.Errorf("no deal with the teams wanted was found in %d", mostDeals)
}
