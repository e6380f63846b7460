package gametest

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"testing"

	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/engines/game/strict"
	"github.com/molerun/molerun/internal/must"
)

// maxFuzzSteps bounds the play in one fuzzed match.
const maxFuzzSteps = 60

// table deals the match of a case and plays some steps of it by the house.
func (c Case) table(t failer, e game.Engine, steps int) game.Table {
	table, _, err := e.New(json.RawMessage(c.Config), c.Seats, Seed(0))
	if err != nil {
		t.Fatalf("%v: %v", c, err)
	}
	playOn(t, table, steps)
	return table
}

// playOn plays up to so many steps by the house.
func playOn(t failer, table game.Table, steps int) {
	for ; steps > 0 && table.Due() != 0; steps-- {
		HouseStep(t, table)
	}
}

// FuzzAction is the law of actions: any bytes are refused as [game.ErrIllegal] and change nothing, or are an action on which
// Check and Apply agree, which is written so that it is read again, and after which every view can be guessed from.
func FuzzAction[C, S any, A comparable, V, E any](f *testing.F, r game.Rules[C, S, A, V, E], cases []Case, seeds ...string) {
	f.Helper()
	e := game.Wrap(r)
	for which, c := range cases {
		table, steps := c.table(f, e, 0), 0
		for ; table.Due() != 0 && steps < maxFuzzSteps; steps++ {
			f.Add([]byte(table.House(table.Due().Lowest())), uint8(which), uint8(steps))
			HouseStep(f, table)
		}
		for i, words := range seeds {
			f.Add([]byte(words), uint8(which), uint8(i%steps))
		}
	}
	f.Fuzz(func(t *testing.T, words []byte, which, steps uint8) {
		c := cases[int(which)%len(cases)]
		table := c.table(t, e, int(steps)%maxFuzzSteps)
		if table.Due() == 0 {
			return
		}
		var a, again A
		form := any(&a).(json.Unmarshaler).UnmarshalJSON(words)
		if form != nil && a != again {
			t.Fatalf("%q is refused and leaves %+v", words, a)
		}
		if form == nil {
			text := JSON(a)
			if err := any(&again).(json.Unmarshaler).UnmarshalJSON(text); err != nil || again != a {
				t.Fatalf("%q is read as %+v, written as %s and read as %+v, %v", words, a, text, again, err)
			}
		}
		before, turns := table.Hash(), house(table)
		seat := turns[0].Seat
		turns[0].Action = words
		legal := table.Check(turns[0])
		if table.Hash() != before || legal == nil && form != nil {
			t.Fatalf("Check of %q: %v; its form: %v; changed: %v", words, legal, form, table.Hash() != before)
		}
		if _, err := table.Apply(turns); err != nil {
			if legal == nil || !errors.Is(err, game.ErrIllegal) || table.Hash() != before {
				t.Fatalf("%q: Check says %v, Apply %v; changed: %v", words, legal, err, table.Hash() != before)
			}
			return
		}
		if legal != nil {
			t.Fatalf("%q is played, though Check says %v", words, legal)
		}
		if _, err := e.StateFromView(json.RawMessage(c.Config), c.Seats, seat, table.View(seat), Seed(0)); err != nil {
			t.Fatalf("after %q: %v", words, err)
		}
	})
}

// FuzzConfig is the law of configurations: any bytes are refused as [game.ErrConfig], or have one canonical form whose match can
// be played.
func FuzzConfig(f *testing.F, e game.Engine, seeds ...string) {
	f.Helper()
	for _, config := range seeds {
		for seats := e.Info().MinSeats; seats <= e.Info().MaxSeats; seats++ {
			f.Add([]byte(config), seats)
		}
	}
	f.Fuzz(func(t *testing.T, config []byte, seats int) {
		canonical, err := e.Configure(config, seats)
		if err != nil {
			if !errors.Is(err, game.ErrConfig) {
				t.Fatalf("%q: want %v, got %v", config, game.ErrConfig, err)
			}
			return
		}
		if again, err := e.Configure(canonical, seats); err != nil || !bytes.Equal(again, canonical) {
			t.Fatalf("%q becomes %s, and that %s, %v", config, canonical, again, err)
		}
		Case{string(canonical), seats}.table(t, e, maxFuzzSteps)
	})
}

// FuzzStateFromView is the law of guesses: any bytes are refused as [game.ErrView], or are a view that the table guessed from it
// shows again; and that table can be drawn and played.
func FuzzStateFromView[C, S, A, V, E any](f *testing.F, r game.Rules[C, S, A, V, E], cases ...Case) {
	f.Helper()
	e := game.Wrap(r)
	for which, c := range cases {
		for table := c.table(f, e, 0); ; playOn(f, table, 9) {
			view := []byte(table.View(0))
			f.Add(view, uint8(which))
			for digit := byte('0'); digit < '4'; digit++ { // mostly views that no match can show
				f.Add(bytes.Replace(view, []byte{digit}, []byte{digit + 1}, 1), uint8(which))
			}
			if table.Due() == 0 {
				break
			}
		}
	}
	f.Fuzz(func(t *testing.T, view []byte, which uint8) {
		c := cases[int(which)%len(cases)]
		table, err := e.StateFromView(json.RawMessage(c.Config), c.Seats, 0, view, Seed(0))
		if err != nil {
			if !errors.Is(err, game.ErrView) {
				t.Fatalf("want %v, got %v", game.ErrView, err)
			}
			return
		}
		var given, shown V
		must.OK(t, errors.Join(strict.Decode(view, &given), strict.Decode(table.View(0), &shown)))
		if err := game.Agree(shown, given); err != nil {
			t.Fatalf("the guess from %s: %v", view, err)
		}
		_, err = table.Draw(0, nil)
		must.OK(t, err)
		playOn(t, table, maxFuzzSteps)
	})
}

// FuzzSnapshot is the law of forged snapshots: any bytes, under a checksum that fits, are refused as [game.ErrSnapshot] or
// are a table that can be saved and restored again, looked at and played. Some have a few bytes of the state changed.
func FuzzSnapshot(f *testing.F, e game.Engine, cases ...Case) {
	f.Helper()
	forger := game.Stream(Seed(2), 0, "forger")
	for _, c := range cases {
		err := play(e, c, Seed(0), 1<<20, func(m moment) error {
			if m.table.Step()%7 != 0 && m.table.Due() != 0 {
				return nil
			}
			whole := m.table.Snapshot()
			body := whole[:len(whole)-sha256.Size]
			f.Add(body)
			for state := bytes.IndexByte(body, '\n') + 1; forger.IntN(5) > 0; { // some four each
				forged := bytes.Clone(body)
				for range 1 + forger.IntN(4) {
					forged[state+forger.IntN(len(body)-state)] = byte(forger.IntN(256))
				}
				f.Add(forged)
			}
			return nil
		})
		if err != nil {
			f.Fatal(err)
		}
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		sum := sha256.Sum256(body)
		table, err := e.Restore(append(bytes.Clone(body), sum[:]...))
		if err != nil {
			if !errors.Is(err, game.ErrSnapshot) {
				t.Fatalf("want %v, got %v", game.ErrSnapshot, err)
			}
			return
		}
		whole := table.Snapshot()
		again, err := e.Restore(whole)
		if err != nil {
			t.Fatalf("its own snapshot: %v", err)
		}
		if again.Hash() != table.Hash() || !bytes.Equal(again.Snapshot(), whole) {
			t.Fatal("a snapshot restored and saved twice differs")
		}
		for seat := game.Spectator; int(seat) < table.Seats(); seat++ {
			table.View(seat)
			table.Offer(seat)
		}
		playOn(t, table, 1)
	})
}
