package cia

import (
	"encoding/json"
	"os"
	"testing"

	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/engines/gametest"
)

// scale enlarges the counts of the nightly run.
func scale() int {
	if os.Getenv("MOLERUN_NIGHTLY") == "1" {
		return 20
	}
	return 1
}

func TestLaws(t *testing.T) {
	gametest.Run(t, Rules{}, gametest.Cases[State, Action]{
		MaxSteps: 20000,
		Matches:  1,
		Pairs:    1000,
		Scale:    scale(),
	})
}

var _ = game.All

func mustJSON(v any) []byte {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return b
}
