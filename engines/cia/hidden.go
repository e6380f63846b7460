package cia

import "github.com/molerun/molerun/engines/game"

// Resample redraws the other seats' agents, hands and dossiers, the free agents and the deck, uniformly over all that fits
// what seat has seen: every deal of the agents, every dossier and every way in which the cards can lie, and can have come
// to the places from which they were played, counts once.
func (Rules) Resample(s *State, seat game.Seat, r *game.Rand) {
	if !s.redraw(seat, r) {
		panic("cia: a state does not fit its own trail")
	}
}

// redraw needs of the hidden things of s only those of seat, and how many the others have; false if nothing fits.
func (s *State) redraw(seat game.Seat, r *game.Rand) bool {
	if s.Phase != PhaseOver {
		s.redrawAgents(seat, r)
		if s.Filed {
			for other := range s.seats().Without(seat).Each() {
				s.Files[other] = s.sampleFile(r).Owners
			}
		}
	}
	return !s.TopSecret || s.redrawCards(seat, r)
}

func (s *State) redrawAgents(seat game.Seat, r *game.Rand) {
	unknown := s.InPlay
	if seat >= 0 {
		unknown &^= s.Extra[seat].With(s.Agent[seat])
	}
	var list [NumAgents]Agent
	n := 0
	for m := unknown; m != 0; m &= m - 1 {
		list[n] = m.Lowest()
		n++
	}
	game.Shuffle(r, list[:n])
	for other := range s.seats().Without(seat).Each() {
		n--
		s.Agent[other] = list[n]
		taken := s.Extra[other].Len()
		s.Extra[other] = 0
		for range taken {
			n--
			s.Extra[other] = s.Extra[other].With(list[n])
		}
	}
}

// redrawCards redraws the hands of the others, the deck and the cards that the others drew along the trail.
func (s *State) redrawCards(seat game.Seat, r *game.Rand) bool {
	var w belief
	if !w.open(s, seat) {
		return false
	}
	w.follow(r)
	w.fill(r)
	w.oldestFirst()
	w.write(s)
	return true
}
