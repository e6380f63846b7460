package molemajority

import "github.com/molerun/molerun/engines/game"

// Resample redraws what seat cannot know: undrawn tiles, home tokens on hexes, in the pile and of the other seats, the
// order of the decks and which of a seat's unseen cards are in its hand. It draws uniformly over all that fits what the
// seat has seen, every copy of a card and every token by itself: each way in which they can lie, and the cards played can have
// come to the hands from which they were played, counts once.
func (Rules) Resample(s *State, seat game.Seat, r *game.Rand) {
	if !s.redraw(seat, r) {
		panic("molemajority: a state does not fit its own trail")
	}
}

// redraw needs of the hidden things of s only those of seat, how many the others have, and what is unseen as a whole;
// false if nothing fits.
func (s *State) redraw(seat game.Seat, r *game.Rand) bool {
	if s.Phase < PhasePlay {
		game.Shuffle(r, s.Stack[:s.Tiled])
		return true
	}
	s.redrawHomes(seat, r)
	for other := range game.Seat(s.Seats) {
		if other == seat || s.Phase == PhaseOver {
			game.Shuffle(r, s.Deck[other][:s.DeckN[other]])
		} else if !s.redrawHand(other, r) {
			return false
		}
	}
	return true
}

// redrawHomes deals again the tokens whose values seat does not know, to where they are.
func (s *State) redrawHomes(seat game.Seat, r *game.Rand) {
	var list [maxHomes]int8
	n := copy(list[:], s.Pile[:s.PileN])
	for m := s.Homed; m != 0; m &= m - 1 {
		list[n] = s.Home[m.Lowest()]
		n++
	}
	var counts [MaxSeats]int8
	for other := range game.Seat(s.Seats) {
		if other == seat || s.Phase == PhaseOver {
			continue
		}
		counts[other] = s.homeCount(other)
		n = len(game.LayOut(list[:n], 1, s.Homes[other][:]))
		s.Homes[other] = [maxValue]int8{}
	}
	game.Shuffle(r, list[:n])
	n = copy(s.Pile[:s.PileN], list[:])
	for m := s.Homed; m != 0; m &= m - 1 {
		s.Home[m.Lowest()] = list[n]
		n++
	}
	for other, count := range counts {
		for range count {
			s.Homes[other][list[n]-1]++
			n++
		}
	}
}

// redrawHand draws which of the unseen cards of seat are in its hand, and the order of the others.
func (s *State) redrawHand(seat game.Seat, r *game.Rand) bool {
	unseen, number := s.unseen(seat), s.Active == seat && s.Current() == DoNumber
	var left lefts
	if !left.follow(&s.Trail[seat], unseen, s.HandN[seat], number) {
		return false
	}
	for {
		hand := left.draw(r)
		var pool [maxDeck]Card
		n := 0
		for c := range unseen {
			for range unseen[c] - hand[c] {
				pool[n] = Card(c)
				n++
			}
		}
		game.Shuffle(r, pool[:n])
		for hand.sum() < s.HandN[seat] {
			n--
			hand[pool[n]]++
		}
		if !number || hand[Number4]+hand[Number3]+hand[Number2] > 0 {
			s.Hand[seat] = hand
			copy(s.Deck[seat][:s.DeckN[seat]], pool[:n])
			return true
		}
	}
}
