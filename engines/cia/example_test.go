package cia_test

import (
	"encoding/json"
	"fmt"

	"github.com/molerun/molerun/engines/cia"
	"github.com/molerun/molerun/engines/game"
)

// A match from JSON alone: deal, decide, look.
func Example() {
	table, events, err := game.Wrap(cia.Rules{}).New(json.RawMessage(`{"first":1}`), 4, game.Seed{1})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(string(events[0].Data))
	err = table.Check(game.Turn{Seat: 1, Action: json.RawMessage(`{"type":"move","steps":{"red":9}}`)})
	fmt.Println(err)
	events, err = table.Apply([]game.Turn{{Seat: 1, Action: json.RawMessage(`{"type":"move","steps":{"red":3,"blue":1}}`)}})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(string(events[0].Data))
	// Output:
	// {"kind":"roll","seat":1,"roll":"4"}
	// illegal_action: the roll 4 is to be used in full, the steps add up to 9
	// {"kind":"move","seat":1,"agents":{"red":"3","blue":"1"}}
}
