package molehill

import (
	"encoding/json"
	"math/bits"

	"github.com/molerun/molerun/engines/game"
)

// Phase is what is due.
type Phase uint8

// The phases of a round, and the end of the match.
const (
	PhaseStart Phase = iota // the mole places its first disc
	PhaseRod                // the gardener lays a rod
	phaseMove               // the mole moves or jumps
	phaseOver               // nobody is due
)

var phaseNames = [...]string{"start", "rod", "move", "over"}

// String returns the phase's word on the wire.
func (p Phase) String() string { return phaseNames[p&3] }

// State is a whole match as plain data. Square number i is column i % Columns, row i / Columns; in a bitboard it is bit i.
type State struct {
	Red, White uint64 // flowers
	Visited    uint64 // squares with a disc, the mole's own included
	FreeRight  uint64 // squares whose right edge is inside the board and holds no rod
	FreeUp     uint64 // the same for upper edges

	Path     [MaxSquares]uint8 // square numbers in the order visited; Laid of them hold
	RodOrder [MaxSquares]uint8 // edges in the order laid, square number × 2 + 1 if it is the upper edge; RodsLaid of them hold

	Columns, Rows, Orange, Discs, Rods uint8 // from the configuration; Discs is the total
	CentreJump                         bool  // from the configuration: centre_start_jumps

	Laid, RodsLaid uint8
	Round          uint8    // 0 or 1
	Scores         [2]uint8 // the mole's points of round 1 and 2, once finished
	Mole           int8     // the seat that is the mole in this round
	Phase          Phase
	Jump           bool // the mole may jump at its next turn
}

// edges returns the squares of an empty board that have a right, and an upper, neighbour.
func edges(columns, rows uint8) (right, up uint64) {
	c, all := uint(columns), board(columns, rows)
	lastColumn := uint64(0)
	for i := c - 1; i < uint(rows)*c; i += c {
		lastColumn |= 1 << i
	}
	return all &^ lastColumn, all >> c
}

// board returns every square.
func board(columns, rows uint8) uint64 { return 1<<(uint(columns)*uint(rows)) - 1 }

func (s *State) board() uint64         { return board(s.Columns, s.Rows) }
func (s *State) centre() uint8         { return s.Columns * s.Rows / 2 }
func (s *State) number(q Square) uint8 { return q.Row*s.Columns + q.Col }
func (s *State) at() uint8             { return s.Path[s.Laid-1] }
func (s *State) seat() game.Seat       { return game.Seat(s.Mole) }
func (s *State) square(i uint8) Square { return Square{i % s.Columns, i / s.Columns} }
func (s *State) on(q Square) bool      { return q.Col < s.Columns && q.Row < s.Rows }

// newRound clears the board and keeps what the whole match shares (ruling 15).
func (s *State) newRound(round uint8, mole int8) {
	*s = State{
		Red: s.Red, White: s.White, Columns: s.Columns, Rows: s.Rows, Orange: s.Orange, Discs: s.Discs, Rods: s.Rods,
		CentreJump: s.CentreJump, Round: round, Scores: s.Scores, Mole: mole,
	}
	s.FreeRight, s.FreeUp = edges(s.Columns, s.Rows)
}

// targets returns the squares an ordinary move reaches. The mole must stand.
func (s *State) targets() uint64 { return s.Steps(s.at()) }

// Steps returns the squares that an ordinary move reaches from square number at: the free steps, then from each of them a free
// step at right angles, so that a diagonal has both its ways (rulings 5 to 7).
func (s *State) Steps(at uint8) uint64 {
	from, r, u, c := uint64(1)<<(at&63), s.FreeRight, s.FreeUp, s.Columns&63
	east, west := from&r<<1, from>>1&r
	north, south := from&u<<c, from>>c&u
	sides, ends := east|west, north|south
	return (sides | ends | sides&u<<c | sides>>c&u | ends&r<<1 | ends>>1&r) &^ s.Visited
}

// stuck reports whether the round is over: no disc, or no square to go to (rulings 4 and 8). The mole must stand.
func (s *State) stuck() bool {
	return s.Laid == s.Discs || !s.Jump && s.targets() == 0
}

// score returns the mole's points of this round so far (rulings 2, 3 and 10).
func (s *State) score() uint8 {
	black := max(int(s.Laid)-int(s.Orange), 0)
	return uint8(black + bits.OnesCount64(s.Visited&s.White) + 2*bits.OnesCount64(s.Visited&s.Red))
}

// config returns the configuration the match was dealt with, its luck replaced by what was drawn.
func (s *State) config() Config {
	first := s.Mole
	if s.Round == 1 {
		first = 1 - first
	}
	c := Config{
		Columns: int(s.Columns), Rows: int(s.Rows), Rods: int(s.Rods),
		Discs:     Discs{Orange: int(s.Orange), Black: int(s.Discs) - int(s.Orange)},
		FirstMole: game.First(first), CentreStartJumps: s.CentreJump,
	}
	red, white := c.Flowers.Red[:0], c.Flowers.White[:0]
	each(s.Red, func(i uint8) { red = append(red, s.square(i)) })
	each(s.White, func(i uint8) { white = append(white, s.square(i)) })
	return c
}

// MarshalJSON returns the whole state for people and tools: the configuration with its luck drawn, and the view.
func (s *State) MarshalJSON() ([]byte, error) {
	return json.Marshal(struct {
		Config Config `json:"config"`
		View   View   `json:"view"`
	}{s.config(), Rules{}.View(s, game.Spectator)})
}
