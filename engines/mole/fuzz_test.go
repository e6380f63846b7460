package mole_test

import (
	"encoding/json"
	"errors"
	"testing"

	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/engines/mole"
	"github.com/molerun/molerun/internal/gametest"
)

// FuzzAction: whatever a bot sends is either refused as illegal_action, changing nothing, or can be applied and leaves a
// table that can be shown, saved and guessed.
func FuzzAction(f *testing.F) {
	for _, words := range append(hostile(), `{"type":"nasdaq","coin":"m1"}`, `{"type":"flick","coin":"m1","angle_mdeg":123456,"speed_mm_s":1300}`,
		`{"type":"flick","coin":"m3","angle_mdeg":270000,"speed_mm_s":700,"lift_mdeg":30000,"taupiniere":false}`,
		`{"type":"place","at":[[70000,270000],[150000,280000],[200000,290000]]}`) {
		f.Add([]byte(words), true)
		f.Add([]byte(words), false)
	}
	f.Fuzz(func(t *testing.T, words []byte, placed bool) {
		const config = `{"board":"carnival","first_mole":1}`
		table, _, err := engine.New([]byte(config), 2, game.Seed{2})
		if err != nil {
			t.Fatal(err)
		}
		if placed {
			place := []byte(`{"type":"place","at":[[150000,260150],[180000,280000],[61000,262000]]}`)
			if _, err := table.Apply([]game.Turn{{Seat: 0, Action: place}}); err != nil {
				t.Fatal(err)
			}
		}
		before := table.Hash()
		if _, err := table.Apply([]game.Turn{{Seat: 0, Action: words}}); err != nil {
			if !errors.Is(err, game.ErrIllegal) || table.Hash() != before {
				t.Fatalf("%q: %v", words, err)
			}
			return
		}
		seat := table.Due().Lowest()
		if _, err := engine.StateFromView([]byte(config), 2, seat, table.View(seat), game.Seed{}); err != nil {
			t.Fatalf("after %q: %v", words, err)
		}
		var a mole.Action // what was read is written so that it is read again
		if err := a.UnmarshalJSON(words); err != nil {
			t.Fatal(err)
		}
		var b mole.Action
		if err := b.UnmarshalJSON(a.AppendJSON(nil)); err != nil || a != b {
			t.Fatalf("%q: %v, %+v and %+v", words, err, a, b)
		}
	})
}

// FuzzConfig: a configuration is refused as bad_config, or has a canonical form that is its own, and a match under it ends.
func FuzzConfig(f *testing.F) {
	for _, words := range append(badConfigs(), `{}`, `{"points":5,"max_rounds":60}`, `{"board":"carnival"}`, `{"noise":"none","mole_turns":1}`) {
		f.Add([]byte(words))
	}
	for _, b := range []mole.Board{mole.Classic(), mole.Carnival(), cluttered()} {
		whole, err := json.Marshal(b)
		if err != nil {
			f.Fatal(err)
		}
		f.Add([]byte(`{"max_rounds":2,"board":` + string(whole) + `}`))
	}
	f.Fuzz(func(t *testing.T, words []byte) {
		canonical, err := engine.Configure(words, 2)
		if err != nil {
			if !errors.Is(err, game.ErrConfig) {
				t.Fatalf("%q: %v", words, err)
			}
			return
		}
		if again, err := engine.Configure(canonical, 2); err != nil || string(again) != string(canonical) {
			t.Fatalf("%s becomes %s, %v", canonical, again, err)
		}
		table, _, err := engine.New(canonical, 2, game.Seed{4})
		if err != nil {
			t.Fatal(err)
		}
		for step := 0; table.Due() != 0 && step < 60; step++ {
			gametest.HouseStep(t, table)
		}
	})
}

func FuzzSnapshot(f *testing.F) {
	gametest.FuzzSnapshot(f, engine, gametest.Case{Config: `{}`, Seats: 2}, gametest.Case{Config: `{"board":"carnival"}`, Seats: 2})
}
