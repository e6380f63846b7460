package directortest

import (
	"crypto/rand"

	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/internal/storetest"
	"github.com/molerun/molerun/tournament/director"
	"github.com/molerun/molerun/tournament/store"
)

// New returns a director over a store, with the toy games and real randomness.
func New(s *store.Store) *director.Director { return Of(s, storetest.Engines) }

// Of returns New with other games.
func Of(s *store.Store, engines func(id string) (game.Engine, bool)) *director.Director {
	return director.New(s, director.Options{Engines: engines, Rand: rand.Reader})
}
