package game_test

import (
	"encoding/json"
	"testing"

	"github.com/molerun/molerun/engines/game"
)

func TestWordsOfASeatAreQuotedInEveryGame(t *testing.T) {
	e := game.Wrap(toy{})
	for _, row := range []struct{ event, want string }{
		{`{"kind":"say","seat":1,"text":"no way"}`, `Seat 1 says "no way".`},
		{`{"kind":"say","seat":0,"text":"\u202e\u0007é"}`, `Seat 0 says "\u202e\aé".`},
		{`{"kind":"say","seat":0}`, ""},
		{`{"kind":"begin","seat":0}`, ""}, // a game without words
		{`{"kind":7}`, ""},
		{`say`, ""},
	} {
		if got := e.Tell(json.RawMessage(row.event)); got != row.want {
			t.Errorf("%s: got %s, want %s", row.event, got, row.want)
		}
	}
	if got := e.Does(json.RawMessage(`{"name":3}`)); got != "" {
		t.Errorf("a game without words says %q", got)
	}
}

func TestListsInASentence(t *testing.T) {
	for _, row := range []struct {
		seats game.Seats
		want  string
	}{{0, "nobody"}, {1 << 2, "seat 2"}, {1<<2 | 1, "seats 0 and 2"}, {1<<12 | 1<<2 | 1, "seats 0, 2 and 12"}} {
		if got := row.seats.Words(); got != row.want {
			t.Errorf("got %s, want %s", got, row.want)
		}
	}
	for _, row := range []struct{ got, want string }{
		{game.And(), "none"},
		{game.And("a"), "a"},
		{game.And("a", "b"), "a and b"},
		{game.Title("strong_leader"), "Strong Leader"},
		{game.Title("number_4"), "Number 4"},
		{game.Upper(""), ""},
		{game.Upper("seat 1"), "Seat 1"},
	} {
		if row.got != row.want {
			t.Errorf("got %s, want %s", row.got, row.want)
		}
	}
}
