package house_test

import (
	"testing"

	"github.com/molerun/molerun/bots/house"
	"github.com/molerun/molerun/engines/cia"
	"github.com/molerun/molerun/engines/demol"
	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/internal/housetest"
)

// at returns a table to play at.
func at(e game.Engine, config string, seats int) housetest.Table {
	return housetest.Table{Engine: e, Config: config, Seats: seats}
}

// rising fails the test unless each bot's 95 % interval lies above that of the one before. A bot no better than the one before
// passes about once in forty contests, however few the matches; the fewer they are, the greater a lead is asked for.
func rising(t *testing.T, c housetest.Contest) {
	t.Helper()
	t.Log(c)
	if !c.Rising() {
		t.Errorf("%v: want each bot clearly above the one before", c)
	}
}

// byTeam gives all seats of a team of De Mol to each bot in turn, over all the table sizes together.
func byTeam(t *testing.T, team string, sizes []int, matches uint64, bots ...house.Bot) housetest.Contest {
	t.Helper()
	var all housetest.Contest
	for i, n := range sizes {
		c := at(game.Wrap(demol.Rules{}), `{}`, n).ByTeam(t, team, bots, int(matches))
		if i > 0 {
			c = all.Add(c)
		}
		all = c
	}
	return all
}

// mixed gives every second seat to one bot, the others to the other; they change places with every match.
func mixed(t *testing.T, table housetest.Table, matches uint64, weak, strong house.Bot) {
	t.Helper()
	rising(t, table.Mixed(t, weak, strong, int(matches)))
}

// Of the other teams half are random and half greedy.
func TestEachBotIsAboveTheWeakerOnesInEachRoleOfDeMol(t *testing.T) {
	t.Parallel()
	sizes := []int{5, 7}
	if scale() > 1 {
		sizes = []int{5, 7, 10}
	}
	for team, matches := range map[string]uint64{"agent": 24, "mole": 90} { // as moles greedy and thinker differ by 15 %
		rising(t, byTeam(t, team, sizes, matches*scale(), housetest.Find(t, "random"), housetest.Find(t, "greedy"), housetest.Find(t, "thinker")))
	}
}

func TestEachBotIsAboveTheWeakerOneAtFourSeatsOfCIA(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		config  string
		seats   int
		matches uint64
	}{
		{`{}`, 4, 24},
		{`{"dossier":true}`, 4, 16},
		{`{"top_secret":true,"dossier":true}`, 4, 16},
	} {
		table := at(game.Wrap(cia.Rules{}), row.config, row.seats)
		mixed(t, table, row.matches*scale(), housetest.Find(t, "random"), housetest.Find(t, "greedy"))
		mixed(t, table, row.matches*scale(), housetest.Find(t, "greedy"), housetest.Find(t, "thinker"))
	}
}
