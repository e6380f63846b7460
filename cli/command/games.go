package command

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/molerun/molerun/engines/catalog"
	"github.com/molerun/molerun/engines/game"
)

// GameIDs returns the ids of all games, in order.
func GameIDs() []string {
	var ids []string
	for _, e := range catalog.All() {
		ids = append(ids, e.Info().ID)
	}
	return ids
}

// Game returns the game of an id. An id that no game has is an [ErrUsage].
func Game(id string) (game.Engine, error) {
	e, ok := catalog.Find(id)
	if !ok {
		return nil, fmt.Errorf("%w: there is no game %q; there are %s", ErrUsage, id, strings.Join(GameIDs(), ", "))
	}
	return e, nil
}

// Variant returns the configuration of the variant of that name. A name that no variant has is an [ErrUsage].
func Variant(g game.Info, name string) (json.RawMessage, error) {
	if v, ok := g.Variant(name); ok {
		return json.RawMessage(v.Config), nil
	}
	return nil, fmt.Errorf("%w: --variant: %s has no variant %q; there are %s", ErrUsage, g.ID, name, strings.Join(variantsOf(g), ", "))
}

func variantsOf(g game.Info) []string {
	var names []string
	for _, v := range g.Variants {
		names = append(names, v.Name)
	}
	return names
}
