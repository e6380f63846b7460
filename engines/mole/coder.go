package mole

import (
	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/engines/mole/coins"
)

// The grid of flicks: so many directions with equal angles from 0 on, speeds with equal distances from the slowest to the fastest, and
// lifts from none to the steepest.
const (
	directions = 36
	speeds     = 5
	lifts      = 2
	sector     = coins.FullTurn / directions // mdeg
)

// Numbering numbers the placings: any three of the places that the offer lists, in its order, m1 first; then the declined turns of each
// coin; then the flicks by coin, direction, speed and lift, each without and with taupinière. A flick has the number of the point of the grid
// that is nearest to it, a placing on other places none.
func (Rules) Numbering(c Config, _ int) (int, func(Action) int) {
	placings, placed := game.Enumerate(c.Board.eachPlacing)
	flicks := placings + len(coinNames)
	return flicks + len(coinNames)*directions*speeds*lifts*2, func(a Action) int {
		switch a.Type {
		case Place:
			return placed(a)
		case Nasdaq:
			return placings + int(a.Coin)
		}
		range1 := int32(c.MignetteMaxMMS) - 1
		if a.Coin == Mole {
			range1 = int32(c.MoleMaxMMS) - 1
		}
		n := int(a.Coin)*directions + int(sectorOf(a.Angle))
		n = n*speeds + int(((a.Speed-1)*(speeds-1)*2+range1)/(2*range1))
		n = n*lifts + int((a.Lift*(lifts-1)*2+maxLift)/(2*maxLift))
		n = 2 * n
		if a.Taupiniere {
			n++
		}
		return flicks + n
	}
}

// sectorOf returns the direction of the grid that is nearest to an angle.
func sectorOf(mdeg int32) int32 { return (mdeg + sector/2) / sector % directions }

// eachPlacing gives add the placings of the grid.
func (b *Board) eachPlacing(add func(Action)) {
	var list [maxPlaces]Point
	n := b.places(&list)
	for i := range n {
		for j := i + 1; j < n; j++ {
			for k := j + 1; k < n; k++ {
				add(Action{Type: Place, At: [Mignettes]Point{list[i], list[j], list[k]}})
			}
		}
	}
}

// Choices is the grid. Where a coin may not go in a direction of it, but in one that is nearest to it, it goes in that.
func (Rules) Choices(s *State, _ game.Seat, o *game.Offer[Action]) {
	if s.Phase == PhasePlace {
		s.Board.eachPlacing(o.Add)
		return
	}
	for c := range Coin(len(s.Coins)) {
		if (c == Mole) != (s.Phase == PhaseMole) || !s.Coins[c].Alive || s.Coins[c].Played {
			continue
		}
		if s.mayDecline(c) {
			o.Add(Action{Type: Nasdaq, Coin: c})
		}
		arcs := s.arcsOf(c)
		for k := int32(0); k < directions && arcs.n > 0; k++ {
			if angle := arcs.nearest(k * sector); sectorOf(angle) == k {
				s.addFlicks(Action{Type: Flick, Coin: c, Angle: angle}, o)
			}
		}
	}
}

// addFlicks adds a at every speed and lift of the grid, without and with taupinière where the mole may declare it.
func (s *State) addFlicks(a Action, o *game.Offer[Action]) {
	fastest, overhangs := s.fastest(a.Coin), s.Board.overhangs(s.circle(a.Coin))
	for v := range int32(speeds) {
		a.Speed = 1 + (fastest-1)*v/(speeds-1)
		for l := int32(0); l < lifts && (l == 0 || overhangs); l++ {
			a.Lift, a.Taupiniere = maxLift*l/(lifts-1), false
			o.Add(a)
			if a.Coin == Mole && s.Living() >= 2 {
				a.Taupiniere = true
				o.Add(a)
			}
		}
	}
}

// Observe writes the round and the coins: mole, m1, m2, m3. Board and limits are the configuration's.
func (Rules) Observe(s *State, seat game.Seat, o *game.Observation) {
	game.Put(o, "phase", 0, int(PhaseOver), s.Phase)
	o.Flag("i_am_mole", s.seat() == seat)
	game.Put(o, "score", 0, 1<<10, s.Score[:]...)
	game.Put(o, "round", 1, int(s.MaxRounds)+1, s.Round)
	game.Put(o, "mole_turns", 0, int(s.MoleTurnsMost), s.MoleTurns)
	for _, p := range s.Coins {
		game.Put(o, "coins_um", 0, int(max(s.Board.W, s.Board.H)), p.At.X, p.At.Y)
	}
	alive, played := uint64(0), uint64(0)
	for i, p := range s.Coins {
		if p.Alive {
			alive |= 1 << i
		}
		if p.Played {
			played |= 1 << i
		}
	}
	o.Bits("alive", len(s.Coins), alive)
	o.Bits("played", len(s.Coins), played)
	o.Flag("protected", s.protected())
	gad := uint64(0)
	list, n := s.touching()
	for _, id := range list[:n] {
		gad |= 1 << id
	}
	o.Bits("gad", len(s.Coins), gad)
	game.Put(o, "pending_edge", 0, int(coins.Right), s.PendingEdge)
	game.Put(o, "pending_by", 0, Mignettes, s.PendingBy)
}
