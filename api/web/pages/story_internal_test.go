package pages

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/molerun/molerun/engines/game"
)

func TestWhoIsAheadIsASentence(t *testing.T) {
	names := []string{"ann", "ben", "cat"}
	for _, row := range []struct {
		score game.Score
		over  bool
		want  string
	}{
		{game.Score{Of: "points", Sides: game.BySeat(3, 12, 11)}, false, "Ahead: ben with 12 points, 1 more than cat."},
		{game.Score{Of: "points", Sides: game.BySeat(4, 1, 4)}, false, "Ahead: ann and cat, each with 4 points."},
		{game.Score{Of: "points", Sides: game.BySeat(1, 1, 1)}, false, "Level: all have 1 point."},
		{game.Score{Of: "missions", Sides: []game.Side{{Name: "agents", Points: 1}, {Name: "moles", Points: 2}}}, false, "Ahead: moles with 2 missions, 1 more than agents."},
		{game.Score{Of: "points", Sides: []game.Side{{Name: "red", Points: 1, Seats: game.Only(1)}, {Name: "blue"}}}, false, "Ahead: red (ben) with 1 point, 1 more than blue."},
		{game.Score{Of: "points", Sides: game.BySeat(3, 12)}, true, ""}, // the result says it
		{game.Score{}, false, ""},
	} {
		if got := standing(row.score, names, row.over); got != row.want {
			t.Errorf("%+v: got %q, want %q", row.score, got, row.want)
		}
	}
}

// happening is an event with words.
type happening struct {
	words, key string
	quiet      bool
}

func (h happening) Words() string { return h.words }
func (h happening) Key() string   { return h.key }
func (h happening) Quiet() bool   { return h.quiet }

func TestAStepIsShownAsLongAsItsSentenceIsRead(t *testing.T) {
	event := func(to game.Seats, h happening) game.Event {
		return game.Event{For: to, Data: json.RawMessage(`{}`), Value: h}
	}
	move := event(game.All, happening{words: "Seat 1 moves one mole to another hex."})
	done := event(game.All, happening{words: "Seat 1 is done.", quiet: true})
	end := event(game.All, happening{words: "Seat 1 wins.", key: "the end"})
	role := event(game.Only(1), happening{words: "You are a mole."})
	for name, row := range map[string]struct {
		events []game.Event
		seat   game.Seat
		told   string
		ms     int
	}{
		"a sentence":         {[]game.Event{move, done}, game.Spectator, "Seat 1 moves one mole to another hex.", 8 * 250},
		"a short one":        {[]game.Event{role}, 1, "You are a mole.", 1000},
		"nothing":            {[]game.Event{role}, game.Spectator, "Nothing that everybody sees.", 0},
		"quiet":              {[]game.Event{done, move}, game.Spectator, "Seat 1 is done.", 0},
		"quiet, to its end":  {[]game.Event{done, end}, game.Spectator, "Seat 1 is done. Seat 1 wins.", 2 * 7 * 250},
		"a key moment":       {[]game.Event{end}, game.Spectator, "Seat 1 wins.", 2 * 750},
		"with all open":      {[]game.Event{role}, game.Everything, "To seat 1 alone: You are a mole.", 8 * 250},
		"two words, no less": {[]game.Event{event(game.All, happening{words: "All pass."})}, game.Spectator, "All pass.", 600},
	} {
		got := tellingOf(row.events, row.seat)
		if told, ms := got.words(nil), got.dwell(len(got.keys) > 0); told != row.told || ms != row.ms {
			t.Errorf("%s: got %q for %d ms, want %q for %d", name, told, ms, row.told, row.ms)
		}
	}
}

func TestNoTwoSidesHaveOneMark(t *testing.T) {
	var sides []game.Side
	for _, name := range []string{"grey", "yellow", "orange", "red", "green", "blue", "purple"} { // CIA's agents
		sides = append(sides, game.Side{Name: name})
	}
	seen := map[string]string{}
	for _, side := range sides {
		mark := sideMark(side, sides)
		if other, there := seen[mark]; there || mark[:1] != strings.ToUpper(side.Name[:1]) {
			t.Errorf("%s is marked %q, as %q is", side.Name, mark, other)
		}
		seen[mark] = side.Name
	}
	if got := sideMark(game.Side{Seats: game.Only(3)}, sides); got != "3" {
		t.Errorf("seat 3 is marked %q", got)
	}
}
