package cia

import "testing"

// holds gives seat 0 a card and, so that the round goes on after it, two seats more; words set up the board.
func holds(c Card, words string) func(*board) {
	return func(b *board) {
		b.hand(0, c)
		b.hand(1, SafeAnywhere)
		b.at(words)
	}
}

// after plays a move that is far from everything, then the lines.
func after(lines ...string) []string { return append([]string{"0 move orange=2"}, lines...) }

func TestCards(t *testing.T) {
	runRows(t, []row{
		{"back_one_or_two: one", topSecret, 2, holds(BackOneOrTwo, "red@4"), after("0 card back_one_or_two red=-1"), "red: 3; discard: back_one_or_two; hand.0: "},
		{"back_one_or_two: two, past the church", topSecret, 2, holds(BackOneOrTwo, "red@1"), after("0 card back_one_or_two red=-2"), "red: ruin"},
		{"back_one_or_two: to the safe flags", topSecret, 2, holds(BackOneOrTwo, "red@9"), after("0 card back_one_or_two red=-2"), "red: 7; flags: red/0"},
		{"back_one_or_two: refusals", topSecret, 2, holds(BackOneOrTwo, ""), after("0 card back_one_or_two red=-3 | it can go -2 to -1",
			"0 card back_one_or_two red=1 | it can go -2 to -1", "0 card back_one_or_two red=-1 grey=-1 | steps for 1 agents", "0 card back_one_or_two blue=-1 | not in play",
			`0 {"type":"card","card":"back_one_or_two","steps":{}} | steps for 1 agents`, `0 {"type":"card","card":"back_one_or_two"} | /steps: is missing`,
			`0 {"type":"card","card":"back_one_or_two","steps":{"red":0}} | no number of steps`), "hand.0: back_one_or_two"},

		{"forward_or_back_one: forward", topSecret, 2, holds(ForwardOrBackOne, "red@6"), after("0 card forward_or_back_one red=1"), "red: 7; flags: red/0"},
		{"forward_or_back_one: back", topSecret, 2, holds(ForwardOrBackOne, "red@8"), after("0 card forward_or_back_one red=-1"), "red: 7; flags: red/0"},
		{"forward_or_back_one: refusals", topSecret, 2, holds(ForwardOrBackOne, ""), after("0 card forward_or_back_one red=2 | it can go -1 or +1",
			"0 card forward_or_back_one red=1 grey=1 | steps for 1 agents"), "red: church"},

		{"two_back_one", topSecret, 2, holds(TwoBackOne, "red@5"), after("0 card two_back_one red=-1 grey=-1"), "red: 4; grey: ruin"},
		{"two_back_one: refusals", topSecret, 2, holds(TwoBackOne, ""), after("0 card two_back_one red=-1 | steps for 2 agents",
			"0 card two_back_one red=-2 grey=-1 | it can go -1", "0 card two_back_one red=-1 grey=-1 yellow=-1 | steps for 2 agents",
			`0 {"type":"card","card":"two_back_one","steps":{"red":-1,"red":-1}} | twice`), "red: church"},

		{"two_forward_one: both flags in the order of the agents", topSecret, 2, holds(TwoForwardOne, "red@6 grey@6"), after("0 card two_forward_one red=1 grey=1"), "flags: grey/0,red/0"},
		{"two_forward_one: one leaves the safe, one comes", topSecret, 2, func(b *board) {
			holds(TwoForwardOne, "red@6 orange@5")(b)
		}, after("0 card two_forward_one red=1 orange=1"), "orange: 8; red: 7; flags: red/0"},
		{"two_forward_one: refusals", topSecret, 2, holds(TwoForwardOne, ""), after("0 card two_forward_one red=1 | steps for 2 agents",
			"0 card two_forward_one red=1 grey=-1 | it can go +1"), "red: church"},

		{"safe_agent_step: forward", topSecret, 2, holds(SafeAgentStep, "red@7"), after("0 card safe_agent_step red=1"), "red: 8"},
		{"safe_agent_step: back calls off a scoring", topSecret, 2, holds(SafeAgentStep, "orange@5"), after("0 card safe_agent_step orange=-1"), "orange: 6; flags: ; told.score: 0"},
		{"safe_agent_step: the one without a flag leaves it standing", topSecret, 2, holds(SafeAgentStep, "orange@5 red@7"), after("0 card safe_agent_step red=1", "1 pass"), "told.score: 1; phase: safe"},
		{"safe_agent_step: refusals", topSecret, 2, holds(SafeAgentStep, "red@7 grey@6"), after("0 card safe_agent_step grey=1 | not in the building with the safe",
			"0 card safe_agent_step red=2 | it can go -1 or +1"), "red: 7"},

		{"safe_anywhere", topSecret, 2, holds(SafeAnywhere, "red@ruin"), after("0 card safe_anywhere ruin", "1 pass"), "safe: ruin; told.score: 0; told.safe: 1; turn: 1"},
		{"safe_anywhere: an agent to the new place scores", topSecret, 2, holds(SafeAnywhere, "red@2"), after("0 card safe_anywhere 4", "1 pass", "1 move red=2"), "told.score: 0; flags: red/1; phase: round"},
		{"safe_anywhere: refusals", topSecret, 2, holds(SafeAnywhere, ""), after("0 card safe_anywhere 7 | already", `0 {"type":"card","card":"safe_anywhere"} | /to: is missing`,
			`0 {"type":"card","card":"safe_anywhere","to":"11"} | wants church`, `0 {"type":"card","card":"safe_anywhere","to":"1","agents":["red"]} | does not belong`), "safe: 7"},

		{"agent_to_ruin", topSecret, 2, holds(AgentToRuin, "red@3"), after("0 card agent_to_ruin red"), "red: ruin"},
		{"agent_to_ruin: off the safe", topSecret, 2, holds(AgentToRuin, "orange@5"), after("0 card agent_to_ruin orange"), "flags: "},
		{"agent_to_ruin: with the safe there flags", topSecret, 2, holds(AgentToRuin, "safe@ruin"), after("0 card agent_to_ruin red"), "flags: red/0"},
		{"agent_to_ruin: refusals", topSecret, 2, holds(AgentToRuin, "red@ruin"), after("0 card agent_to_ruin red | there already", "0 card agent_to_ruin red grey | wants 1 agent",
			`0 {"type":"card","card":"agent_to_ruin","agents":[]} | wants 1 agent`, "0 card agent_to_ruin blue | not in play", `0 {"type":"card","card":"agent_to_ruin","agents":["pink"]} | no agent`), "red: ruin"},

		{"all_to_church", topSecret, 2, holds(AllToChurch, "red@3 grey@ruin green@7"), after("0 card all_to_church"), "red: church; grey: church; green: church; orange: church"},
		{
			"all_to_church: undone by agent_to_safe", topSecret, 2, func(b *board) { holds(AllToChurch, "orange@5")(b); b.hand(1, AgentToSafe) },
			after("0 card all_to_church", "1 card agent_to_safe green"), "flags: green/1; phase: safe; due: [1]",
		},
		{"all_to_church: refusals", topSecret, 2, holds(AllToChurch, ""), after(`0 {"type":"card","card":"all_to_church","agents":["red"]} | does not belong`), "hand.0: all_to_church"},

		{"swap_agents", topSecret, 2, holds(SwapAgents, "red@3 grey@ruin"), after("0 card swap_agents red grey"), "red: ruin; grey: 3"},
		{"swap_agents: at the safe the one that comes gets a new flag", topSecret, 2, holds(SwapAgents, "orange@5 red@3"), after("0 card swap_agents red orange"), "red: 7; orange: 3; flags: red/0"},
		{"swap_agents: the order does not count", topSecret, 2, holds(SwapAgents, "red@3"), after("0 card swap_agents grey red"), "red: church; grey: 3"},
		{"swap_agents: refusals", topSecret, 2, holds(SwapAgents, ""), after("0 card swap_agents red grey | same building", "0 card swap_agents red | wants 2 agents",
			"0 card swap_agents red red | twice", "0 card swap_agents red blue | not in play"), "red: church"},

		{"agent_to_agent: the first goes to the second", topSecret, 2, holds(AgentToAgent, "red@3 grey@7"), after("0 card agent_to_agent red grey"), "red: 7; grey: 7; flags: red/0"},
		{"agent_to_agent: and not the other way", topSecret, 2, holds(AgentToAgent, "red@3 grey@7"), after("0 card agent_to_agent grey red"), "red: 3; grey: 3; flags: "},
		{"agent_to_agent: refusals", topSecret, 2, holds(AgentToAgent, ""), after("0 card agent_to_agent red grey | same building", "0 card agent_to_agent red | wants 2 agents",
			"0 card agent_to_agent red red | twice"), "red: church"},

		{"ruin_to_church: one", topSecret, 2, holds(RuinToChurch, "red@ruin grey@ruin"), after("0 card ruin_to_church red"), "red: church; grey: ruin"},
		{"ruin_to_church: two, onto the safe", topSecret, 2, holds(RuinToChurch, "red@ruin grey@ruin safe@church"), after("0 card ruin_to_church red grey"), "flags: grey/0,red/0"},
		{"ruin_to_church: with the safe in the ruin calls it off", topSecret, 2, holds(RuinToChurch, "orange@10 safe@ruin"), []string{"0 move orange=1 red=1", "0 card ruin_to_church orange"}, "flags: ; told.score: 0"},
		{"ruin_to_church: refusals", topSecret, 2, holds(RuinToChurch, "red@ruin"), after("0 card ruin_to_church grey | not in the ruin", "0 card ruin_to_church red grey | not in the ruin",
			"0 card ruin_to_church red grey yellow | wants 1 or 2", `0 {"type":"card","card":"ruin_to_church","agents":[]} | wants 1 or 2`), "red: ruin"},

		{"forward_one_to_three: three", topSecret, 2, holds(ForwardOneToThree, "red@4"), after("0 card forward_one_to_three red=3"), "red: 7; flags: red/0"},
		{"forward_one_to_three: past the safe", topSecret, 2, holds(ForwardOneToThree, "red@6"), after("0 card forward_one_to_three red=2"), "red: 8; flags: "},
		{"forward_one_to_three: refusals", topSecret, 2, holds(ForwardOneToThree, ""), after("0 card forward_one_to_three red=4 | it can go +1 to +3",
			"0 card forward_one_to_three red=-1 | it can go +1 to +3", "0 card forward_one_to_three red=1 grey=2 | steps for 1 agents"), "red: church"},

		{"two_stones_three", topSecret, 2, holds(TwoStonesThree, "red=0 grey=39"), after("0 card two_stones_three red grey"), "red.stone: 3; grey.stone: 42; phase: over"},
		{"two_stones_three: and the round goes on", topSecret, 2, holds(TwoStonesThree, "red=5"), after("0 card two_stones_three red yellow"), "red.stone: 8; yellow.stone: 3; told.score: 1; due: [1]"},
		{"two_stones_three: refusals", topSecret, 2, holds(TwoStonesThree, "red=41"), after("0 card two_stones_three red grey | may be on 40", "0 card two_stones_three grey | wants 2 agents",
			"0 card two_stones_three grey blue | not in play"), "grey.stone: 0"},

		{"agent_to_safe", topSecret, 2, holds(AgentToSafe, "red@ruin"), after("0 card agent_to_safe red", "1 pass"), "red: 7; phase: safe; due: [0]; red.stone: 7"},
		{"agent_to_safe: called off by safe_anywhere", topSecret, 2, holds(AgentToSafe, ""), after("0 card agent_to_safe red", "1 card safe_anywhere 1"), "flags: ; phase: move; turn: 1"},
		{"agent_to_safe: refusals", topSecret, 2, holds(AgentToSafe, "red@7"), after("0 card agent_to_safe red | there already", "0 card agent_to_safe red grey | wants 1 agent"), "flags: "},

		{"take_free_agent", topSecret, 3, holds(TakeFreeAgent, ""), after("0 card take_free_agent"), "free: 2; discard: take_free_agent; told.draw: 0"},
		{"take_free_agent: refusals", topSecret, 3, holds(TakeFreeAgent, ""), after(`0 {"type":"card","card":"take_free_agent","agents":["red"]} | does not belong`), "free: 3"},

		{"any card: not in hand", topSecret, 2, holds(AgentToSafe, ""), after("0 card all_to_church | you do not hold"), "phase: round"},
		{"any card: no such card", topSecret, 2, holds(AgentToSafe, ""), after(`0 {"type":"card","card":"peek"} | no card`, `0 {"type":"card"} | /card: is missing`,
			`0 {"type":"pass","card":"all_to_church"} | does not belong`), "phase: round"},
		{"any card: not outside a round", topSecret, 2, holds(AllToChurch, ""), []string{"0 card all_to_church | in phase move the action is move"}, "phase: move"},
		{"any card: not after the match", topSecret, 2, func(b *board) { holds(AllToChurch, "")(b); b.Phase = PhaseOver }, []string{"0 pass | not due"}, "phase: over"},
	})
}

// Every card in the offer is legal and every legal play is in the offer.
func TestTheOfferOfARoundIsComplete(t *testing.T) {
	for c := range Card(cardKinds) {
		for _, words := range []string{"", "red@ruin", "red@7 grey@ruin yellow@ruin green=41 grey=41", "red@3 grey@3 yellow@7 orange@7"} {
			b := newBoard(t, topSecret, 2, func(b *board) { b.hand(0, c, c); b.at(words); b.Phase = PhaseRound })
			want := map[string]bool{`{"type":"pass"}`: true}
			for _, a := range allPlays(c) {
				if (Rules{}).Legal(&b.State, 0, a) == nil {
					want[string(a.AppendJSON(nil))] = true
				}
			}
			got := offerOf(&b.State, 0)
			for text := range want {
				if !got[text] {
					t.Errorf("%s, %q: %s is legal and not offered", c, words, text)
				}
			}
			if len(got) != len(want) {
				t.Errorf("%s, %q: want %d offered, got %d", c, words, len(want), len(got))
			}
		}
	}
}

// allPlays returns every action of c with up to three agents, legal or not.
func allPlays(c Card) (out []Action) {
	for m := range Agents(1 << NumAgents) {
		if m.Len() > 3 {
			continue
		}
		a := Action{Kind: ActCard, Card: c}
		switch c.field() {
		case fieldNone:
			out = append(out, a)
			return out
		case fieldTo:
			for to := range Building(Buildings) {
				a.To = to
				out = append(out, a)
			}
			return out
		case fieldAgents:
			a.Agents = m
			for first := m; first != 0 && c == AgentToAgent; first &= first - 1 {
				a.First = first.Lowest()
				out = append(out, a)
			}
			if c != AgentToAgent {
				out = append(out, a)
			}
		case fieldSteps:
			for n := int8(-4); n <= 4; n++ {
				x := a
				for k := m; k != 0; k &= k - 1 {
					x.Steps[k.Lowest()] = n
				}
				if n != 0 {
					out = append(out, x)
				}
			}
		}
	}
	return out
}
