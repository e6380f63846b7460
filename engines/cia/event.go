package cia

import "github.com/molerun/molerun/engines/game"

// Event is one of the structs of this file; each names its kind and tells itself in a sentence.
type Event interface{ game.Worded }

// RollEvent is public: a turn begins.
type RollEvent struct {
	Kind string    `json:"kind"` // "roll"
	Seat game.Seat `json:"seat"`
	Roll string    `json:"roll"`
}

// MoveEvent is public: the agents moved and where they are now, by a move or by a card.
type MoveEvent struct {
	Kind   string    `json:"kind"` // "move"
	Seat   game.Seat `json:"seat"`
	Agents Places    `json:"agents"`
}

// ScoreEvent is public: all stones after a scoring or after two_stones_three.
type ScoreEvent struct {
	Kind   string `json:"kind"` // "score"
	Stones Scores `json:"stones"`
}

// SafeEvent is public: the safe was moved, after a scoring or by a card.
type SafeEvent struct {
	Kind string    `json:"kind"` // "safe"
	Seat game.Seat `json:"seat"`
	To   string    `json:"to"`
}

// CardEvent is public: a card was played, or with Removed left the game from a seat's hand.
type CardEvent struct {
	Kind    string    `json:"kind"` // "card"
	Seat    game.Seat `json:"seat"`
	Action  Action    `json:"action"`
	Removed bool      `json:"removed,omitempty"`
}

// DrawEvent tells of a card drawn: everybody without the card, the seat itself once more with it.
type DrawEvent struct {
	Kind string    `json:"kind"` // "draw"
	Seat game.Seat `json:"seat"`
	Card string    `json:"card,omitempty"`
}

// AgentEvent goes to the seat that took a free agent.
type AgentEvent struct {
	Kind  string    `json:"kind"` // "draw"
	Seat  game.Seat `json:"seat"`
	Agent string    `json:"agent"`
}

// ReshuffleEvent is public: the discard has become the deck.
type ReshuffleEvent struct {
	Kind string `json:"kind"` // "reshuffle"
}

// DossierEvent is public: everybody has filled in the dossier.
type DossierEvent struct {
	Kind string `json:"kind"` // "dossier"
}

// OverEvent is public: the end and what was hidden.
type OverEvent struct {
	Kind   string `json:"kind"` // "over"
	Reveal Reveal `json:"reveal"`
}
