package cia

import "github.com/molerun/molerun/engines/game"

// Cards dealt to each seat and the most it may hold.
const (
	dealt   = 2
	maxHand = 4
)

// Phase is what is being decided.
type Phase uint8

// The phases, in the order of a turn.
const (
	PhaseMove Phase = iota
	PhaseRound
	PhaseDossier
	PhaseSafe
	PhaseOver
)

var phaseNames = [...]string{"move", "round", "dossier", "safe", "over"}

// String returns the word on the wire.
func (p Phase) String() string { return phaseNames[p] }

// Why says how a match ended.
type why uint8

// The ends; Result finds out whether a free agent is ahead.
const (
	finish why = iota
	turnLimit
)

// flag marks an agent that was moved into the safe's building, and who moved it.
type flag struct {
	Agent Agent
	Seat  game.Seat
}

// State is a whole match as plain data: a copy is a fork. Entries beyond a count are zero.
type State struct {
	Seats     int8
	TopSecret bool
	WithFiles bool // Geheim dossier
	AtOnce    bool // a drawn card can be played in the same turn
	Track     int16
	FilesAt   int16
	Bonus     int32
	MaxTurns  int32
	Box       [cardKinds]int8

	InPlay Agents
	Agent  [maxSeats]Agent  // secret: by seat
	Extra  [maxSeats]Agents // secret: free agents taken, by seat; how many is public

	Pos    [NumAgents]Building
	Stone  [NumAgents]int16
	Safe   Building
	Flags  [NumAgents]flag // oldest first
	FlagN  int8
	Phase  Phase
	Why    why // once over
	Turn   game.Seat
	Turns  int32
	Roll   Roll
	Drew   bool      // the active seat has used its draw of this turn
	Asks   game.Seat // in a reaction round: who is asked
	Passes int8      // in a row since the last card
	Again  bool      // the seat asked has just played and may go on
	Paused bool      // the dossier interrupts a reaction round

	Hand     [maxSeats][maxHand]Card // secret, in the order drawn
	HandN    [maxSeats]int8
	Fresh    [maxSeats]int8 // how many of each hand, at its end, were drawn this turn
	Shown    [maxSeats]int8 // the part of Fresh that the whole table is sure of
	Deck     [maxBox]Card   // secret; the top is the last
	DeckN    int8
	Discard  [maxBox]Card // oldest first
	DiscardN int8
	Removed  int8 // copies of take_free_agent that have left the game

	Files [maxSeats][NumAgents]game.Seat // secret: by seat, whom it wrote behind each agent, [game.Spectator] a dash
	Filed bool

	Trail trail
}

// seats returns the whole table.
func (s *State) seats() game.Seats { return game.FirstSeats(int(s.Seats)) }

// left returns the next seat clockwise.
func (s *State) left(seat game.Seat) game.Seat {
	if seat++; int8(seat) == s.Seats {
		return 0
	}
	return seat
}

// free returns the agents that belong to nobody.
func (s *State) free() Agents {
	m := s.InPlay
	for seat := range s.Seats {
		m &^= s.Extra[seat].With(s.Agent[seat])
	}
	return m
}

// freeLeft counts them without telling them; it is public.
func (s *State) freeLeft() int {
	n := s.InPlay.Len() - int(s.Seats)
	for seat := range s.Seats {
		n -= s.Extra[seat].Len()
	}
	return n
}

// askable reports whether seat is asked in a reaction round: the table cannot rule out that it holds a card to play.
func (s *State) askable(seat game.Seat) bool {
	return s.HandN[seat] > 0 && (s.AtOnce || s.HandN[seat] > s.Shown[seat])
}

// playable returns how many cards of seat's hand, from its start, may be played this turn.
func (s *State) playable(seat game.Seat) int8 {
	if s.AtOnce {
		return s.HandN[seat]
	}
	return s.HandN[seat] - s.Fresh[seat]
}

// reached reports whether a stone is on field at or beyond.
func (s *State) reached(at int16) bool {
	for a := range Agent(NumAgents) {
		if s.Stone[a] >= at { // stones not in play stay on 0
			return true
		}
	}
	return false
}

// inside returns the agents in building b.
func (s *State) inside(b Building) Agents {
	var m Agents
	for a, at := range s.Pos {
		if at == b {
			m |= 1 << a
		}
	}
	return m & s.InPlay
}

// Sizes of the trail. At a reshuffle a trail longer than longTrail, or of maxDecks decks, is forgotten and begun again; one
// deck adds at most 210 entries (60 draws, 88 cards out of hands, 60 turns and 2 marks).
const (
	maxTrail  = 384
	longTrail = 170
	maxDecks  = 8 // the hidden cards at its beginning and seven reshuffles
)

// trail is the card history since its beginning. Entries are a byte: a seat and a card, with opDraw for a card drawn
// (secret from the others), without for a card that left the hand; or a mark.
type trail struct {
	On      bool
	Decks   int8            // reshuffles in it
	N       int16           // entries
	Ops     [maxTrail]uint8 // in order
	Hands   [maxSeats]int8  // sizes of the hands at its beginning
	Fresh   [maxSeats]int8  // how many of them were drawn in the turn it began in
	Discard [cardKinds]int8 // the discard at its beginning
}
