package molemajority

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"testing"

	"github.com/molerun/molerun/engines/game"
)

func wireActions() []string {
	return []string{
		`{"type":"place_home","at":"2,-1"}`, `{"type":"place_tile","at":"-2,0"}`, `{"type":"play","card":"number_3"}`, `{"type":"move","from":"0,0","to":"1,0"}`,
		`{"type":"move","from":"0,0","to":"1,0","from_space":3,"space":0}`, `{"type":"breed","at":"1,0"}`, `{"type":"breed","at":"1,0","space":5}`,
		`{"type":"cave_in","edges":["0,0/0,1","0,0/1,0"]}`, `{"type":"make_home","at":"1,0"}`, `{"type":"convert","at":"1,0","victim":2}`,
		`{"type":"convert","at":"1,0","victim":2,"space":1}`, `{"type":"roll","at":"1,0","space":2,"direction":"ccw","count":3}`,
		`{"type":"swap","seat":1,"card":"number_4"}`, `{"type":"stack","card":"convert","as":"breed"}`, `{"type":"done"}`, `{"type":"discard_hand"}`,
	}
}

func TestActionsOnTheWire(t *testing.T) {
	for _, text := range wireActions() {
		var a Action
		if err := json.Unmarshal([]byte(text), &a); err != nil || string(a.AppendJSON(nil)) != text {
			t.Errorf("want %s, got %s, %v", text, a.AppendJSON(nil), err)
		}
	}
	var a Action
	err := a.UnmarshalJSON([]byte(`{"type":"cave_in","edges":["0,0/1,0","0,0/0,1"]}`))
	if want := `{"type":"cave_in","edges":["0,0/0,1","0,0/1,0"]}`; err != nil || string(a.AppendJSON(nil)) != want {
		t.Errorf("the pair is unordered: want %s, got %s, %v", want, a.AppendJSON(nil), err)
	}
}

func TestTheConfigurationOnTheWire(t *testing.T) {
	got, err := game.Wrap(Rules{}).Configure(nil, 4)
	want := `{"tiles":{"3":6,"4":7,"5":7,"6":4},"home_tokens":{"1":8,"2":8,"3":8,"4":0,"5":0,"6":0,"7":0,"8":0,"9":0},` +
		`"deck":{"number_4":2,"number_3":3,"number_2":4,"cave_in":3,"convert":2,"groundskeeper_1":1,"groundskeeper_2":1,"gopher_it":2},` +
		`"moles":30,"claims":10,"cave_ins":4,"hand":5,"path_needed":true,"end_on_empty_supply":true,"choose_spaces":false,"max_turns":300}`
	if err != nil || string(got) != want {
		t.Errorf("want %s, got %s, %v", want, got, err)
	}
	for config, least := range map[string]int{`{"tiles":{"4":11,"6":2}}`: 2, `{"tiles":{"4":13,"6":3}}`: 3, `{"home_tokens":{"1":11}}`: 2, `{"home_tokens":{"5":13}}`: 3} {
		for seats := minSeats; seats <= MaxSeats; seats++ {
			if _, err := game.Wrap(Rules{}).Configure([]byte(config), seats); (err == nil) != (seats <= least) {
				t.Errorf("%s at %d seats: got %v", config, seats, err)
			}
		}
	}
}

// FuzzAction: any bytes are an error or an action that reads back as it was; what is legal is on the list and can be applied.
func FuzzAction(f *testing.F) {
	for _, text := range append(wireActions(), hostile()...) {
		f.Add([]byte(text))
	}
	var tables []*board
	for _, parts := range [][]Part{nil, {{DoStep, 2}}, {{DoConvert, 1}}, {{DoRoll, 3}}, {{DoSpecial, 1}}, {{DoNumber, 1}}} {
		b := newBoard(&testing.T{}, ``, 3, func(b *board) {
			b.hand(0, Number3, Convert, CaveIn, GopherIt, Groundskeeper2)
			b.at("1,0:A|aab. 0,1:-|b...")
		})
		b.PartN = int8(copy(b.Parts[:], parts))
		tables = append(tables, b)
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		var a, again Action
		if a.UnmarshalJSON(text) != nil {
			return
		}
		if err := again.UnmarshalJSON(a.AppendJSON(nil)); err != nil || again != a {
			t.Fatalf("%s is read as %s and that as %s, %v", text, a.AppendJSON(nil), again.AppendJSON(nil), err)
		}
		for _, b := range tables {
			legal := (Rules{}).Legal(&b.State, 0, a) == nil
			if legal != b.offers(0, a) {
				t.Fatalf("%s: legal %v, and the list does not say so", text, legal)
			}
			if s := b.State; legal {
				Rules{}.Apply(&s, []game.Act[Action]{{Seat: 0, Action: a}}, game.Stream(game.Seed{}, 0, "fuzz"), nil)
			}
		}
	})
}

// FuzzConfig: any bytes are refused or a configuration with one canonical form that can be dealt.
func FuzzConfig(f *testing.F) {
	for _, text := range append(badConfigs(), `{}`, smallDecks, oddBoard) {
		f.Add([]byte(text), 3)
	}
	e := game.Wrap(Rules{})
	f.Fuzz(func(t *testing.T, text []byte, seats int) {
		canonical, err := e.Configure(text, seats)
		if err != nil {
			return
		}
		again, err := e.Configure(canonical, seats)
		if err != nil || string(again) != string(canonical) {
			t.Fatalf("%s becomes %s, %v", canonical, again, err)
		}
		x, _, err := e.New(canonical, seats, game.Seed{})
		for err == nil && x.Due() != 0 && x.Step() < 200 {
			seat := x.Due().Lowest()
			_, err = x.Apply([]game.Turn{{Seat: seat, Action: x.House(seat)}})
		}
		if err != nil {
			t.Fatalf("%s: %v", canonical, err)
		}
	})
}

// FuzzSnapshot: any bytes are refused, or are a table that gives them back. The checksum is made to fit, as a forger would.
func FuzzSnapshot(f *testing.F) {
	e := game.Wrap(Rules{})
	x, _, err := e.New(nil, 3, game.Seed{4})
	for ; err == nil && x.Step() < 40; err = step(x) {
		if x.Step()%13 == 0 {
			whole := x.Snapshot()
			f.Add(whole[:len(whole)-sha256.Size])
		}
	}
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		sum := sha256.Sum256(body)
		x, err := e.Restore(append(bytes.Clone(body), sum[:]...))
		if err != nil {
			return
		}
		again, err := e.Restore(x.Snapshot())
		if err != nil || again.Hash() != x.Hash() {
			t.Fatalf("a restored table gives another snapshot: %v", err)
		}
	})
}

func step(x game.Table) error {
	seat := x.Due().Lowest()
	_, err := x.Apply([]game.Turn{{Seat: seat, Action: x.House(seat)}})
	return err
}

// FuzzGuess: any bytes are refused or a view that the guessed table shows again, and plays on from.
func FuzzGuess(f *testing.F) {
	e := game.Wrap(Rules{})
	x, _, err := e.New([]byte(smallDecks), 3, game.Seed{1})
	for ; err == nil && x.Due() != 0; err = step(x) {
		if x.Step()%9 == 0 {
			f.Add([]byte(x.View(0)))
		}
	}
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, view []byte) {
		x, err := e.StateFromView([]byte(smallDecks), 3, 0, view, game.Seed{})
		if err != nil {
			return
		}
		var want, got View
		readView(t, view, &want)
		readView(t, x.View(0), &got)
		if !bytes.Equal(mustJSON(want), mustJSON(got)) {
			t.Fatalf("the guess shows %s", x.View(0))
		}
		for range 60 {
			if x.Due() == 0 {
				return
			}
			if err := step(x); err != nil {
				t.Fatal(err)
			}
		}
	})
}
