package review

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/molerun/molerun/bots/house"
	"github.com/molerun/molerun/bots/house/search"
	"github.com/molerun/molerun/engines/catalog"
	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/internal/must"
)

// Each of 50 actions gets a handful of the playouts, which win or lose. What the house would have played is
// better than all others by a quarter, and is found.
func TestTheHousesChoiceIsFoundAmongMany(t *testing.T) {
	e, _ := catalog.Find("molehill")
	table, _, err := e.New(nil, 2, house.Seed(1))
	must.OK(t, err)
	found := 0
	for seed := range uint64(100) {
		j := judge{ended: t.Context().Err, playouts: 400, valuer: search.Valuer{Play: func(_ game.Table, luck game.Seed, _ game.Seat, turn []json.RawMessage) ([]float64, error) {
			wins := 0.45
			if string(turn[0]) == "0" {
				wins = 0.7
			}
			if game.Stream(luck, 0, string(turn[0])).Uint64()>>11 < uint64(wins*(1<<53)) {
				return []float64{1}, nil
			}
			return []float64{0}, nil
		}}}
		var list []*option
		for k := range 50 {
			action := json.RawMessage(fmt.Sprint(k))
			list = append(list, &option{action: action, turn: []json.RawMessage{action}})
		}
		best, err := j.race(&worlds{root: table, luck: game.Stream(house.Seed(seed), 0, "race")}, list)
		must.OK(t, err)
		if string(best.action) == "0" {
			found++
		}
	}
	if found < 90 {
		t.Errorf("found %d times of 100, want 90", found)
	}
}
