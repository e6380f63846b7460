package demol

import (
	"fmt"
	"slices"

	"github.com/molerun/molerun/engines/game"
)

// draw turns the round's cards face up and reports whether there are any; the leader gives them one by one.
func (s *State) draw(log *game.Log[Event]) bool {
	if !s.Plotted {
		return false
	}
	for i := range cardsPerRound[s.Seats] {
		s.DeckLen--
		s.Drawn[i], s.Deck[s.DeckLen] = s.Deck[s.DeckLen], NoCard
	}
	if log.Enabled() {
		log.Emit(game.All, drawEvent{Kind: "draw", Leader: s.Leader, Cards: s.drawn()})
	}
	return true
}

// drawn returns the names of the cards still to be given, in the order drawn.
func (s *State) drawn() []string { return game.WordsOf(s.Drawn[:s.left()]) }

// legalGive holds a give against the cards drawn and the seats.
func (s *State) legalGive(a Action) error {
	switch {
	case !slices.Contains(s.Drawn[:s.left()], a.Card):
		return fmt.Errorf("card: %s is not among the cards drawn: %v", a.Card, s.drawn())
	case !s.seats().Has(a.Seat):
		return s.noSuchSeat("to", a.Seat)
	case a.Seat == s.Leader:
		return fmt.Errorf("to: the leader, seat %d, keeps no card", s.Leader)
	}
	return nil
}

// offerGives offers every kind drawn to everybody but the leader; two equal cards are one action.
func (s *State) offerGives(o *game.Offer[Action]) {
	for i, card := range s.Drawn[:s.left()] {
		if i > 0 && card == s.Drawn[i-1] || i == 2 && card == s.Drawn[0] {
			continue
		}
		for to := range s.seats().Without(s.Leader).Each() {
			o.Add(Action{Kind: ActGive, Target: Target{Card: card, Seat: to}})
		}
	}
}

// offerTakes offers every kind held by everybody else.
func (s *State) offerTakes(seat game.Seat, o *game.Offer[Action]) {
	for from := range s.targets(phaseTake, seat).Each() {
		for card, copies := range s.Held[from] {
			if copies > 0 {
				o.Add(Action{Kind: ActTake, Target: Target{Card: Card(card), Seat: from}})
			}
		}
	}
}

// sampleHeld returns one of the kinds a seat holds.
func (s *State) sampleHeld(seat game.Seat, r *game.Rand) Card {
	var kinds uint64
	for card, copies := range s.Held[seat] {
		if copies > 0 {
			kinds |= 1 << card
		}
	}
	return Card(r.Bit(kinds))
}

// left returns how many drawn cards are still to be given.
func (s *State) left() int {
	n := 0
	for n < maxDrawn && s.Drawn[n] != NoCard {
		n++
	}
	return n
}

func (s *State) noSuchSeat(key string, seat game.Seat) error {
	return fmt.Errorf("%s: want one of the seats 0 to %d, got %d", key, s.Seats-1, seat)
}

// legalTarget holds the seat a look, show, take, Spotlight or Close Eye names against those it may.
func (s *State) legalTarget(seat game.Seat, a Action) error {
	key := seatKeys[a.Kind]
	window := a.Kind == ActSpotlight || a.Kind == ActCloseEye
	switch {
	case window && a.Seat == game.Spectator:
		return nil
	case !s.seats().Has(a.Seat):
		return s.noSuchSeat(key, a.Seat)
	case !s.targets(s.Phase, seat).Has(a.Seat):
		return fmt.Errorf("%s: want one of the seats %s, got %d", key, s.targets(s.Phase, seat).AppendJSON(nil), a.Seat)
	case a.Kind == ActTake && !s.holds(a.Seat, a.Card):
		return fmt.Errorf("card: seat %d does not hold %s", a.Seat, a.Card)
	}
	return nil
}

func (s *State) holds(seat game.Seat, card Card) bool {
	return card != NoCard && card < cardEnd && s.Held[seat][card] > 0
}

// targets returns the seats that seat may name in phase p.
func (s *State) targets(p Phase, seat game.Seat) game.Seats {
	switch p {
	case phaseLook:
		n := game.Seat(s.Seats)
		return game.Only((seat + 1) % n).With((seat + n - 1) % n)
	case phaseShow:
		return s.seats().Without(seat)
	case phaseTake:
		return s.armed().Without(seat)
	case phaseSpotlight:
		return (s.Team &^ s.Spotlit).Without(seat)
	case phaseCloseEye:
		return (s.Team &^ s.Spotlit &^ s.Peeked).Without(seat)
	default:
		return 0
	}
}

// armed returns the seats that hold any card.
func (s *State) armed() game.Seats {
	var out game.Seats
	for seat := range game.Seat(s.Seats) {
		if s.Held[seat] != [cardEnd]int8{} {
			out = out.With(seat)
		}
	}
	return out
}

// holders returns the seats that hold the card.
func (s *State) holders(card Card) game.Seats {
	var out game.Seats
	if !s.Plotted {
		return 0
	}
	for seat := range game.Seat(s.Seats) {
		if s.Held[seat][card] > 0 {
			out = out.With(seat)
		}
	}
	return out
}

// give hands out one drawn card. A card that takes effect at once asks whom it must, before the next is given.
func (s *State) give(a Action, log *game.Log[Event]) {
	at := 0
	for s.Drawn[at] != a.Card {
		at++
	}
	copy(s.Drawn[at:], s.Drawn[at+1:])
	s.Drawn[maxDrawn-1] = NoCard
	if log.Enabled() {
		log.Emit(game.All, giveEvent{Kind: "give", Leader: s.Leader, Card: a.Card.String(), To: a.Seat})
	}
	s.Card, s.Asked = a.Card, a.Seat
	switch a.Card {
	case Overheard:
		s.Phase = phaseLook
	case EstablishConfidence:
		s.Phase, s.Asked = phaseShow, s.Leader
	case OpenUp:
		s.Phase = phaseShow
	case TakeResponsibility:
		if s.Phase = phaseTake; s.targets(phaseTake, a.Seat) == 0 {
			s.resolve(game.Spectator, NoCard, log)
		}
	default:
		s.Held[a.Seat][a.Card]++
		s.handOn(log)
	}
}

// resolve ends the card being resolved: the seat asked named at, and took taken.
func (s *State) resolve(at game.Seat, taken Card, log *game.Log[Event]) {
	by := s.Asked
	s.play(s.Card, at, taken, log)
	looker, owner := by, at
	switch s.Phase {
	case phaseShow:
		looker, owner = at, by
		fallthrough
	case phaseLook:
		if log.Enabled() {
			log.Emit(game.Only(looker), seenRoleEvent{Kind: "seen", At: owner, Role: s.role(owner)})
		}
	case phaseTake:
		if taken != NoCard {
			s.Held[at][taken]--
			s.Held[by][taken]++
		}
	default: // no card is resolved in another phase
	}
	s.handOn(log)
}

// handOn asks the leader for the next drawn card, or goes on when none is left.
func (s *State) handOn(log *game.Log[Event]) {
	s.Card = NoCard
	if s.Drawn[0] != NoCard {
		s.Phase = phaseGive
		return
	}
	s.advance(phaseTalk, log)
}

// play writes down a card used by the seat asked.
func (s *State) play(card Card, at game.Seat, taken Card, log *game.Log[Event]) {
	s.Plays[s.PlayCount] = Play{
		Round: s.Round, Attempt: s.Attempt, Mission: s.Mission, Card: card, By: s.Asked, At: at, Taken: taken,
	}
	s.PlayCount++
	if log.Enabled() {
		e := cardEvent{Kind: "card", Card: card.String(), By: s.Asked, At: seatOrNull(at)}
		if taken != NoCard {
			e.Taken = taken.String()
		}
		log.Emit(game.All, e)
	}
}

func seatOrNull(seat game.Seat) *game.Seat {
	if seat == game.Spectator {
		return nil
	}
	return &seat
}
