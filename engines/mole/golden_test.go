package mole_test

import (
	"testing"

	"github.com/molerun/molerun/internal/gametest"
	"github.com/molerun/molerun/internal/must"
)

// TestGoldens compares short recorded matches of the house, one for each variant, with the files: actions, events, hashes.
// They are the same under GOAMD64=v3 and on arm64.
func TestGoldens(t *testing.T) {
	for name, config := range map[string]string{
		"base": `{"max_rounds":6}`, "short": `{"points":5,"max_rounds":5,"first_mole":0}`,
		"carnival": `{"board":"carnival","max_rounds":6,"noise":"shaky","mole_max_mm_s":2000}`, "still": `{"noise":"none","max_rounds":6,"first_mole":1}`,
	} {
		got, err := gametest.Record(engine, gametest.Case{Config: config, Seats: 2}, gametest.Seed(3))
		must.OK(t, err)
		gametest.Golden(t, name+".jsonl", got)
	}
}
