package house_test

import (
	"testing"

	"github.com/molerun/molerun/bots/house"
	"github.com/molerun/molerun/engines/cia"
	"github.com/molerun/molerun/engines/demol"
	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/engines/mole"
	"github.com/molerun/molerun/engines/molehill"
	"github.com/molerun/molerun/engines/molemajority"
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
	for team, matches := range map[string]uint64{"agent": 24, "mole": 48} { // as moles greedy and thinker are 15 % apart
		rising(t, byTeam(t, team, []int{5, 7, 10}, matches*scale(), housetest.Find(t, "random"), housetest.Find(t, "greedy"), housetest.Find(t, "thinker")))
	}
}

func TestEachBotIsAboveTheWeakerOneAtCIA(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		config  string
		seats   int
		matches uint64
	}{
		{`{}`, 2, 20},
		{`{}`, 4, 40},
		{`{"dossier":true}`, 4, 30},
		{`{"top_secret":true,"dossier":true}`, 4, 30},
	} {
		table := at(game.Wrap(cia.Rules{}), row.config, row.seats)
		mixed(t, table, row.matches*scale(), housetest.Find(t, "random"), housetest.Find(t, "greedy"))
		mixed(t, table, row.matches*scale(), housetest.Find(t, "greedy"), housetest.Find(t, "thinker"))
	}
}

func TestEachBotIsAboveTheWeakerOneAtMoleHill(t *testing.T) {
	t.Parallel()
	table := at(game.Wrap(molehill.Rules{}), `{}`, 2)
	mixed(t, table, 10*scale(), housetest.Find(t, "random"), housetest.Find(t, "greedy"))
	mixed(t, table, 6*scale(), housetest.Find(t, "greedy"), housetest.Find(t, "thinker"))
	mixed(t, table, 4*scale(), housetest.Find(t, "random"), house.Searcher(32)) // of 160 playouts
}

func TestEachBotIsAboveTheWeakerOneAtMole(t *testing.T) {
	t.Parallel()
	table := at(game.Wrap(mole.Rules{}), `{"points":5,"max_rounds":60}`, 2)
	mixed(t, table, 20*scale(), housetest.Find(t, "random"), housetest.Find(t, "greedy"))
	mixed(t, table, 120*scale(), housetest.Find(t, "greedy"), housetest.Find(t, "thinker"))
	mixed(t, table, 8*scale(), housetest.Find(t, "thinker"), housetest.Find(t, "searcher"))
}

func TestTheSearcherIsAboveGreedyAtCIA(t *testing.T) {
	t.Parallel()
	mixed(t, at(game.Wrap(cia.Rules{}), `{}`, 2), 8*scale(), housetest.Find(t, "greedy"), housetest.Find(t, "searcher"))
}

// Both have the same deals against greedy. The searcher has a quarter of its playouts: all would take long.
func TestTheSearcherIsNotBelowGreedyInEachRoleOfDeMol(t *testing.T) {
	t.Parallel()
	for _, team := range []string{"agent", "mole"} {
		c := byTeam(t, team, []int{5}, 4*scale(), housetest.Find(t, "greedy"), house.Searcher(8))
		t.Log(c)
		if c.Standings[1].Won() < c.Standings[0].Won() {
			t.Errorf("%v: want the searcher to win as often as greedy", c)
		}
	}
}

func TestEachBotIsAboveTheWeakerOneAtMoleMajority(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		seats           int
		greedy, thinker uint64 // matches against the weaker one
	}{{2, 10, 20}, {3, 10, 40}, {4, 16, 40}} {
		table := at(game.Wrap(molemajority.Rules{}), `{}`, row.seats)
		mixed(t, table, row.greedy*scale(), housetest.Find(t, "random"), housetest.Find(t, "greedy"))
		mixed(t, table, row.thinker*scale(), housetest.Find(t, "greedy"), housetest.Find(t, "thinker"))
	}
}

// A searcher as weak as greedy, which wins one match of ten against the thinker, would be seen 98 times of a hundred at two
// seats, 95 times at three and at four, which only the night plays.
func TestTheSearcherIsNotBelowTheThinkerAtMoleMajority(t *testing.T) {
	t.Parallel()
	tables := map[int]uint64{2: 6}
	if scale() > 1 {
		tables = map[int]uint64{2: 6, 3: 4, 4: 4}
	}
	for n, matches := range tables {
		c := at(game.Wrap(molemajority.Rules{}), `{}`, n).Mixed(t, housetest.Find(t, "thinker"), housetest.Find(t, "searcher"), int(matches*scale()))
		t.Log(c)
		if c.Standings[1].Won() < c.Standings[0].Won() {
			t.Errorf("%v: want the searcher to win as often as the thinker", c)
		}
	}
}
