package house_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/molerun/molerun/bots/house"
	"github.com/molerun/molerun/bots/kit"
	"github.com/molerun/molerun/bots/protocol"
	"github.com/molerun/molerun/engines/cia"
	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/engines/molemajority"
	"github.com/molerun/molerun/internal/housetest"
	"github.com/molerun/molerun/internal/must"
)

func TestAMatchStopsAtAnIllegalAction(t *testing.T) {
	e := game.Wrap(cia.Rules{})
	config, err := e.Configure(nil, 2)
	must.OK(t, err)
	table, events, err := e.New(config, 2, house.Seed(1))
	must.OK(t, err)
	cheat := func(context.Context, *protocol.Turn) (protocol.Answer, error) {
		return protocol.Answer{Action: json.RawMessage(`{"type":"safe","to":"7"}`)}, nil
	}
	if _, err := house.Play(context.Background(), e, config, table, events, []kit.Decide{cheat, cheat}); err == nil || !strings.Contains(err.Error(), "illegal_action") {
		t.Errorf("got %v, want illegal_action", err)
	}
}

// Actions sent ahead are for the very next steps of the seat that sent them, and only if they are legal then.
func TestAMatchTakesActionsSentAhead(t *testing.T) {
	e := game.Wrap(molemajority.Rules{})
	for _, row := range []struct {
		name, phase string
		entry       int // of the offer, sent ahead; -1 nothing
		asked       int // in set-up: a home and two tiles
	}{
		{"nothing", "place_tile", -1, 3},
		{"another place for the second tile", "place_tile", 1, 2},
		{"the place where the first tile lies", "place_tile", 0, 3},
		{"the other seat is due", "place_home", 1, 3},
	} {
		asked := 0
		seats := []kit.Decide{func(_ context.Context, turn *protocol.Turn) (protocol.Answer, error) {
			var v molemajority.View
			if err := json.Unmarshal(turn.View, &v); err != nil {
				return protocol.Answer{}, err
			}
			if v.Phase != "play" {
				asked++
			}
			offer, err := kit.ParseOffer(turn.Offer)
			a := kit.Pick(0)
			if v.Phase == row.phase && row.entry >= 0 && asked < 3 {
				a.Then = []json.RawMessage{offer.List[row.entry]}
			}
			return a, err
		}, housetest.Find(t, "random").Decide(1)}
		housetest.Play(t, e, `{"max_turns":4}`, 1, seats)
		if asked != row.asked {
			t.Errorf("%s: asked %d times, want %d", row.name, asked, row.asked)
		}
	}
}
