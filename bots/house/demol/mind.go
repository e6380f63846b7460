package demol

import (
	"cmp"
	"math/rand/v2"

	"github.com/molerun/molerun/bots/house/search"
	"github.com/molerun/molerun/bots/kit"
	"github.com/molerun/molerun/bots/protocol"
	"github.com/molerun/molerun/engines/demol"
	"github.com/molerun/molerun/engines/game"
)

// mind is what the strategies of De Mol differ in.
type mind interface {
	// teamScore says how much the seat likes to send a team on a mission.
	teamScore(team game.Seats, mission int8) float64
	// approves is the seat's vote on the team proposed.
	approves() bool
	// fails is the seat's mission card.
	fails() bool
}

// decide answers with what the mind likes best.
func (p *position) decide(m mind, offer kit.Offer, rng *rand.Rand) (protocol.Answer, error) {
	list, err := p.actions(offer)
	if err != nil {
		return protocol.Answer{}, err
	}
	return search.Answer(list, rng, func(a demol.Action) float64 { return p.score(m, a) }, func(k int) protocol.Answer {
		if len(offer.List) > 0 {
			return kit.Pick(k)
		}
		return protocol.Answer{Action: written(offer, list, k)}
	})
}

// score says how much this seat likes an action.
func (p *position) score(m mind, a demol.Action) float64 {
	switch a.Kind {
	case demol.ActTeam:
		return m.teamScore(a.Members, cmp.Or(a.Mission, p.mission()))
	case demol.ActVote:
		return yes(a.Yes == m.approves())
	case demol.ActMission:
		return yes(a.Yes != m.fails())
	case demol.ActNoConfidence:
		return yes(a.Yes == (p.mole && p.view.Attempt == 5 || !m.approves()))
	case demol.ActStrongLeader:
		return yes(a.Yes == (p.view.Leader != p.seat))
	default:
		return p.cardScore(a)
	}
}

// trust returns the odds that a seat is on this seat's side.
func (p *position) trust(seat game.Seat) float64 {
	if p.mole {
		return p.suspicion(seat)
	}
	return 1 - p.suspicion(seat)
}

// cardScore values the plot cards. Cards go to friends and are taken from others; one shows one's role to a friend, and
// looks at those who are none. Naming nobody is better only when friends alone are left to name.
func (p *position) cardScore(a demol.Action) float64 {
	const keep = 0.1
	switch {
	case a.Card == demol.OpenUp && !p.mole: // the less one knows of a seat the more it has to show
		return p.suspicion(a.Seat) * p.trust(a.Seat)
	case a.Card == demol.EstablishConfidence: // whoever gets it, the leader shows
		return 1
	case a.Kind == demol.ActTalk || a.Seat == game.Spectator:
		return keep
	case a.Kind == demol.ActGive || a.Kind == demol.ActShow:
		return p.trust(a.Seat)
	default: // it takes, looks, asks for an open card
		return 1 - p.trust(a.Seat)
	}
}

func yes(b bool) float64 {
	if b {
		return 1
	}
	return 0
}
