package mole

import (
	"bytes"
	"cmp"
	"embed"
	"encoding/json"
	"fmt"

	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/engines/game/strict"
)

// Config is everything about a match that is agreed before it. Its JSON keys are the field tags.
type Config struct {
	Board               layout     `json:"board"`                // "classic", "carnival" or a whole board
	Points              int        `json:"points"`               // to win the match, 1–50
	Lead                int        `json:"lead"`                 // needed besides, 1–10
	MaxRounds           int        `json:"max_rounds"`           // ties included, 1–500
	MoleTurns           int        `json:"mole_turns"`           // of a round, 1–100; then the mignettes win it
	Noise               string     `json:"noise"`                // of the execution: none, steady or shaky
	FrictionPermille    int        `json:"friction_permille"`    // kinetic coefficient, 50–1000
	RestitutionPermille int        `json:"restitution_permille"` // between coins, 0–1000
	MoleMaxMMS          int        `json:"mole_max_mm_s"`        // fastest flick, 100–5000
	MignetteMaxMMS      int        `json:"mignette_max_mm_s"`    // fastest flick, 100–5000
	FirstMole           game.First `json:"first_mole"`           // the seat that has the mole in round 1
}

// layout is a board in a configuration. JSON: the name of a preset, or the whole board.
type layout struct{ Board }

// presets returns the boards with a name.
func presets() []struct {
	name  string
	board Board
} {
	return []struct {
		name  string
		board Board
	}{{"classic", Classic()}, {"carnival", Carnival()}}
}

// MarshalJSON writes the name of a preset, else the whole board.
func (l layout) MarshalJSON() ([]byte, error) {
	for _, p := range presets() {
		if l.Board == p.board {
			return json.Marshal(p.name)
		}
	}
	return l.Board.MarshalJSON()
}

// UnmarshalJSON reads the name of a preset or a whole board.
func (l *layout) UnmarshalJSON(b []byte) error {
	b = bytes.TrimSpace(b)
	if len(b) == 0 || b[0] != '"' {
		return l.Board.UnmarshalJSON(b)
	}
	var name string
	if err := strict.Decode(b, &name); err != nil {
		return err
	}
	for _, p := range presets() {
		if p.name == name {
			l.Board = p.board
			return nil
		}
	}
	return &strict.Error{Reason: fmt.Sprintf(`wants "classic", "carnival" or a whole board, not %q`, name)}
}

// noises are the words for the noise of the execution, with their standard deviations (P7).
var noiseNames = [...]string{"none", "steady", "shaky"}

// Defaults returns the base game.
func (Rules) Defaults() Config {
	return Config{
		Board: layout{Classic()}, Points: 11, Lead: 2, MaxRounds: 120, MoleTurns: 12, Noise: "steady",
		FrictionPermille: 250, RestitutionPermille: 750, MoleMaxMMS: 900, MignetteMaxMMS: 1000, FirstMole: game.Lot,
	}
}

// Validate refuses a configuration outside the bounds of [Config] and names the bad key.
func (Rules) Validate(c Config, seats int) error {
	return cmp.Or(game.Within([]game.Bound{
		{Key: "seats", Got: seats, Min: 2, Max: 2},
		{Key: "points", Got: c.Points, Min: 1, Max: 50},
		{Key: "lead", Got: c.Lead, Min: 1, Max: 10},
		{Key: "max_rounds", Got: c.MaxRounds, Min: 1, Max: 500},
		{Key: "mole_turns", Got: c.MoleTurns, Min: 1, Max: 100},
		{Key: "friction_permille", Got: c.FrictionPermille, Min: 50, Max: 1000},
		{Key: "restitution_permille", Got: c.RestitutionPermille, Min: 0, Max: 1000},
		{Key: "mole_max_mm_s", Got: c.MoleMaxMMS, Min: 100, Max: 5000},
		{Key: "mignette_max_mm_s", Got: c.MignetteMaxMMS, Min: 100, Max: 5000},
	}...), game.OneOf("noise", c.Noise, noiseNames[:]...), c.FirstMole.Check("first_mole", 2), c.Board.validate())
}

// MaxSteps returns a placing a round, and in each turn of the mole one flick of every coin.
func (Rules) MaxSteps(c Config, _ int) (int, string) {
	return c.MaxRounds * (1 + c.MoleTurns*(1+Mignettes)), "max_rounds, mole_turns"
}

// Info returns what is fixed about Mole.
func (Rules) Info() game.Info {
	return game.Info{
		ID: "mole", Name: "Mole", Version: 1, MinSeats: 2, MaxSeats: 2,
		Variants: []game.Variant{
			{Name: "base", Config: `{}`},
			{Name: "short", Config: `{"points":5,"max_rounds":60}`},
			{Name: "carnival", Config: `{"board":"carnival"}`},
			{Name: "still", Config: `{"noise":"none"}`},
		},
		About: game.About{
			Is:    "Two players flick coins over a wooden board: one has the large mole, the other the three small mignettes that stand in its way.",
			Win:   "The mole wins a round by crossing the line at the top, the mignettes by knocking it off a side or by outlasting its turns; only the mole scores, and whoever wins a round has the mole in the next.",
			Watch: "Watch the gaps between the mignettes, and the mole near an edge: while it overlaps a zone it cannot be knocked off.",
		},
	}
}

//go:embed schemas/*.json
var schemas embed.FS

// Schemas returns the JSON Schemas (2020-12) of the game by name.
func (Rules) Schemas() map[string]string { return game.Schemas(schemas) }
