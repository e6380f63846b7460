package cia

import (
	"testing"

	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/internal/gametest"
)

const (
	topSecret = `{"top_secret":true}`
	withFiles = `{"dossier":true}`
	full      = `{"top_secret":true,"dossier":true}`
)

// nearEnd puts green two steps before the safe in 7 and the others where words say.
func nearEnd(words string) func(*board) {
	return func(b *board) { b.at("green@5 " + words) }
}

// The rows are named after the numbers of the rulings in docs/rules/cia.md.
func TestRulings(t *testing.T) {
	runRows(t, []row{
		{
			"R1 players that are level at the top share the win", ``, 2, nearEnd("grey@2 grey=40 yellow@2 yellow=40 red@10 red=30"),
			[]string{"0 move green=2"},
			"phase: over; why: finish; rank: 1 1; points: 42 42",
		},
		{
			"R1 a free agent level with a player does not deny the win", ``, 2, nearEnd("grey@2 grey=40 orange@2 orange=40"),
			[]string{"0 move green=2"},
			"why: finish; rank: 1 2; points: 42 0",
		},
		{
			"R1 a free agent ahead of all players: nobody wins", ``, 2, nearEnd("grey@2 grey=40 orange@3 orange=40"),
			[]string{"0 move green=2"},
			"why: free_agent; rank: 1 1; points: 42 0",
		},
		{
			"R2 the ruin takes three fields, never below the start", ``, 2, nearEnd("grey@ruin grey=2 yellow@ruin yellow=3 red@ruin red=9"),
			[]string{"0 move green=2"},
			"grey.stone: 0; yellow.stone: 0; red.stone: 6; phase: safe",
		},
		{
			"R2 falling back to the start is no lap", ``, 2, nearEnd("grey@ruin grey=1 orange@church orange=5"),
			[]string{"0 move green=2", "0 safe 1"},
			"grey.stone: 0; orange.stone: 5; phase: move; turn: 1",
		},
		{
			"R3 all agents score at once, the one furthest past the finish wins", ``, 3,
			nearEnd("grey@3 grey=41 yellow@10 yellow=38 orange@1 orange=41"),
			[]string{"0 move green=2"},
			"phase: over; rank: 2 1 3; points: 44 48 42; due: []",
		},
		{
			"R4 after a scoring the safe goes to another building", ``, 2, nearEnd(""),
			[]string{"0 move green=2", "0 safe 7 | already", "0 safe church"},
			"safe: church; phase: move; turn: 1; told.score: 1",
		},
		{
			"R4 the safe may go to the ruin, agents there do not score", ``, 2, nearEnd("red@ruin red=9"),
			[]string{"0 move green=2", "0 safe ruin"},
			"safe: ruin; red.stone: 6; told.score: 1; phase: move",
		},
		{
			"R5 on 1-3 the base game takes one to three points", ``, 2, func(b *board) { b.Roll = oneToThree },
			[]string{"0 move | at least one", "0 move red=4 | in full", "0 move red=2 grey=2 | in full", "0 move red=1"},
			"red: 1; turn: 1",
		},
		{
			"R5 on 1-3 three points over two agents", ``, 2, func(b *board) { b.Roll = oneToThree },
			[]string{"0 move red=2 grey=1"},
			"red: 2; grey: 1",
		},
		{
			"R5 any other roll is used in full", ``, 2, func(b *board) { b.Roll = 4 },
			[]string{"0 move red=3 | in full", "0 move red=5 | in full", "0 move | in full", "0 move red=3 green=1"},
			"red: 3; green: 1",
		},
		{
			"R5 in Top Secret a 1-3 may be left unused", topSecret, 2, func(b *board) { b.Roll = oneToThree },
			[]string{"0 move"},
			"phase: move; turn: 1",
		},
		{
			"R5 in Top Secret only a 1-3 may be left unused", topSecret, 2, nil,
			[]string{"0 move | in full", "0 move red=1 | in full"},
			"phase: move; turn: 0",
		},
		{
			"R6 an agent that passes the safe does not score", ``, 2, nearEnd("red@6"),
			[]string{"0 move red=2"},
			"red: 8; told.score: 0; phase: move; turn: 1",
		},
		{
			"R6 an agent that was there already does not score", ``, 2, nearEnd("red@7"),
			[]string{"0 move grey=2"},
			"told.score: 0; turn: 1",
		},
		{
			"R6 an agent that leaves the safe does not score", ``, 2, nearEnd("red@7"),
			[]string{"0 move red=2"},
			"told.score: 0; turn: 1",
		},
		{
			"R6 one agent comes, one passes: a scoring", ``, 2, func(b *board) { b.at("red@6 green@5"); b.Roll = 4 },
			[]string{"0 move red=2 green=2"},
			"told.score: 1; phase: safe; flags: green/0",
		},
		{
			"R7 the points are split freely", ``, 4, func(b *board) { b.Roll = 6 },
			[]string{"0 move red=2 blue=3 yellow=1"},
			"red: 2; blue: 3; yellow: 1; grey: church",
		},
		{"R7 nobody goes back with the roll", ``, 4, nil, []string{"0 move red=3 blue=-1 | cannot go back"}, "red: church"},
		{"R7 agents not in play do not move", ``, 2, nil, []string{"0 move blue=2 | not in play"}, "turn: 0"},
		{
			"R10 an agent moved to the ruin draws a card", topSecret, 2, func(b *board) { b.at("red@9"); b.deck(AllToChurch, SwapAgents) },
			[]string{"0 move red=2"},
			"hand.0: swap_agents; deck: 1; turn: 1",
		},
		{
			"R10 passing the ruin draws nothing", topSecret, 2, func(b *board) { b.at("red@10"); b.deck(SwapAgents) },
			[]string{"0 move red=2"},
			"red: church; hand.0: ; deck: 1",
		},
		{
			"R10 a 1-3 left unused draws a card", topSecret, 2, func(b *board) { b.Roll = oneToThree; b.deck(SwapAgents) },
			[]string{"0 move"},
			"hand.0: swap_agents; deck: 0",
		},
		{
			"R10 a 1-3 that is used draws nothing", topSecret, 2, func(b *board) { b.Roll = oneToThree; b.deck(SwapAgents) },
			[]string{"0 move red=1"},
			"hand.0: ; deck: 1",
		},
		{
			"R10 two agents in the ruin draw one card", topSecret, 2, func(b *board) { b.at("red@10 grey@10"); b.deck(SwapAgents, AllToChurch) },
			[]string{"0 move red=1 grey=1"},
			"hand.0: all_to_church; deck: 1",
		},
		{"R10 a fifth card is not drawn", topSecret, 2, func(b *board) {
			b.Roll = oneToThree
			b.deck(SwapAgents)
			b.hand(0, AllToChurch, SafeAnywhere, TwoBackOne, TwoForwardOne)
		}, []string{"0 move"}, "deck: 1; drew: false; phase: round"},
		{"R10 a card drawn is not played in the same turn", topSecret, 2, func(b *board) {
			b.Roll = oneToThree
			b.deck(AllToChurch)
			b.hand(0, TwoForwardOne)
		}, []string{"0 move", "0 card all_to_church | from the next turn on", "0 pass", "1 move grey=2", "0 card all_to_church"}, "grey: church; discard: all_to_church"},
		{"R10 drawn_playable at_once: it is", `{"top_secret":true,"drawn_playable":"at_once"}`, 2, func(b *board) {
			b.Roll = oneToThree
			b.at("grey@3")
			b.deck(AllToChurch)
		}, []string{"0 move", "0 card all_to_church"}, "grey: church; turn: 1"},
		{
			"R10 only the active seat draws for the ruin", topSecret, 2, func(b *board) { b.hand(1, AgentToRuin); b.deck(SwapAgents) },
			[]string{"0 move red=2", "1 card agent_to_ruin red"},
			"red: ruin; hand.0: ; hand.1: ; deck: 1; turn: 1",
		},
		{
			"R11 an own card that leads to the ruin draws too", topSecret, 2, func(b *board) { b.hand(0, AgentToRuin); b.deck(SwapAgents) },
			[]string{"0 move red=2", "0 card agent_to_ruin red"},
			"hand.0: swap_agents; deck: 0",
		},
		{"R11 but only one card a turn", topSecret, 2, func(b *board) {
			b.at("red@9")
			b.hand(0, AgentToRuin)
			b.deck(SwapAgents, AllToChurch)
		}, []string{"0 move red=2", "0 card agent_to_ruin grey"}, "hand.0: all_to_church; deck: 1"},
		{
			"R12 asked from the active seat clockwise, over when all passed in a row", topSecret, 3, func(b *board) {
				b.Turn = 1
				for seat := range 3 {
					b.hand(seat, SafeAnywhere, SwapAgents)
				}
			},
			[]string{"1 move red=2", "0 pass | not due", "1 pass", "2 pass", "0 card safe_anywhere 1", "0 pass", "1 pass", "2 card safe_anywhere 2", "2 pass", "0 pass", "1 pass"},
			"phase: round; due: [2]; passes: 2",
		},
		{"R12 the last pass ends the round", topSecret, 3, func(b *board) {
			for seat := range 3 {
				b.hand(seat, SafeAnywhere)
			}
		}, []string{"0 move red=2", "0 pass", "1 pass", "2 pass"}, "phase: move; turn: 1"},
		{
			"R13 several cards in a row in the order chosen", topSecret, 2, func(b *board) {
				b.at("red@10")
				b.hand(0, AgentToSafe, SafeAnywhere, TwoForwardOne)
				b.hand(1, SafeAnywhere)
			},
			[]string{"0 move grey=2", "0 card safe_anywhere 3", "0 card agent_to_safe red", "0 card two_forward_one red=1 grey=1", "1 pass"},
			"red: 4; grey: 3; safe: 3; flags: grey/0; phase: safe",
		},
		{
			"R14 an agent that leaves the safe takes its flag along", topSecret, 2, func(b *board) { b.at("red@5"); b.hand(1, BackOneOrTwo) },
			[]string{"0 move red=2", "1 card back_one_or_two red=-1"},
			"told.score: 0; phase: move; flags:",
		},
		{
			"R14 moving the safe calls the scoring off", topSecret, 2, func(b *board) { b.at("red@5"); b.hand(1, SafeAnywhere) },
			[]string{"0 move red=2", "1 card safe_anywhere 4"},
			"told.score: 0; phase: move; safe: 4",
		},
		{
			"R14 a safe moved back onto agents sets nothing", topSecret, 2, func(b *board) { b.at("red@5"); b.hand(1, SafeAnywhere, SafeAnywhere) },
			[]string{"0 move red=2", "1 card safe_anywhere 4", "1 card safe_anywhere 7"},
			"told.score: 0; phase: move; safe: 7; red: 7",
		},
		{
			"R15 who set the oldest flag alive moves the safe", topSecret, 3, func(b *board) {
				b.at("red@5")
				b.hand(1, AgentToSafe, BackOneOrTwo)
				b.hand(2, AgentToSafe)
			},
			[]string{"0 move red=2", "1 card agent_to_safe grey", "1 pass", "2 card agent_to_safe green", "1 card back_one_or_two red=-2"},
			"flags: grey/1,green/2; phase: safe; due: [1]; told.score: 1",
		},
		{
			"R16 stones on field 40 still move three and finish", topSecret, 2, func(b *board) { b.at("grey=40 red=12"); b.hand(0, TwoStonesThree) },
			[]string{"0 move red=2", "0 card two_stones_three grey red"},
			"grey.stone: 43; red.stone: 15; phase: over; rank: 1 2",
		},
		{
			"R16 stones on 41 do not, and it takes two", topSecret, 2, func(b *board) { b.at("grey=41 red=12"); b.hand(0, TwoStonesThree) },
			[]string{"0 move red=2", "0 card two_stones_three grey red | may be on 40", "0 card two_stones_three red | wants 2", "0 card two_stones_three red red | twice"},
			"red.stone: 12; phase: round",
		},
		{"R17 a stone that comes round in the round ends the match at once", topSecret, 3, func(b *board) {
			b.at("red@5 yellow=39")
			b.hand(1, TwoStonesThree)
			b.hand(2, AllToChurch)
		}, []string{"0 move red=2", "1 card two_stones_three yellow red"}, "phase: over; red.stone: 3; yellow.stone: 42; rank: 2 1 2; flags: red/0"},
		{
			"R18 a card without a target is not played", topSecret, 2, func(b *board) { b.hand(0, SafeAgentStep, RuinToChurch, SwapAgents, AgentToAgent) },
			[]string{
				"0 move red=2", "0 card safe_agent_step red=1 | not in the building with the safe", "0 card ruin_to_church red | not in the ruin",
				"0 card swap_agents grey yellow | same building", "0 card agent_to_agent grey yellow | same building", "0 pass",
			},
			"turn: 1; discard:",
		},
		{
			"R19 back from the church is the ruin, and draws", topSecret, 2, func(b *board) { b.hand(0, ForwardOrBackOne); b.deck(AllToChurch) },
			[]string{"0 move red=2", "0 card forward_or_back_one grey=-1"},
			"grey: ruin; hand.0: all_to_church",
		},
		{"R19 forward from the ruin is the church", ``, 2, func(b *board) { b.at("red@ruin") }, []string{"0 move red=2"}, "red: 1"},
		{
			"R20 a free agent taken is a second agent, the better stone counts", topSecret, 4, func(b *board) {
				b.hand(0, TakeFreeAgent, TwoStonesThree)
				b.Extra[1] = Agents(0).With(blue).With(purple)
				b.at("green=40 grey=7 blue=41")
			},
			[]string{"0 move red=2", "0 card take_free_agent", "0 card two_stones_three green yellow"},
			"extra.0: green; free: 0; discard: take_free_agent,two_stones_three; rank: 1 2 3 3; points: 43 41 0 0",
		},
		{
			"R20 the same seat may hold three", topSecret, 4, func(b *board) { b.hand(0, TakeFreeAgent, TakeFreeAgent, TakeFreeAgent) },
			[]string{"0 move red=2", "0 card take_free_agent", "0 card take_free_agent", "0 card take_free_agent"},
			"extra.0: green,blue,purple; free: 0; turn: 1",
		},
		{"R21 a free agent that was taken stays a dash", full, 2, func(b *board) {
			b.Extra[0] = Agents(0).With(orange)
			b.at("grey@10 grey=40 green@5")
			b.Filed = true
			b.Files[0] = [NumAgents]game.Seat{0, 1, -1, -1, -1}
			b.Files[1] = [NumAgents]game.Seat{1, -1, 0, -1, -1}
		}, []string{"0 move green=2"}, "points: 70 10; why: finish"},
		{"R22 the own agent gives no points", withFiles, 2, func(b *board) {
			b.at("grey@10 grey=40 green@5")
			b.Filed = true
			b.Files[0] = [NumAgents]game.Seat{0, -1, 1, -1, -1} // own right; orange and yellow wrong
			b.Files[1] = [NumAgents]game.Seat{0, -1, 1, -1, -1} // own wrong, grey right
		}, []string{"0 move green=2"}, "points: 60 15"},
		{
			"R23 the dossiers are asked for after the scoring, before the safe", withFiles, 2, nearEnd("red@10 red=19"),
			[]string{"0 move green=2", "0 safe 1 | the action is dossier", "0 dossier grey=0 yellow=1 & 1 dossier red=1 green=0"},
			"red.stone: 29; phase: safe; due: [0]; filed: true; told.dossier: 1",
		},
		{
			"R23 once only", withFiles, 2, func(b *board) { nearEnd("red@10 red=25")(b); b.Filed = true },
			[]string{"0 move green=2"},
			"red.stone: 35; phase: safe",
		},
		{
			"R23 from below 29 past the finish they are still filled in", withFiles, 2, func(b *board) { nearEnd("red@10 red=28")(b); b.Track = 35 },
			[]string{"0 move green=2", "0 dossier grey=0 yellow=1 & 1 dossier grey=0 yellow=1"},
			"phase: over; points: 20 20; why: free_agent",
		},
		{
			"R23 every seat stands behind one agent", withFiles, 2, nearEnd("red@10 red=19"),
			[]string{
				"0 move green=2", "0 dossier grey=0 | seat 1 is missing", "0 dossier grey=0 red=0 green=1 | behind two",
				"0 dossier grey=0 red=2 green=1 | no seat 2", `0 {"type":"dossier","owners":{"grey":0,"yellow":1}} | orange is missing`,
				`0 {"type":"dossier","owners":{"grey":0,"yellow":1,"orange":null,"red":null,"green":null,"blue":null}} | blue is not in play`,
			},
			"phase: dossier; due: [0,1]",
		},
		{"R24 a bonus does not help a free agent that is ahead all the same", withFiles, 2, func(b *board) {
			nearEnd("red@10 red=40 grey@1 grey=20")(b)
			b.Filed = true
			b.Files[0] = [NumAgents]game.Seat{0, 1, -1, -1, -1}
			b.Files[1] = [NumAgents]game.Seat{-1, 0, 1, -1, -1}
		}, []string{"0 move green=2"}, "points: 41 10; why: free_agent; rank: 1 1"},
		{"R24 a bonus can carry a player past a free agent", withFiles, 2, func(b *board) {
			nearEnd("red@10 red=35 grey@1 grey=29")(b)
			b.Filed = true
			b.Files[0] = [NumAgents]game.Seat{0, 1, -1, -1, -1}
			b.Files[1] = [NumAgents]game.Seat{-1, 0, 1, -1, -1}
		}, []string{"0 move green=2"}, "points: 50 10; why: finish; rank: 1 2"},
		{
			"R25 an empty deck takes the discard", topSecret, 2, func(b *board) { b.Roll = oneToThree; b.discarded(SwapAgents, SwapAgents) },
			[]string{"0 move"},
			"hand.0: swap_agents; deck: 1; discard: ; told.reshuffle: 1",
		},
		{"R25 both empty: nothing is drawn", topSecret, 2, func(b *board) { b.Roll = oneToThree }, []string{"0 move"}, "hand.0: ; told.draw: 0; turn: 1"},
		{
			"R26 what was played lies open", topSecret, 2, func(b *board) { b.hand(1, AllToChurch) },
			[]string{"0 move red=2", "1 card all_to_church"},
			"discard: all_to_church; told.card: 1",
		},
	})
}

// The rows are named after the second list of rulings, on timing.
func TestTimingRulings(t *testing.T) {
	runRows(t, []row{
		{"T1 the pass that ends one's own series does not count", topSecret, 2, func(b *board) {
			b.hand(0, SafeAnywhere, SafeAnywhere)
			b.hand(1, SafeAnywhere)
		}, []string{"0 move red=2", "0 card safe_anywhere 1", "0 pass", "1 pass"}, "phase: round; due: [0]; passes: 1"},
		{"T2 a seat with only fresh cards is not asked", topSecret, 2, func(b *board) {
			b.Roll = oneToThree
			b.deck(AllToChurch)
			b.hand(1, SafeAnywhere)
		}, []string{"0 move"}, "due: [1]; passes: 1; hand.0: all_to_church"},
		{"T2 a seat without a target is asked", topSecret, 2, func(b *board) { b.hand(1, RuinToChurch) }, []string{"0 move red=2"}, "due: [1]; phase: round"},
		{"T2 nobody holds a card: no round", topSecret, 2, nil, []string{"0 move red=2"}, "phase: move; turn: 1"},
		{
			"T2 a seat with its last card gone is not asked on", topSecret, 2, func(b *board) { b.hand(0, SafeAnywhere); b.hand(1, SafeAnywhere) },
			[]string{"0 move red=2", "0 card safe_anywhere 1"},
			"due: [1]; passes: 0",
		},
		{"T3 a 1-3 left unused with four cards draws nothing", topSecret, 2, func(b *board) {
			b.Roll = oneToThree
			b.deck(AllToChurch)
			b.hand(0, SafeAnywhere, SafeAnywhere, SwapAgents, SwapAgents)
		}, []string{"0 move"}, "deck: 1; drew: false"},
		{
			"T4 after a card the round goes on with the seat that played", full, 2, func(b *board) {
				b.at("red=26")
				b.hand(1, TwoStonesThree, SafeAnywhere)
			},
			[]string{"0 move red=2", "1 card two_stones_three red green", "0 dossier grey=0 yellow=1 & 1 dossier grey=0 yellow=1"},
			"phase: round; due: [1]; filed: true; red.stone: 29",
		},
		{"T4 after a card that ends the match the dossiers come first", full, 2, func(b *board) {
			b.at("red=35")
			b.FilesAt, b.Track = 38, 38
			b.hand(1, TwoStonesThree)
		}, []string{"0 move red=2", "1 card two_stones_three red green", "0 dossier grey=0 yellow=1 & 1 dossier grey=0 yellow=1"}, "phase: over; points: 20 20"},
		{
			"T5 flags are set in the order of the agents", ``, 2, func(b *board) { b.at("green@6 grey@6") },
			[]string{"0 move green=1 grey=1"},
			"flags: grey/0,green/0; due: [0]",
		},
		{"T5 an agent that comes back gets the newest flag", topSecret, 2, func(b *board) {
			b.at("red@6 green@6")
			b.hand(1, BackOneOrTwo, AgentToSafe, AllToChurch)
		}, []string{"0 move red=1 green=1", "1 card back_one_or_two red=-1", "1 card agent_to_safe red"}, "flags: green/0,red/1"},
		{"T5 all_to_church with the safe in the church flags those who come", topSecret, 2, func(b *board) {
			b.at("safe@church green@10 red@4")
			b.hand(1, AllToChurch, SafeAnywhere)
		}, []string{"0 move green=2", "1 card all_to_church"}, "flags: green/0,red/1; phase: round"},
		{
			"T5 all_to_church with the safe elsewhere clears all flags", topSecret, 2, func(b *board) { b.at("green@5"); b.hand(1, AllToChurch) },
			[]string{"0 move green=2", "1 card all_to_church"},
			"flags: ; told.score: 0; green: church",
		},
		{
			"T5 all_to_church without effect is playable", topSecret, 2, func(b *board) { b.hand(1, AllToChurch); b.at("red@10") },
			[]string{"0 move red=2", "1 card all_to_church"},
			"discard: all_to_church; told.move: 1",
		},
		{
			"T5 the next turn is left of the active seat, whoever moved the safe", topSecret, 3, func(b *board) { b.hand(2, AgentToSafe) },
			[]string{"0 move red=2", "2 card agent_to_safe green", "2 safe 1"},
			"turn: 1; phase: move",
		},
		{"T5 flags stay through scoring and dossier", withFiles, 2, nearEnd("red@10 red=19"), []string{"0 move green=2"}, "phase: dossier; flags: green/0"},
		{"T6 a card lost at four in hand leaves the draw for later", topSecret, 2, func(b *board) {
			b.at("red@9")
			b.hand(0, AgentToRuin, SafeAnywhere, SwapAgents, SwapAgents)
			b.deck(AllToChurch)
		}, []string{"0 move red=2", "0 card agent_to_ruin grey"}, "hand.0: safe_anywhere,swap_agents,swap_agents,all_to_church; drew: true"},
		{
			"T6 a swap into the ruin draws", topSecret, 2, func(b *board) { b.at("red@ruin"); b.hand(0, SwapAgents); b.deck(AllToChurch) },
			[]string{"0 move grey=2", "0 card swap_agents red grey"},
			"red: 2; grey: ruin; hand.0: all_to_church",
		},
		{
			"T6 going to an agent in the ruin draws", topSecret, 2, func(b *board) { b.at("red@ruin"); b.hand(0, AgentToAgent); b.deck(AllToChurch) },
			[]string{"0 move grey=2", "0 card agent_to_agent grey red"},
			"grey: ruin; hand.0: all_to_church",
		},
		{
			"T6 going to a safe in the ruin draws", topSecret, 2, func(b *board) { b.at("safe@ruin"); b.hand(0, AgentToSafe); b.deck(AllToChurch) },
			[]string{"0 move grey=2", "0 card agent_to_safe red"},
			"red: ruin; hand.0: all_to_church; flags: red/0",
		},
		{
			"T6 the card just played may come back", topSecret, 2, func(b *board) { b.hand(0, AgentToRuin) },
			[]string{"0 move grey=2", "0 card agent_to_ruin red"},
			"hand.0: agent_to_ruin; discard: ; told.reshuffle: 1",
		},
		{
			"T6 nothing to draw leaves the draw unused", topSecret, 2, func(b *board) { b.Roll = oneToThree; b.hand(0, AgentToRuin); b.hand(1, SafeAnywhere) },
			[]string{"0 move", "0 card agent_to_ruin red"},
			"hand.0: agent_to_ruin; drew: true; due: [1]",
		},
		{
			"T7 with the last free agent every copy leaves, clockwise from the active seat", topSecret, 6, func(b *board) {
				b.Turn = 4
				b.hand(1, TakeFreeAgent, TakeFreeAgent, SafeAnywhere)
				b.hand(5, SwapAgents, TakeFreeAgent)
				b.deck(AllToChurch, TakeFreeAgent, TwoBackOne)
			},
			[]string{"4 move red=2", "5 pass", "1 card take_free_agent"},
			"free: 0; removed: 3; hand.5: swap_agents,two_back_one; hand.1: safe_anywhere,all_to_church; deck: 0; discard: take_free_agent; extra.1: purple",
		},
		{
			"T7 a copy drawn later leaves too, and the next card comes", topSecret, 7, func(b *board) { b.Roll = oneToThree; b.deck(AllToChurch, TakeFreeAgent); b.hand(1, SafeAnywhere) },
			[]string{"0 move"},
			"removed: 1; hand.0: all_to_church; deck: 0; drew: true",
		},
		{
			"T7 the replacement is not played this turn, and is not the draw of the turn", topSecret, 6, func(b *board) {
				b.hand(0, TakeFreeAgent, TakeFreeAgent, AgentToRuin)
				b.deck(SwapAgents, AllToChurch)
			},
			[]string{"0 move red=2", "0 card take_free_agent", "0 card all_to_church | from the next turn on", "0 card agent_to_ruin red"},
			"hand.0: all_to_church,swap_agents; deck: 0; removed: 1",
		},
		{
			"T7 the card played may come back with the discard, and leaves", topSecret, 6, func(b *board) { b.hand(0, TakeFreeAgent, TakeFreeAgent) },
			[]string{"0 move red=2", "0 card take_free_agent"},
			"hand.0: ; removed: 2; deck: 0; discard: ; told.reshuffle: 1",
		},
		{
			"T8 a card that ends the match: flags are not scored", topSecret, 2, func(b *board) { b.at("green@5 red=39"); b.hand(1, TwoStonesThree) },
			[]string{"0 move green=2", "1 card two_stones_three red grey"},
			"phase: over; green.stone: 0; grey.stone: 3; told.score: 1",
		},
		{"T9 max_turns 0 is no limit", `{"max_turns":0}`, 2, nil, []string{"0 move red=2"}, "phase: move; turn: 1"},
		{"T9 the turn limit ends the match before the next roll", `{"max_turns":2}`, 2, nil, []string{"0 move red=2"}, "phase: move; turn: 1"},
		{
			"T9 ranks count the players with more points", ``, 4, nearEnd("grey@3 grey=39 yellow@5 yellow=20 orange@5 orange=20 red@1"),
			[]string{"0 move green=2"},
			"rank: 1 2 2 4; points: 42 25 25 1; why: finish",
		},
	})
}

// While the dossiers interrupt a round the view tells where it stands, with the card that did counted; once the match is
// over there is no round.
func TestTheViewOfADossierInARound(t *testing.T) { // T4
	round := func(b *board) string { return string(gametest.JSON(Rules{}.View(&b.State, game.Spectator).Round)) }
	b := newBoard(t, full, 2, func(b *board) {
		b.at("red=26")
		b.hand(1, TwoStonesThree, TwoStonesThree, SafeAnywhere)
	})
	if got := round(b); got != "null" {
		t.Errorf("before the round: want null, got %s", got)
	}
	b.Play(t, "0 move red=2", "1 card two_stones_three red green")
	if got, want := round(b), `{"asked":1,"passes":0,"again":true}`; b.Phase != PhaseDossier || got != want {
		t.Errorf("phase %s: want %s, got %s", b.Phase, want, got)
	}
	b.Play(t, "0 dossier grey=0 yellow=1 & 1 dossier grey=0 yellow=1")
	if got, want := round(b), `{"asked":1,"passes":0,"again":true}`; got != want {
		t.Errorf("the round goes on: want %s, got %s", want, got)
	}
	b = newBoard(t, full, 2, func(b *board) {
		b.at("red=41")
		b.hand(1, TwoStonesThree)
		b.FilesAt = 42
		b.Stone[red] = 39
	})
	b.Play(t, "0 move red=2", "1 card two_stones_three red green", "0 dossier grey=0 yellow=1 & 1 dossier grey=0 yellow=1")
	if got := round(b); b.Phase != PhaseOver || got != "null" {
		t.Errorf("phase %s: want null, got %s", b.Phase, got)
	}
	b = newBoard(t, full, 2, func(b *board) {
		b.at("red=26")
		b.hand(1, TwoStonesThree)
	})
	b.Play(t, "0 move red=2", "1 card two_stones_three red green")
	if got, want := round(b), `{"asked":1,"passes":0,"again":false}`; b.Phase != PhaseDossier || got != want {
		t.Errorf("after its last card, phase %s: want %s, got %s", b.Phase, want, got)
	}
	b = newBoard(t, withFiles, 2, nearEnd("red@10 red=19"))
	b.Play(t, "0 move green=2")
	if got := round(b); b.Phase != PhaseDossier || got != "null" {
		t.Errorf("dossiers after a scoring: want null, got %s", got)
	}
}
