package cia

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/molerun/molerun/engines/game"
)

// Wire forms that stay as they are when read and written.
func TestActionsOnTheWire(t *testing.T) {
	for _, text := range wireActions() {
		var a Action
		if err := json.Unmarshal([]byte(text), &a); err != nil {
			t.Errorf("%s: %v", text, err)
		} else if got := string(a.AppendJSON(nil)); got != text {
			t.Errorf("want %s, got %s", text, got)
		}
	}
}

func wireActions() []string {
	return []string{
		`{"type":"move","steps":{}}`, `{"type":"move","steps":{"red":2,"blue":1}}`, `{"type":"safe","to":"ruin"}`, `{"type":"safe","to":"10"}`,
		`{"type":"pass"}`, `{"type":"dossier","owners":{"grey":null,"yellow":1,"orange":0,"red":2,"green":null,"blue":null}}`,
		`{"type":"card","card":"back_one_or_two","steps":{"red":-2}}`, `{"type":"card","card":"two_back_one","steps":{"grey":-1,"red":-1}}`,
		`{"type":"card","card":"agent_to_agent","agents":["red","grey"]}`, `{"type":"card","card":"swap_agents","agents":["grey","red"]}`,
		`{"type":"card","card":"ruin_to_church","agents":["purple"]}`, `{"type":"card","card":"safe_anywhere","to":"church"}`,
		`{"type":"card","card":"all_to_church"}`, `{"type":"card","card":"take_free_agent"}`,
	}
}

func TestTheOrderOfAgentsCountsForOneCardOnly(t *testing.T) {
	for text, want := range map[string]string{
		`{"type":"card","card":"swap_agents","agents":["red","grey"]}`:       `{"type":"card","card":"swap_agents","agents":["grey","red"]}`,
		`{"type":"card","card":"two_stones_three","agents":["blue","grey"]}`: `{"type":"card","card":"two_stones_three","agents":["grey","blue"]}`,
		`{"type":"card","card":"agent_to_agent","agents":["red","grey"]}`:    `{"type":"card","card":"agent_to_agent","agents":["red","grey"]}`,
	} {
		var a Action
		if err := json.Unmarshal([]byte(text), &a); err != nil || string(a.AppendJSON(nil)) != want {
			t.Errorf("%s: want %s, got %s, %v", text, want, a.AppendJSON(nil), err)
		}
	}
}

// Owners that are no seats of any table are refused where they stand, before they could wrap around into one.
func TestOwnersAreSeatsOrNobody(t *testing.T) {
	for text, want := range map[string]string{
		`{"red":-1}`:            "at /red: is no seat: -1",
		`{"red":7}`:             "at /red: is no seat: 7",
		`{"red":256}`:           "at /red: is no seat: 256",
		`{"red":0,"pink":1}`:    `names "pink", which is no agent`,
		`{"red":0,"blue":6}`:    "",
		`{"red":null,"grey":0}`: "",
	} {
		var o owners
		err := o.UnmarshalJSON([]byte(text))
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%s: want %q, got %v", text, want, err)
		}
	}
}

func TestTheConfigurationOnTheWire(t *testing.T) {
	e := game.Wrap(Rules{})
	got, err := e.Configure(json.RawMessage(`{"cards":{"swap_agents":4},"first":2,"top_secret":true}`), 2)
	if err == nil {
		t.Fatalf("first 2 at a table of 2: want a refusal, got %s", got)
	}
	got, err = e.Configure(json.RawMessage(`{"cards":{"swap_agents":8},"first":2,"top_secret":true}`), 3)
	want := `{"top_secret":true,"dossier":false,"track":42,"dossier_at":29,"dossier_bonus":5,"cards":{"back_one_or_two":0,"forward_or_back_one":0,` +
		`"two_back_one":0,"two_forward_one":0,"safe_agent_step":0,"safe_anywhere":0,"agent_to_ruin":0,"all_to_church":0,"swap_agents":8,` +
		`"agent_to_agent":0,"ruin_to_church":0,"forward_one_to_three":0,"two_stones_three":0,"agent_to_safe":0,"take_free_agent":0},` +
		`"first":2,"drawn_playable":"next_turn","max_turns":500}`
	if err != nil || string(got) != want {
		t.Errorf("want %s, got %s, %v", want, got, err)
	}
	if got, err := e.Configure(nil, 7); err != nil || !strings.Contains(string(got), `"two_stones_three":2,"agent_to_safe":2,"take_free_agent":1}`) {
		t.Errorf("defaults: got %s, %v", got, err)
	}
	if cards := (Rules{}).Defaults().Cards; game.Sum(cards[:]) != 26 {
		t.Errorf("want 26 cards, got %d", game.Sum(cards[:]))
	}
	_, err = e.Configure(json.RawMessage(`{"top_secret":true,"cards":{"take_free_agent":10,"swap_agents":13}}`), 7)
	if err == nil || !strings.Contains(err.Error(), "at least 14") {
		t.Errorf("seven seats without take_free_agent have 13 cards: want a refusal, got %v", err)
	}
}

// What is just allowed, and what is just not.
func TestTheEdgesOfTheConfiguration(t *testing.T) {
	for _, x := range []struct {
		config string
		seats  int
		want   string
	}{
		{`{"track":3,"dossier_at":3}`, 2, ""},
		{`{"track":2,"dossier_at":1}`, 2, "track: want 3 to 500, got 2"},
		{`{"track":500,"dossier_at":1}`, 2, ""},
		{`{"track":501}`, 2, "track: want 3 to 500, got 501"},
		{`{"dossier_at":42}`, 2, ""},
		{`{"dossier_at":43}`, 2, "dossier_at: want 1 to 42, got 43"},
		{`{"dossier_bonus":0,"max_turns":1}`, 2, ""},
		{`{"dossier_bonus":1000000,"max_turns":4999}`, 2, ""},
		{`{"max_turns":0}`, 2, "max_turns: a match need not end so; give a limit with which it takes at most 10000 steps"},
		{`{"max_turns":1000000}`, 2, "max_turns: a match could take 2000001 steps, and at most 10000 are played; give less"},
		{`{"max_turns":1000001}`, 2, "max_turns: want 0 to 1000000, got 1000001"},
		{`{"first":0}`, 2, ""},
		{`{"first":1}`, 2, ""},
		{`{"first":2}`, 2, `first: want a seat 0 to 1 or "lot", got 2`},
		{`{"first":6}`, 7, ""},
		{`{"first":7}`, 7, `first: want a seat 0 to 6 or "lot", got 7`},
		{`{"cards":{"all_to_church":60}}`, 2, ""},
		{`{"cards":{"all_to_church":61}}`, 2, "config: at /cards/all_to_church: wants 0 to 60, not 61"},
		{`{"cards":{"all_to_church":60,"swap_agents":1}}`, 2, "cards: want at most 60 in all, got 61"},
		{`{"top_secret":true,"cards":{"all_to_church":4,"swap_agents":0}}`, 2, ""},
		{`{"top_secret":true,"cards":{"all_to_church":3}}`, 2, "cards: want at least 4 for 2 seats, got 3"},
		{`{}`, 1, "seats: want 2 to 7, got 1"},
		{`{}`, 7, ""},
		{`{}`, 8, "seats: want 2 to 7, got 8"},
	} {
		_, err := game.Wrap(Rules{}).Configure(json.RawMessage(x.config), x.seats)
		if x.want == "" && err != nil || x.want != "" && (err == nil || err.Error() != "bad_config: "+x.want) {
			t.Errorf("%s at %d seats: want %q, got %v", x.config, x.seats, x.want, err)
		}
	}
}

func TestErrorsSayWhatAndWhere(t *testing.T) {
	b := newBoard(t, full, 2, nil)
	for text, want := range map[string]string{
		`{"type":"tea"}`:                                                         `at /type: wants move, safe, card, pass or dossier, not "tea"`,
		`{"type":""}`:                                                            `at /type: wants move, safe, card, pass or dossier, not ""`,
		`{"type":"move"}`:                                                        "at /steps: is missing",
		`{"type":"move","steps":{"red":12}}`:                                     "at /steps/red: is no number of steps: 12",
		`{"type":"move","steps":{"red":-12}}`:                                    "at /steps/red: is no number of steps: -12",
		`{"type":"move","steps":{"red":0}}`:                                      "at /steps/red: is no number of steps: 0",
		`{"type":"move","steps":{"red":11}}`:                                     "the roll 2 is to be used in full, the steps add up to 11",
		`{"type":"move","steps":{"red":-11}}`:                                    "red cannot go back: each agent named goes 1 or more",
		`{"type":"move","steps":{"blue":2}}`:                                     "blue is not in play",
		`{"type":"move","steps":{},"to":"1"}`:                                    "at /to: does not belong to type move",
		`{"type":"pass","card":"all_to_church"}`:                                 "at /card: does not belong to type pass",
		`{"type":"pass"}`:                                                        "in phase move the action is move, not pass",
		`{"type":"safe"}`:                                                        "at /to: is missing",
		`{"type":"safe","to":"12"}`:                                              `at /to: wants church, 1 to 10 or ruin, not "12"`,
		`{"type":"dossier"}`:                                                     "at /owners: is missing",
		`{"type":"card"}`:                                                        "at /card: is missing",
		`{"type":"card","card":"peek"}`:                                          `at /card: is no card: "peek"`,
		`{"type":"card","card":"all_to_church","to":"1"}`:                        "at /to: does not belong to card all_to_church",
		`{"type":"card","card":"swap_agents"}`:                                   "at /agents: is missing",
		`{"type":"card","card":"swap_agents","agents":["red"]}`:                  "at /agents: wants 2 agents, not 1",
		`{"type":"card","card":"swap_agents","agents":["red","pink"]}`:           `at /agents/1: is no agent: "pink"`,
		`{"type":"card","card":"swap_agents","agents":["red","red"]}`:            "at /agents/1: names red twice",
		`{"type":"card","card":"ruin_to_church","agents":[]}`:                    "at /agents: wants 1 or 2 agents, not 0",
		`{"type":"card","card":"agent_to_ruin","agents":["red","grey"]}`:         "at /agents: wants 1 agent, not 2",
		`{"type":"card","card":"ruin_to_church","agents":["red","grey","blue"]}`: "at /agents: wants 1 or 2 agents, not 3",
	} {
		var a Action
		err := a.UnmarshalJSON([]byte(text))
		if err == nil {
			err = Rules{}.Legal(&b.State, 0, a)
		}
		if err == nil || err.Error() != want {
			t.Errorf("%s: want %q, got %v", text, want, err)
		}
	}
}
