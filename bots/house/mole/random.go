package mole

import (
	"encoding/json"
	"math/rand/v2"

	"github.com/molerun/molerun/bots/house/search"
	"github.com/molerun/molerun/bots/protocol"
	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/engines/mole"
)

// Random draws as the rules' Sample does: any coin, direction and speed, each evenly. Legal actions lie in a continuum.
func Random(t *protocol.Turn, rng *rand.Rand) (protocol.Answer, error) {
	var s mole.State
	if err := readState(t, &s, rng); err != nil {
		return protocol.Answer{}, err
	}
	action, err := json.Marshal(mole.Rules{}.Sample(&s, t.Seat, game.Stream(search.Seed(rng), t.Step, "random")))
	return protocol.Answer{Action: action}, err
}
