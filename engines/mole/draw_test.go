package mole_test

import (
	"testing"

	"github.com/molerun/molerun/engines/mole"
	"github.com/molerun/molerun/internal/gametest"
)

// TestDrawingsAreGoldens keeps three drawings: a start, a flick over the ramp, an end.
func TestDrawingsAreGoldens(t *testing.T) {
	start := lay(t, mole.Classic(), mole.PhasePlace, set{MO: {150, 90}})
	start.s.MoleTurns = 0
	gametest.Golden(t, "start.svg", mole.Rules{}.Draw(mole.Rules{}.View(&start.s, 0), nil))

	fly := lay(t, ramped(), turnM, set{MO: {36.95, 300}, M1: {150, 190}, M2: {60, 300}, M3: {120, 250}})
	fly.flick(M1, 80, 1100)
	gametest.Golden(t, "flight.svg", mole.Rules{}.Draw(mole.Rules{}.View(&fly.s, 0), nil))

	end := lay(t, mole.Classic(), turnO, set{MO: {150, 400}, M1: {40, 300}, M2: {173, 380}})
	end.s.Score, end.s.Round = [2]int16{10, 4}, 20
	end.flick(MO, 90, 900)
	gametest.Golden(t, "end.svg", mole.Rules{}.Draw(mole.Rules{}.View(&end.s, 0), nil))
}
