package house

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"

	json2 "github.com/go-json-experiment/json"

	"github.com/molerun/molerun/bots/protocol"
	"github.com/molerun/molerun/engines/game"
)

// demolOutlook takes what thinker likes best as ideas and draws the moles by thinker's belief.
type demolOutlook struct {
	odds map[game.Seats]float64 // of the likeliest set 1
}

const demolIdeas = 6

func newDemolOutlook(t *protocol.Turn, rng *rand.Rand) (outlook, error) {
	p, _, err := newThinkerPlot(t, rng)
	if err != nil {
		return nil, err
	}
	o := demolOutlook{map[game.Seats]float64{}}
	top := slices.Max(p.odds)
	for i, m := range p.sets {
		o.odds[m] = p.odds[i] / top
	}
	return o, nil
}

func (demolOutlook) ideas(t *protocol.Turn, rng *rand.Rand) (out []json.RawMessage, err error) {
	p, offer, err := newThinkerPlot(t, rng)
	if err != nil {
		return nil, err
	}
	list := offer.List
	if len(list) == 0 {
		list = p.teams(offer)
	}
	type idea struct {
		action      json.RawMessage
		score, luck float64
	}
	ideas := make([]idea, len(list))
	for k, raw := range list {
		var a plot
		if err := json2.Unmarshal(raw, &a); err != nil {
			return nil, fmt.Errorf("entry %d of the offer: %w", k, err)
		}
		ideas[k] = idea{raw, p.score(p, a), rng.Float64()}
	}
	slices.SortFunc(ideas, func(a, b idea) int {
		return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(b.luck, a.luck))
	})
	for _, i := range ideas[:min(demolIdeas, len(ideas))] {
		out = append(out, i.action)
	}
	return out, nil
}

func (o demolOutlook) likely(table game.Table) float64 {
	var m game.Seats
	for seat, team := range table.Teams() {
		if team == "mole" {
			m = m.With(game.Seat(seat)) //nolint:gosec // at most ten seats
		}
	}
	return o.odds[m]
}

func (demolOutlook) judge(*protocol.Turn) (float64, bool, error) { return 0, false, nil }

// reward is a win or none.
func (demolOutlook) reward(r game.Result, seat game.Seat) float64 { return yes(Won(r, seat)) }

func (demolOutlook) memo() string { return "" }
