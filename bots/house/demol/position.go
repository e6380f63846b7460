package demol

import (
	"encoding/json"
	"fmt"

	json2 "github.com/go-json-experiment/json"

	"github.com/molerun/molerun/bots/house/search"
	"github.com/molerun/molerun/bots/kit"
	"github.com/molerun/molerun/bots/protocol"
	"github.com/molerun/molerun/engines/demol"
	"github.com/molerun/molerun/engines/game"
)

// mole is the role's word in a view.
const mole = "mole"

// position is one seat's judgement: what it sees, and every set of moles it cannot rule out with its weight.
type position struct {
	belief
	view  demol.View
	seats int
	seat  game.Seat
	mole  bool
	team  game.Seats // proposed
}

// readPosition reads a turn and leaves the weights to the strategy.
func readPosition(t *protocol.Turn) (*position, kit.Offer, error) {
	offer, err := kit.ParseOffer(t.Offer)
	if err != nil {
		return nil, offer, err
	}
	p := &position{seat: t.Seat}
	if err := json2.Unmarshal(t.View, &p.view); err != nil {
		return nil, offer, fmt.Errorf("view: %w", err)
	}
	p.seats = len(p.view.Seats)
	if p.view.Me == nil || p.seats < demol.MinSeats || p.seats > demol.MaxSeats {
		return nil, offer, fmt.Errorf("view: it is not that of a seat at a table of %d to %d", demol.MinSeats, demol.MaxSeats)
	}
	p.mole = p.view.Me.Role == mole
	if p.view.Team != nil {
		p.team = *p.view.Team
	}
	return p, offer, nil
}

// actions reads the list of an offer; where forms replace one that would be too long, it writes out the teams of all.
func (p *position) actions(offer kit.Offer) ([]demol.Action, error) {
	if len(offer.List) > 0 {
		return search.Actions[demol.Action](offer.List)
	}
	var list []demol.Action
	for _, form := range offer.Forms {
		a := demol.Action{Kind: demol.ActTeam}
		size := 0
		for _, f := range form.Fields {
			switch {
			case f.Name == "members":
				size = f.Choose
			case f.Name == "mission" && len(f.OneOf) > 0:
				if err := json2.Unmarshal(f.OneOf[0], &a.Mission); err != nil {
					return nil, fmt.Errorf("the mission of form %s: %w", form.Type, err)
				}
			}
		}
		for _, team := range sets(p.seats, size) {
			a.Members = team
			list = append(list, a)
		}
	}
	return list, nil
}

// written returns action k of an offer as it goes over the wire.
func written(offer kit.Offer, list []demol.Action, k int) json.RawMessage {
	if len(offer.List) > 0 {
		return offer.List[k]
	}
	return list[k].AppendJSON(nil)
}

// mission returns the one proposed, 0 before.
func (p *position) mission() int8 {
	if p.view.Mission == nil {
		return 0
	}
	return *p.view.Mission
}

// needed returns how many fails spoil a mission.
func (p *position) needed(mission int8) int {
	if mission < 1 || int(mission) > len(p.view.Missions) {
		return 1
	}
	return p.view.Missions[mission-1].FailsNeeded
}

// friends returns the moles a mole knows, itself included.
func (p *position) friends() game.Seats {
	m := game.Only(p.seat)
	for seat, role := range p.view.Me.Known {
		if role == mole {
			m = m.With(seat)
		}
	}
	return m
}
