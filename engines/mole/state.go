package mole

import (
	"encoding/json"

	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/engines/mole/coins"
)

// The coins' measures in µm and grams: a British 2 pence and three pennies.
const (
	moleRadius, mignetteRadius = 12_950, 10_150
	moleMass, mignetteMass     = 7.12, 3.56
	moleThick, mignetteThick   = 1.85, 1.52 // mm

	gadGap = 50 // µm: nearer than this, or as near, the mole touches a coin (row 12)
)

func (c Coin) radius() int32 {
	if c == Mole {
		return moleRadius
	}
	return mignetteRadius
}

// Phase is what is due.
type Phase uint8

// The phases of a round, and the end.
const (
	PhasePlace Phase = iota
	PhaseMignettes
	PhaseMole
	PhaseOver
)

var phaseNames = [...]string{"place", "mignettes", "mole", "over"}

// String returns the word on the wire.
func (p Phase) String() string { return phaseNames[p&3] }

// Piece is a coin of the table. A coin that is not on the board, dead or not yet placed, lies at (0, 0).
type Piece struct {
	At     Point
	Alive  bool // on the board
	Played bool // a mignette that has had its flick, or its Nasdaq, in this turn
}

// stroke is a straight piece of the last flick's motion, for the drawing.
type stroke struct {
	Coin     Coin
	Air      bool
	From, To Point
}

const maxStrokes = 24

// State is the whole of a match; plain data, nothing hidden.
type State struct {
	Board                    Board
	Points, Lead             int16
	MaxRounds, MoleTurnsMost int16
	Friction, Restitution    int16 // permille
	MoleMax, MignetteMax     int32 // mm/s
	Noise                    uint8 // index of noiseNames
	Phase                    Phase
	Mole                     int8 // the seat that has the mole
	Score                    [2]int16
	Round                    int16 // from 1
	MoleTurns                int16 // of the mole in this round, so far
	Coins                    [1 + Mignettes]Piece
	PendingEdge              coins.Edge // the mole has been knocked off this side in this turn (row 5)
	PendingBy                Coin       // by this mignette
	Strokes                  [maxStrokes]stroke
	NStrokes                 int8
}

func (s *State) circle(c Coin) Circle { return Circle{s.Coins[c].At, c.radius()} }
func (s *State) seat() game.Seat      { return game.Seat(s.Mole) }

// Living counts the mignettes on the board.
func (s *State) Living() int {
	n := 0
	for id := M1; id <= M3; id++ {
		if s.Coins[id].Alive {
			n++
		}
	}
	return n
}

// left counts those of them that have still to play in this turn.
func (s *State) left() int {
	n := 0
	for id := M1; id <= M3; id++ {
		if s.Coins[id].Alive && !s.Coins[id].Played {
			n++
		}
	}
	return n
}

// protected: a mignette's flick cannot knock the mole off now (row 3): in the first mignette turn of a round, or when he
// overlaps a zone.
func (s *State) protected() bool {
	first := s.MoleTurns == 0 && s.Phase <= PhaseMignettes
	return s.Coins[Mole].Alive && (first || s.Board.onZone(s.circle(Mole)))
}

// behindLoup: the mole's centre is behind the loup line (row 9).
func (s *State) behindLoup() bool {
	return s.Board.HasLoup && s.Coins[Mole].At.Y < s.Board.Loup
}

// newRound resets the board.
func (s *State) newRound() {
	s.Phase, s.MoleTurns, s.PendingEdge, s.PendingBy = PhasePlace, 0, coins.NoEdge, 0
	s.Coins = [1 + Mignettes]Piece{Mole: {At: s.Board.Circle.At, Alive: true}}
}

// config returns the configuration of the match, its lot replaced by what was drawn; in later rounds by who has the mole now.
func (s *State) config() Config {
	return Config{
		Board: layout{s.Board}, Points: int(s.Points), Lead: int(s.Lead), MaxRounds: int(s.MaxRounds), MoleTurns: int(s.MoleTurnsMost),
		Noise: noiseNames[s.Noise%uint8(len(noiseNames))], FrictionPermille: int(s.Friction), RestitutionPermille: int(s.Restitution),
		MoleMaxMMS: int(s.MoleMax), MignetteMaxMMS: int(s.MignetteMax), FirstMole: game.First(s.Mole),
	}
}

// MarshalJSON returns the whole state for people and tools: the configuration and the view.
func (s *State) MarshalJSON() ([]byte, error) {
	return json.Marshal(struct {
		Config Config `json:"config"`
		View   View   `json:"view"`
	}{s.config(), Rules{}.View(s, game.Spectator)})
}
