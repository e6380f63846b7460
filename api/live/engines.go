package live

import (
	"strings"

	"github.com/molerun/molerun/engines/game"
)

// Engines are the games of this platform, in the order in which they are listed.
type Engines []game.Engine

// Find returns the engine of a game.
func (e Engines) Find(id string) (game.Engine, bool) {
	for _, engine := range e {
		if engine.Info().ID == id {
			return engine, true
		}
	}
	return nil, false
}

// NoGame says of a word that it names none of the games, and which there are.
func (e Engines) NoGame() string {
	var ids []string
	for _, engine := range e {
		ids = append(ids, engine.Info().ID)
	}
	return "names no game; there are " + strings.Join(ids, ", ")
}

// HiddenTeams reports whether a game has teams to guess; for a game that is no longer played here it is careful and says yes.
func (e Engines) HiddenTeams(id string) bool {
	engine, ok := e.Find(id)
	return !ok || engine.Info().Teams
}

// Named returns the ids of the games without teams to guess: who plays is known from the start.
func (e Engines) Named() []string {
	var out []string
	for _, engine := range e {
		if !engine.Info().Teams {
			out = append(out, engine.Info().ID)
		}
	}
	return out
}

// NameOf returns the name of a game for people; its id where it is not played here.
func (e Engines) NameOf(id string) string {
	if engine, ok := e.Find(id); ok {
		return engine.Info().Name
	}
	return id
}
