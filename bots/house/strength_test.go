package house_test

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/molerun/molerun/bots/house"
	"github.com/molerun/molerun/bots/kit"
	"github.com/molerun/molerun/cli/stats"
	"github.com/molerun/molerun/engines/cia"
	"github.com/molerun/molerun/engines/demol"
	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/engines/mole"
	"github.com/molerun/molerun/engines/molehill"
	"github.com/molerun/molerun/engines/molemajority"
)

// tally counts the matches, or seats, of one bot.
type tally struct {
	name string
	k, n int
}

func (x *tally) add(won bool) {
	if x.n++; won {
		x.k++
	}
}

func (x tally) String() string {
	low, high := stats.Wilson(x.k, x.n)
	return fmt.Sprintf("%s %.3f (%.3f to %.3f, %d)", x.name, float64(x.k)/float64(x.n), low, high, x.n)
}

// rising fails the test unless each bot's 95 % interval lies above that of the one before.
func rising(t *testing.T, what string, list ...tally) {
	t.Helper()
	t.Logf("%s: %v", what, list)
	for i := 1; i < len(list); i++ {
		_, high := stats.Wilson(list[i-1].k, list[i-1].n)
		if low, _ := stats.Wilson(list[i].k, list[i].n); low <= high {
			t.Errorf("%s: want %v clearly above %v", what, list[i], list[i-1])
		}
	}
}

// isMole tells from a seat's view whether it is a mole.
func isMole(t *testing.T, table game.Table, seat int) bool {
	t.Helper()
	var v struct {
		Me struct{ Role string }
	}
	if err := json.Unmarshal(table.View(game.Seat(seat)), &v); err != nil { //nolint:gosec // at most ten seats
		t.Fatal(err)
	}
	return v.Me.Role == "mole"
}

// asTeam counts the matches of De Mol that a bot wins as all of one team. Fields are who the other team is, in turn, and
// sizes the tables, in turn.
func asTeam(t *testing.T, name string, mole bool, matches uint64, fields []string, sizes []int) tally {
	t.Helper()
	e, x := game.Wrap(demol.Rules{}), tally{name: name}
	for seed := range matches {
		field := fields[int(seed)%len(fields)]                  //nolint:gosec // few matches
		n := sizes[int(seed)/len(fields)%len(sizes)]            //nolint:gosec // as above
		seated := func(table game.Table) (seats []kit.Decide) { // the roles are dealt
			for i := range n {
				who := field
				if isMole(t, table, i) == mole {
					who = name
				}
				seats = append(seats, find(t, who).Decide(seed<<8+uint64(i))) //nolint:gosec // not negative
			}
			return seats
		}
		r := playDealt(t, e, `{}`, seed, n, seated)
		x.add((r.Why == "three_successes") != mole)
	}
	return x
}

// Of the other teams half are random and half greedy.
func TestEachBotIsAboveTheWeakerOnesInEachRoleOfDeMol(t *testing.T) {
	for role, mole := range map[string]bool{"agent": false, "mole": true} {
		var list []tally
		for _, name := range []string{"random", "greedy", "thinker"} {
			list = append(list, asTeam(t, name, mole, 144*scale(), []string{"random", "greedy"}, []int{5, 7, 10}))
		}
		rising(t, role, list...)
	}
}

// mixed plays a field of two bots and wants the second above the first.
func mixed(t *testing.T, e game.Engine, config string, n int, matches uint64, weak, strong string) {
	t.Helper()
	rising(t, fmt.Sprintf("%s %s, %d seats", e.Info().ID, config, n), field(t, e, config, n, matches, weak, strong)...)
}

// field counts the seats won: every second seat is one bot's, the others are the other's; they change places with every match.
func field(t *testing.T, e game.Engine, config string, n int, matches uint64, weak, strong string) []tally {
	t.Helper()
	list := []tally{{name: weak}, {name: strong}}
	for seed := range matches {
		seats := make([]kit.Decide, n)
		for i := range seats {
			seats[i] = find(t, list[(i+int(seed))%2].name).Decide(seed<<8 + uint64(i)) //nolint:gosec // not negative
		}
		r := play(t, e, config, seed, seats)
		for i := range seats {
			list[(i+int(seed))%2].add(house.Won(r, game.Seat(i))) //nolint:gosec // few seats
		}
	}
	return list
}

func TestEachBotIsAboveTheWeakerOneAtCIA(t *testing.T) {
	e := game.Wrap(cia.Rules{})
	for _, row := range []struct {
		config  string
		seats   int
		matches uint64
	}{
		{`{}`, 2, 40},
		{`{}`, 4, 84},
		{`{"dossier":true}`, 4, 30},
		{`{"top_secret":true,"dossier":true}`, 4, 30},
	} {
		mixed(t, e, row.config, row.seats, row.matches*scale(), "random", "greedy")
		mixed(t, e, row.config, row.seats, row.matches*scale(), "greedy", "thinker")
	}
}

func TestEachBotIsAboveTheWeakerOneAtMoleHill(t *testing.T) {
	e := game.Wrap(molehill.Rules{})
	mixed(t, e, `{}`, 2, 20*scale(), "random", "greedy")
	mixed(t, e, `{}`, 2, 12*scale(), "greedy", "thinker")
}

func TestEachBotIsAboveTheWeakerOneAtMole(t *testing.T) {
	e := game.Wrap(mole.Rules{})
	const short = `{"points":5,"max_rounds":60}`
	mixed(t, e, short, 2, 40*scale(), "random", "greedy")
	mixed(t, e, short, 2, 120*scale(), "greedy", "thinker")
	mixed(t, e, short, 2, 8*scale(), "thinker", "searcher")
}

func TestTheSearcherIsAboveRandom(t *testing.T) {
	mixed(t, game.Wrap(cia.Rules{}), `{}`, 2, 5*scale(), "random", "searcher")
	rising(t, "mole", asTeam(t, "random", true, 120*scale(), []string{"random"}, []int{5}), asTeam(t, "searcher", true, 9*scale(), []string{"random"}, []int{5}))
}

func TestEachBotIsAboveTheWeakerOneAtMoleMajority(t *testing.T) {
	e := game.Wrap(molemajority.Rules{})
	for _, row := range []struct {
		seats           int
		greedy, thinker uint64 // matches against the weaker one
	}{{2, 10, 30}, {3, 16, 40}, {4, 16, 60}} {
		mixed(t, e, `{}`, row.seats, row.greedy*scale(), "random", "greedy")
		mixed(t, e, `{}`, row.seats, row.thinker*scale(), "greedy", "thinker")
	}
}

func TestTheSearcherIsNotBelowTheThinkerAtMoleMajority(t *testing.T) {
	e := game.Wrap(molemajority.Rules{})
	for n, matches := range map[int]uint64{2: 10, 3: 8, 4: 6} {
		if list := field(t, e, `{}`, n, matches*scale(), "thinker", "searcher"); list[1].k < list[0].k {
			t.Errorf("%d seats: %v", n, list)
		} else {
			t.Logf("%d seats: %v", n, list)
		}
	}
}
