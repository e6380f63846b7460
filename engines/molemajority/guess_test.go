package molemajority

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/engines/gametest"
)

// along plays a random match through the port and shows every moment.
func along(t *testing.T, config string, seats, seed int, see func(game.Table)) {
	t.Helper()
	table, _, err := game.Wrap(Rules{}).New(json.RawMessage(config), seats, gametest.Seed(seed))
	if err != nil {
		t.Fatal(err)
	}
	for see(table); table.Due() != 0; see(table) {
		seat := table.Due().Lowest()
		if _, err := table.Apply([]game.Turn{{Seat: seat, Action: table.House(seat)}}); err != nil {
			t.Fatal(err)
		}
	}
}

func TestAGuessLooksLikeItsView(t *testing.T) {
	for i, config := range []string{`{}`, `{"choose_spaces":true}`, smallDecks, oddBoard, `{"max_turns":7}`} {
		for seats := MinSeats; seats <= MaxSeats; seats++ {
			along(t, config, seats, seats+10*i, func(table game.Table) {
				for seat := game.Spectator; int(seat) < seats; seat++ {
					guess, err := game.Wrap(Rules{}).Guess(json.RawMessage(config), seats, seat, table.View(seat), gametest.Seed(1))
					if err != nil {
						t.Fatalf("%s, %d seats, seat %d: %v\n%s", config, seats, seat, err, table.View(seat))
					}
					for what, pair := range map[string][2]string{
						"view":  {string(table.View(seat)), string(guess.View(seat))},
						"offer": {string(table.Offer(seat)), string(guess.Offer(seat))},
						"due":   {string(table.Due().AppendJSON(nil)), string(guess.Due().AppendJSON(nil))},
					} {
						if pair[0] != pair[1] {
							t.Fatalf("%s, %d seats, seat %d: %s %s of the guess is not %s", config, seats, seat, what, pair[1], pair[0])
						}
					}
				}
			})
		}
	}
}

// Decks that are shuffled anew every few turns, and a board of other tiles and tokens.
const (
	smallDecks = `{"deck":{"number_3":2,"number_2":1,"cave_in":1,"convert":1,"groundskeeper_2":1,"gopher_it":1},"hand":4,"cave_ins":10}`
	oddBoard   = `{"tiles":{"3":20,"6":6},"home_tokens":{"1":9,"9":9},"deck":{"number_4":3,"cave_in":4,"convert":3,"gopher_it":3},"hand":3,"moles":50,` +
		`"claims":20,"cave_ins":10,"path_needed":false,"end_on_empty_supply":false,"max_turns":80}`
)

var _ = errors.Is
var _ = strings.Cut
