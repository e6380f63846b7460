package wire

import (
	"encoding/json"

	"github.com/molerun/molerun/api/op"
)

// The operations on games.
var (
	// @Summary	All games
	ListGames = op.Get[op.Paging, Page[Game]]("/v1/games", "")

	// @Summary	One game
	GetGame = op.Get[GameOf, Game]("/v1/games/{game}", "")

	// @Summary	The rules of a game, for people
	GetGameRules = op.Get[GameOf, string]("/v1/games/{game}/rules", "", op.Answering("text/markdown"))

	// @Summary	A JSON Schema of a game
	// @Description	config, action, view and event, as JSON Schema 2020-12.
	GetGameSchema = op.Get[GameSchemaOf, json.RawMessage]("/v1/games/{game}/schemas/{name}", "", op.Answering("application/schema+json"))

	// @Summary	A JSON Schema of the protocol between the platform and a bot
	// @Description	The messages hello, hello_answer, start, turn, answer and end, as JSON Schema 2020-12.
	GetProtocolSchema = op.Get[ProtocolSchemaOf, json.RawMessage]("/v1/protocol/schemas/{name}", "", op.Answering("application/schema+json"))
)

// GameOf names a game.
type GameOf struct {
	Game string `uri:"game" help:"id of the game" json:"-"`
}

// GameSchemaOf names a schema of a game.
type GameSchemaOf struct {
	GameOf
	Name string `uri:"name" help:"name of the schema, as the game lists it" json:"-"`
}

// ProtocolSchemaOf names a schema of the protocol.
type ProtocolSchemaOf struct {
	Name string `uri:"name" help:"name of the message" json:"-"`
}

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
	About        About     `json:"about"`
	Schemas      []string  `json:"schemas"` // names under /v1/games/{game}/schemas/
} // @name Game

// About introduces a game to somebody who has never seen it, in one sentence each.
type About struct {
	Is    string `json:"is"`    // what it is
	Win   string `json:"win"`   // how one wins
	Watch string `json:"watch"` // what to watch
} // @name About

// Variant is a named configuration.
type Variant struct {
	Name   string          `json:"name" example:"base"`
	Config json.RawMessage `json:"config" swaggertype:"object"` // only the keys that differ from the defaults
} // @name Variant
