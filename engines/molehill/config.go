package molehill

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
	Columns          int        `json:"columns"`            // odd, 3–21; columns × rows at most 63
	Rows             int        `json:"rows"`               // odd, 3–21
	Flowers          Flowers    `json:"flowers"`            // where they grow, or "random"
	Discs            Discs      `json:"discs"`              // the mole's, orange laid first; in all at least 1, at most one a square
	Rods             int        `json:"rods"`               // the gardener's; at least discs − 1, at most 255
	FirstMole        game.First `json:"first_mole"`         // the seat that is the mole in round 1
	CentreStartJumps bool       `json:"centre_start_jumps"` // a start on the centre gives the jump too
}

// Discs counts the mole's discs by colour.
type Discs struct {
	Orange int `json:"orange"` // worth nothing, laid first
	Black  int `json:"black"`  // worth a point each
}

// Total returns the number of discs, the most squares a mole can visit.
func (d Discs) Total() int { return d.Orange + d.Black }

const maxRods = 255

// flowersEach is the number of flowers of each colour.
const flowersEach = 4

// Flowers are the squares of the flowers; with Random they are drawn once per match, never on the centre, and the lists
// are not used. JSON: "random" or {"red":[4 squares],"white":[4 squares]}.
type Flowers struct {
	Random     bool
	Red, White [flowersEach]Square
}

type flowersJSON struct {
	Red   []string `json:"red"`
	White []string `json:"white"`
}

// MarshalJSON writes "random" or the two lists, in the order given.
func (f Flowers) MarshalJSON() ([]byte, error) {
	if f.Random {
		return []byte(`"random"`), nil
	}
	var w flowersJSON
	for i := range flowersEach {
		w.Red, w.White = append(w.Red, f.Red[i].String()), append(w.White, f.White[i].String())
	}
	return json.Marshal(w)
}

// UnmarshalJSON reads "random" or the two lists of four squares each.
func (f *Flowers) UnmarshalJSON(b []byte) error {
	if b = bytes.TrimSpace(b); len(b) > 0 && b[0] == '"' {
		var word string
		if err := strict.Decode(b, &word); err != nil {
			return err
		}
		if word != "random" {
			return &strict.Error{Reason: fmt.Sprintf(`wants "random" or an object with red and white, not %q`, word)}
		}
		*f = Flowers{Random: true}
		return nil
	}
	var w flowersJSON
	if err := strict.Decode(b, &w); err != nil {
		return err
	}
	red, err := fourSquares("/red", w.Red)
	if err != nil {
		return err
	}
	white, err := fourSquares("/white", w.White)
	if err != nil {
		return err
	}
	*f = Flowers{Red: red, White: white}
	return nil
}

func fourSquares(place string, list []string) ([flowersEach]Square, error) {
	var out [flowersEach]Square
	if len(list) != flowersEach {
		return out, &strict.Error{Pointer: place, Reason: fmt.Sprintf("wants %d squares, not %d", flowersEach, len(list))}
	}
	for i, name := range list {
		var err error
		if out[i], err = parseSquare(name); err != nil {
			return out, &strict.Error{Pointer: fmt.Sprintf("%s/%d", place, i), Reason: err.Error()}
		}
	}
	return out, nil
}

// Defaults returns the base game: 7 × 9 squares, 10 orange and 12 black discs, 22 rods.
func (Rules) Defaults() Config {
	return Config{
		Columns: 7, Rows: 9,
		Flowers: Flowers{
			Red:   [flowersEach]Square{{1, 1}, {5, 1}, {1, 7}, {5, 7}}, // b2 f2 b8 f8
			White: [flowersEach]Square{{3, 2}, {3, 6}, {1, 4}, {5, 4}}, // d3 d7 b5 f5
		},
		Discs: Discs{Orange: 10, Black: 12}, Rods: 22, FirstMole: game.Lot,
	}
}

// Validate refuses a configuration outside the bounds of [Config] and names the bad key.
func (Rules) Validate(c Config, seats int) error {
	if err := game.Within(game.Bound{Key: "seats", Got: seats, Min: 2, Max: 2}); err != nil {
		return err
	}
	switch squares := c.Columns * c.Rows; {
	case c.Columns < 3 || c.Columns > maxSide || c.Columns%2 == 0:
		return fmt.Errorf("columns: want an odd number from 3 to %d, got %d", maxSide, c.Columns)
	case c.Rows < 3 || c.Rows > maxSide || c.Rows%2 == 0:
		return fmt.Errorf("rows: want an odd number from 3 to %d, got %d", maxSide, c.Rows)
	case squares > MaxSquares:
		return fmt.Errorf("columns × rows: want at most %d squares, got %d × %d = %d", MaxSquares, c.Columns, c.Rows, squares)
	default:
		return cmp.Or(game.Within([]game.Bound{
			{Key: "discs.orange", Got: c.Discs.Orange, Min: 0, Max: squares},
			{Key: "discs.black", Got: c.Discs.Black, Min: 0, Max: squares},
			{Key: "discs", Got: c.Discs.Total(), Min: 1, Max: squares},
			{Key: "rods", Got: c.Rods, Min: c.Discs.Total() - 1, Max: maxRods},
		}...), c.FirstMole.Check("first_mole", 2), c.validateFlowers())
	}
}

func (c Config) validateFlowers() error {
	if c.Flowers.Random {
		return nil
	}
	seen := map[Square]bool{}
	for _, colour := range []struct {
		key  string
		list [flowersEach]Square
	}{{"red", c.Flowers.Red}, {"white", c.Flowers.White}} {
		for i, q := range colour.list {
			if int(q.Col) >= c.Columns || int(q.Row) >= c.Rows {
				return fmt.Errorf("flowers.%s[%d]: %s is not on a board of %d columns and %d rows (give squares for it, or \"random\")", colour.key, i, q, c.Columns, c.Rows)
			}
			if seen[q] {
				return fmt.Errorf("flowers.%s[%d]: %s has a flower already", colour.key, i, q)
			}
			seen[q] = true
		}
	}
	return nil
}

// MaxSteps returns every disc and a rod after it, in both rounds.
func (Rules) MaxSteps(c Config, _ int) (int, string) { return 2 * 2 * c.Discs.Total(), "discs" }

// Info returns what is fixed about Mole Hill.
func (Rules) Info() game.Info {
	return game.Info{
		ID: "molehill", Name: "Mole Hill", Version: 1, MinSeats: 2, MaxSeats: 2, OneDeal: true,
		Variants: []game.Variant{{Name: "base", Config: `{}`}, {Name: "random_flowers", Config: `{"flowers":"random"}`}},
		About: game.About{
			Is:    "A mole digs through a garden and never twice through the same square, while a gardener lays rods that it cannot cross.",
			Win:   "Flowers and long ways score for the mole until it is stuck; then the two swap, and the better mole wins.",
			Watch: "Watch how much garden is left to the mole, and the middle square: from there it may jump anywhere.",
		},
	}
}

//go:embed schemas/*.json
var schemas embed.FS

// Schemas returns the JSON Schemas (2020-12) of the game by name.
func (Rules) Schemas() map[string]string { return game.Schemas(schemas) }
