package molehill_test

import (
	"testing"

	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/engines/molehill"
	"github.com/molerun/molerun/internal/gametest"
)

// FuzzAction: any bytes are an error or a legal action; Check changes nothing; what is accepted reads back as it was.
func FuzzAction(f *testing.F) {
	for _, wire := range []string{`{"type":"start","at":"d4"}`, `{"type":"rod","edge":"d5-d6"}`, `{"type":"jump","to":"a9"}`, `{"type":"move","to":"d\u0034"}`, `{"type":`, `[]`} {
		f.Add([]byte(wire), uint8(3))
	}
	f.Fuzz(func(t *testing.T, wire []byte, steps uint8) {
		x, _, err := engine.New([]byte(`{"first_mole":0}`), 2, game.Seed{1})
		if err != nil {
			t.Fatal(err)
		}
		for range steps % 20 {
			gametest.HouseStep(t, x)
		}
		before, turn := x.Hash(), game.Turn{Seat: x.Due().Lowest(), Action: wire}
		err = x.Check(turn)
		if x.Hash() != before {
			t.Fatal("Check changed the state")
		}
		if _, applied := x.Apply([]game.Turn{turn}); (applied == nil) != (err == nil) {
			t.Fatalf("Check says %v, Apply %v", err, applied)
		}
		if err != nil {
			return
		}
		var a, again molehill.Action
		if err := a.UnmarshalJSON(wire); err != nil {
			t.Fatal(err)
		}
		if err := again.UnmarshalJSON(a.AppendJSON(nil)); err != nil || again != a {
			t.Fatalf("%s read back: got %+v (%v), want %+v", wire, again, err, a)
		}
	})
}

// FuzzConfig: any bytes are refused or a configuration whose canonical form is a fixed point and whose match ends.
func FuzzConfig(f *testing.F) {
	for _, config := range []string{``, baseConfig, `{"flowers":"random","columns":5,"rows":11}`, `{"discs":{"orange":1}}`, `{"rods":1e2}`, `{"first_mole":0}`} {
		f.Add([]byte(config), 2)
	}
	f.Fuzz(func(t *testing.T, config []byte, seats int) {
		once, err := engine.Configure(config, seats)
		if err != nil {
			return
		}
		twice, err := engine.Configure(once, seats)
		if err != nil || string(once) != string(twice) {
			t.Fatalf("Configure: got %s, then %s (%v)", once, twice, err)
		}
		x, _, err := engine.New(config, seats, game.Seed{2})
		if err != nil {
			t.Fatal(err)
		}
		for x.Due() != 0 {
			seat := x.Due().Lowest()
			if _, err := x.Apply([]game.Turn{{Seat: seat, Action: x.House(seat)}}); err != nil || x.Step() > 4*molehill.MaxSquares {
				t.Fatalf("step %d: %v", x.Step(), err)
			}
		}
	})
}

// FuzzGuess: any bytes are refused or a view that the guessed table shows again.
func FuzzGuess(f *testing.F) {
	x, _, err := engine.New(nil, 2, game.Seed{1})
	for err == nil && x.Due() != 0 {
		if x.Step()%9 == 0 {
			f.Add([]byte(x.View(0)))
		}
		seat := x.Due().Lowest()
		_, err = x.Apply([]game.Turn{{Seat: seat, Action: x.House(seat)}})
	}
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, view []byte) {
		guessed, err := engine.StateFromView(nil, 2, 0, view, game.Seed{})
		if err != nil {
			return
		}
		again, err := engine.StateFromView(nil, 2, 0, guessed.View(0), game.Seed{})
		if err != nil || again.Hash() != guessed.Hash() {
			t.Fatalf("view %s: guessed again: %v", view, err)
		}
		if _, err := guessed.Draw(0, nil); err != nil {
			t.Fatal(err)
		}
	})
}

func FuzzSnapshot(f *testing.F) {
	gametest.FuzzSnapshot(f, engine, gametest.Case{Config: `{}`, Seats: 2})
}
