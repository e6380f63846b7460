package cia

import (
	"math/rand/v2"

	"github.com/molerun/molerun/bots/house/search"
	"github.com/molerun/molerun/bots/protocol"
	"github.com/molerun/molerun/engines/cia"
	"github.com/molerun/molerun/engines/game"
)

// Valuer returns the valuer of CIA: greedy to the end, the others' agents by the thinker's suspicions.
func Valuer() search.Valuer {
	sim := search.Sim[cia.Config, cia.State, cia.Action, cia.View, cia.Event]{Rules: cia.Rules{}, Act: act}
	return search.Valuer{Name: "greedy", Version: 1, Ideas: answers, Likely: likely, Play: sim.Play}
}

// likely goes by the suspicions of all the others.
func likely(t *protocol.Turn, rng *rand.Rand) (func(game.Table) float64, error) {
	mind, err := newThinkerMind(t, rng)
	return func(table game.Table) float64 {
		p := 1.0
		if s, ok := game.StateOf[cia.State](table); ok {
			for at := range game.FirstSeats(mind.seats()).Without(mind.seat).Each() {
				p *= mind.suspicion(at, s.Agent[at])
			}
		}
		return p
	}, err
}

// act is [Greedy] whose moves are for its best agent alone; it fills in dossiers by lot.
func act(s *cia.State, seat game.Seat, luck *game.Rand) []cia.Action {
	p := position{
		board: board{in: s.InPlay, at: s.Pos, stone: s.Stone, safe: s.Safe},
		seat:  seat, agent: s.Agent[seat], mine: s.Extra[seat].With(s.Agent[seat]),
		config: config{Track: s.Track, TopSecret: s.TopSecret, Dossier: s.WithFiles},
		view:   cia.View{Drawn: s.Drew},
	}
	for _, f := range s.Flags[:s.FlagN] {
		p.flags = p.flags.With(f.Agent)
	}
	switch s.Phase {
	case cia.PhaseDossier:
		return []cia.Action{cia.Rules{}.Sample(s, seat, luck)}
	case cia.PhaseMove:
		best := p.mine.Lowest()
		for m := p.mine; m != 0; m &= m - 1 {
			if a := m.Lowest(); p.stone[a] > p.stone[best] {
				best = a
			}
		}
		return []cia.Action{{Kind: cia.ActMove, Steps: bestSteps(&p.board, s.Roll.String(), best)}}
	default:
		var o game.Offer[cia.Action]
		cia.Rules{}.Offer(s, seat, &o)
		k := p.plans(greedyMind{p.mine}, o.List, rand.New(luck))[0].entry
		return o.List[k : k+1]
	}
}
