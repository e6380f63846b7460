package molemajority

import (
	"os"
	"testing"

	"github.com/molerun/molerun/engines/gametest"
)

// scale enlarges the counts of the nightly run.
func scale() int {
	if os.Getenv("MOLERUN_NIGHTLY") == "1" {
		return 100
	}
	return 1
}

func TestLaws(t *testing.T) {
	gametest.Run(t, Rules{}, gametest.Cases[State, Action]{MaxSteps: 20000, Matches: 2, Pairs: 3000})
}
