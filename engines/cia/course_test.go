package cia

import (
	"fmt"
	"slices"
	"testing"

	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/internal/gametest"
)

func TestTheTurnLimit(t *testing.T) { // T9
	for name, x := range map[string]struct{ stones, why, rank string }{
		"level":                   {"", "turn_limit", "1 1"},
		"a player is ahead":       {"grey=3 orange=3", "turn_limit", "1 2"},
		"a free agent is ahead":   {"grey=3 orange=4", "free_agent", "1 1"},
		"no bonus without a file": {"grey=28", "turn_limit", "1 2"},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBoard(t, `{"max_turns":1,"dossier":true}`, 2, func(b *board) { b.at(x.stones) })
			b.Play(t, "0 move red=2")
			if got := b.Tell("phase") + " " + b.Tell("why") + " " + b.Tell("rank"); got != "over "+x.why+" "+x.rank {
				t.Errorf("want over %s %s, got %s", x.why, x.rank, got)
			}
		})
	}
}

func TestTheStart(t *testing.T) { // R8, R9 and the setup
	out := map[string]map[Agent]bool{}
	first := map[game.Seat]bool{}
	for i := range 400 {
		seats := 2 + i%6
		var s State
		c := Rules{}.Defaults()
		c.TopSecret = i%2 == 0
		Rules{}.Deal(&s, c, seats, game.Stream(gametest.Seed(i), 0, "deal"), nil)
		if want := []int{2: 5, 3: 6, 4: 7, 5: 7, 6: 7, 7: 7}[seats]; s.InPlay.Len() != want {
			t.Fatalf("%d seats: want %d agents, got %d", seats, want, s.InPlay.Len())
		}
		var given Agents
		for seat := range seats {
			if given.Has(s.Agent[seat]) || !s.InPlay.Has(s.Agent[seat]) {
				t.Fatalf("%d seats: seat %d runs %s, which is given or not in play", seats, seat, s.Agent[seat])
			}
			given = given.With(s.Agent[seat])
			if want := int8(dealt); c.TopSecret && s.HandN[seat] != want || !c.TopSecret && s.HandN[seat] != 0 {
				t.Fatalf("top_secret %v: seat %d holds %d cards", c.TopSecret, seat, s.HandN[seat])
			}
		}
		if want := 26 - 2*seats - seats/7; c.TopSecret && int(s.DeckN) != want {
			t.Fatalf("%d seats: want a deck of %d, got %d", seats, want, s.DeckN)
		}
		if s.Safe != 7 || s.Pos != [NumAgents]Building{} || s.Stone != [NumAgents]int16{} {
			t.Fatalf("want all in the church, the safe in 7 and stones on 0, got %v", s)
		}
		for a := range Agent(NumAgents) {
			key := fmt.Sprint(seats, s.InPlay.Has(a))
			if out[key] == nil {
				out[key] = map[Agent]bool{}
			}
			out[key][a] = true
		}
		first[s.Turn] = true
	}
	if len(out["2 false"]) != 7 || len(out["2 true"]) != 7 || len(out["3 false"]) != 7 {
		t.Errorf("R8: every agent is sometimes in play and sometimes not, got %v", out)
	}
	if len(first) != 7 {
		t.Errorf("R9: every seat sometimes begins, got %v", first)
	}
	c := Rules{}.Defaults()
	c.First = 3
	var s State
	if (Rules{}).Deal(&s, c, 5, game.Stream(game.Seed{}, 0, "deal"), nil); s.Turn != 3 {
		t.Errorf("R9: first 3: want seat 3, got %d", s.Turn)
	}
}

func TestTheDie(t *testing.T) {
	counts := map[Roll]int{}
	for i := range 6000 {
		var s State
		Rules{}.Deal(&s, Rules{}.Defaults(), 2, game.Stream(gametest.Seed(i), 0, "deal"), nil)
		counts[s.Roll]++
	}
	for roll := oneToThree; roll <= 6; roll++ {
		if n := counts[roll]; n < 850 || n > 1150 { // 1000 expected, five standard deviations are 144
			t.Errorf("%s was rolled %d times in 6000", roll, n)
		}
	}
	if len(counts) != 6 {
		t.Errorf("want six faces, got %v", counts)
	}
}

// The free agent taken is drawn blindly: each is as likely. R20.
func TestTheFreeAgentTakenIsDrawnBlindly(t *testing.T) {
	counts := map[string]int{}
	for i := range 900 {
		b := newBoard(t, topSecret, 4, func(b *board) { b.hand(0, TakeFreeAgent); b.Luck = game.Stream(gametest.Seed(i), 0, "take") })
		b.Play(t, "0 move red=2", "0 card take_free_agent")
		counts[b.Tell("extra.0")]++
	}
	for _, a := range []string{"green", "blue", "purple"} {
		if n := counts[a]; n < 230 || n > 370 { // 300 expected, five standard deviations are 71
			t.Errorf("%s was taken %d times in 900", a, n)
		}
	}
}

func TestTheEventsOfACard(t *testing.T) {
	b := newBoard(t, topSecret, 2, func(b *board) { b.hand(0, AgentToRuin); b.deck(SwapAgents) })
	b.Play(t, "0 move red=2", "0 card agent_to_ruin red")
	var got []string
	for _, note := range b.Told.Notes {
		text, _ := game.Event{For: note.For, Data: gametest.JSON(note.Event)}.MarshalJSON()
		got = append(got, string(text))
	}
	want := []string{
		`{"for":"all","kind":"move","seat":0,"agents":{"red":"2"}}`,
		`{"for":"all","kind":"card","seat":0,"action":{"type":"card","card":"agent_to_ruin","agents":["red"]}}`,
		`{"for":"all","kind":"move","seat":0,"agents":{"red":"ruin"}}`,
		`{"for":"all","kind":"draw","seat":0}`,
		`{"for":[0],"kind":"draw","seat":0,"card":"swap_agents"}`,
	}
	if got = got[:min(len(got), len(want))]; !slices.Equal(got, want) {
		t.Errorf("want\n%v, got\n%v", want, got)
	}
}

// What is no agent, building or card has a word for it, and an action that names one is refused: bots on the typed path
// can build such actions.
func TestWhatIsOutOfRangeIsRefused(t *testing.T) {
	for _, x := range []struct{ got, want string }{
		{Agent(-1).String(), "nobody"},
		{Agent(0).String(), "grey"},
		{Agent(6).String(), "purple"},
		{Agent(7).String(), "nobody"},
		{Agent(127).String(), "nobody"},
		{Building(-1).String(), "nowhere"},
		{Building(0).String(), "church"},
		{Building(11).String(), "ruin"},
		{Building(12).String(), "nowhere"},
		{Building(127).String(), "nowhere"},
		{Card(0).String(), "back_one_or_two"},
		{Card(14).String(), "take_free_agent"},
		{Card(15).String(), "no card"},
		{Card(255).String(), "no card"},
	} {
		if x.got != x.want {
			t.Errorf("want %q, got %q", x.want, x.got)
		}
	}
	b := newBoard(t, topSecret, 2, func(b *board) { b.hand(0, SafeAnywhere, AgentToSafe) })
	b.Play(t, "0 move red=2")
	for _, x := range []struct {
		a    Action
		want string
	}{
		{Action{Kind: ActCard, Card: SafeAnywhere, To: -1}, "there is no building -1"},
		{Action{Kind: ActCard, Card: SafeAnywhere, To: 12}, "there is no building 12"},
		{Action{Kind: ActCard, Card: SafeAnywhere, To: 11}, ""},
		{Action{Kind: ActCard, Card: SafeAnywhere, To: 0}, ""},
		{Action{Kind: ActCard, Card: 15}, "there is no card 15"},
		{Action{Kind: ActCard, Card: 255}, "there is no card 255"},
		{Action{Kind: ActCard, Card: TakeFreeAgent}, "you do not hold take_free_agent"},
		{Action{Kind: ActCard, Card: AgentToSafe}, "agent_to_safe: wants 1 agent, got 0"},
		{Action{Kind: ActCard, Card: AgentToSafe, Agents: 3}, "agent_to_safe: wants 1 agent, got 2"},
		{Action{Kind: ActCard, Card: AgentToSafe, Agents: 128}, "nobody is not in play"},
		{Action{Kind: ActCard, Card: AgentToSafe, Agents: 1}, ""},
	} {
		if err := (Rules{}).Legal(&b.State, 0, x.a); (err == nil) != (x.want == "") || err != nil && err.Error() != x.want {
			t.Errorf("%+v: want %q, got %v", x.a, x.want, err)
		}
	}
}
