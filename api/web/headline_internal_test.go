package web

import (
	"testing"

	"github.com/molerun/molerun/engines/catalog"
	"github.com/molerun/molerun/tournament/store"
)

func TestABotIsIntroducedByWhereMostStandBehindIt(t *testing.T) {
	s := &Pages{Config: Config{Engines: catalog.All()}}
	for want, places := range map[string][]store.CareerPlace{
		"is not rated yet": nil,
		"is rated 1140.7 at CIA after 2 matches, not ranked yet":       {{LadderID: "cia", Milli: 1140700, Games: 2, Class: 1}, {LadderID: "mole", Milli: 1600000, Games: 1, Class: 1}},
		"is rated 1499.9 at Mole Hill after 9 matches, rank 3 of 3":    {{LadderID: "cia", Milli: 1600000, Games: 9, Class: 1}, {LadderID: "molehill", Milli: 1499900, Games: 9, Place: 3, Ranked: 3}},
		"is rated 1640.0 at CIA after 90 matches, not ranked any more": {{LadderID: "cia", Milli: 1640000, Games: 90, Class: 2, Ranked: 7}},
		"is rated 1641.0 at CIA after 90 matches, not ranked any more": {{LadderID: "cia", Milli: 1641000, Games: 90, Class: 3, Ranked: 7}},
		"is rated 1700.0 at Mole after 9 matches, rank 2 of 40":        {{LadderID: "cia", Milli: 1500000, Games: 9, Place: 1, Ranked: 1}, {LadderID: "mole", Milli: 1700000, Games: 9, Place: 2, Ranked: 40}},
	} {
		if got := s.headline(store.Career{Places: places}); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}
