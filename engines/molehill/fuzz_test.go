package molehill_test

import (
	"testing"

	"github.com/molerun/molerun/engines/molehill"
	"github.com/molerun/molerun/internal/gametest"
)

func FuzzAction(f *testing.F) {
	gametest.FuzzAction(f, molehill.Rules{}, []gametest.Case{{Config: `{"first_mole":0}`, Seats: 2}}, `{"type":"start","at":"d4"}`, `{"type":"rod","edge":"d5-d6"}`,
		`{"type":"jump","to":"a9"}`, `{"type":"move","to":"d\u0034"}`, `{"type":`, `[]`)
}

func FuzzConfig(f *testing.F) {
	gametest.FuzzConfig(f, engine, ``, baseConfig, `{"flowers":"random","columns":5,"rows":11}`, `{"discs":{"orange":1}}`, `{"rods":1e2}`, `{"first_mole":0}`)
}

func FuzzStateFromView(f *testing.F) {
	gametest.FuzzStateFromView(f, molehill.Rules{}, gametest.Case{Config: `{}`, Seats: 2})
}

func FuzzSnapshot(f *testing.F) {
	gametest.FuzzSnapshot(f, engine, gametest.Case{Config: `{}`, Seats: 2})
}
