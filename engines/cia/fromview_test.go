package cia

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/internal/gametest"
	"github.com/molerun/molerun/internal/must"
)

// along plays a random match through the port and shows every moment.
func along(t *testing.T, config string, seats, seed int, see func(game.Table)) {
	t.Helper()
	gametest.Along(t, game.Wrap(Rules{}), gametest.Case{Config: config, Seats: seats}, gametest.Seed(seed), see)
}

func TestGuessRefusesImpossibleViews(t *testing.T) {
	base := newBoard(t, full, 3, func(b *board) {
		b.at("red@5")
		b.hand(0, SwapAgents, AllToChurch)
		b.hand(1, SafeAnywhere, TwoBackOne)
		b.hand(2, SafeAnywhere, TwoBackOne)
		for c, n := range b.Box {
			for range n - map[Card]int8{SwapAgents: 1, AllToChurch: 1, SafeAnywhere: 2, TwoBackOne: 2}[Card(c)] {
				b.Deck[b.DeckN] = Card(c)
				b.DeckN++
			}
		}
	})
	base.Play(t, "0 move red=2", "0 card swap_agents red grey")
	view := string(gametest.JSON(Rules{}.View(&base.State, 0)))
	for _, x := range []struct{ from, to, at string }{
		{`"phase":"round"`, `"phase":"round"`, ""},
		{`"phase":"round"`, `"phase":"vote"`, "/phase"},
		{`"phase":"round"`, `"phase":"safe"`, "/round"},
		{`"phase":"round"`, `"phase":"over"`, "/round"},
		{`"turn":0`, `"turn":3`, "/turn"},
		{`"turns":1`, `"turns":0`, "/turns"},
		{`"turns":1`, `"turns":501`, "/turns"},
		{`"roll":"2"`, `"roll":"1"`, "/roll"},
		{`"roll":"2"`, `"roll":"none"`, "/roll"},
		{`"grey":"7",`, ``, "/stones"},
		{`"red":"church"`, `"red":"11"`, "/agents/red"},
		{`"red":0`, `"red":-1`, "/stones/red"},
		{`"red":0`, `"red":29`, "/dossier_filed"},
		{`"red":0`, `"red":42`, "/phase"},
		{`"safe":"7"`, `"safe":"8"`, "/flags/0"},
		{`"safe":"7"`, `"safe":"0"`, "/safe"},
		{`"flags":[{"agent":"grey","seat":0}]`, `"flags":[{"agent":"red","seat":0}]`, "/flags/0"},
		{`"flags":[{"agent":"grey","seat":0}]`, `"flags":[{"agent":"grey","seat":0},{"agent":"grey","seat":1}]`, "/flags/1"},
		{`"hands":[1,2,2]`, `"hands":[1,2]`, "/hands"},
		{`"hands":[1,2,2]`, `"hands":[1,2,3]`, "/deck"},
		{`"hands":[1,2,2]`, `"hands":[1,2,5]`, "/hands/2: want 0 to 4, got 5"},
		{`"hands":[1,2,2]`, `"hands":[1,2,4]`, "/deck"},
		{`"hands":[1,2,2]`, `"hands":[1,2,-1]`, "/hands/2: want 0 to 4, got -1"},
		{`"hands":[1,2,2]`, `"hands":[1,2,0]`, "/deck"},
		{`"hands":[1,2,2]`, `"hands":[2,1,2]`, "/me/cards"},
		{`"fresh":[0,0,0]`, `"fresh":[2,0,0]`, "/fresh/0"},
		{`"fresh":[0,0,0]`, `"fresh":[1,0,0]`, "/me/fresh"},
		{`"discard":["swap_agents"]`, `"discard":["swap"]`, "/discard/0"},
		{`"discard":["swap_agents"]`, `"discard":["all_to_church"]`, "/trail"},
		{`"deck":20`, `"deck":21`, "/deck"},
		{`"deck":20`, `"deck":-1`, "/deck: there are at most 60 cards"},
		{`"deck":20`, `"deck":61`, "/deck: there are at most 60 cards"},
		{`"deck":20`, `"deck":60`, "/deck: the box has"},
		{`"discard":["swap_agents"]`, `"discard":["swap_agents"` + strings.Repeat(`,"swap_agents"`, 60) + `]`, "/deck: there are at most 60 cards"},
		{`"trail":null`, `"trail":{"hands":[1,2,2],"fresh":[0,0,0],"discard":[],"steps":[{"kind":"reshuffle"}` + strings.Repeat(`,{"kind":"reshuffle"}`, 7) + `]}`, "/trail/steps: at most 7 reshuffles"},
		{`"trail":null`, `"trail":{"hands":[1,2,2],"fresh":[0,0,0],"discard":[],"steps":[{"kind":"turn"}` + strings.Repeat(`,{"kind":"turn"}`, 384) + `]}`, "/trail: is too long"},
		{`"removed":[]`, `"removed":["all_to_church"]`, "/removed/0"},
		{`"extra":[0,0,0]`, `"extra":[0,0]`, "/extra"},
		{`"extra":[0,0,0]`, `"extra":[0,4,0]`, "/extra"},
		{`"extra":[0,0,0]`, `"extra":[0,-1,0]`, "/extra"},
		{`"free":3`, `"free":2`, "/free"},
		{`"dossier_filed":false`, `"dossier_filed":true`, "/me/dossier"},
		{`"asked":0`, `"asked":3`, "/round"},
		{`"passes":0`, `"passes":3`, "/round"},
		{`"trail":null`, `"trail":{"hands":[1,2,2],"fresh":[0,0,0],"discard":[],"steps":[{"kind":"card","seat":1,"card":"swap_agents"}]}`, "/trail/hands"},
		{`"trail":null`, `"trail":{"hands":[1,2,2],"fresh":[0,0,0],"discard":[],"steps":[{"kind":"draw","seat":1,"card":"swap_agents"}]}`, "/trail/steps/0"},
		{`"trail":null`, `"trail":{"hands":[1,2,2],"fresh":[0,0,0],"discard":[],"steps":[{"kind":"look","seat":1}]}`, "/trail/steps/0"},
		{`"trail":null`, `"trail":{"hands":[1,2,2],"fresh":[0,0,0],"discard":["x"],"steps":[]}`, "/trail/discard/0"},
		{`"trail":null`, `"trail":{"hands":[1,0,2],"fresh":[0,0,0],"discard":[],"steps":[{"kind":"card","seat":1,"card":"swap_agents"}]}`, "/trail/steps/0: seat 1 cannot have -1 cards"},
		{`"trail":null`, `"trail":{"hands":[1,4,2],"fresh":[0,0,0],"discard":[],"steps":[{"kind":"draw","seat":1}]}`, "/trail/steps/0: seat 1 cannot have 5 cards"},
		{`"cards":["all_to_church"],"fresh":[]`, `"cards":["all_to_church"],"fresh":["all_to_church","all_to_church"]`, "/me/cards"},
		{`"seat":0,"agent":"grey","extra_agents":[]`, `"seat":1,"agent":"grey","extra_agents":[]`, "/me"},
		{`"agent":"grey","extra_agents":[]`, `"agent":"pink","extra_agents":[]`, "/me"},
		{`"agent":"grey","extra_agents":[]`, `"agent":"grey","extra_agents":["grey"]`, "/me"},
		{`"cards":["all_to_church"]`, `"cards":["peek"]`, "/me/cards/0"},
		{`"cards":["all_to_church"]`, `"cards":["swap_agents"]`, "/trail"},
		{`"dossier":null`, `"dossier":{"grey":0}`, "/me/dossier"},
	} {
		spoilt := strings.Replace(view, x.from, x.to, 1)
		if spoilt == view && x.at != "" {
			t.Fatalf("%s is not in the view %s", x.from, view)
		}
		_, err := game.Wrap(Rules{}).StateFromView(json.RawMessage(full), 3, 0, json.RawMessage(spoilt), gametest.Seed(0))
		switch {
		case x.at == "" && err != nil:
			t.Errorf("the view itself: %v", err)
		case x.at != "" && (!errors.Is(err, game.ErrView) || !strings.Contains(err.Error(), "at "+x.at)):
			t.Errorf("%s: want a refusal at %s, got %v", x.to, x.at, err)
		}
	}
}

// What is open at the end is there for every seat.
func TestGuessRefusesAnEndWithAGap(t *testing.T) {
	along(t, full, 3, 1, func(table game.Table) {
		if table.Due() != 0 {
			return
		}
		for name, spoil := range map[string]func(x *reveal){
			"an agent":  func(x *reveal) { x.Agents = x.Agents[:2] },
			"a list":    func(x *reveal) { x.Extra = x.Extra[:2] },
			"a dossier": func(x *reveal) { x.Dossiers = append(x.Dossiers, owners{}) },
		} {
			var v View
			readView(t, table.View(game.Spectator), &v)
			spoil(v.Reveal)
			var s State
			err := Rules{}.StateFromView(fullConfig(t), 3, game.Spectator, v, &s, game.Stream(game.Seed{}, 0, "guess"))
			if err == nil || !strings.HasPrefix(err.Error(), "at /reveal") {
				t.Errorf("%s too few or too many: got %v", name, err)
			}
		}
	})
}

func fullConfig(t *testing.T) Config {
	t.Helper()
	c, err := gametest.ConfigOf(Rules{}, gametest.Case{Config: full, Seats: 3})
	must.OK(t, err)
	return c
}

// A seat's view has what the seat knows, a spectator's has not.
func TestGuessRefusesAnotherSeatsView(t *testing.T) {
	along(t, full, 3, 1, func(table game.Table) {
		for _, x := range []struct{ seat, of game.Seat }{{game.Spectator, 0}, {0, game.Spectator}, {0, 1}, {2, 0}} {
			_, err := game.Wrap(Rules{}).StateFromView(json.RawMessage(full), 3, x.seat, table.View(x.of), gametest.Seed(0))
			if err == nil || err.Error() != "bad_view: at /me: belongs to the view of a seat, and to no other" {
				t.Fatalf("seat %d with the view of %d: got %v", x.seat, x.of, err)
			}
		}
	})
}
