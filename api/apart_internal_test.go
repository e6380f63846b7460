package api

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
		words   string
	}{
		{"of teams, with a retired bot", true, game.Only(1), []string{"agents", "mole"}, true, "the retired bots alone"},
		{"of teams, with none", true, 0, []string{"agents", "mole"}, false, "yes"},
		{"without teams", true, game.Only(1), nil, false, "yes"},
		{"unrated", false, game.Only(1), []string{"agents", "mole"}, false, "no"},
	} {
		m := tournament.Match{Rated: row.rated, Retired: row.retired, Result: &game.Result{Rank: []int{1, 2}, Points: []float64{1, 0}, Team: row.teams}}
		dto := matchDTO(m, secrecy{open: true})
		if dto.Outcome.Apart != row.want || ratedWords(dto, false) != row.words {
			t.Errorf("%s: apart %v, %q; want %v, %q", row.name, dto.Outcome.Apart, ratedWords(dto, false), row.want, row.words)
		}
	}
}
