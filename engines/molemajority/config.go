package molemajority

import (
	"embed"
	"fmt"
	"slices"
	"strconv"

	"github.com/molerun/molerun/engines/game"
)

// The smallest and the largest table.
const (
	minSeats = 2
	MaxSeats = 4
)

// Bounds of the configuration.
const (
	minSize    = 3 // spaces of a hex
	maxSize    = 6
	maxValue   = 9 // of a home token
	maxTiles   = 40
	maxHomes   = 60
	maxDeck    = 40
	maxHand    = 10
	maxLimit   = 1_000_000
	homeTiles  = 1 // of the largest size, a seat
	extraTiles = 2 // a seat
	inner      = 7 // the centre and the ring
)

// Config is the configuration of a match.
type Config struct {
	// Tiles is size → tiles; at least one of size 6 a seat and 7 + 3 a seat in all, at most 40.
	Tiles Tiles `json:"tiles"`
	// HomeTokens is value → tokens; at least one for each hex without a Home Base, at most 60.
	HomeTokens homeTokens `json:"home_tokens"`
	// Deck is card → copies in the deck of each seat; at least Hand, at most 40.
	Deck Deck `json:"deck"`
	// Moles of each seat, 7–60; six of them start on its Home Base.
	Moles int `json:"moles"`
	// Claims of each seat, 2–20; one of them starts on its Home Base.
	Claims int `json:"claims"`
	// CaveIns of each seat, 0–10.
	CaveIns int `json:"cave_ins"`
	// Hand is the cards of a full hand, 1–10.
	Hand int `json:"hand"`
	// PathNeeded says that a MOVE needs a path that crosses no Cave-In.
	PathNeeded bool `json:"path_needed"`
	// EndOnEmptySupply ends the match when a seat has no mole left in its supply.
	EndOnEmptySupply bool `json:"end_on_empty_supply"`
	// ChooseSpaces lets the mover name the mole spaces.
	ChooseSpaces bool `json:"choose_spaces"`
	// MaxTurns ends the match after that many turns, 1 to 1,000,000; 0 sets no limit.
	MaxTurns int `json:"max_turns"`
}

// Tiles is the number of tiles of 3, 4, 5 and 6 spaces. JSON: size → tiles; a size left out has none.
type Tiles [maxSize - minSize + 1]int

// homeTokens is the number of home tokens of value 1 to 9. JSON: value → tokens; a value left out has none.
type homeTokens [maxValue]int

// Deck is the copies of each card. JSON: card → copies; a card left out is not in it.
type Deck [Cards]int

func number(from int) func(int) string { return func(i int) string { return strconv.Itoa(from + i) } }
func cardName(i int) string            { return cardNames[i] }

// MarshalJSON writes every size.
func (x Tiles) MarshalJSON() ([]byte, error) { return game.AppendCounts(x[:], number(minSize)), nil }

// UnmarshalJSON reads size → tiles.
func (x *Tiles) UnmarshalJSON(b []byte) error {
	return game.ReadCounts(b, x[:], number(minSize), maxTiles, "a size")
}

// MarshalJSON writes every value.
func (x homeTokens) MarshalJSON() ([]byte, error) { return game.AppendCounts(x[:], number(1)), nil }

// UnmarshalJSON reads value → tokens.
func (x *homeTokens) UnmarshalJSON(b []byte) error {
	return game.ReadCounts(b, x[:], number(1), maxHomes, "a value")
}

// MarshalJSON writes every card, in the order of [Card].
func (x Deck) MarshalJSON() ([]byte, error) { return game.AppendCounts(x[:], cardName), nil }

// UnmarshalJSON reads card → copies.
func (x *Deck) UnmarshalJSON(b []byte) error {
	return game.ReadCounts(b, x[:], cardName, maxDeck, "a card")
}

// Defaults returns the base game.
func (Rules) Defaults() Config {
	return Config{
		Tiles: Tiles{6, 7, 7, 4}, HomeTokens: homeTokens{8, 8, 8}, Deck: Deck{2, 3, 4, 3, 2, 1, 1, 2},
		Moles: 30, Claims: 10, CaveIns: 4, Hand: 5, PathNeeded: true, EndOnEmptySupply: true, MaxTurns: 300,
	}
}

// tilesFor returns how many tiles lie on the board of a table.
func tilesFor(seats int) int { return inner + (homeTiles+extraTiles)*seats }

// Validate names the key that is wrong.
func (Rules) Validate(c Config, seats int) error {
	for _, n := range slices.Concat(c.Tiles[:], c.HomeTokens[:], c.Deck[:]) {
		if n < 0 {
			return fmt.Errorf("tiles, home_tokens, deck: want no negative number, got %d", n)
		}
	}
	return game.Within([]game.Bound{
		{Key: "seats", Got: seats, Min: minSeats, Max: MaxSeats},
		{Key: "tiles.6", Got: c.Tiles[maxSize-minSize], Min: homeTiles * seats, Max: maxTiles},
		{Key: "tiles", Got: game.Sum(c.Tiles[:]), Min: tilesFor(seats), Max: maxTiles},
		{Key: "home_tokens", Got: game.Sum(c.HomeTokens[:]), Min: tilesFor(seats) - seats, Max: maxHomes},
		{Key: "hand", Got: c.Hand, Min: 1, Max: maxHand},
		{Key: "deck", Got: game.Sum(c.Deck[:]), Min: c.Hand, Max: maxDeck},
		{Key: "moles", Got: c.Moles, Min: maxSize + 1, Max: 60},
		{Key: "claims", Got: c.Claims, Min: 2, Max: 20},
		{Key: "cave_ins", Got: c.CaveIns, Min: 0, Max: 10},
		{Key: "max_turns", Got: c.MaxTurns, Min: 0, Max: maxLimit},
	}...)
}

// MaxSteps returns the setup and, in each turn, its end, an action, which is a card and at most four deeds, and the rest of the hand,
// to which Gopher It adds a card, stacked: a card and at most two deeds each.
func (Rules) MaxSteps(c Config, seats int) (int, string) {
	if c.MaxTurns == 0 {
		return game.Endless, "max_turns"
	}
	const action, stacked = 1 + 4, 1 + 2
	return tilesFor(seats) + c.MaxTurns*(1+action+stacked*c.Hand), "max_turns, hand"
}

// Info returns what is fixed about the game.
func (Rules) Info() game.Info {
	return game.Info{
		ID: "molemajority", Name: "Mole Majority", Version: 1, MinSeats: minSeats, MaxSeats: MaxSeats, Talk: true,
		Variants: []game.Variant{
			{Name: "base", Config: `{}`},
			{Name: "spaces", Config: `{"choose_spaces":true}`},
		},
		About: game.About{
			Is:    "Tribes of moles spread over the hexes of a garden with cards that breed, move, convert and cave in.",
			Win:   "A hex that is full belongs to the tribe with the most moles in it and counts its spaces; hidden home tokens count too, and the most points win.",
			Watch: "Watch the hexes with one space left, and supplies that run out: either can end the match.",
		},
	}
}

//go:embed schemas/*.json
var schemas embed.FS

// Schemas returns the JSON Schemas (2020-12) of the game by name.
func (Rules) Schemas() map[string]string { return game.Schemas(schemas) }
