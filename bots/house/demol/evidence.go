package demol

import (
	"github.com/molerun/molerun/engines/demol"
	"github.com/molerun/molerun/engines/game"
)

// weigh fills the seat's belief: the sets of moles that its own knowledge allows, each with its weight.
func (p *position) weigh(weight func(m game.Seats) float64) {
	for _, m := range sets(p.seats, demol.MolesAt(p.seats)) {
		if m.Has(p.seat) == p.mole && !p.contradicts(m) {
			p.add(m, weight(m))
		}
	}
	p.settle()
}

// contradicts reports whether the roles and the mission cards that the seat knows rule out that m are the moles.
func (p *position) contradicts(m game.Seats) bool {
	for seat, role := range p.view.Me.Known {
		if m.Has(seat) != (role == mole) {
			return true
		}
	}
	for seat, success := range p.view.OpenMission {
		if !success && !m.Has(seat) {
			return true
		}
	}
	for _, peek := range p.view.Me.Peeks {
		if !peek.Success && !m.Has(peek.At) {
			return true
		}
	}
	for i := range p.view.Missions {
		closed, fails, failed := p.cards(i + 1)
		if failed&^m != 0 || fails > (closed&m).Len() {
			return true
		}
	}
	return false
}

// cards returns what the seat knows of a mission's cards: the members whose card it has not seen, the fails among those, and
// the members seen to fail. A mission that was not played has none.
func (p *position) cards(mission int) (closed game.Seats, fails int, failed game.Seats) {
	x := &p.view.Missions[mission-1]
	if x.Fails == nil {
		return 0, 0, 0
	}
	closed, fails = x.Team, *x.Fails
	see := func(seat game.Seat, success bool) {
		if !closed.Has(seat) {
			return
		}
		if closed = closed.Without(seat); !success {
			failed = failed.With(seat)
			fails--
		}
	}
	for seat, success := range x.Open {
		see(seat, success)
	}
	for _, peek := range p.view.Me.Peeks {
		if int(peek.Mission) == mission {
			see(peek.At, peek.Success)
		}
	}
	for _, card := range p.view.Me.Played {
		if int(card.Mission) == mission {
			see(p.seat, card.Success)
		}
	}
	return closed, fails, failed
}
