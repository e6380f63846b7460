package mole

import (
	"slices"

	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/engines/mole/coins"
)

// View is what everybody sees: nothing is hidden. At the end of the match it shows the board as it was left.
type View struct {
	Phase     string     `json:"phase"`      // place, mignettes, mole or over
	MoleSeat  game.Seat  `json:"mole_seat"`  // in this round; the other seat has the mignettes
	Score     [2]int     `json:"score"`      // by seat
	Round     int        `json:"round"`      // from 1
	MoleTurns int        `json:"mole_turns"` // of this round, so far
	Side      *string    `json:"side"`       // who is to decide: mole or mignettes; null at the end
	Coins     []coinView `json:"coins"`      // mole, m1, m2, m3
	Protected bool       `json:"protected"`  // a mignette's flick cannot knock the mole off now
	Gad       []string   `json:"gad"`        // the mignettes that the mole touches
	Pending   *Pending   `json:"pending"`    // the mole has been knocked off a side in this turn
	Board     Board      `json:"board"`
	Limits    limits     `json:"limits"`

	strokes []stroke // of the last flick, for the drawing
	slows   int      // mm/s² that a sliding coin loses, for the drawing
	noise   string
}

// coinView is a coin as seen. One that is not on the board, dead or not yet placed, is at (0, 0) and not alive.
type coinView struct {
	ID     string `json:"id"`
	X      int32  `json:"x_um"`
	Y      int32  `json:"y_um"`
	Alive  bool   `json:"alive"`
	Played bool   `json:"played"` // in this turn
}

// Pending is a mole knocked off a side while the turn goes on: it is lost, unless the mignette that did it dies too.
type Pending struct {
	Edge string `json:"edge"` // left or right
	By   string `json:"by"`   // the mignette that was flicked
}

// limits are the bounds of the match, from its configuration.
type limits struct {
	MoleMax     int `json:"mole_max_mm_s"`
	MignetteMax int `json:"mignette_max_mm_s"`
	LiftMax     int `json:"lift_max_mdeg"`
	Points      int `json:"points"`
	Lead        int `json:"lead"`
	MaxRounds   int `json:"max_rounds"`
	MoleTurns   int `json:"mole_turns"`
}

// View builds the view from the public state; it is the same for both seats and spectators.
func (Rules) View(s *State, _ game.Seat) View {
	v := View{
		Phase: s.Phase.String(), MoleSeat: s.seat(), Score: [2]int{int(s.Score[0]), int(s.Score[1])}, Round: int(s.Round),
		MoleTurns: int(s.MoleTurns), Coins: make([]coinView, len(s.Coins)), Protected: s.protected(), Board: s.Board,
		Limits: limits{
			MoleMax: int(s.MoleMax), MignetteMax: int(s.MignetteMax), LiftMax: maxLift, Points: int(s.Points), Lead: int(s.Lead), MaxRounds: int(s.MaxRounds), MoleTurns: int(s.MoleTurnsMost),
		},
		strokes: slices.Clone(s.Strokes[:s.NStrokes]), slows: int(s.Friction) * coins.Gravity / 1000, noise: noiseNames[s.Noise],
	}
	side := "mignettes"
	if s.Phase == PhaseMole {
		side = "mole"
	}
	if s.Phase != PhaseOver {
		v.Side = &side
	}
	for k, p := range s.Coins {
		v.Coins[k] = coinView{
			ID:     coinNames[k],
			X:      p.At.X,
			Y:      p.At.Y,
			Alive:  p.Alive,
			Played: p.Played,
		}
	}
	list, n := s.touching()
	v.Gad = game.WordsOf(list[:n])
	if s.PendingEdge != coins.NoEdge {
		v.Pending = &Pending{s.PendingEdge.String(), s.PendingBy.String()}
	}
	return v
}
