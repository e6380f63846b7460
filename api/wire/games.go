package wire

import "encoding/json"

// Game is a game of the platform.
type Game struct {
	ID           string    `json:"id" example:"molehill"`
	Name         string    `json:"name" example:"Mole Hill"`
	RulesVersion int       `json:"rules_version"` // raised with every change of behaviour
	MinSeats     int       `json:"min_seats"`
	MaxSeats     int       `json:"max_seats"`
	Talk         bool      `json:"talk"`         // table talk (say) is allowed
	HiddenTeams  bool      `json:"hidden_teams"` // a running match does not show which bot has which seat
	Variants     []Variant `json:"variants"`     // the first is the base game
	Schemas      []string  `json:"schemas"`      // names under /v1/games/{game}/schemas/
} // @name Game

// Variant is a named configuration.
type Variant struct {
	Name   string          `json:"name" example:"base"`
	Config json.RawMessage `json:"config" swaggertype:"object"` // only the keys that differ from the defaults
} // @name Variant
