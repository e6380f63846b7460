package cia

import (
	"cmp"
	"embed"
	"fmt"

	"github.com/molerun/molerun/engines/game"
)

// The smallest and the largest table.
const (
	minSeats = 2
	maxSeats = 7
)

// The words of drawn_playable.
const (
	nextTurn = "next_turn"
	atOnce   = "at_once"
)

// Bounds of the configuration.
const (
	minTrack = 3
	maxTrack = 500
	maxBox   = 60
	maxBonus = 1_000_000
	maxLimit = 1_000_000
)

// Config is the configuration of a match.
type Config struct {
	// TopSecret adds the cards and the reaction round.
	TopSecret bool `json:"top_secret"`
	// Dossier adds the prediction of who runs which agent.
	Dossier bool `json:"dossier"`
	// Track is the number of fields of a full lap, 3–500.
	Track int `json:"track"`
	// DossierAt is the field at which the dossiers are filled in, 1–Track.
	DossierAt int `json:"dossier_at"`
	// DossierBonus is the points for each agent identified, 0–1,000,000.
	DossierBonus int `json:"dossier_bonus"`
	// Cards is the whole box of Top Secret cards, at most 60, under top_secret at least 2 a seat.
	Cards box `json:"cards"`
	// First is the seat that begins, or lot.
	First game.First `json:"first"`
	// DrawnPlayable is when a card that was drawn can be played: "next_turn" or "at_once".
	DrawnPlayable string `json:"drawn_playable"`
	// MaxTurns ends the match after that many turns, 1 to 1,000,000; 0 sets no limit.
	MaxTurns int `json:"max_turns"`
}

// box is the copies of each card. JSON: card → copies; a card left out is not in the box.
type box [cardKinds]int

// MarshalJSON writes every card, in the order of [Card].
func (x box) MarshalJSON() ([]byte, error) { return game.AppendCounts(x[:], cardName), nil }

// UnmarshalJSON reads card → copies.
func (x *box) UnmarshalJSON(b []byte) error {
	return game.ReadCounts(b, x[:], cardName, maxBox, "a card")
}

func cardName(i int) string { return cardNames[i] }

// Defaults returns the base game.
func (Rules) Defaults() Config {
	return Config{
		Track: 42, DossierAt: 29, DossierBonus: 5, Cards: box{2, 2, 2, 2, 2, 2, 2, 1, 1, 1, 2, 2, 2, 2, 1},
		First: game.Lot, DrawnPlayable: nextTurn, MaxTurns: 500,
	}
}

// Validate names the key that is wrong.
func (Rules) Validate(c Config, seats int) error {
	if err := cmp.Or(game.Within([]game.Bound{
		{Key: "seats", Got: seats, Min: minSeats, Max: maxSeats},
		{Key: "track", Got: c.Track, Min: minTrack, Max: maxTrack},
		{Key: "dossier_at", Got: c.DossierAt, Min: 1, Max: c.Track},
		{Key: "dossier_bonus", Got: c.DossierBonus, Min: 0, Max: maxBonus},
		{Key: "max_turns", Got: c.MaxTurns, Min: 0, Max: maxLimit},
	}...), c.First.Check("first", seats), game.OneOf("drawn_playable", c.DrawnPlayable, nextTurn, atOnce)); err != nil {
		return err
	}
	for card, copies := range c.Cards {
		if copies < 0 {
			return fmt.Errorf("cards.%s: want 0 or more copies, got %d", cardNames[card], copies)
		}
	}
	box := c.box(seats)
	switch total := game.Sum(c.Cards[:]); {
	case total > maxBox:
		return fmt.Errorf("cards: want at most %d in all, got %d", maxBox, total)
	case c.TopSecret && game.Sum(box[:]) < dealt*seats:
		return fmt.Errorf("cards: want at least %d for %d seats, got %d", dealt*seats, seats, game.Sum(box[:]))
	}
	return nil
}

// box returns the cards that are played with: at the largest table there is no free agent to take.
func (c Config) box(seats int) box {
	box := c.Cards
	if agentsFor(seats) == seats {
		box[TakeFreeAgent] = 0
	}
	return box
}

// agentsFor returns how many agents are in play.
func agentsFor(seats int) int {
	switch seats {
	case 2:
		return 5
	case 3:
		return 6
	}
	return NumAgents
}

// MaxSteps returns a move and a safe a turn. With Top Secret everybody is asked in each turn and again after each card; as many cards
// are played at most as are dealt, and one more a turn, which the seat at turn may draw; and the seat that played is asked once more.
func (Rules) MaxSteps(c Config, seats int) (int, string) {
	if c.MaxTurns == 0 {
		return game.Endless, "max_turns"
	}
	steps := 2 * c.MaxTurns
	if c.TopSecret {
		played := dealt*seats + c.MaxTurns
		steps += seats*c.MaxTurns + (2+seats)*played
	}
	return steps + 1, "max_turns" // and the dossiers
}

// Info returns what is fixed about the game.
func (Rules) Info() game.Info {
	return game.Info{
		ID: "cia", Name: "CIA", Version: 1, MinSeats: minSeats, MaxSeats: maxSeats, Talk: true,
		Variants: []game.Variant{
			{Name: "base", Config: `{}`},
			{Name: "top_secret", Config: `{"top_secret":true}`},
			{Name: "dossier", Config: `{"dossier":true}`},
			{Name: "full", Config: `{"top_secret":true,"dossier":true}`},
		},
		About: game.About{
			Is:    "Everybody secretly runs one of the coloured agents that walk round a ring of buildings, and may move any of them.",
			Win:   "When an agent is moved to the safe, every agent scores the number of its building; the player whose agent has the most points at the end wins.",
			Watch: "Watch which agent each player pushes ahead when nobody looks: it may be their own, or a decoy.",
		},
	}
}

//go:embed schemas/*.json
var schemas embed.FS

// Schemas returns the JSON Schemas (2020-12) of the game by name.
func (Rules) Schemas() map[string]string { return game.Schemas(schemas) }

// Rules is CIA for [game.Wrap] and [game.Sim].
type Rules struct {
	loaded Roll // tests only: every roll shows this face; 0 is a fair die
}
