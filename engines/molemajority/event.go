package molemajority

import "github.com/molerun/molerun/engines/game"

// Event is one of the structs of this file; each names its kind and puts itself into a sentence.
type Event interface{ game.Worded }

// boardEvent is public: the centre and the ring.
type boardEvent struct {
	Kind  string    `json:"kind"` // "board"
	Hexes []hexTile `json:"hexes"`
}

// hexTile is a tile on its place.
type hexTile struct {
	At   string `json:"at"`
	Size int8   `json:"size"`
}

// actEvent is public: a decision.
type actEvent struct {
	Kind   string    `json:"kind"` // "act"
	Seat   game.Seat `json:"seat"`
	Action Action    `json:"action"`
}

// tileEvent is public: a tile was drawn for a seat to place.
type tileEvent struct {
	Kind string    `json:"kind"` // "tile"
	Seat game.Seat `json:"seat"`
	Size int8      `json:"size"`
}

// claimEvent is public: a hex has a new claimant, null for nobody.
type claimEvent struct {
	Kind string     `json:"kind"` // "claim"
	At   string     `json:"at"`
	Seat *game.Seat `json:"seat"`
}

// outEvent is public: a seat has no claim left.
type outEvent struct {
	Kind string    `json:"kind"` // "out"
	Seat game.Seat `json:"seat"`
}

// homeEvent tells of a home token taken, from a hex or from the unused pile: everybody without the value, the seat itself
// once more with it.
type homeEvent struct {
	Kind  string    `json:"kind"` // "home"
	Seat  game.Seat `json:"seat"`
	Value int8      `json:"value,omitempty"`
}

// discardEvent is public: a whole hand goes onto the pile, in this order.
type discardEvent struct {
	Kind  string    `json:"kind"` // "discard"
	Seat  game.Seat `json:"seat"`
	Cards []string  `json:"cards"`
}

// shuffleEvent is public: a discard pile has become the deck.
type shuffleEvent struct {
	Kind string    `json:"kind"` // "shuffle"
	Seat game.Seat `json:"seat"`
}

// drawEvent tells of cards drawn: everybody how many, the seat itself once more which, in the order of the deck table.
type drawEvent struct {
	Kind  string    `json:"kind"` // "draw"
	Seat  game.Seat `json:"seat"`
	Count int8      `json:"count"`
	Cards []string  `json:"cards,omitempty"`
}

// turnEvent is public: a turn begins.
type turnEvent struct {
	Kind string    `json:"kind"` // "turn"
	Seat game.Seat `json:"seat"`
	Turn int32     `json:"turn"`
}

// overEvent is public: the end and what was hidden.
type overEvent struct {
	Kind   string `json:"kind"` // "over"
	Why    string `json:"why"`
	Reveal reveal `json:"reveal"`
}
