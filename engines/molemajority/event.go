package molemajority

import "github.com/molerun/molerun/engines/game"

// Event is one of the structs of this file; each names its kind and tells itself in a sentence.
type Event interface{ game.Worded }

// BoardEvent is public: the centre and the ring.
type BoardEvent struct {
	Kind  string    `json:"kind"` // "board"
	Hexes []HexTile `json:"hexes"`
}

// HexTile is a tile on its place.
type HexTile struct {
	At   string `json:"at"`
	Size int8   `json:"size"`
}

// ActEvent is public: a decision.
type ActEvent struct {
	Kind   string    `json:"kind"` // "act"
	Seat   game.Seat `json:"seat"`
	Action Action    `json:"action"`
}

// TileEvent is public: a tile was drawn for a seat to place.
type TileEvent struct {
	Kind string    `json:"kind"` // "tile"
	Seat game.Seat `json:"seat"`
	Size int8      `json:"size"`
}

// ClaimEvent is public: a hex has a new claimant, null for nobody.
type ClaimEvent struct {
	Kind string     `json:"kind"` // "claim"
	At   string     `json:"at"`
	Seat *game.Seat `json:"seat"`
}

// OutEvent is public: a seat has no claim left.
type OutEvent struct {
	Kind string    `json:"kind"` // "out"
	Seat game.Seat `json:"seat"`
}

// HomeEvent tells of a home token taken, from a hex or from the unused pile: everybody without the value, the seat itself
// once more with it.
type HomeEvent struct {
	Kind  string    `json:"kind"` // "home"
	Seat  game.Seat `json:"seat"`
	Value int8      `json:"value,omitempty"`
}

// DiscardEvent is public: a whole hand goes onto the pile, in this order.
type DiscardEvent struct {
	Kind  string    `json:"kind"` // "discard"
	Seat  game.Seat `json:"seat"`
	Cards []string  `json:"cards"`
}

// ShuffleEvent is public: a discard pile has become the deck.
type ShuffleEvent struct {
	Kind string    `json:"kind"` // "shuffle"
	Seat game.Seat `json:"seat"`
}

// DrawEvent tells of cards drawn: everybody how many, the seat itself once more which, in the order of the deck table.
type DrawEvent struct {
	Kind  string    `json:"kind"` // "draw"
	Seat  game.Seat `json:"seat"`
	Count int8      `json:"count"`
	Cards []string  `json:"cards,omitempty"`
}

// TurnEvent is public: a turn begins.
type TurnEvent struct {
	Kind string    `json:"kind"` // "turn"
	Seat game.Seat `json:"seat"`
	Turn int32     `json:"turn"`
}

// OverEvent is public: the end and what was hidden.
type OverEvent struct {
	Kind   string `json:"kind"` // "over"
	Why    string `json:"why"`
	Reveal Reveal `json:"reveal"`
}
