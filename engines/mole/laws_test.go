package mole_test

import (
	"os"
	"testing"

	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/engines/gametest"
	"github.com/molerun/molerun/engines/mole"
)

var engine = game.Wrap(mole.Rules{})

// nightly enlarges the counts of the nightly run.
func nightly(times int) int {
	if os.Getenv("MOLERUN_NIGHTLY") == "1" {
		return times
	}
	return 1
}

func TestLaws(t *testing.T) {
	gametest.Run(t, mole.Rules{}, gametest.Cases[mole.State, mole.Action]{
		List: []gametest.Case{
			{Config: `{"max_rounds":40}`, Seats: 2},
			{Config: `{"points":5,"max_rounds":30}`, Seats: 2},
			{Config: `{"board":"carnival","points":5,"max_rounds":30,"noise":"shaky","mole_turns":3}`, Seats: 2},
			{Config: `{"board":"carnival","max_rounds":30,"noise":"none","first_mole":1,"mole_max_mm_s":3000}`, Seats: 2},
		},
		MaxSteps: 40 * (1 + 12*(mole.Mignettes+1)),
		Matches:  nightly(50),
		Open:     true,
	})
}
