package store_test

import (
	"fmt"
	"testing"

	"github.com/molerun/molerun/engines/demol"
	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/store"
	"github.com/molerun/molerun/tournament/store/storetest"
)

func TestHiddenTeamsAreBalancedWithoutEverRepeatingADeal(t *testing.T) {
	storetest.Each(t, func(t *testing.T, open storetest.Open) {
		engine := game.Wrap(demol.Rules{})
		w := newWorld(t, func(o store.Options) *store.Store {
			o.Engines = func(id string) (game.Engine, bool) {
				if id == "demol" {
					return engine, true
				}
				return storetest.Engines(id)
			}
			return open(o)
		})
		x, list := w.running(6, func(x *tournament.Tournament) {
			config, err := engine.Configure(nil, 6)
			w.must(err)
			x.Game, x.Config, x.Table, x.Cycles, x.Duplicate, x.Rated, x.LadderID = "demol", config, 6, 3, true, false, ""
		})
		if len(list) != 18 {
			t.Fatalf("%d matches, want 3 cycles of 6", len(list))
		}
		seeds, blocks := map[game.Seed]bool{}, map[string]bool{}
		moles, seats := map[string]int{}, map[string]int{}
		for _, m := range list {
			seeds[m.Seed] = true
			blocks[fmt.Sprint(m.Round, "/", m.Block)] = true
			table, _, err := engine.New(x.Config, 6, m.Seed)
			w.must(err)
			for seat, role := range table.Teams() {
				bot := m.Seats[seat].BotName
				seats[fmt.Sprint(bot, " in ", seat)]++
				if role == "mole" {
					moles[bot]++
				}
			}
		}
		if len(seeds) != 18 || len(blocks) != 18 {
			t.Errorf("%d seeds in %d blocks, want 18 of each: a deal seen once would be known the next time", len(seeds), len(blocks))
		}
		for bot, n := range moles {
			if n != 6 || len(moles) != 6 {
				t.Errorf("%s is a mole in %d of 18 matches, want 6", bot, n)
			}
		}
		for who, n := range seats {
			if n != 3 {
				t.Errorf("%s %d times, want 3", who, n)
			}
		}
	})
}
