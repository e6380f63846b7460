package molemajority

import "github.com/molerun/molerun/engines/game"

// discard takes a card of the active seat's hand to the top of its pile.
func (t *turn) discard(c Card) {
	s, seat := t.s, t.s.Active
	s.Trail[seat].play(c, s.HandN[seat])
	s.Hand[seat][c]--
	s.HandN[seat]--
	s.push(seat, c)
}

func (s *State) push(seat game.Seat, c Card) {
	s.Junk[seat][s.JunkN[seat]] = c
	s.JunkN[seat]++
}

// discardHand takes the whole hand to the pile, in the order of the deck table.
func (t *turn) discardHand() {
	s, seat := t.s, t.s.Active
	if t.log.Enabled() {
		t.log.Emit(game.All, discardEvent{Kind: "discard", Seat: seat, Cards: s.Hand[seat].words()})
	}
	s.JunkN[seat] = int8(len(game.LayOut(s.Junk[seat][:s.JunkN[seat]], Number4, s.Hand[seat][:])))
	s.Hand[seat], s.HandN[seat], s.Trail[seat] = Counts{}, 0, trail{}
}

// refill draws a card, or a full hand if there is none. An empty deck takes the discard pile; if both are empty no more is
// drawn.
func (t *turn) refill(seat game.Seat) {
	s := t.s
	n := int8(1)
	if s.HandN[seat] == 0 {
		n = s.FullHand
	}
	var drawn Counts
	count := int8(0)
	for ; count < n; count++ {
		if s.DeckN[seat] == 0 && !t.reshuffle(seat) {
			break
		}
		s.DeckN[seat]--
		top := &s.Deck[seat][s.DeckN[seat]]
		drawn[*top]++
		s.Hand[seat][*top]++
		s.HandN[seat]++
		*top = 0
	}
	if t.log.Enabled() {
		t.log.Emit(game.All, drawEvent{Kind: "draw", Seat: seat, Count: count})
		t.log.Emit(game.Only(seat), drawEvent{Kind: "draw", Seat: seat, Count: count, Cards: drawn.words()})
	}
}

// reshuffle makes the discard pile the deck; false if it is empty. The hand left is known to everybody from now on.
func (t *turn) reshuffle(seat game.Seat) bool {
	s := t.s
	if s.JunkN[seat] == 0 {
		return false
	}
	s.Trail[seat] = trail{On: s.HandN[seat] > 0, Known: s.Hand[seat]}
	s.Deck[seat], s.DeckN[seat] = s.Junk[seat], s.JunkN[seat]
	s.Junk[seat], s.JunkN[seat] = [maxDeck]Card{}, 0
	game.Shuffle(t.r, s.Deck[seat][:s.DeckN[seat]])
	if t.log.Enabled() {
		t.log.Emit(game.All, shuffleEvent{Kind: "shuffle", Seat: seat})
	}
	return true
}

// swap plays GOPHER IT: the topmost copy of a card among the top three of another pile comes onto the own one, the Gopher,
// which lies on top of it, goes there.
func (t *turn) swap(other game.Seat, c Card) {
	s, seat := t.s, t.s.Active
	s.dropPart()
	i := s.JunkN[other] - 1
	for s.Junk[other][i] != c {
		i--
	}
	top := s.JunkN[other] - 1
	copy(s.Junk[other][i:top], s.Junk[other][i+1:top+1])
	s.Junk[other][top] = GopherIt
	s.Junk[seat][s.JunkN[seat]-1] = c
}

// words lists the cards in the order of the deck table.
func (x *Counts) words() []string {
	out := make([]string, 0, maxHand)
	for c, copies := range x {
		for range copies {
			out = append(out, cardNames[c])
		}
	}
	return out
}

// sum counts the cards.
func (x *Counts) sum() int8 { return game.Sum(x[:]) }
