package live

import (
	"testing"

	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/tournament"
)

func TestAMatchRatedApartSaysSo(t *testing.T) {
	for _, row := range []struct {
		name    string
		rated   bool
		retired game.Seats
		teams   []string
		want    bool
	}{
		{"of teams, with a retired bot", true, game.Only(1), []string{"agents", "mole"}, true},
		{"of teams, with none", true, 0, []string{"agents", "mole"}, false},
		{"without teams", true, game.Only(1), nil, false},
		{"unrated", false, game.Only(1), []string{"agents", "mole"}, false},
	} {
		m := tournament.Match{Rated: row.rated, Retired: row.retired, Result: &game.Result{Rank: []int{1, 2}, Points: []float64{1, 0}, Team: row.teams}}
		dto := MatchOf(m, Secrecy{Open: true})
		if dto.Outcome.Apart != row.want {
			t.Errorf("%s: apart %v, want %v", row.name, dto.Outcome.Apart, row.want)
		}
	}
}
