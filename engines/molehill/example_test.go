package molehill_test

import (
	"encoding/json"
	"fmt"

	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/engines/molehill"
)

// A match through the port, as the runner plays it: look, decide, apply.
func Example() {
	engine := game.Wrap(molehill.Rules{})
	table, _, err := engine.New(json.RawMessage(`{"first_mole":1,"discs":{"orange":1,"black":1}}`), 2, game.Seed{})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, turn := range []game.Turn{
		{Seat: 1, Action: json.RawMessage(`{"type":"start","at":"b2"}`)},
		{Seat: 0, Action: json.RawMessage(`{"type":"rod","edge":"b2-b3"}`)},
		{Seat: 1, Action: json.RawMessage(`{"type":"move","to":"c3"}`)},
	} {
		events, err := table.Apply([]game.Turn{turn})
		if err != nil {
			fmt.Println(err)
			return
		}
		for _, e := range events {
			fmt.Println(string(e.Data))
		}
	}
	// Output:
	// {"kind":"played","seat":1,"action":{"type":"start","at":"b2"}}
	// {"kind":"played","seat":0,"action":{"type":"rod","edge":"b2-b3"}}
	// {"kind":"played","seat":1,"action":{"type":"move","to":"c3"}}
	// {"kind":"score","scores":[3]}
	// {"kind":"round","mole_seat":0}
}

// Errors say what is wrong and where.
func Example_errors() {
	engine := game.Wrap(molehill.Rules{})
	_, err := engine.Configure(json.RawMessage(`{"columns":8}`), 2)
	fmt.Println(err)
	table, _, _ := engine.New(json.RawMessage(`{"first_mole":0}`), 2, game.Seed{})
	fmt.Println(table.Check(game.Turn{Seat: 0, Action: json.RawMessage(`{"type":"start","at":"h1"}`)}))
	fmt.Println(table.Check(game.Turn{Seat: 0, Action: json.RawMessage(`{"type":"start","to":"d4"}`)}))
	// Output:
	// bad_config: columns: want an odd number from 3 to 21, got 8
	// illegal_action: h1 is not on this board (a1 to g9)
	// illegal_action: action: at /to: is not a known key; at /at: is missing
}

// The typed path, for search: no JSON and no allocation.
func ExampleRules_playout() {
	sim := game.Sim[molehill.Config, molehill.State, molehill.Action, molehill.View, molehill.Event]{Rules: molehill.Rules{}}
	var state molehill.State
	r := game.Stream(game.Seed{}, 0, "search")
	molehill.Rules{}.Deal(&state, molehill.Rules{}.Defaults(), 2, r, nil)
	fork := state // a copy is a fork
	moves := sim.Playout(&fork, r)
	fmt.Println(moves > 1, fork.Phase, state.Phase, molehill.Rules{}.Result(&fork).Why)
	// Output: true over start two_rounds
}

// A bot in any language gets this text, or the drawing.
func ExampleRules_Describe() {
	table, _, _ := game.Wrap(molehill.Rules{}).New(json.RawMessage(`{"columns":3,"rows":3,"flowers":{"red":["a1","c1","a3","c3"],"white":["b1","a2","c2","b3"]},"discs":{"orange":1,"black":4},"first_mole":0}`), 2, game.Seed{})
	for _, turn := range []game.Turn{
		{Seat: 0, Action: json.RawMessage(`{"type":"start","at":"a1"}`)},
		{Seat: 1, Action: json.RawMessage(`{"type":"rod","edge":"a1-a2"}`)},
	} {
		if _, err := table.Apply([]game.Turn{turn}); err != nil {
			fmt.Println(err)
		}
	}
	text, _ := table.Describe(0)
	fmt.Print(text)
	// Output:
	// Mole Hill, round 1 of 2. Seat 0 is the mole, seat 1 the gardener. The mole moves.
	//    +-----+-----+-----+
	//  3 |   R     W     R |
	//    +     +     +     +
	//  2 |   W    +      W |
	//    +#####+     +     +
	//  1 |@ 1R     W     R |
	//    +-----+-----+-----+
	//       a     b     c
	// Squares: number = disc in the order laid, @ = the mole, R = red flower (2), W = white flower (1), + = centre; ##### and # = rods.
	// Score of this round so far: 2.
	// Discs left: 4. Rods left: 21.
	// Visited: a1.
	// Rods: a1-a2.
}
