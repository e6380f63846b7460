package catalog_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/molerun/molerun/engines/catalog"
	"github.com/molerun/molerun/engines/game"
)

// TestAConfigurationWhoseMatchesAreTooLongIsRefusedAndStillReadable: nobody can ask for such a match, and a record of one is
// played again all the same.
func TestAConfigurationWhoseMatchesAreTooLongIsRefusedAndStillReadable(t *testing.T) {
	for _, x := range []struct {
		game, config string
		seats        int
		keys         string // which the refusal names; "": it is allowed
	}{
		{"mole", `{"max_rounds":500,"mole_turns":100}`, 2, "max_rounds, mole_turns"},
		{"mole", `{"max_rounds":205}`, 2, "max_rounds, mole_turns"},
		{"mole", `{"max_rounds":204}`, 2, ""},
		{"mole", `{"max_rounds":24,"mole_turns":100}`, 2, ""},
		{"mole", `{"max_rounds":25,"mole_turns":100}`, 2, "max_rounds, mole_turns"},
		{"cia", `{"max_turns":0}`, 2, "max_turns"},
		{"cia", `{"max_turns":5000}`, 2, "max_turns"},
		{"cia", `{"max_turns":4999}`, 7, ""},
		{"cia", `{"top_secret":true,"max_turns":4999}`, 7, "max_turns"},
		{"cia", `{"top_secret":true,"dossier":true,"max_turns":500}`, 7, ""},
		{"molemajority", `{"max_turns":0}`, 4, "max_turns"},
		{"molemajority", `{"max_turns":1000000}`, 2, "max_turns, hand"},
		{"molemajority", `{"hand":10,"max_turns":300}`, 4, "max_turns, hand"},
		{"molemajority", `{"hand":10,"max_turns":270}`, 4, ""},
		{"molehill", `{"columns":7,"rows":9,"discs":{"orange":0,"black":63},"rods":255}`, 2, ""},
		{"demol", `{"plot_cards":true,"talk_rounds":9,"vote_talk_rounds":9}`, 10, ""},
	} {
		e, _ := catalog.Find(x.game)
		_, err := e.Configure(json.RawMessage(x.config), x.seats)
		if refused := x.keys != ""; refused != (err != nil) {
			t.Errorf("%s %s at %d seats: got %v", x.game, x.config, x.seats, err)
			continue
		}
		if err != nil && (!errors.Is(err, game.ErrConfig) || !strings.HasPrefix(err.Error(), "bad_config: "+x.keys+": ") || !strings.Contains(err.Error(), "10000")) {
			t.Errorf("%s %s: got %v, want a refusal that names %s and the bound", x.game, x.config, err, x.keys)
		}
		if _, _, err := e.New(json.RawMessage(x.config), x.seats, game.Seed{1}); err != nil {
			t.Errorf("%s %s cannot be dealt, as a record of it would be: %v", x.game, x.config, err)
		}
	}
}
