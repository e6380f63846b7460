package molehill

import (
	"embed"

	"github.com/molerun/molerun/engines/game"
)

//go:embed schemas/*.json
var schemas embed.FS

// Schemas are the JSON Schemas (2020-12) of the game by name.
func (Rules) Schemas() map[string]string { return game.Schemas(schemas) }
