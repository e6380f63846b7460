package molemajority_test

import (
	"encoding/json"
	"testing"

	"github.com/molerun/molerun/bots/house"
	"github.com/molerun/molerun/bots/house/molemajority"
	"github.com/molerun/molerun/bots/house/search"
	"github.com/molerun/molerun/engines/game"
	mm "github.com/molerun/molerun/engines/molemajority"
	"github.com/molerun/molerun/internal/must"
)

// Nobody finds a better end of the last turn by lot, over all that may be hidden.
func TestTheRestOfTheLastTurnIsTheBest(t *testing.T) {
	const lots, worlds = 12, 16
	e, valuer := game.Wrap(mm.Rules{}), molemajority.Valuer()
	config, err := e.Configure(json.RawMessage(`{"max_turns":8}`), 2)
	must.OK(t, err)
	compared, ahead := 0, 0.0
	for seed := range uint64(25) {
		table, _, err := e.New(config, 2, house.Seed(seed))
		must.OK(t, err)
		for table.Due() != 0 {
			if s, _ := game.StateOf[mm.State](table); s.Turn == s.MaxTurns && s.Parts[0].Left == 2 {
				rest, err := valuer.Rest(table, s.Active, nil)
				must.OK(t, err)
				compared++
				got := share(t, table, s.Active, worlds, rest)
				for lot := range uint64(lots) {
					other := share(t, table, s.Active, worlds, byLot(t, table, s.Active, seed*lots+lot))
					ahead += got - other
					if other > got {
						t.Errorf("seed %d, step %d: %s ends with %.2f, by lot with %.2f", seed, table.Step(), rest, got, other)
					}
				}
			}
			seat := table.Due().Lowest()
			must.OK(t, table.Repeat([]game.Turn{{Seat: seat, Action: table.House(seat)}}))
		}
	}
	if compared < 10 || ahead < lots {
		t.Errorf("in %d positions the rest is worth %.2f more than turns by lot, all together: the test sees nothing", compared, ahead)
	}
}

// byLot returns a random end of a turn.
func byLot(t *testing.T, table game.Table, seat game.Seat, seed uint64) (acts []json.RawMessage) {
	t.Helper()
	for table = table.Resample(game.Everything, house.Seed(seed)); table.Due() == game.Only(seat); {
		acts = append(acts, table.House(seat))
		must.OK(t, table.Repeat([]game.Turn{{Seat: seat, Action: acts[len(acts)-1]}}))
	}
	return acts
}

// share returns what a seat's last turn is worth on average over tables that it cannot distinguish.
func share(t *testing.T, table game.Table, seat game.Seat, worlds int, acts []json.RawMessage) float64 {
	t.Helper()
	sum := 0.0
	for k := range worlds {
		world := table.Resample(seat, house.Seed(uint64(k)))
		for _, a := range acts {
			must.OK(t, world.Repeat([]game.Turn{{Seat: seat, Action: a}}))
		}
		r, over := world.Result()
		if !over {
			t.Fatalf("after %s the turn goes on", acts)
		}
		sum += search.Shares(r)[seat] / float64(worlds)
	}
	return sum
}
