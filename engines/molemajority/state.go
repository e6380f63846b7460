package molemajority

import "github.com/molerun/molerun/engines/game"

// Phase is what is being decided.
type Phase uint8

// The phases, in order.
const (
	PhaseHome Phase = iota
	PhaseTile
	PhasePlay
	PhaseOver
)

var phaseNames = [...]string{"place_home", "place_tile", "play", "over"}

// String returns the word on the wire.
func (p Phase) String() string { return phaseNames[p] }

// Why says how a match ended.
type why uint8

// The ends, in the order in which they are looked at.
const (
	lastClaimant why = iota
	claimsOut
	molesOut
	allClaimed
	turnLimit
)

var whyNames = [...]string{"last_claimant", "claims_out", "moles_out", "all_claimed", "max_turns"}

// String returns the word on the wire.
func (w why) String() string { return whyNames[w] }

// Counts is how many of each card.
type Counts [Cards]int8

// trail is what the table knows of one seat's hand beyond the counts. When a deck is shuffled again the hand is what is
// left of all cards, so Known is public; it is On until that hand is empty, and keeps the cards played meanwhile: whether
// each came from Known or was drawn later only its player knows.
type trail struct {
	On    bool
	Known Counts
	Plays [maxDeck]Play // oldest first
	N     int8
}

// Play is a card played and how many cards its player held before.
type Play struct {
	Card Card
	Hand int8
}

// State is a whole match as plain data: a copy is a fork. Entries beyond a count, and of seats that are not there, are
// zero.
type State struct {
	Seats      int8
	PathNeeded bool
	EndOnEmpty bool
	Choose     bool
	FullHand   int8
	MaxTurns   int32

	Phase  Phase
	Why    why // once over
	Active game.Seat
	Turn   int32

	Tiles    Board                 // the places with a tile
	Size     [hexes]int8           // spaces
	Space    [hexes][maxSize]int8  // who is there: seat + 1, 0 nobody
	On       [MaxSeats][hexes]int8 // moles by seat and hex, as Space has them
	Occupied [MaxSeats]Board       // where On is not 0
	Free     Board                 // tiles with a free space
	Claimed  [MaxSeats]Board
	Walls    walls

	Moles   [MaxSeats]int8 // supplies
	Claims  [MaxSeats]int8
	CaveIns [MaxSeats]int8
	Out     [MaxSeats]int8 // 0 in; else 1 for the first decision that put seats out, 2 for the second …

	Tile  int8           // the size of the tile to be placed, 0 none
	Stack [maxTiles]int8 // secret: undrawn tiles in set-up; the next is the last
	Tiled int8           // how many they are

	Homed Board                    // where a home token lies
	Home  [hexes]int8              // secret: its value
	Homes [MaxSeats][maxValue]int8 // secret: tokens of each value, from 1, by seat
	Pile  [maxHomes]int8           // secret: unused tokens; the next is the last
	PileN int8                     //
	Hand  [MaxSeats]Counts         // secret
	HandN [MaxSeats]int8           //
	Deck  [MaxSeats][maxDeck]Card  // secret; the top is the last
	DeckN [MaxSeats]int8           //
	Junk  [MaxSeats][maxDeck]Card  // the discard pile; the top is the last
	JunkN [MaxSeats]int8           //
	Trail [MaxSeats]trail          //

	Played  Card // the action of this turn, [NoCard] none
	Stacked bool // a card was stacked this turn
	Parts   [maxParts]Part
	PartN   int8
}

// seats returns the whole table.
func (s *State) seats() game.Seats { return game.FirstSeats(int(s.Seats)) }

// in returns the seats that are not out.
func (s *State) in() game.Seats {
	var m game.Seats
	for seat := range s.Seats {
		if s.Out[seat] == 0 {
			m |= 1 << seat
		}
	}
	return m
}

// Owner returns who claims h, [game.Spectator] if nobody does.
func (s *State) Owner(h Hex) game.Seat {
	for seat := range game.Seat(s.Seats) {
		if s.Claimed[seat].Has(h) {
			return seat
		}
	}
	return game.Spectator
}

// Current returns what is being done of the card played, [DoNothing] between cards.
func (s *State) Current() Do {
	if s.PartN == 0 {
		return DoNothing
	}
	return s.Parts[0].Do
}

// begun reports whether a card was used this turn.
func (s *State) begun() bool { return s.Played != noCard || s.Stacked }

// put sets a mole of seat onto a free space of h.
func (s *State) put(seat game.Seat, h Hex, space int8) {
	s.Space[h][space] = int8(seat) + 1
	s.On[seat][h]++
	s.Occupied[seat] |= 1 << h
	if s.On[0][h]+s.On[1][h]+s.On[2][h]+s.On[3][h] == s.Size[h] {
		s.Free &^= 1 << h
	}
}

// lift takes the mole off a space of h, which has one, back to nowhere; it returns whose it was.
func (s *State) lift(h Hex, space int8) game.Seat {
	seat := s.Space[h][space] - 1
	s.Space[h][space] = 0
	if s.On[seat][h]--; s.On[seat][h] == 0 {
		s.Occupied[seat] &^= 1 << h
	}
	s.Free |= 1 << h
	return game.Seat(seat)
}

// firstOf returns the lowest space of h with this entry, 0 a free one; -1 if there is none.
func (s *State) firstOf(h Hex, entry int8) int8 {
	for i := range s.Size[h] {
		if s.Space[h][i] == entry {
			return i
		}
	}
	return -1
}

// lastOf returns the highest space of h with a mole of seat, which is there.
func (s *State) lastOf(h Hex, seat game.Seat) int8 {
	i := s.Size[h] - 1
	for s.Space[h][i] != int8(seat)+1 {
		i--
	}
	return i
}

// run returns how many moles stand in a row on h from space on in a direction, at most once round.
func (s *State) run(h Hex, space int8, d direction) int8 {
	var n int8
	for i := space; n < s.Size[h] && s.Space[h][i] != 0; n++ {
		i = s.beside(h, i, d)
	}
	return n
}

// beside returns the next space of h in a direction.
func (s *State) beside(h Hex, space int8, d direction) int8 {
	size := s.Size[h]
	if d == CW {
		return (space + 1) % size
	}
	return (space + size - 1) % size
}

// BoardMoles returns how many moles of seat are on the board.
func (s *State) BoardMoles(seat game.Seat) int {
	n := 0
	for m := s.Occupied[seat]; m != 0; m &= m - 1 {
		n += int(s.On[seat][m.Lowest()])
	}
	return n
}
