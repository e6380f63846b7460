package demol_test

import (
	"encoding/json"
	"fmt"

	"github.com/molerun/molerun/engines/demol"
	"github.com/molerun/molerun/engines/game"
)

// A match from JSON alone: deal, look at the offer, decide.
func Example() {
	table, _, err := game.Wrap(demol.Rules{}).New(json.RawMessage(`{"targeting":true}`), 5, game.Seed{1})
	if err != nil {
		fmt.Println(err)
		return
	}
	leader := table.Due().Lowest()
	events, err := table.Apply([]game.Turn{{Seat: leader, Action: json.RawMessage(`{"type":"team","mission":3,"members":[0,4]}`)}})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(string(events[0].Data))
	fmt.Println(string(table.Offer(0)))
	// Output:
	// {"kind":"team","leader":0,"mission":3,"team":[0,4]}
	// {"list":[{"type":"vote","approve":true},{"type":"vote","approve":false}]}
}
