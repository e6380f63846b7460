package catalog

import (
	"github.com/molerun/molerun/engines/cia"
	"github.com/molerun/molerun/engines/demol"
	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/engines/mole"
	"github.com/molerun/molerun/engines/molehill"
	"github.com/molerun/molerun/engines/molemajority"
)

// All lists every game, by id. The list is fresh: the caller may change it.
func All() []game.Engine {
	return []game.Engine{
		game.Wrap(cia.Rules{}),
		game.Wrap(demol.Rules{}),
		game.Wrap(mole.Rules{}),
		game.Wrap(molehill.Rules{}),
		game.Wrap(molemajority.Rules{}),
	}
}

// Find returns the game with this id; false if there is none.
func Find(id string) (game.Engine, bool) {
	for _, e := range All() {
		if e.Info().ID == id {
			return e, true
		}
	}
	return nil, false
}
