package cia

import (
	"testing"

	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/internal/gametest"
)

func FuzzAction(f *testing.F) {
	gametest.FuzzAction(f, Rules{}, []gametest.Case{{Config: `{}`, Seats: 2}, {Config: full, Seats: 3}}, append(wireActions(), hostile()...)...)
}

func FuzzConfig(f *testing.F) {
	gametest.FuzzConfig(f, game.Wrap(Rules{}), append(badConfigs(), `{}`, topSecret, full, `{"cards":{"swap_agents":8}}`, `{"first":"lot"}`)...)
}

func FuzzStateFromView(f *testing.F) {
	gametest.FuzzStateFromView(f, Rules{}, gametest.Case{Config: `{}`, Seats: 3}, gametest.Case{Config: full, Seats: 3})
}

func FuzzSnapshot(f *testing.F) {
	gametest.FuzzSnapshot(f, game.Wrap(Rules{}), gametest.Case{Config: `{}`, Seats: 2}, gametest.Case{Config: full, Seats: 3})
}
