package cia

import (
	"errors"
	"fmt"
	"slices"

	"github.com/molerun/molerun/engines/game"
)

// Deal gives out the agents and, with Top Secret, two cards to each seat, and rolls for the first turn.
func (r Rules) Deal(s *State, c Config, seats int, rnd *game.Rand, log *game.Log[Event]) {
	s.start(c, seats)
	t := r.on(s, rnd, log)
	var colours [NumAgents]Agent
	for i := range colours {
		colours[i] = Agent(i)
	}
	game.Shuffle(rnd, colours[:])
	for i, a := range colours[:agentsFor(seats)] {
		s.InPlay = s.InPlay.With(a)
		if i < seats {
			s.Agent[i] = a
		}
	}
	first := c.First.Draw(rnd, seats)
	if c.TopSecret {
		s.DeckN = int8(len(game.LayOut(s.Deck[:0], 0, s.Box[:])))
		game.Shuffle(rnd, s.Deck[:s.DeckN])
		for range dealt {
			for seat := range s.seats().Each() {
				t.give(seat)
				s.Fresh[seat], s.Shown[seat] = 0, 0
			}
		}
	}
	t.begin(first)
}

// on returns a turn's work on a state.
func (r Rules) on(s *State, rnd *game.Rand, log *game.Log[Event]) turn {
	return turn{
		s:      s,
		r:      rnd,
		log:    log,
		loaded: r.loaded,
	}
}

// start sets up the table before the deal.
func (s *State) start(c Config, seats int) {
	*s = State{
		Seats: int8(seats), TopSecret: c.TopSecret, WithFiles: c.Dossier, AtOnce: c.DrawnPlayable == atOnce,
		Track: int16(c.Track), FilesAt: int16(c.DossierAt), Bonus: int32(c.DossierBonus), MaxTurns: int32(c.MaxTurns),
		Safe: safeStart,
	}
	if c.TopSecret {
		for card, copies := range c.box(seats) {
			s.Box[card] = int8(copies)
		}
	}
}

// Due returns who decides now.
func (Rules) Due(s *State) game.Seats {
	switch s.Phase {
	case PhaseMove:
		return game.Only(s.Turn)
	case PhaseRound:
		return game.Only(s.Asks)
	case PhaseSafe:
		return game.Only(s.Flags[0].Seat)
	case PhaseDossier:
		return s.seats()
	case PhaseOver:
	}
	return 0
}

// Legal returns why a due seat may not do a.
func (Rules) Legal(s *State, seat game.Seat, a Action) error {
	switch {
	case s.Phase == PhaseMove && a.Kind == ActMove:
		return s.legalMove(&a)
	case s.Phase == PhaseRound && a.Kind == ActPass:
		return nil
	case s.Phase == PhaseRound && a.Kind == ActCard:
		return s.legalPlay(seat, &a)
	case s.Phase == PhaseSafe && a.Kind == ActSafe:
		return s.legalSafe(a.To)
	case s.Phase == PhaseDossier && a.Kind == ActDossier:
		return s.legalFile(&a)
	case s.Phase == PhaseOver:
		return errors.New("the match is over")
	}
	want := [...]string{"move", "card or pass", "dossier", "safe"}[s.Phase]
	return fmt.Errorf("in phase %s the action is %s, not %s", s.Phase, want, a.Kind)
}

// legalMove checks how the points of the roll are spent.
func (s *State) legalMove(a *Action) error {
	sum := 0
	for i, n := range a.Steps {
		switch agent := Agent(i); {
		case n != 0 && !s.InPlay.Has(agent):
			return fmt.Errorf("%s is not in play", agent)
		case n < 0:
			return fmt.Errorf("%s cannot go back: each agent named goes 1 or more", agent)
		}
		sum += int(n)
	}
	least, most := s.points()
	switch {
	case sum > most || sum < least && (sum > 0 || least == most):
		return fmt.Errorf("the roll %s is to be used in full, the steps add up to %d", s.Roll, sum)
	case sum < least && !s.TopSecret:
		return errors.New("at least one agent is to be moved")
	}
	return nil
}

// points returns the least and the most that a move uses; under Top Secret 1-3 can also be left unused.
func (s *State) points() (int, int) {
	if s.Roll == oneToThree {
		return 1, 3
	}
	return int(s.Roll), int(s.Roll)
}

// Apply plays the decisions of the due seats.
func (r Rules) Apply(s *State, acts []game.Act[Action], rnd *game.Rand, log *game.Log[Event]) {
	t := r.on(s, rnd, log)
	seat, a := acts[0].Seat, &acts[0].Action
	switch s.Phase {
	case PhaseMove:
		t.move(a)
	case PhaseRound:
		if a.Kind == ActPass {
			t.pass()
		} else {
			t.play(seat, a)
		}
	case PhaseSafe:
		t.moveSafe(seat, a.To)
		t.next()
	case PhaseDossier:
		t.file(acts)
	case PhaseOver:
		panic("cia: Apply after the end")
	}
}

// legalPlay returns why seat cannot play the card of a.
func (s *State) legalPlay(seat game.Seat, a *Action) error {
	if a.Card >= cardKinds {
		return fmt.Errorf("there is no card %d", a.Card)
	}
	if s.slot(seat, a.Card) < 0 {
		if slices.Contains(s.Hand[seat][:s.HandN[seat]], a.Card) {
			return fmt.Errorf("%s was drawn this turn and can be played from the next turn on", a.Card)
		}
		return fmt.Errorf("you do not hold %s", a.Card)
	}
	return s.legalCard(a)
}

// play plays a card: its effect, then the discard, then what may be drawn for it.
func (t *turn) play(seat game.Seat, a *Action) {
	s := t.s
	slot := s.slot(seat, a.Card)
	t.leave(seat, slot, false)
	if t.log.Enabled() {
		t.log.Emit(game.All, cardEvent{Kind: "card", Seat: seat, Action: *a})
	}
	before := s.inside(Ruin)
	t.effect(seat, a)
	s.Discard[s.DiscardN] = a.Card
	s.DiscardN++
	if seat == s.Turn && s.inside(Ruin)&^before != 0 {
		t.earn()
	}
	if a.Card == TakeFreeAgent && s.freeLeft() == 0 {
		t.noneLeft()
	}
	if a.Card == TwoStonesThree {
		t.stonesMoved(true)
		return
	}
	t.goOn()
}
