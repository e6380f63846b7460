package mole_test

import (
	"fmt"

	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/engines/mole"
)

// A match begins with the placing of the mignettes; then each of them is flicked once.
func Example() {
	e := game.Wrap(mole.Rules{})
	table, _, err := e.New([]byte(`{"first_mole":0,"noise":"none"}`), 2, game.Seed{})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, action := range []string{
		`{"type":"place","at":[[130000,280000],[151000,280000],[172000,280000]]}`,
		`{"type":"flick","coin":"m2","angle_mdeg":270000,"speed_mm_s":800}`,
	} {
		events, err := table.Apply([]game.Turn{{Seat: 1, Action: []byte(action)}})
		if err != nil {
			fmt.Println(err)
			return
		}
		last := events[len(events)-1]
		fmt.Println(string(last.Data))
	}
	fmt.Println(table.Check(game.Turn{Seat: 1, Action: []byte(`{"type":"flick","coin":"m1","angle_mdeg":0,"speed_mm_s":1001}`)}))
	// Output:
	// {"kind":"placed","at":[[130000,280000],[151000,280000],[172000,280000]]}
	// {"kind":"rest","positions":[{"coin":"mole","x_um":150000,"y_um":90000},{"coin":"m1","x_um":130000,"y_um":280000},{"coin":"m2","x_um":151000,"y_um":149521},{"coin":"m3","x_um":172000,"y_um":280000}]}
	// illegal_action: speed_mm_s: want 1 to 1000 for m1, got 1001
}
