package cia

import (
	"cmp"

	"github.com/molerun/molerun/engines/game"
)

// Numbering numbers the moves by points, then as offers list them; the pass and the places of the safe; under top_secret the cards in
// their order; under dossier the dossiers, by the agent of seat 0, then of seat 1 and so on. Every agent of the box has its numbers,
// whichever of them are in play.
func (Rules) Numbering(c Config, seats int) (int, func(Action) int) {
	const all = Agents(1<<NumAgents - 1)
	size, number := game.Enumerate(func(add func(Action)) {
		var list []Action
		a := Action{Kind: ActMove}
		for n := range len(rollNames) {
			spread(all, int8(n), n, &a, &list)
		}
		list = append(list, Action{Kind: ActPass})
		for to := range Building(Buildings) {
			list = append(list, Action{Kind: ActSafe, To: to})
		}
		for card := range Card(cardKinds) {
			if c.TopSecret {
				eachPlay(card, func(x Action) { list = append(list, x) })
			}
		}
		if c.Dossier {
			a = emptyFile(all)
			fileEach(all, 0, game.Seat(seats), &a, &list)
		}
		for _, x := range list {
			add(x)
		}
	})
	return size, func(a Action) int {
		if a.Kind == ActDossier { // the same whichever agents it shows to be nobody's
			x := emptyFile(all)
			for m := a.Agents; m != 0; m &= m - 1 {
				x.Owners[m.Lowest()] = a.Owners[m.Lowest()]
			}
			a = x
		}
		return number(a)
	}
}

// emptyFile returns a dossier with nobody behind the agents of m.
func emptyFile(m Agents) Action {
	a := Action{Kind: ActDossier, Agents: m}
	for ; m != 0; m &= m - 1 {
		a.Owners[m.Lowest()] = game.Spectator
	}
	return a
}

// eachPlay gives add every way in which a card can ever be played.
func eachPlay(c Card, add func(Action)) {
	x, a := &shapes[c], Action{Kind: ActCard, Card: c}
	switch {
	case x.field == fieldNone:
		add(a)
		return
	case x.field == fieldTo:
		for a.To = range Building(Buildings) {
			add(a)
		}
		return
	}
	for i := range Agent(NumAgents) {
		for n := x.min; n <= x.max && x.most == 1 && x.field == fieldSteps; n++ {
			if one := a; n != 0 {
				one.Steps[i] = n
				add(one)
			}
		}
		if x.field == fieldAgents && x.least == 1 {
			one := a
			one.Agents = Agents(0).With(i)
			add(one)
		}
		for j := range Agent(NumAgents) {
			if x.most == 2 && i != j {
				add(pairAction(c, i, j))
			}
		}
	}
}

// Choices is the offer, with every move and dossier written out.
func (r Rules) Choices(s *State, seat game.Seat, o *game.Offer[Action]) {
	switch s.Phase {
	case PhaseMove:
		s.listMoves(o)
	case PhaseDossier:
		s.listFiles(o)
	default:
		r.Offer(s, seat, o)
	}
}

// Observe writes the table and what the seat alone knows: cards as counts by kind, nothing of the trail. Agents come in their order; where
// one is not in play, and where a seat is not named, there is −1.
func (Rules) Observe(s *State, seat game.Seat, o *game.Observation) {
	n := int(s.Seats)
	at, stones, order, movers, files := s.places(), s.scores(), [NumAgents]int8{}, [NumAgents]game.Seat{}, [NumAgents]game.Seat{}
	for i := range movers {
		movers[i], files[i] = game.Spectator, game.Spectator
		if s.Filed && s.seats().Has(seat) && s.InPlay.Has(Agent(i)) {
			files[i] = s.Files[seat][i]
		}
	}
	var extra [maxSeats]int
	for i, m := range s.Extra {
		extra[i] = m.Len()
	}
	for i, f := range s.Flags[:s.FlagN] {
		order[f.Agent], movers[f.Agent] = int8(i+1), f.Seat
	}
	game.Put(o, "seat", 0, n-1, seat)
	game.Put(o, "phase", 0, int(PhaseOver), s.Phase)
	game.Put(o, "turn", 0, n-1, s.Turn)
	game.Put(o, "turns", 0, int(cmp.Or(s.MaxTurns, maxLimit)), s.Turns)
	game.Put(o, "roll", 0, len(rollNames)-1, s.Roll)
	game.Put(o, "agents", -1, Buildings-1, at[:]...)
	game.Put(o, "stones", -1, int(s.Track)+int(Ruin), stones[:]...)
	game.Put(o, "safe", 0, Buildings-1, s.Safe)
	game.Put(o, "flags", 0, NumAgents, order[:]...)
	game.Put(o, "flagged_by", -1, n-1, movers[:]...)
	game.Put(o, "hands", 0, maxHand, s.HandN[:n]...)
	game.Put(o, "fresh_shown", 0, maxHand, s.Shown[:n]...)
	game.Put(o, "discard", 0, maxBox, counted(s.Discard[:s.DiscardN])...)
	game.Put(o, "deck", 0, maxBox, s.DeckN)
	game.Put(o, "removed", 0, maxBox, s.Removed)
	o.Flag("drawn", s.Drew)
	game.Put(o, "extra", 0, NumAgents, extra[:n]...)
	o.Flag("dossier_filed", s.Filed)
	game.Put(o, "asked", -1, n-1, s.asked())
	passes, again := s.Passes, s.Again
	if s.Phase != PhaseRound {
		passes, again = 0, false
	}
	game.Put(o, "passes", 0, n, passes)
	o.Flag("again", again)
	mine, hand := Agents(0), []Card(nil)
	fresh := int8(0)
	if s.seats().Has(seat) {
		mine, hand, fresh = s.Extra[seat].With(s.Agent[seat]), s.Hand[seat][:s.HandN[seat]], s.Fresh[seat]
	}
	o.Bits("my_agents", NumAgents, uint64(mine))
	game.Put(o, "my_cards", 0, maxHand, counted(hand)...)
	game.Put(o, "my_fresh", 0, maxHand, counted(hand[len(hand)-int(fresh):])...)
	game.Put(o, "my_dossier", -1, n-1, files[:]...)
}

// asked returns who is asked in a reaction round, [game.Spectator] outside one.
func (s *State) asked() game.Seat {
	if s.Phase == PhaseRound || s.Phase == PhaseDossier && s.Paused {
		return s.Asks
	}
	return game.Spectator
}

// counted returns how many there are of each kind.
func counted(cards []Card) []int8 {
	out := make([]int8, cardKinds)
	for _, c := range cards {
		out[c]++
	}
	return out
}
