package molemajority

import (
	"encoding/json"
	"testing"

	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/internal/gametest"
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

func FuzzAction(f *testing.F) {
	gametest.FuzzAction(f, Rules{}, []gametest.Case{{Config: `{}`, Seats: 2}, {Config: smallDecks, Seats: 3}, {Config: `{"choose_spaces":true}`, Seats: 4}},
		append(wireActions(), hostile()...)...)
}

func FuzzConfig(f *testing.F) {
	gametest.FuzzConfig(f, game.Wrap(Rules{}), append(badConfigs(), `{}`, smallDecks, oddBoard)...)
}

func FuzzStateFromView(f *testing.F) {
	gametest.FuzzStateFromView(f, Rules{}, gametest.Case{Config: smallDecks, Seats: 3})
}

func FuzzSnapshot(f *testing.F) {
	gametest.FuzzSnapshot(f, game.Wrap(Rules{}), gametest.Case{Config: `{}`, Seats: 3})
}
