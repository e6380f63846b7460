package game_test

import (
	"encoding/json"
	"testing"

	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/internal/must"
)

func TestWordsOfASeatAreQuotedInEveryGame(t *testing.T) {
	table, _, err := game.Wrap(toy{talk: true}).New(nil, 2, game.Seed{})
	must.OK(t, err)
	for _, row := range []struct{ say, want string }{
		{"no way", `Seat 1 says "no way".`},
		{"\u202e\aé", `Seat 1 says "\u202e\aé".`},
	} {
		turns := []game.Turn{{Seat: 0, Action: table.House(0)}, {Seat: 1, Action: table.House(1), Say: row.say}}
		events, err := table.Apply(turns)
		must.OK(t, err)
		if got := events[0].Words(); got != row.want {
			t.Errorf("%q: got %s, want %s", row.say, got, row.want)
		}
		for _, e := range events[1:] {
			if got := e.Words(); got != "" {
				t.Errorf("%s: a game without words says %q", e.Data, got)
			}
		}
	}
	if got := game.Wrap(toy{}).ActionWords(json.RawMessage(`{"name":3}`)); got != "" {
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
		{game.JoinWords(), "none"},
		{game.JoinWords("a"), "a"},
		{game.JoinWords("a", "b"), "a and b"},
		{game.Title("strong_leader"), "Strong Leader"},
		{game.Title("number_4"), "Number 4"},
		{game.Capitalize(""), ""},
		{game.Capitalize("seat 1"), "Seat 1"},
	} {
		if row.got != row.want {
			t.Errorf("got %s, want %s", row.got, row.want)
		}
	}
}

func TestThingsAreNamedByTheirNumber(t *testing.T) {
	for want, got := range map[string]string{
		"1 card": game.Plural(1, "card"), "0 cards": game.Plural(0, "card"), "2 cards": game.Plural(int8(2), "card"),
		"1 match": game.Plural(1, "match"), "3 matches": game.Plural(3, "match"), "1 entry": game.Plural(1, "entry"), "0 entries": game.Plural(0, "entry"),
		"2 days": game.Plural(2, "day"), "2": game.Info{MinSeats: 2, MaxSeats: 2}.Sizes(), "2 to 5": game.Info{MinSeats: 2, MaxSeats: 5}.Sizes(),
	} {
		if got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}
