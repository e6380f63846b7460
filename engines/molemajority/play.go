package molemajority

import (
	"errors"
	"fmt"

	"github.com/molerun/molerun/engines/game"
)

// playable reports whether a card can be the action of the turn: one of its parts, or for Groundskeeper and Gopher their
// own part, leaves something to decide.
func (s *State) playable(seat game.Seat, c Card) bool {
	switch c {
	case Number4, Number3, Number2:
		return s.possible(seat, DoStep)
	case CaveIn:
		return s.possible(seat, DoStep) || s.possible(seat, DoSpecial)
	case Convert:
		return s.canConvert(seat)
	case Groundskeeper1, Groundskeeper2:
		return s.numbers(seat)
	case GopherIt:
		return s.canSwap(seat)
	case noCard:
	}
	return false
}

// usable reports whether a card can be stacked for an effect now, between cards or, for a roll, while one is pending.
func (s *State) usable(seat game.Seat, c Card, as As) bool {
	switch as {
	case asBreed:
		return breeds[c] > 0 && s.PartN == 0 && s.breedable(seat) != 0
	case asMove:
		return c == Convert && s.PartN == 0 && s.canMove(seat)
	case asRoll:
		return c == Convert && s.Current() == DoRoll
	case asConvert:
		return c == Convert && s.PartN == 0 && s.Played == Convert && s.canConvert(seat)
	}
	return false
}

// doing is the part that each kind of decision belongs to, beside the step.
var doing = [...]Do{ActMove: DoMove, ActBreed: DoBreed, ActCaveIn: DoSpecial, ActMakeHome: DoSpecial, ActConvert: DoConvert, ActRoll: DoRoll, ActSwap: DoSwap}

// legalPlay checks an action of the play phase.
func (s *State) legalPlay(seat game.Seat, a *Action) error {
	now := s.Current()
	switch a.Kind {
	case ActPlay:
		return s.legalCard(seat, a.Card)
	case ActStack:
		return s.legalStack(seat, a)
	case ActDone:
		switch {
		case now == DoNumber:
			return errors.New("the Groundskeeper needs a number card now: play one")
		case now == DoNothing && !s.begun():
			return errors.New("no card has been played: play or stack one, or discard_hand")
		}
		return nil
	case ActDiscardHand:
		if now != DoNothing || s.begun() {
			return errors.New("a hand is discarded instead of playing cards, and a card has been played: done ends the turn")
		}
		return nil
	case ActMove, ActBreed, ActCaveIn, ActMakeHome, ActConvert, ActRoll, ActSwap:
		if want := doing[a.Kind]; now != want && (now != DoStep || want != DoMove && want != DoBreed) {
			return fmt.Errorf("what is to be done now is %s, not %s", now, a.Kind)
		}
		return s.legalDeed(seat, a)
	case ActPlaceHome, ActPlaceTile:
	}
	return fmt.Errorf("in phase play the action is play, stack, discard_hand, done or a part of a card, not %s", a.Kind)
}

// held reports whether seat holds a card.
func (s *State) held(seat game.Seat, c Card) error {
	if c < 0 || c >= noCard || s.Hand[seat][c] == 0 {
		return errors.New("card: it is not in the hand")
	}
	return nil
}

func (s *State) legalCard(seat game.Seat, c Card) error {
	if err := s.held(seat, c); err != nil {
		return err
	}
	switch {
	case s.Current() == DoNumber:
		if c.number() == 0 {
			return fmt.Errorf("card: %s is no number card, and the Groundskeeper needs one", c)
		}
		return nil
	case s.PartN > 0:
		return fmt.Errorf("what is to be done now is %s; done ends it", s.Current())
	case s.Played != noCard:
		return fmt.Errorf("the action of this turn was %s: further cards are stacked", s.Played)
	case s.Stacked:
		return errors.New("an action comes before all stacked cards")
	case !s.playable(seat, c):
		return fmt.Errorf("card: %s has no effect now", c)
	}
	return nil
}

func (s *State) legalStack(seat game.Seat, a *Action) error {
	if err := s.held(seat, a.Card); err != nil {
		return err
	}
	switch {
	case s.PartN > 0 && (s.Current() != DoRoll || a.As != asRoll):
		return fmt.Errorf("what is to be done now is %s; done ends it", s.Current())
	case !s.usable(seat, a.Card, a.As):
		return fmt.Errorf("card: %s cannot be stacked as %s now", a.Card, a.As)
	}
	return nil
}

// legalDeed checks one decision of the part at hand.
func (s *State) legalDeed(seat game.Seat, a *Action) error {
	if a.At < 0 || a.At >= hexes || a.To < 0 || a.To >= hexes || a.Seat < 0 || a.Seat >= MaxSeats {
		return errors.New("no such hex or seat")
	}
	switch a.Kind {
	case ActBreed:
		if !s.breedable(seat).Has(a.At) {
			return fmt.Errorf("at: %s is no hex to breed on: own claim, a free space, and a mole in supply are needed", a.At)
		}
		return s.legalSpace("space", a.Space, a.At, 0)
	case ActMove:
		return s.legalMove(seat, a)
	case ActConvert:
		if !s.victims(seat, a.Seat).Has(a.At) {
			return fmt.Errorf("at: there is no mole of seat %d on %s to convert: a hex of the own network and a mole in supply are needed", a.Seat, a.At)
		}
		return s.legalSpace("space", a.Space, a.At, int8(a.Seat)+1)
	case ActCaveIn:
		w := s.wallable(seat)
		switch e := a.Edges; {
		case s.CaveIns[seat] < 2:
			return fmt.Errorf("edges: two Cave-In tokens are needed, %d are left", s.CaveIns[seat])
		case e[0] < 0 || e[1] >= edges || e[0] >= e[1]:
			return errors.New("edges: want two different edges, the smaller first")
		case !w.has(e[0]) || !w.has(e[1]):
			return errors.New("edges: each is between two tiles, free, and touches an own claimed hex")
		}
		return nil
	case ActMakeHome:
		if !s.homeable(seat).Has(a.At) {
			return fmt.Errorf("at: %s is no own claimed hex with a home token", a.At)
		}
		return nil
	case ActRoll:
		return s.legalRoll(a)
	default: // ActSwap
	}
	if a.Card < 0 || a.Card >= noCard || s.takeable(seat, a.Seat)>>a.Card&1 == 0 {
		return fmt.Errorf("card: it is not among the top three of the pile of another seat %d that is in", a.Seat)
	}
	return nil
}

func (s *State) legalMove(seat game.Seat, a *Action) error {
	if !(s.Claimed[seat] & s.Occupied[seat]).Has(a.At) {
		return fmt.Errorf("from: %s is no own claimed hex with an own mole", a.At)
	}
	if !s.targets(seat, a.At).Has(a.To) {
		return fmt.Errorf("to: %s cannot be reached from %s: it has to be another hex of the own network with a free space and an open path", a.To, a.At)
	}
	if err := s.legalSpace("from_space", a.Leave, a.At, int8(seat)+1); err != nil {
		return err
	}
	return s.legalSpace("space", a.Space, a.To, 0)
}

// legalSpace checks a space + 1 that is named under choose_spaces and only then: it has to hold this entry.
func (s *State) legalSpace(key string, space int8, h Hex, entry int8) error {
	switch {
	case !s.Choose && space != 0:
		return fmt.Errorf("%s: spaces are not chosen in this match", key)
	case !s.Choose:
		return nil
	case space < 1 || space > s.Size[h]:
		return fmt.Errorf("%s: want 0 to %d", key, s.Size[h]-1)
	case s.Space[h][space-1] == entry:
		return nil
	case entry == 0:
		return fmt.Errorf("%s: %d of %s is not free", key, space-1, h)
	}
	return fmt.Errorf("%s: there is no mole of seat %d on space %d of %s", key, entry-1, space-1, h)
}

func (s *State) legalRoll(a *Action) error {
	if a.Space < 1 || a.Space > s.Size[a.At] || s.Space[a.At][a.Space-1] == 0 {
		return fmt.Errorf("space: no mole is there on %s", a.At)
	}
	if a.Way > CCW {
		return errors.New("direction: want cw or ccw")
	}
	if most := min(s.Parts[0].Left, s.run(a.At, a.Space-1, a.Way)); a.Count < 1 || a.Count > most {
		return fmt.Errorf("count: want 1 to %d", most)
	}
	return nil
}
