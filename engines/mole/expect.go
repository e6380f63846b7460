package mole

import (
	"math"

	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/engines/mole/coins"
)

// The factors of a table, in the order of the weights. All but the first are those of the seat that has the mole.
const (
	byScore     = iota
	byMole      // it has the mole
	byProgress  // how far up the board it is
	byMignettes // how many live
	byMargin    // how far it is from the nearer side
	byTurn      // it is to be flicked
	byTime      // its turns so far
	byLane      // see lane
	byPending   // it has been knocked off a side
	byZone      // it overlaps a zone
)

// Factors writes the points of a seat and how its round stands with the mole. All count the more the fewer points are left to be made.
func (Rules) Factors(s *State, seat game.Seat, out []float64) {
	left := max(2*s.Points-s.Score[0]-s.Score[1], 3)
	g := 1 / math.Sqrt(float64(left))
	out[byScore] = float64(g * float64(s.Score[seat]))
	if seat != s.seat() {
		return
	}
	out[byMole] = g
	mole, living := s.Coins[Mole].At, Mignettes
	if s.Phase != PhasePlace {
		living = s.Living()
	}
	out[byProgress] = float64(g * float64(mole.Y) / float64(s.Board.H))
	out[byMignettes] = float64(g * float64(living))
	out[byMargin] = float64(g * float64(min(mole.X, s.Board.W-mole.X)) / float64(s.Board.W))
	out[byTime] = float64(g * float64(s.MoleTurns) / float64(s.MoleTurnsMost))
	if s.Phase == PhaseMole {
		out[byTurn] = g
	}
	out[byLane] = float64(g * s.lane())
	if s.PendingEdge != coins.NoEdge {
		out[byPending] = g
	}
	if s.Board.onZone(s.circle(Mole)) {
		out[byZone] = g
	}
}

// lane returns which share of the winning line the mole can reach in one flick, straight past the mignettes.
func (s *State) lane() float64 {
	const targets = 12
	speed := float64(float64(s.MoleMax) / 1000)
	reach := float64(speed * speed / float64(2*9.81*float64(s.Friction)/1000) * 1e6) // µm
	mole, open := s.Coins[Mole].At, 0
	for k := range targets {
		dx, dy := float64(float64(s.Board.W)*(float64(k)+0.5)/targets)-float64(mole.X), float64(s.Board.H-mole.Y)
		long := math.Sqrt(float64(dx*dx) + float64(dy*dy))
		if long > reach {
			continue
		}
		clear := true
		for id := M1; id <= M3; id++ {
			if !s.Coins[id].Alive {
				continue
			}
			px, py := float64(s.Coins[id].At.X-mole.X), float64(s.Coins[id].At.Y-mole.Y)
			along, side := (float64(px*dx)+float64(py*dy))/long, (float64(px*dy)-float64(py*dx))/long
			clear = clear && (along < 0 || max(side, -side) >= moleRadius+mignetteRadius)
		}
		if clear {
			open++
		}
	}
	return float64(float64(open) / targets)
}

// Weights returns what `go run -C bench ./luck -fit -games mole -matches 600` prints.
func (Rules) Weights() []float64 {
	return []float64{1.17, -2.18, 1.54, -0.03, 3.40, 1.61, 0.53, 1.78, 0.96, 0.31}
}
