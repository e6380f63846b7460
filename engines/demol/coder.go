package demol

import "github.com/molerun/molerun/engines/game"

// Numbering numbers the kinds in their order: teams by mission, then as the offer lists them; yes before no; cards before seats, the
// null of those who decline last. The kinds of the plot deck have numbers under plot_cards only.
func (Rules) Numbering(c Config, seats int) (int, func(Action) int) {
	s := State{Seats: int8(seats), Targeting: c.Targeting}
	return game.Enumerate(func(add func(Action)) {
		for kind := ActTalk; kind < kindEnd && (c.PlotCards || kind < ActStrongLeader); kind++ {
			switch {
			case kind == ActTeam:
				for m := int8(1); m <= missions; m++ {
					s.eachTeam(m, add)
				}
			case boolKeys[kind] != "":
				add(Action{Kind: kind, Yes: true})
				add(Action{Kind: kind})
			case seatKeys[kind] != "":
				s.eachTarget(kind, add)
			default:
				add(Action{Kind: kind})
			}
		}
	})
}

// eachTarget gives add every action of a kind that names a seat.
func (s *State) eachTarget(kind Kind, add func(Action)) {
	first, last := NoCard, NoCard
	if kind == ActGive || kind == ActTake {
		first, last = Overheard, cardEnd-1
	}
	for card := first; card <= last; card++ {
		for seat := range game.Seat(s.Seats) {
			add(Action{Kind: kind, Target: Target{Card: card, Seat: seat}})
		}
	}
	if kind.declines() {
		add(Action{Kind: kind, Target: Target{Seat: game.Spectator}})
	}
}

// Choices is the offer, with every team written out.
func (r Rules) Choices(s *State, seat game.Seat, o *game.Offer[Action]) {
	if s.Phase != phaseTeam {
		r.Offer(s, seat, o)
		return
	}
	for m := range eachBit(s.choices()) {
		s.eachTeam(m, o.Add)
	}
}

// Observe writes the table, all votes and plot cards so far, and what the seat alone knows. Entries that are not there yet are 0, seats
// that are not named −1.
func (Rules) Observe(s *State, seat game.Seat, o *game.Observation) {
	n := int(s.Seats)
	game.Put(o, "seat", 0, n-1, seat)
	game.Put(o, "phase", 0, int(phaseOver), s.Phase)
	game.Put(o, "round", 1, missions, s.Round)
	game.Put(o, "attempt", 1, maxAttempts, s.Attempt)
	game.Put(o, "leader", 0, n-1, s.Leader)
	game.Put(o, "mission", 0, missions, s.Mission)
	o.Bits("team", n, uint64(s.Team))
	game.Put(o, "talk_left", 0, maxTalkRounds, s.TalkLeft)
	var drawn, used [cardEnd]int8
	for _, card := range s.Drawn[:s.left()] {
		drawn[card]++
	}
	for i := range s.Plays[:s.PlayCount] {
		used[s.Plays[i].Card]++
	}
	if s.Card != NoCard {
		used[s.Card]++
	}
	game.Put(o, "drawn", 0, maxDrawn, drawn[Overheard:]...)
	game.Put(o, "deck", 0, maxDeck, s.DeckLen)
	game.Put(o, "discard", 0, maxDeck, used[Overheard:]...)
	o.Bits("passed", n, uint64(s.Passed))
	o.Bits("spotlit", n, uint64(s.Spotlit))
	o.Bits("open_voters", n, uint64(s.OpenVoters))
	o.Bits("open_yes", n, uint64(s.OpenYes))
	for i := range s.Seats {
		game.Put(o, "cards", 0, maxCopies, s.Held[i][Overheard:]...)
	}
	s.observeMissions(seat, o)
	for i := range s.Votes {
		v, stopped := &s.Votes[i], game.Spectator
		if i < int(s.VoteCount) {
			stopped = v.Stopped
		}
		game.Put(o, "votes", -1, max(n-1, missions), v.Round, v.Attempt, v.Mission, int8(v.Leader), int8(stopped))
	}
	for i := range s.Votes {
		o.Bits("vote_teams", n, uint64(s.Votes[i].Team))
	}
	for i := range s.Votes {
		o.Bits("vote_yes", n, uint64(s.Votes[i].Yes))
	}
	for i := range s.Plays {
		p := s.Plays[i]
		if i >= int(s.PlayCount) {
			p.At = game.Spectator
		}
		game.Put(o, "plays", -1, max(n, int(cardEnd))-1, p.Round, p.Attempt, int8(p.Card), int8(p.By), int8(p.At), int8(p.Taken))
	}
	moles, agents := s.known(seat)
	o.Flag("i_am_mole", s.Moles.Has(seat))
	o.Bits("known_moles", n, uint64(moles))
	o.Bits("known_agents", n, uint64(agents))
}

// observeMissions writes the missions: how they ended, who was on them, which cards lie open, and those that the seat has played or seen.
func (s *State) observeMissions(seat game.Seat, o *game.Observation) {
	n := int(s.Seats)
	ended := func(m int8) (played, failed, fails int) {
		if x := &s.Missions[m-1]; x.Played {
			played, fails = 1, x.Failed.Len()
			if s.failed(m) {
				failed = 1
			}
		}
		return played, failed, fails
	}
	for m := int8(1); m <= missions; m++ {
		played, failed, fails := ended(m)
		game.Put(o, "missions", 0, n, played, failed, fails)
	}
	for _, part := range []struct {
		name string
		of   func(m int8, x *Mission) game.Seats
	}{
		{"mission_teams", func(_ int8, x *Mission) game.Seats { return x.Team }},
		{"open", func(_ int8, x *Mission) game.Seats { return x.Open }},
		{"open_fails", func(_ int8, x *Mission) game.Seats { return x.Open & x.Failed }},
		{"seen", func(m int8, _ *Mission) game.Seats { return s.peeked(seat, m).With(seat) }},
		{"seen_fails", func(m int8, x *Mission) game.Seats { return s.peeked(seat, m).With(seat) & x.Failed }},
	} {
		for m := int8(1); m <= missions; m++ {
			o.Bits(part.name, n, uint64(part.of(m, &s.Missions[m-1])))
		}
	}
}
