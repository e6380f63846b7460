package live

import "github.com/molerun/molerun/engines/game"

// Engines are the games that are played here, in the order they are listed.
type Engines []game.Engine

// Find is the engine of a game.
func (e Engines) Find(id string) (game.Engine, bool) {
	for _, engine := range e {
		if engine.Info().ID == id {
			return engine, true
		}
	}
	return nil, false
}

// HiddenTeams reports whether a game has teams to guess; of a game that is not played here any more nothing is told.
func (e Engines) HiddenTeams(id string) bool {
	engine, ok := e.Find(id)
	return !ok || engine.Info().Teams
}
