package cia_test

import (
	"context"
	"math"
	"testing"

	"github.com/molerun/molerun/bots/house"
	player "github.com/molerun/molerun/bots/house/cia"
	"github.com/molerun/molerun/bots/house/search"
	"github.com/molerun/molerun/bots/kit"
	"github.com/molerun/molerun/bots/protocol"
	"github.com/molerun/molerun/engines/cia"
	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/internal/housetest"
	"github.com/molerun/molerun/internal/must"
)

// Over the turns of matches of two thinkers the leaf is nearer to how they ended (in log loss; ½ would be 0.693) than without what it makes of the
// buildings.
func TestTheProspectsTellMoreThanTheStones(t *testing.T) {
	e := game.Wrap(cia.Rules{})
	thinker := housetest.Find(t, "thinker")
	var turns int
	var leaf, stones float64
	for deal := range uint64(100) {
		config, err := e.Configure(nil, 2)
		must.OK(t, err)
		table, opening, err := e.New(config, 2, house.Seed(deal))
		must.OK(t, err)
		var seen []cia.State
		players := make([]kit.Decide, 2)
		for seat := range players {
			decide := thinker.Decide(deal<<8 + uint64(seat))
			players[seat] = func(ctx context.Context, turn *protocol.Turn) (protocol.Answer, error) {
				if s, ok := game.StateOf[cia.State](table); ok && s.Phase == cia.PhaseMove {
					seen = append(seen, s)
				}
				return decide(ctx, turn)
			}
		}
		m, err := house.Play(t.Context(), e, config, table, opening, players)
		must.OK(t, err)
		won := search.Shares(m.Result)[0]
		for _, s := range seen {
			turns++
			leaf += loss(player.Foreseen(&s), won)
			s.Pos = [cia.NumAgents]cia.Building{} // all in the church
			stones += loss(player.Foreseen(&s), won)
		}
	}
	leaf, stones = leaf/float64(turns), stones/float64(turns)
	t.Logf("over %d turns the leaf has a loss of %.4f, the stones alone one of %.4f", turns, leaf, stones)
	if leaf > stones-0.005 {
		t.Errorf("the leaf has a loss of %.4f, the stones alone one of %.4f: want 0.005 less", leaf, stones)
	}
}

func loss(p, won float64) float64 { return -won*math.Log(p) - (1-won)*math.Log(1-p) }
