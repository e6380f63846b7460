package catalog_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/molerun/molerun/engines/catalog"
	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/internal/gametest"
	"github.com/molerun/molerun/internal/must"
)

func TestGamesAreListedOnceByIDAndCanBeFound(t *testing.T) {
	var ids []string
	for _, e := range catalog.All() {
		info := e.Info()
		ids = append(ids, info.ID)
		found, ok := catalog.Find(info.ID)
		if !ok || found.Info().ID != info.ID {
			t.Errorf("Find(%q): got %v, want the game of that id", info.ID, ok)
		}
		for _, v := range info.Variants {
			for seats := info.MinSeats; seats <= info.MaxSeats; seats++ {
				if _, err := e.Configure([]byte(v.Config), seats); err != nil {
					t.Errorf("%s: variant %s at %d seats: %v", info.ID, v.Name, seats, err)
				}
			}
		}
		if info.Name == "" || info.Version < 1 {
			t.Errorf("%s: want a name and a rules version, got %+v", info.ID, info)
		}
		if len(info.Variants) == 0 || info.Variants[0].Name != "base" {
			t.Errorf("%s: want the variant base first, got %+v", info.ID, info.Variants)
		}
	}
	if !slices.IsSorted(ids) || len(slices.Compact(slices.Clone(ids))) != len(ids) {
		t.Errorf("ids: got %v, want each once, in order", ids)
	}
}

// TestEveryGameIntroducesItself in three sentences that fit beside a board.
func TestEveryGameIntroducesItself(t *testing.T) {
	for _, e := range catalog.All() {
		about := e.Info().About
		for _, sentence := range []string{about.Is, about.Win, about.Watch} {
			if !strings.HasSuffix(sentence, ".") || strings.Count(sentence, ". ") > 0 || len(sentence) > 240 {
				t.Errorf("%s: got %q, want one sentence of at most 240 bytes", e.Info().ID, sentence)
			}
		}
	}
}

// TestEverythingShowsWhatIsHidden: of two tables that a spectator cannot distinguish, [game.Everything] can; where nothing is hidden it sees
// what a spectator sees.
func TestEverythingShowsWhatIsHidden(t *testing.T) {
	for _, e := range catalog.All() {
		id, seats := e.Info().ID, e.Info().MaxSeats
		play := func(steps int) game.Table {
			table, _, err := e.New(nil, seats, game.Seed{5})
			must.OK(t, err)
			for table.Due() != 0 && table.Step() < steps {
				var turns []game.Turn
				for seat := range table.Due().Each() {
					turns = append(turns, game.Turn{Seat: seat, Action: table.House(seat)})
				}
				_, err := table.Apply(turns)
				must.OK(t, err)
			}
			return table
		}
		table := play(25)
		if table.Due() == 0 { // over, and hides nothing
			table = play(table.Step() / 2)
		}
		look := func(x game.Table, seat game.Seat) string {
			svg, err := x.Draw(seat, nil)
			must.OK(t, err)
			words, err := x.Describe(seat)
			must.OK(t, err)
			return string(svg) + words
		}
		other := table.Resample(game.Spectator, game.Seed{6})
		if look(table, game.Spectator) != look(other, game.Spectator) {
			t.Errorf("%s: a spectator can distinguish the tables: this test is blind", id)
		}
		if got := look(table, game.Everything) != look(other, game.Everything); got != e.Hides() {
			t.Errorf("%s: everything distinguishes the tables: %v, want %v", id, got, e.Hides())
		}
		if got := look(table, game.Everything) != look(table, game.Spectator); got != e.Hides() {
			t.Errorf("%s: everything shows more than a spectator sees: %v, want %v", id, got, e.Hides())
		}
		if got := !bytes.Equal(table.View(0), table.View(game.Spectator)); got != e.Hides() {
			t.Errorf("%s: a seat sees what a spectator does not: %v, but Hides says %v", id, got, e.Hides())
		}
		if svg, err := table.Draw(game.Everything, gametest.LongNames()); err != nil {
			t.Error(err)
		} else {
			gametest.Legible(t, svg)
		}
	}
}

func TestAnUnknownGameIsNotFound(t *testing.T) {
	for _, id := range []string{"", "Molehill", "mole hill", "chess"} {
		if _, ok := catalog.Find(id); ok {
			t.Errorf("Find(%q): got a game, want none", id)
		}
	}
}

// TestAnActionIsWrittenInOneWay: what is offered is canonical, and what bots write otherwise becomes it.
func TestAnActionIsWrittenInOneWay(t *testing.T) {
	for _, e := range catalog.All() {
		info := e.Info()
		for _, v := range info.Variants {
			table, _, err := e.New([]byte(v.Config), info.MinSeats, game.Seed{5})
			must.OK(t, err)
			for table.Due() != 0 {
				var turns []game.Turn
				for seat := range table.Due().Each() {
					var offer struct{ List, Examples []json.RawMessage }
					must.OK(t, json.Unmarshal(table.Offer(seat), &offer))
					turns = append(turns, game.Turn{Seat: seat, Action: table.House(seat)})
					for _, want := range append(append(offer.List, offer.Examples...), table.House(seat)) {
						var keys map[string]any
						must.OK(t, json.Unmarshal(want, &keys))
						otherwise, err := json.Marshal(keys) // by the alphabet
						must.OK(t, err)
						for _, a := range []json.RawMessage{want, otherwise} {
							if got, err := e.Canonical(a); err != nil || !bytes.Equal(got, want) {
								t.Fatalf("%s, %s: %s becomes %s, %v, want %s", info.ID, v.Name, a, got, err, want)
							}
						}
					}
				}
				_, err := table.Apply(turns)
				must.OK(t, err)
			}
		}
		if _, err := e.Canonical(json.RawMessage(`{"type":"fly"}`)); !errors.Is(err, game.ErrIllegal) {
			t.Errorf("%s: an action of no game: got %v", info.ID, err)
		}
	}
	for _, row := range []struct{ game, otherwise, want string }{
		{"cia", `{"steps":{"red":2,"yellow":1},"type":"move"}`, `{"type":"move","steps":{"yellow":1,"red":2}}`},
		{"demol", `{"type":"team","members":[3,0,1]}`, `{"type":"team","members":[0,1,3]}`},
	} {
		e, _ := catalog.Find(row.game)
		if got, err := e.Canonical(json.RawMessage(row.otherwise)); string(got) != row.want {
			t.Errorf("%s: %s becomes %s, %v, want %s", row.game, row.otherwise, got, err, row.want)
		}
	}
}
