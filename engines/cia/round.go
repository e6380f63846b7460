package cia

import (
	"fmt"
	"slices"

	"github.com/molerun/molerun/engines/game"
)

// openRound starts the reaction round: everybody is asked, from the active seat clockwise.
func (t *turn) openRound() {
	s := t.s
	s.Phase, s.Asks, s.Passes, s.Again = PhaseRound, s.Turn, 0, false
	t.ask()
}

// ask finds who is asked, from Asks on; a seat that cannot hold a playable card passes unasked. When all have passed in a
// row the round is over.
func (t *turn) ask() {
	s := t.s
	for s.Passes < s.Seats {
		if s.askable(s.Asks) {
			return
		}
		s.Again = false
		s.Passes++
		s.Asks = s.left(s.Asks)
	}
	s.Asks, s.Passes, s.Again = 0, 0, false
	t.settle()
}

// pass counts, unless the seat has just played and only ends its own series.
func (t *turn) pass() {
	s := t.s
	if !s.Again {
		s.Passes++
	}
	s.Again = false
	s.Asks = s.left(s.Asks)
	t.ask()
}

// goOn asks the seat that has just played whether it plays another card.
func (t *turn) goOn() {
	s := t.s
	s.Phase, s.Paused, s.Passes = PhaseRound, false, 0
	if s.Again = s.askable(s.Asks); !s.Again {
		s.Asks = s.left(s.Asks)
	}
	t.ask()
}

// legalPlay tells why seat cannot play the card of a.
func (s *State) legalPlay(seat game.Seat, a *Action) error {
	if a.Card >= Cards {
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

// slot is where in its hand seat holds a card that it may play, −1 if nowhere. The oldest copy goes first.
func (s *State) slot(seat game.Seat, c Card) int8 {
	for i := range s.playable(seat) {
		if s.Hand[seat][i] == c {
			return i
		}
	}
	return -1
}

// play plays a card: its effect, then the discard, then what may be drawn for it.
func (t *turn) play(seat game.Seat, a *Action) {
	s := t.s
	slot := s.slot(seat, a.Card)
	t.leave(seat, slot, false)
	if t.log.On() {
		t.log.Tell(game.All, CardEvent{Kind: "card", Seat: seat, Action: *a})
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

// leave takes a card out of a hand; removed says that the card leaves the game instead of being played.
func (t *turn) leave(seat game.Seat, slot int8, removed bool) {
	s := t.s
	hand := &s.Hand[seat]
	card := hand[slot]
	s.trailLeave(seat, card, removed)
	if slot >= s.HandN[seat]-s.Fresh[seat] {
		s.Fresh[seat]--
	}
	if removed || s.AtOnce {
		s.Shown[seat] = max(0, s.Shown[seat]-1)
	}
	copy(hand[slot:], hand[slot+1:])
	s.HandN[seat]--
	hand[s.HandN[seat]] = 0
	s.Shown[seat] = min(s.Shown[seat], s.HandN[seat])
}

// earn draws the one card a turn that the active seat may draw; with a full hand it is lost and the draw stays unused.
func (t *turn) earn() {
	s := t.s
	if !s.Drew && s.HandN[s.Turn] < maxHand {
		s.Drew = t.draw(s.Turn)
	}
}

// draw gives seat the top card, and the next one while a card leaves the game at once; false if there is none.
func (t *turn) draw(seat game.Seat) bool {
	s := t.s
	if !t.give(seat) {
		return false
	}
	last := s.HandN[seat] - 1
	if s.Hand[seat][last] == TakeFreeAgent && s.freeLeft() == 0 {
		t.remove(seat, last)
		t.draw(seat)
	}
	return true
}

// give moves the top card into seat's hand, shuffling the discard first if the deck is empty.
func (t *turn) give(seat game.Seat) bool {
	s := t.s
	if s.DeckN == 0 && !t.reshuffle() {
		return false
	}
	s.DeckN--
	card := s.Deck[s.DeckN]
	s.Deck[s.DeckN] = 0
	s.trailDraw(seat, card)
	s.Hand[seat][s.HandN[seat]] = card
	s.HandN[seat]++
	s.Fresh[seat]++
	s.Shown[seat]++
	if t.log.On() {
		t.log.Tell(game.All, DrawEvent{Kind: "draw", Seat: seat})
		t.log.Tell(game.Only(seat), DrawEvent{Kind: "draw", Seat: seat, Card: card.String()})
	}
	return true
}

func (t *turn) reshuffle() bool {
	s := t.s
	if s.DiscardN == 0 {
		return false
	}
	s.trailReshuffle()
	s.Deck, s.DeckN = s.Discard, s.DiscardN
	s.Discard, s.DiscardN = [maxBox]Card{}, 0
	game.Shuffle(t.r, s.Deck[:s.DeckN])
	if t.log.On() {
		t.log.Tell(game.All, ReshuffleEvent{Kind: "reshuffle"})
	}
	return true
}

// remove takes a copy of take_free_agent out of the game, face up.
func (t *turn) remove(seat game.Seat, slot int8) {
	t.leave(seat, slot, true)
	t.s.Removed++
	if t.log.On() {
		t.log.Tell(game.All, CardEvent{Kind: "card", Seat: seat, Action: Action{Kind: ActCard, Card: TakeFreeAgent}, Removed: true})
	}
}

// noneLeft is what follows when the last free agent is taken: from the active seat clockwise every copy of the card
// leaves the hands, then each is replaced.
func (t *turn) noneLeft() {
	s := t.s
	var owed [MaxSeats]int8
	s.trailNone()
	seat := s.Turn
	for range s.Seats {
		for i := s.HandN[seat] - 1; i >= 0; i-- {
			if s.Hand[seat][i] == TakeFreeAgent {
				t.remove(seat, i)
				owed[seat]++
			}
		}
		seat = s.left(seat)
	}
	for range s.Seats {
		for range owed[seat] {
			t.draw(seat)
		}
		seat = s.left(seat)
	}
}

// settleHands makes the cards drawn this turn like any other.
func (s *State) settleHands() {
	s.trailTurn()
	s.Fresh, s.Shown = [MaxSeats]int8{}, [MaxSeats]int8{}
}
