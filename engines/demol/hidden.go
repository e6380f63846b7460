package demol

import "github.com/molerun/molerun/engines/game"

// unknown is the number of fails of a mission that is not scored yet.
const unknown = -1

// evidence is all that one seat has of the hidden things: who the moles are and who played which fail. An agent never
// fails, so every state that fits the evidence is as likely as any other. Of the plot deck a seat knows which cards are
// left, and nothing of their order.
type evidence struct {
	seats  int
	moles  game.Seats           // surely moles
	agents game.Seats           // surely agents
	failed [missions]game.Seats // surely played a fail
	others [missions]game.Seats // played a card that the seat has not seen
	fails  [missions]int        // how many of those cards are fails, or unknown
}

// evidence returns what seat has; a spectator has only what all know.
func (s *State) evidence(seat game.Seat) evidence {
	e := evidence{seats: int(s.Seats)}
	switch {
	case s.Phase == phaseOver:
		e.moles, e.agents = s.Moles, s.seats()&^s.Moles
	case s.seats().Has(seat):
		e.moles, e.agents = s.known(seat)
		if s.Moles.Has(seat) {
			e.moles = e.moles.With(seat)
		} else {
			e.agents = e.agents.With(seat)
		}
	}
	for i := range s.Missions {
		m := &s.Missions[i]
		seen := (m.Open | s.peeked(seat, int8(i+1))).With(seat)
		e.failed[i] = m.Failed & seen
		e.moles |= e.failed[i]
		e.others[i] = m.Team &^ seen
		if e.fails[i] = (m.Failed &^ seen).Len(); !m.Played && m.Team != 0 {
			e.fails[i] = unknown
		}
	}
	return e
}

// ways counts the ways in which these moles may have played the fails, 0 if they cannot.
func (e *evidence) ways(moles game.Seats) uint64 {
	n := uint64(1)
	for i, fails := range e.fails {
		switch could := (moles & e.others[i]).Len(); {
		case fails == unknown:
			n <<= could
		case fails > 0:
			n *= uint64(Choose(could, fails))
		}
	}
	return n
}

// draw takes one of all hidden states that fit, uniformly; false if none does. It weighs every set of moles, of which
// there are at most 210, by its ways.
func (e *evidence) draw(r *game.Rand) (game.Seats, [missions]game.Seats, bool) {
	var moles game.Seats
	var failed [missions]game.Seats
	var total uint64
	for m := range e.teams() {
		total += e.ways(m)
	}
	if total == 0 {
		return 0, failed, false
	}
	left := r.IntN(int(total))
	for m := range e.teams() {
		if left -= int(e.ways(m)); left < 0 {
			moles = m
			break
		}
	}
	for i := range failed {
		could := moles & e.others[i]
		if e.fails[i] == unknown {
			failed[i] = e.failed[i] | could&game.Seats(r.Uint64())
			continue
		}
		failed[i] = e.failed[i] | r.Subset(could, e.fails[i])
	}
	return moles, failed, true
}

// teams walks the sets of moles that fit the roles known, ascending.
func (e *evidence) teams() func(yield func(game.Seats) bool) {
	return func(yield func(game.Seats) bool) {
		table := game.FirstSeats(e.seats)
		for m := game.FirstSeats(moleCount[e.seats]); m <= table; m = nextOfSize(m) {
			if m&e.moles == e.moles && m&e.agents == 0 && !yield(m) {
				return
			}
		}
	}
}

// Resample redraws the moles, who failed and the order of the plot deck, uniformly over all that fits what seat has seen.
func (Rules) Resample(s *State, seat game.Seat, r *game.Rand) {
	e := s.evidence(seat)
	moles, failed, ok := e.draw(r)
	if !ok {
		panic("demol: a state does not fit its own evidence")
	}
	s.Moles = moles
	for i := range s.Missions {
		s.Missions[i].Failed = failed[i]
	}
	game.Shuffle(r, s.Deck[:s.DeckLen])
}
