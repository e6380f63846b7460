package demol

import (
	"errors"
	"fmt"

	"github.com/molerun/molerun/engines/game"
)

// StateFromView builds a state from a view alone, drawn as Resample draws. It draws the hidden things first, replays the record of
// the view by the rules and then holds its own view against the given one: a view that no match can show is refused with
// the place.
func (r Rules) StateFromView(c Config, seats int, seat game.Seat, v View, s *State, rnd *game.Rand) error {
	e, err := readEvidence(seats, seat, &v)
	if err != nil {
		return err
	}
	moles, failed, ok := e.draw(rnd)
	if !ok {
		return errors.New("at /missions: no set of moles fits the fails and the roles known")
	}
	leader := v.Leader
	if len(v.Votes) > 0 {
		leader = v.Votes[0].Leader
	}
	if !game.FirstSeats(seats).Has(leader) {
		return fmt.Errorf("at /leader: there is no seat %d", leader)
	}
	x := replay{v: &v, s: s, failed: failed}
	s.set(c, seats, moles, leader)
	if c.PlotCards {
		if err := x.readCards(c, rnd); err != nil {
			return err
		}
	}
	if err := x.run(); err != nil {
		return err
	}
	return game.Agree(r.View(s, seat), v)
}

// readEvidence reads only what says something about the moles and the fails.
func readEvidence(seats int, seat game.Seat, v *View) (evidence, error) {
	var e evidence
	e.seats = seats
	if (v.Me == nil) != (seat == game.Spectator) {
		return e, errors.New("at /me: belongs to the view of a seat, and to no other")
	}
	if v.Me != nil {
		if v.Me.Seat != seat {
			return e, fmt.Errorf("at /me/seat: want %d, got %d", seat, v.Me.Seat)
		}
		if err := e.readRole("/me/role", v.Me.Seat, v.Me.Role); err != nil {
			return e, err
		}
		for other := range game.Seat(game.MaxSeats) {
			if role, ok := v.Me.Known[other]; ok {
				if err := e.readRole("/me/known", other, role); err != nil {
					return e, err
				}
			}
		}
	}
	for i, role := range v.Roles {
		if err := e.readRole("/roles", game.Seat(min(i, game.MaxSeats)), role); err != nil {
			return e, err
		}
	}
	return e, e.readMissions(v)
}

// readRole takes a role that is sure.
func (e *evidence) readRole(at string, seat game.Seat, role string) error {
	switch {
	case !game.FirstSeats(e.seats).Has(seat):
		return fmt.Errorf("at %s: there is no seat %d", at, seat)
	case role == mole:
		e.moles = e.moles.With(seat)
	case role == agent:
		e.agents = e.agents.With(seat)
	default:
		return fmt.Errorf("at %s: want agent or mole, got %q", at, role)
	}
	return nil
}

// readMissions takes the cards that are down, less those the seat has seen: its own, the open ones and those looked at.
func (e *evidence) readMissions(v *View) error {
	var seen [missions]game.Seats
	saw := func(m int8, seat game.Seat, success bool) {
		seen[m-1] = seen[m-1].With(seat)
		if !success {
			e.failed[m-1] = e.failed[m-1].With(seat)
			e.moles = e.moles.With(seat)
		}
	}
	if v.Me != nil {
		if err := v.Me.readCards(saw); err != nil {
			return err
		}
	}
	for i := range v.Missions {
		m := &v.Missions[i]
		current := v.Mission != nil && int(*v.Mission) == i+1 && m.Fails == nil
		for seat := range game.FirstSeats(e.seats).Each() {
			if success, ok := m.Open[seat]; ok {
				saw(int8(i+1), seat, success)
			}
			if success, ok := v.OpenMission[seat]; ok && current {
				saw(int8(i+1), seat, success)
			}
		}
		e.others[i] = m.Team &^ seen[i]
		switch {
		case m.Fails != nil:
			if e.fails[i] = min(*m.Fails, e.seats) - e.failed[i].Len(); e.fails[i] < 0 {
				return fmt.Errorf("at /missions/%d/fails: leaves out a fail that this seat has seen", i)
			}
		case current && v.Phase == phaseCloseEye.String() && v.Team != nil:
			e.others[i], e.fails[i] = *v.Team&^seen[i], unknown
		}
	}
	return nil
}

// readCards tells saw the mission cards that only this seat has seen.
func (me *Me) readCards(saw func(m int8, seat game.Seat, success bool)) error {
	for i, card := range me.Played {
		switch {
		case card.Mission < 1 || card.Mission > missions:
			return fmt.Errorf("at /me/played/%d/mission: want 1 to %d", i, missions)
		case !card.Success && me.Role == agent:
			return fmt.Errorf("at /me/played/%d/success: an agent plays success", i)
		}
		saw(card.Mission, me.Seat, card.Success)
	}
	for i, card := range me.Peeks {
		if card.Mission < 1 || card.Mission > missions || card.At < 0 || card.At >= MaxSeats {
			return fmt.Errorf("at /me/peeks/%d: there is no mission %d with seat %d", i, card.Mission, card.At)
		}
		saw(card.Mission, card.At, card.Success)
	}
	return nil
}
