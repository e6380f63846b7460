package molehill

import (
	"bytes"
	"encoding/json"
	"math"
	"math/rand/v2"

	"github.com/molerun/molerun/bots/house/search"
	"github.com/molerun/molerun/bots/kit"
	"github.com/molerun/molerun/bots/protocol"
	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/engines/molehill"
)

// Searcher returns the tree search with greedy's choice as its first idea and playouts by lot, to the end.
func Searcher(t *protocol.Turn, rng *rand.Rand, playouts int) (protocol.Answer, error) {
	action, err := search.Choose(game.Wrap(molehill.Rules{}), outlook{}, playouts, t, rng)
	return protocol.Answer{Action: action}, err
}

// outlook tells the search nothing beyond the rules: nothing is hidden.
type outlook struct{}

// Ideas returns greedy's choice and others by lot.
func (outlook) Ideas(t *protocol.Turn, rng *rand.Rand) ([]json.RawMessage, error) {
	const most = 24
	offer, err := kit.ParseOffer(t.Offer)
	if err != nil {
		return nil, err
	}
	answer, err := Greedy(t, rng)
	if err != nil {
		return nil, err
	}
	first := offer.List[*answer.Choose]
	list := []json.RawMessage{first}
	for _, k := range rng.Perm(len(offer.List)) {
		if len(list) < most && !bytes.Equal(first, offer.List[k]) {
			list = append(list, offer.List[k])
		}
	}
	return list, nil
}

func (outlook) Assume(t *protocol.Turn, table game.Table, _ *rand.Rand) (json.RawMessage, error) {
	return table.House(t.Seat), nil
}

func (outlook) Likely(game.Table) float64 { return 1 }

func (outlook) Judge(*protocol.Turn) (float64, bool, error) { return 0, false, nil }

// Reward gives half for the share of the others that the seat is ahead of, half for its lead in points.
func (outlook) Reward(r game.Result, seat game.Seat) float64 {
	other := 1 - seat
	beaten := 0.5
	switch {
	case r.Rank[other] > r.Rank[seat]:
		beaten = 1
	case r.Rank[other] < r.Rank[seat]:
		beaten = 0
	}
	lead := 1 / (1 + math.Exp((r.Points[other]-r.Points[seat])/4))
	return 0.5*beaten + 0.5*lead
}
