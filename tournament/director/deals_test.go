package director_test

import (
	"testing"

	"github.com/molerun/molerun/internal/must"
	"github.com/molerun/molerun/internal/storetest"
	"github.com/molerun/molerun/tournament"
)

func TestTheMatchesOfABlockShareADealOnlyWhereItIsAllTheLuck(t *testing.T) {
	on(t, storetest.One, func(t *testing.T, w *world) {
		for id, shared := range map[string]bool{storetest.Toy: true, storetest.ToyTeams: false} {
			_, list := w.Running(2, func(x *tournament.Tournament) { x.Game, x.LadderID, x.Duplicate, x.Rated = id, "", true, false })
			a, b := list[0], list[1]
			must.Same(t, id+": one seed for both", a.Seed == b.Seed, shared)
			must.Same(t, id+": one block for both", a.Block == b.Block, shared)
			if a.Nonce == b.Nonce || a.Commitment() == b.Commitment() {
				t.Errorf("%s: the commitments of two matches are equal, and show whether their seeds are", id)
			}
		}
	})
}
