package mole_test

import (
	"encoding/json"
	"testing"

	"github.com/molerun/molerun/engines/mole"
	"github.com/molerun/molerun/internal/gametest"
)

func FuzzAction(f *testing.F) {
	gametest.FuzzAction(f, mole.Rules{}, []gametest.Case{{Config: `{"board":"carnival","first_mole":1}`, Seats: 2}}, append(hostile(), `{"type":"nasdaq","coin":"m1"}`,
		`{"type":"flick","coin":"m1","angle_mdeg":123456,"speed_mm_s":1300}`,
		`{"type":"flick","coin":"m3","angle_mdeg":270000,"speed_mm_s":700,"lift_mdeg":30000,"taupiniere":false}`,
		`{"type":"place","at":[[70000,270000],[150000,280000],[200000,290000]]}`)...)
}

func FuzzConfig(f *testing.F) {
	seeds := append(badConfigs(), `{}`, `{"points":5,"max_rounds":60}`, `{"board":"carnival"}`, `{"noise":"none","mole_turns":1}`)
	for _, b := range []mole.Board{mole.Classic(), mole.Carnival(), cluttered()} {
		whole, err := json.Marshal(b)
		if err != nil {
			f.Fatal(err)
		}
		seeds = append(seeds, `{"max_rounds":2,"board":`+string(whole)+`}`)
	}
	gametest.FuzzConfig(f, engine, seeds...)
}

func FuzzStateFromView(f *testing.F) {
	gametest.FuzzStateFromView(f, mole.Rules{}, gametest.Case{Config: `{"max_rounds":3}`, Seats: 2}, gametest.Case{Config: `{"board":"carnival","max_rounds":3}`, Seats: 2})
}

func FuzzSnapshot(f *testing.F) {
	gametest.FuzzSnapshot(f, engine, gametest.Case{Config: `{}`, Seats: 2}, gametest.Case{Config: `{"board":"carnival"}`, Seats: 2})
}
