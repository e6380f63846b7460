package house

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"

	json2 "github.com/go-json-experiment/json"

	"github.com/molerun/molerun/bots/kit"
	"github.com/molerun/molerun/bots/protocol"
	"github.com/molerun/molerun/engines/game"
)

// plotView is what the strategies need of De Mol's view.
type plotView struct {
	Round    int         `json:"round"`
	Attempt  int         `json:"attempt"`
	Leader   game.Seat   `json:"leader"`
	Mission  int         `json:"mission"`
	Proposed *game.Seats `json:"team"` // null before the proposal
	Missions []struct {
		Size        int                `json:"size"`
		FailsNeeded int                `json:"fails_needed"`
		Result      *string            `json:"result"`
		Fails       int                `json:"fails"`
		Team        game.Seats         `json:"team"`
		Open        map[game.Seat]bool `json:"open"` // success
	} `json:"missions"`
	Seats       []struct{}         `json:"seats"`
	OpenMission map[game.Seat]bool `json:"open_mission"` // success
	Votes       []plotVote         `json:"votes"`
	Me          struct {
		Role  string               `json:"role"`
		Known map[game.Seat]string `json:"known"`
		Peeks []struct {
			Mission int       `json:"mission"`
			At      game.Seat `json:"at"`
			Success bool      `json:"success"`
		} `json:"peeks"`
		Played []struct {
			Mission int  `json:"mission"`
			Success bool `json:"success"`
		} `json:"played"`
	} `json:"me"`
}

type plotVote struct {
	Attempt      int        `json:"attempt"`
	Leader       game.Seat  `json:"leader"`
	Mission      int        `json:"mission"`
	Team         game.Seats `json:"team"`
	Approve      []bool     `json:"approve"`
	Approved     bool       `json:"approved"`
	NoConfidence *game.Seat `json:"no_confidence"`
}

// plot is an action of De Mol.
type plot struct {
	Type    string     `json:"type"`
	Card    string     `json:"card"`
	Members game.Seats `json:"members"`
	Mission int        `json:"mission"`
	Approve bool       `json:"approve"`
	Success bool       `json:"success"`
	Play    bool       `json:"play"`
	To      *game.Seat `json:"to"`
	At      *game.Seat `json:"at"`
	From    *game.Seat `json:"from"`
}

// table is one seat's judgement: what it sees, and every set of moles it cannot rule out with its weight.
type table struct {
	belief
	view plotView
	seat game.Seat
	mole bool
	team game.Seats // proposed
}

// plotMind is what the strategies of De Mol differ in.
type plotMind interface {
	// teamScore says how much the seat likes to send a team on a mission.
	teamScore(team game.Seats, mission int) float64
	// approves is the seat's vote on the team proposed.
	approves() bool
	// fails is the seat's mission card.
	fails() bool
}

// readTable reads a turn and leaves the weights to the strategy.
func readTable(t *protocol.Turn) (*table, kit.Offer, error) {
	offer, err := kit.ParseOffer(t.Offer)
	if err != nil {
		return nil, offer, err
	}
	d := &table{seat: t.Seat}
	if err := json2.Unmarshal(t.View, &d.view); err != nil {
		return nil, offer, fmt.Errorf("view: %w", err)
	}
	d.mole = d.view.Me.Role == "mole"
	if d.view.Proposed != nil {
		d.team = *d.view.Proposed
	}
	return d, offer, nil
}

// decide answers with what the mind likes best.
func (d *table) decide(mind plotMind, offer kit.Offer, rng *rand.Rand) (protocol.Answer, error) {
	score := func(a plot) float64 { return d.score(mind, a) }
	if len(offer.List) > 0 {
		return best(offer.List, rng, score)
	}
	list := d.teams(offer)
	answer, err := best(list, rng, score)
	if err != nil {
		return answer, err
	}
	return protocol.Answer{Action: list[*answer.Choose]}, nil
}

// teams writes out the proposals where a list would be too long and forms stand for it.
func (d *table) teams(offer kit.Offer) (list []json.RawMessage) {
	for _, form := range offer.Forms {
		size, mission := 0, ""
		for _, f := range form.Fields {
			switch {
			case f.Name == "members":
				size = f.Choose
			case f.Name == "mission" && len(f.OneOf) > 0:
				mission = `,"mission":` + string(f.OneOf[0])
			}
		}
		for _, team := range sets(len(d.view.Seats), size) {
			list = append(list, json.RawMessage(fmt.Sprintf(`{"type":%q,"members":%s%s}`, form.Type, team.AppendJSON(nil), mission)))
		}
	}
	return list
}

// score says how much this seat likes an action.
func (d *table) score(mind plotMind, a plot) float64 {
	switch a.Type {
	case "team":
		mission := a.Mission
		if mission == 0 {
			mission = d.view.Mission
		}
		return mind.teamScore(a.Members, mission)
	case "vote":
		return yes(a.Approve == mind.approves())
	case "mission":
		return yes(a.Success != mind.fails())
	case "no_confidence":
		return yes(a.Play == (d.mole && d.view.Attempt == 5 || !mind.approves()))
	case "strong_leader":
		return yes(a.Play == (d.view.Leader != d.seat))
	}
	return d.cardScore(a)
}

// trust is the odds that a seat is on this seat's side.
func (d *table) trust(seat game.Seat) float64 {
	if d.mole {
		return d.suspicion(seat)
	}
	return 1 - d.suspicion(seat)
}

// cardScore is for the plot cards. Cards go to friends and are taken from others; one shows one's role to a friend, and
// looks at those who are none. Naming nobody is better only when friends alone are left to name.
func (d *table) cardScore(a plot) float64 {
	const keep = 0.1
	switch {
	case a.Card == "open_up" && !d.mole: // the less one knows of a seat the more it has to show
		return d.suspicion(*a.To) * d.trust(*a.To)
	case a.Card == "establish_confidence": // whoever gets it, the leader shows
		return 1
	case a.To != nil: // give, show
		return d.trust(*a.To)
	case a.From != nil: // take
		return 1 - d.trust(*a.From)
	case a.At != nil: // look, spotlight, close_eye
		return 1 - d.trust(*a.At)
	}
	return keep
}

func yes(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

// needed is how many fails spoil a mission.
func (d *table) needed(mission int) int {
	if mission < 1 || mission > len(d.view.Missions) {
		return 1
	}
	return d.view.Missions[mission-1].FailsNeeded
}

// friends are the moles a mole knows, itself included.
func (d *table) friends() game.Seats {
	m := game.Only(d.seat)
	for seat, role := range d.view.Me.Known {
		if role == "mole" {
			m = m.With(seat)
		}
	}
	return m
}
