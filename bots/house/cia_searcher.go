package house

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"

	json2 "github.com/go-json-experiment/json"

	"github.com/molerun/molerun/bots/protocol"
	"github.com/molerun/molerun/engines/game"
)

// ciaOutlook takes the best moves that thinker foresees as ideas, draws the others' agents by thinker's suspicions, and cuts
// playouts off when every seat has had its turns: there thinker's odds to be first are the value.
type ciaOutlook struct{ *thinkerSpy }

// What the search in CIA is limited to.
const (
	ciaIdeas   = 6
	ciaHorizon = 1 // turns of each seat
)

func newCIAOutlook(t *protocol.Turn, rng *rand.Rand) (outlook, error) {
	mind, err := newThinkerSpy(t, rng)
	return ciaOutlook{mind}, err
}

func (ciaOutlook) ideas(t *protocol.Turn, rng *rand.Rand) ([]json.RawMessage, error) {
	mind, err := newThinkerSpy(t, rng)
	if err != nil {
		return nil, err
	}
	return mind.ranked(mind, t.Offer, rng, ciaIdeas)
}

func (o ciaOutlook) likely(table game.Table) float64 {
	p := 1.0
	for seat := range o.view.Hands {
		var view struct {
			Me struct {
				Agent string `json:"agent"`
			} `json:"me"`
		}
		at := game.Seat(seat) //nolint:gosec // at most 7
		if at == o.seat || json2.Unmarshal(table.View(at), &view) != nil {
			continue
		}
		p *= o.suspicion(at, int(index(spyNames[:], view.Me.Agent)))
	}
	return p
}

func (o ciaOutlook) judge(t *protocol.Turn) (value float64, cut bool, err error) {
	var now struct {
		Turns int `json:"turns"`
	}
	if err := json2.Unmarshal(t.View, &now); err != nil {
		return 0, false, fmt.Errorf("view: %w", err)
	}
	if now.Turns < o.view.Turns+ciaHorizon*len(o.view.Hands) {
		return 0, false, nil
	}
	s, err := readStakeout(t)
	if err != nil {
		return 0, false, err
	}
	return (&thinkerSpy{stakeout: s}).value(&s.ring), true, nil
}

// reward is a win or none.
func (ciaOutlook) reward(r game.Result, seat game.Seat) float64 { return yes(Won(r, seat)) }

func (o ciaOutlook) memo() string { return o.eye.memo() }
