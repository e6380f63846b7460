package mole_test

import (
	"strings"
	"testing"

	"github.com/molerun/molerun/engines/game"
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

// TestEveryDrawingIsWellFormed over a match: XML, role, title, description and the names of what is on the board.
func TestEveryDrawingIsWellFormed(t *testing.T) {
	table, _, err := engine.New([]byte(`{"board":"carnival","points":1,"lead":1}`), 2, gametest.Seed(1))
	if err != nil {
		t.Fatal(err)
	}
	for {
		svg, err := table.Draw(game.Spectator, gametest.LongNames())
		if err != nil {
			t.Fatal(err)
		}
		gametest.Drawing(t, svg)
		if table.Step()%4 == 0 {
			gametest.Legible(t, svg)
		}
		for _, part := range []string{`<title id="mole-t">Mole, `, `class="goal"`, `>loup line<`, `>rosserie<`, `>ramp<`, `>wall<`} {
			if !strings.Contains(string(svg), part) {
				t.Fatalf("step %d: no %s", table.Step(), part)
			}
		}
		words, err := table.Describe(game.Spectator)
		if err != nil || !strings.HasPrefix(words, "Mole, ") {
			t.Fatalf("step %d: %q, %v", table.Step(), words, err)
		}
		if table.Due() == 0 {
			return
		}
		gametest.HouseStep(t, table)
	}
}
