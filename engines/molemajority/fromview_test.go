package molemajority

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

// Decks that are shuffled again every few turns, and a board of other tiles and tokens.
const (
	smallDecks = `{"deck":{"number_3":2,"number_2":1,"cave_in":1,"convert":1,"groundskeeper_2":1,"gopher_it":1},"hand":4,"cave_ins":10}`
	oddBoard   = `{"tiles":{"3":20,"6":6},"home_tokens":{"1":9,"9":9},"deck":{"number_4":3,"cave_in":4,"convert":3,"gopher_it":3},"hand":3,"moles":50,` +
		`"claims":20,"cave_ins":10,"path_needed":false,"end_on_empty_supply":false,"max_turns":80}`
)

// A view of seat 0 in mid-turn, spoiled in one place each.
func TestGuessRefusesImpossibleViews(t *testing.T) {
	b := newBoard(t, `{"deck":{"number_4":1,"number_3":4,"number_2":1,"convert":1},"hand":3,`+fewTokens+`}`, 2, func(b *board) {
		wholeBoard(b)
		b.hand(0, Number4, Number2, Convert)
		b.hand(1, Number4, Number2, Convert)
		b.deck(0, Number3, Number3, Number3, Number3)
		b.deck(1)
		b.junk(1, Number3, Number3, Number3, Number3)
		b.walls("1,0/1,1", "0,1/1,1")
		b.CaveIns[1] = 2
		b.at("1,0:A|b...")
		b.Active = 1
	})
	b.Play(t, "1 play convert", "1 done", "1 done", "0 play number_2")
	view := string(gametest.JSON(Rules{}.View(&b.State, 0)))
	config := json.RawMessage(`{"deck":{"number_4":1,"number_3":4,"number_2":1,"convert":1},"hand":3,` + fewTokens + `}`)
	for _, x := range []struct{ from, to, at string }{
		{`"phase":"play"`, `"phase":"play"`, ""},
		{`"phase":"play"`, `"phase":"night"`, "/phase"},
		{`"phase":"play"`, `"phase":"place_tile"`, "/turn"},
		{`"phase":"play"`, `"phase":"over"`, "/active"},
		{`"turn":2`, `"turn":0`, "/turn"},
		{`"turn":2`, `"turn":301`, "/turn"},
		{`"active":0`, `"active":2`, "/active"},
		{`"active":0`, `"active":null`, "/active"},
		{`"active":0`, `"active":1`, "/action"},
		{`"tile":null`, `"tile":4`, "/hexes"},
		{`"tile":null`, `"tile":7`, "/tile"},
		{`"action":"number_2"`, `"action":null`, "/pending"},
		{`"action":"number_2"`, `"action":"hawk"`, "/action"},
		{`"action":"number_2"`, `"action":"number_3"`, "/action"},
		{`"stacked":false`, `"stacked":true`, "/pending"},
		{`"do":"step","left":2`, `"do":"step","left":3`, "/pending"},
		{`"do":"step","left":2`, `"do":"dance","left":2`, "/pending/0"},
		{`"do":"breed","left":1`, `"do":"breed","left":2`, "/pending"},
		{`{"at":"-2,0","size":5`, `{"at":"-2,0","size":4`, "/hexes/0"},
		{`{"at":"-2,0","size":5`, `{"at":"3,0","size":5`, "/hexes/0"},
		{`{"at":"-2,0"`, `{"at":"-1,-1"`, "/hexes"},
		{`"size":6,"claim":1`, `"size":6,"claim":null`, "out_order"},
		{`"size":6,"claim":1`, `"size":6,"claim":2`, "/claim"},
		{`"spaces":[1,1,1,1,1,1]`, `"spaces":[1,1,1,1,1,null]`, "/players/1/moles"},
		{`"spaces":[1,1,1,1,1,1]`, `"spaces":[1,1,1,1,1,9]`, "/spaces"},
		{`"edges":["0,1/1,1"`, `"edges":["1,0/1,1"`, "/edges"},
		{`"edges":["0,1/1,1",`, `"edges":[`, "/edges"},
		{`"moles":28`, `"moles":27`, "/players/0/moles"},
		{`"claims":8`, `"claims":9`, "/players/0/claims"},
		{`"cave_ins":2`, `"cave_ins":5`, "/players/1/cave_ins"},
		{`"cave_ins":2`, `"cave_ins":3`, "/edges"},
		{`"hand":3`, `"hand":4`, "/players/1/hand"},
		{`"discard":["number_2"]`, `"discard":["hawk"]`, "/discard/0"},
		{`"discard":["number_2"]`, `"discard":["number_3"]`, "/players"},
		{`"unseen":{"number_4":1,"number_3":4,`, `"unseen":{"number_4":2,"number_3":3,`, "/players"},
		{`"unseen":{"number_4":1,"number_3":4,`, `"unseen":{"number_4":9,"number_3":4,`, "/unseen"},
		{`"trail":{"known":["number_4","number_2"]`, `"trail":{"known":[]`, "/trail"},
		{`"trail":{"known":["number_4","number_2"]`, `"trail":{"known":["number_4","number_4"]`, "cannot have gone"},
		{`"out":false`, `"out":true`, "/players/0/out"},
		{`"out_order":0`, `"out_order":1`, "/out_order"},
		{`"homes":0`, `"homes":-1`, "/players/0/homes"},
		{`"homes":0`, `"homes":1`, "/players/0/homes"},
		{`"me":{"seat":0,"hand":["number_4","convert"]`, `"me":{"seat":0,"hand":["number_4","cave_in"]`, "/me/hand/1"},
		{`"me":{"seat":0,"hand":["number_4","convert"]`, `"me":{"seat":0,"hand":["number_4"]`, "/me/hand"},
		{`"me":{"seat":0`, `"me":{"seat":1`, "/me"},
		{`"homes":[]`, `"homes":[9]`, "/me/homes/0"},
		{`"homes":[]`, `"homes":[2]`, "/players/0/homes"},
	} {
		spoiled := strings.Replace(view, x.from, x.to, 1)
		if !strings.Contains(view, x.from) {
			t.Fatalf("%s is not in %s", x.from, view)
		}
		_, err := game.Wrap(Rules{}).StateFromView(config, 2, 0, json.RawMessage(spoiled), game.Seed{})
		if x.at == "" && err != nil || x.at != "" && (!errors.Is(err, game.ErrView) || !strings.Contains(err.Error(), x.at)) {
			t.Errorf("%s: want a refusal at %q, got %v", x.to, x.at, err)
		}
	}
}

// A match without a limit of turns can be guessed in any turn.
func TestAGuessNeedsNoLimitOfTurns(t *testing.T) {
	b := newBoard(t, `{"max_turns":0}`, 2, nil)
	c, err := gametest.ConfigOf(Rules{}, gametest.Case{Config: `{"max_turns":0}`, Seats: 2})
	must.OK(t, err)
	for turn, want := range map[int32]bool{0: false, 1: true, 300: true, 301: true} {
		v := Rules{}.View(&b.State, 0)
		v.Turn = turn
		var s State
		s.start(c, 2)
		if err := (stateBuilder{
			s:    &s,
			v:    &v,
			c:    c,
			seat: 0,
		}).phase(); (err == nil) != want {
			t.Errorf("turn %d: %v", turn, err)
		}
	}
}
