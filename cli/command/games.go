package command

import (
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

// Games returns the games of these ids. An id that no game has is an [ErrUsage].
func Games(ids []string) ([]game.Engine, error) {
	var list []game.Engine
	for _, id := range ids {
		e, ok := catalog.Find(id)
		if !ok {
			return nil, fmt.Errorf("%w: there is no game %q; there are %s", ErrUsage, id, strings.Join(GameIDs(), ", "))
		}
		list = append(list, e)
	}
	return list, nil
}
