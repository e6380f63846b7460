package cia

import "testing"

// The worked example of a reaction round in the rulebook: Michel (0) is active, then clockwise Wim (1), Boudewijn (2) and
// Jan-Paul (3). The round is opened by a card of Wim; before that Michel passes, and each player that is asked whether it
// plays on passes. Where the text begins is read off its moves: red one before the safe in 7, yellow in the ruin, green in 1,
// blue in 10.
func TestTheWorkedExampleOfTheRulebook(t *testing.T) {
	b := newBoard(t, topSecret, 4, func(b *board) {
		b.Roll = oneToThree
		b.at("red@6 yellow@ruin green@1 blue@10")
		b.hand(0, SafeAnywhere, AllToChurch)
		b.hand(1, TwoBackOne, AgentToRuin, RuinToChurch, AllToChurch)
		b.hand(2, TwoForwardOne, AgentToSafe, AllToChurch)
		b.hand(3, SwapAgents, AllToChurch)
		b.deck(SafeAgentStep, SafeAgentStep)
	})
	for _, x := range []struct {
		line string
		want []string // key, value …
	}{
		{"0 move red=1", []string{"flags", "red/0", "due", "[0]"}},
		{"0 pass", []string{"due", "[1]"}},
		{"1 card two_back_one yellow=-1 green=-1", []string{"yellow", "10", "green", "church", "due", "[1]"}},
		{"1 pass", []string{"due", "[2]"}},
		{"2 card two_forward_one blue=1 yellow=1", []string{"blue", "ruin", "yellow", "ruin", "hand.2", "agent_to_safe,all_to_church", "deck", "2"}},
		{"2 pass", []string{"due", "[3]"}},
		{"3 pass", []string{"due", "[0]"}},
		{"0 card safe_anywhere 4", []string{"safe", "4", "flags", ""}},
		{"0 pass", []string{"due", "[1]"}},
		{"1 pass", []string{"due", "[2]"}},
		{"2 card agent_to_safe red", []string{"red", "4", "flags", "red/2"}},
		{"2 pass", []string{"due", "[3]"}},
		{"3 pass", []string{"due", "[0]"}},
		{"0 pass", []string{"due", "[1]"}},
		{"1 card agent_to_ruin red", []string{"red", "ruin", "flags", "", "hand.1", "ruin_to_church,all_to_church", "deck", "2"}},
		{"1 pass", []string{"due", "[2]"}},
		{"2 pass", []string{"due", "[3]"}},
		{"3 pass", []string{"due", "[0]"}},
		{"0 pass", []string{"due", "[1]"}},
		{"1 card ruin_to_church blue yellow", []string{"blue", "church", "yellow", "church", "red", "ruin"}},
		{"1 pass", []string{"due", "[2]", "passes", "0"}},
		{"2 pass", []string{"due", "[3]"}},
		{"3 pass", []string{"due", "[0]"}},
		{"0 pass", []string{"due", "[1]", "phase", "round"}},
		{"1 pass", []string{
			"phase", "move", "turn", "1", "told.score", "0", "safe", "4",
			"discard", "two_back_one,two_forward_one,safe_anywhere,agent_to_safe,agent_to_ruin,ruin_to_church",
		}},
	} {
		b.Play(t, x.line)
		for i := 0; i < len(x.want); i += 2 {
			if got := b.Tell(x.want[i]); got != x.want[i+1] {
				t.Errorf("after %q: want %s %q, got %q", x.line, x.want[i], x.want[i+1], got)
			}
		}
	}
}
