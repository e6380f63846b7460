package demol

import "github.com/molerun/molerun/engines/game"

// windowCard is the card that may be played in a phase; the phases with one are the windows, in which the holders are
// asked one by one from the leader clockwise.
var windowCard = [phaseOver + 1]Card{
	phaseStrongLeader: StrongLeader, phaseNoConfidence: NoConfidence, phaseSpotlight: Spotlight, phaseCloseEye: CloseEye,
}

// ask looks for the first seat to ask in window p, from so many seats left of the leader on; false: there is none.
func (s *State) ask(p Phase, from game.Seat) bool {
	if !s.Plotted {
		return false
	}
	n := game.Seat(s.Seats)
	for i := from; i < n; i++ {
		seat := s.Leader + i
		if seat >= n {
			seat -= n
		}
		if s.mayPlay(p, seat) {
			s.Asked = seat
			return true
		}
	}
	return false
}

// mayPlay reports whether a seat is asked in window p: it holds the card, has not passed where that binds, and somebody is
// left to name.
func (s *State) mayPlay(p Phase, seat game.Seat) bool {
	if s.Held[seat][windowCard[p]] == 0 || s.Passed.Has(seat) {
		return false
	}
	return p == phaseStrongLeader || p == phaseNoConfidence || s.targets(p, seat) != 0
}

// askedFrom returns how many seats left of the leader the seat asked sits.
func (s *State) askedFrom() game.Seat {
	return (s.Asked - s.Leader + game.Seat(s.Seats)) % game.Seat(s.Seats)
}

// pass lets the seat asked decline.
func (s *State) pass(log *game.Log[Event]) {
	if s.PassBinds {
		s.Passed = s.Passed.With(s.Asked)
	}
	s.askOn(s.askedFrom()+1, log)
}

// askOn goes on with the window from so many seats left of the leader, or with the next phase.
func (s *State) askOn(from game.Seat, log *game.Log[Event]) {
	if !s.ask(s.Phase, from) {
		s.advance(s.Phase+1, log)
	}
}

// use spends the card of the window and writes it down.
func (s *State) use(at game.Seat, log *game.Log[Event]) {
	card := windowCard[s.Phase]
	s.Held[s.Asked][card]--
	s.play(card, at, NoCard, log)
}

// takeLead plays the answer to a Strong Leader window: the first to play leads, also if he did before.
func (s *State) takeLead(play bool, log *game.Log[Event]) {
	if !play {
		s.pass(log)
		return
	}
	s.use(game.Spectator, log)
	if s.Leader != s.Asked {
		s.lead(s.Asked, log)
	}
	s.advance(phaseStrongLeader+1, log)
}

// stop plays the answer to a No Confidence window: the first to play turns the approval into a rejection.
func (s *State) stop(play bool, log *game.Log[Event]) {
	if !play {
		s.pass(log)
		return
	}
	s.use(game.Spectator, log)
	s.Votes[s.VoteCount-1].Stopped = s.Asked
	s.reject(log)
}

// point plays the answer to a Spotlight or Close Eye window. A seat that has played is asked again at once.
func (s *State) point(at game.Seat, log *game.Log[Event]) {
	if at == game.Spectator {
		s.pass(log)
		return
	}
	s.use(at, log)
	if s.Phase == phaseSpotlight {
		s.Spotlit = s.Spotlit.With(at)
	} else {
		s.Peeked = s.Peeked.With(at)
		if log.Enabled() {
			log.Emit(game.Only(s.Asked), seenCardEvent{Kind: "seen", At: at, Success: !s.Missions[s.Mission-1].Failed.Has(at)})
		}
	}
	s.askOn(s.askedFrom(), log)
}
