package molemajority_test

import (
	"encoding/json"
	"fmt"

	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/engines/molemajority"
)

// A match from JSON alone: deal, decide, look.
func Example() {
	table, _, err := game.Wrap(molemajority.Rules{}).New(json.RawMessage(`{"max_turns":100}`), 3, game.Seed{1})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(string(table.Offer(0)))
	fmt.Println(table.Check(game.Turn{Seat: 0, Action: json.RawMessage(`{"type":"place_home","at":"0,0"}`)}))
	events, err := table.Apply([]game.Turn{{Seat: 0, Action: json.RawMessage(`{"type":"place_home","at":"2,-1"}`)}})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(string(events[0].Data))
	// Output:
	// {"list":[{"type":"place_home","at":"-2,1"},{"type":"place_home","at":"-1,-1"},{"type":"place_home","at":"-1,2"},{"type":"place_home","at":"1,-2"},{"type":"place_home","at":"1,1"},{"type":"place_home","at":"2,-1"}]}
	// illegal_action: at: 0,0 is no place for it: a Home Base touches two hexes of the ring and lies on a free place
	// {"kind":"act","seat":0,"action":{"type":"place_home","at":"2,-1"}}
}
