package cia

import "github.com/molerun/molerun/engines/game"

// While one shuffle of the box is all there has been, any hidden card can be anywhere. After the discard has become the
// deck that is no longer so: what was in a hand then is not in the new deck. The trail keeps what the table has seen of the
// cards since, so that [Rules.Resample] and [Rules.StateFromView] stay exact. It also begins, until the end of the turn, when it
// is uncertain whether a card that left a hand was drawn this turn.

const (
	opDraw  uint8 = 0x80
	opMark  uint8 = 0x70 // seat 7, which no table has
	markNew       = opMark
	// markNone: the last free agent is taken, copies of the card leave the hands.
	markNone = opMark | 1
	// markTurn: the cards drawn so far can be played.
	markTurn = opMark | 2
)

func entry(seat game.Seat, c Card) uint8 { return uint8(seat)<<4 | uint8(c) }

// split returns the seat and the card of an entry that is no mark.
func split(op uint8) (game.Seat, Card) { return game.Seat(op >> 4 & 7), Card(op & 15) }

func (x *trail) add(op uint8) {
	x.Ops[x.N] = op
	x.N++
}

// ops returns the entries.
func (x *trail) ops() []uint8 { return x.Ops[:x.N] }

func (s *State) trailBegin() {
	x := &s.Trail
	if x.On {
		return
	}
	*x = trail{On: true, Hands: s.HandN, Fresh: s.Shown}
	for _, c := range s.Discard[:s.DiscardN] {
		x.Discard[c]++
	}
}

func (s *State) trailDraw(seat game.Seat, c Card) {
	if s.Trail.On {
		s.Trail.add(opDraw | entry(seat, c))
	}
}

// trailLeave notes a card; call it before the card leaves.
func (s *State) trailLeave(seat game.Seat, c Card, removed bool) {
	if s.AtOnce && !removed && s.Shown[seat] > 0 && s.Shown[seat] < s.HandN[seat] {
		s.trailBegin()
	}
	if s.Trail.On {
		s.Trail.add(entry(seat, c))
	}
}

func (s *State) trailReshuffle() {
	if s.Trail.N > longTrail || s.Trail.Decks == maxDecks-1 {
		s.Trail = trail{}
	}
	s.trailBegin()
	s.Trail.add(markNew)
	s.Trail.Decks++
}

// trailNone notes that the copies leave the hands; call it before they do.
func (s *State) trailNone() {
	if s.Shown != [maxSeats]int8{} {
		s.trailBegin()
	}
	if s.Trail.On {
		s.Trail.add(markNone)
	}
}

// trailTurn notes the end of a turn.
func (s *State) trailTurn() {
	x := &s.Trail
	switch {
	case !x.On:
	case x.Decks == 0:
		*x = trail{}
	default:
		for i := x.N - 1; i >= 0 && x.Ops[i] != markTurn; i-- {
			if x.Ops[i]&opDraw != 0 {
				x.add(markTurn)
				return
			}
		}
	}
}
