package house

import (
	"github.com/molerun/molerun/bots/house/cia"
	"github.com/molerun/molerun/bots/house/demol"
	"github.com/molerun/molerun/bots/house/mole"
	"github.com/molerun/molerun/bots/house/molehill"
	"github.com/molerun/molerun/bots/house/molemajority"
	"github.com/molerun/molerun/bots/house/search"
)

// Valuer returns a new valuer of a game by its id; false if there is none.
func Valuer(id string) (search.Valuer, bool) {
	valuer, ok := map[string]func() search.Valuer{
		"cia": cia.Valuer, "demol": demol.Valuer, "mole": mole.Valuer, "molehill": molehill.Valuer, "molemajority": molemajority.Valuer,
	}[id]
	if !ok {
		return search.Valuer{}, false
	}
	return valuer(), true
}
