package cia

import "github.com/molerun/molerun/engines/game"

// Event is one of the structs of this file; each names its kind and puts itself into a sentence.
type Event interface{ game.Worded }

// rollEvent is public: a turn begins.
type rollEvent struct {
	Kind string    `json:"kind"` // "roll"
	Seat game.Seat `json:"seat"`
	Roll string    `json:"roll"`
}

// moveEvent is public: the agents moved and where they are now, by a move or by a card.
type moveEvent struct {
	Kind   string    `json:"kind"` // "move"
	Seat   game.Seat `json:"seat"`
	Agents places    `json:"agents"`
}

// scoreEvent is public: all stones after a scoring or after two_stones_three.
type scoreEvent struct {
	Kind   string `json:"kind"` // "score"
	Stones scores `json:"stones"`
}

// safeEvent is public: the safe was moved, after a scoring or by a card.
type safeEvent struct {
	Kind string    `json:"kind"` // "safe"
	Seat game.Seat `json:"seat"`
	To   string    `json:"to"`
}

// cardEvent is public: a card was played, or with Removed left the game from a seat's hand.
type cardEvent struct {
	Kind    string    `json:"kind"` // "card"
	Seat    game.Seat `json:"seat"`
	Action  Action    `json:"action"`
	Removed bool      `json:"removed,omitempty"`
}

// drawEvent tells of a card drawn: everybody without the card, the seat itself once more with it.
type drawEvent struct {
	Kind string    `json:"kind"` // "draw"
	Seat game.Seat `json:"seat"`
	Card string    `json:"card,omitempty"`
}

// agentEvent goes to the seat that took a free agent.
type agentEvent struct {
	Kind  string    `json:"kind"` // "draw"
	Seat  game.Seat `json:"seat"`
	Agent string    `json:"agent"`
}

// reshuffleEvent is public: the discard has become the deck.
type reshuffleEvent struct {
	Kind string `json:"kind"` // "reshuffle"
}

// dossierEvent is public: everybody has filled in the dossier.
type dossierEvent struct {
	Kind string `json:"kind"` // "dossier"
}

// overEvent is public: the end and what was hidden.
type overEvent struct {
	Kind   string `json:"kind"` // "over"
	Reveal reveal `json:"reveal"`
}
