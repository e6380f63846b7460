package mole_test

import (
	"math"
	"testing"

	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/engines/mole"
	"github.com/molerun/molerun/internal/gametest"
)

// TestRandomFlicksOnCrowdedBoards plays random legal flicks from random positions, most with coins that touch, on both
// boards and odd ones, through the rules: nothing overlaps by more than 2 µm (P4), every coin is on the board, and no flick
// reaches the cap on events, which would panic.
func TestRandomFlicksOnCrowdedBoards(t *testing.T) {
	const flicks = 20_000
	boards := []mole.Board{mole.Classic(), mole.Carnival(), cluttered()}
	r := game.Stream(game.Seed{11}, 0, "flicks")
	rules := mole.Rules{}
	for n := range flicks * gametest.Nightly(50) {
		c := rules.Defaults()
		c.Board.Board = boards[n%len(boards)]
		c.MoleMaxMMS, c.MignetteMaxMMS = 5000, 5000
		c.FrictionPermille, c.RestitutionPermille = 50+r.IntN(951), r.IntN(1001)
		c.MoleTurns, c.Noise = 100, []string{"none", "steady", "shaky"}[r.IntN(3)]
		var s mole.State
		rules.Deal(&s, c, 2, r, nil)
		crowd(&s, r)
		var o game.Offer[mole.Action]
		if rules.Offer(&s, 0, &o); len(o.Forms) == 0 {
			continue // the mole is hemmed in: no such turn begins
		}
		before, round := s, s.Round
		a := rules.Sample(&s, 0, r)
		rules.Apply(&s, []game.Act[mole.Action]{{Seat: rules.Due(&s).Lowest(), Action: a}}, r, nil)
		if s.Round != round || s.Phase == mole.PhaseOver {
			continue
		}
		if deep := deepest(&s); deep > 2 {
			t.Fatalf("flick %d: an overlap of %d µm after %s\nfrom %+v\nto   %+v", n, deep, a.AppendJSON(nil), before.Coins, s.Coins)
		}
		for id, p := range s.Coins {
			if p.Alive && !onBoard(&s, p.At) {
				t.Fatalf("flick %d: coin %d is off the board at %+v after %s", n, id, p.At, a.AppendJSON(nil))
			}
		}
	}
}

// cluttered returns a small board with as much on it as may be.
func cluttered() mole.Board {
	b := ramped()
	b.W, b.H = 200_000, 330_000
	b.Nichee = mole.Rect{From: mole.Point{X: 20_000, Y: 240_000}, To: mole.Point{X: 180_000, Y: 290_000}}
	b.Circle.At, b.Rosserie[1] = mole.Point{X: 60_000, Y: 50_000}, mole.Rect{From: mole.Point{X: 120_000, Y: 20_000}, To: mole.Point{X: 170_000, Y: 60_000}}
	add := func(ax, ay, bx, by int32) {
		b.Walls[b.NWalls] = mole.Wall{A: mole.Point{X: ax, Y: ay}, B: mole.Point{X: bx, Y: by}}
		b.NWalls++
	}
	b.NWalls, b.NPosts = 0, 0
	add(5_000, 100_000, 60_000, 101_000)
	add(60_000, 101_000, 60_000, 140_000)
	add(150_000, 140_000, 199_000, 160_000)
	add(100_000, 310_000, 130_000, 310_000)
	add(100_000, 100_000, 130_000, 125_000)
	add(100_000, 125_100, 130_000, 150_000)
	for k, at := range []mole.Point{{X: 30_000, Y: 160_000}, {X: 90_000, Y: 160_000}, {X: 40_000, Y: 305_000}} {
		b.Posts[k] = mole.Circle{At: at, R: 4_000 + int32(k)*3_000}
		b.NPosts++
	}
	return b
}

// onBoard reports whether a place is on the board, its edges too.
func onBoard(s *mole.State, p mole.Point) bool {
	return min(p.X, p.Y) >= 0 && p.X <= s.Board.W && p.Y <= s.Board.H
}

// crowd puts the coins somewhere, most of them beside another, and gives the turn to one side.
func crowd(s *mole.State, r *game.Rand) {
	radius := [4]int32{12_950, 10_150, 10_150, 10_150}
	s.MoleTurns = int16(r.IntN(2))
	s.Phase = []mole.Phase{mole.PhaseMignettes, mole.PhaseMole}[r.IntN(2)]
	for {
		s.Coins = [4]mole.Piece{}
		for id := range s.Coins {
			p := mole.Point{X: int32(r.IntN(int(s.Board.W) + 1)), Y: int32(r.IntN(int(s.Board.H) + 1))}
			if o := s.Coins[r.IntN(id+1)]; o.Alive && r.IntN(3) > 0 {
				p = mole.Point{X: o.At.X + int32(r.IntN(52_000)) - 26_000, Y: o.At.Y + int32(r.IntN(52_000)) - 26_000}
			}
			if !onBoard(s, p) {
				continue
			}
			s.Coins[id] = mole.Piece{At: p, Alive: true}
			for near := int32(0); near < 3 && deepest(s) > 0; near++ { // a little apart, if it is too near
				s.Coins[id].At.X += radius[id] / 2
			}
			if s.Coins[id].At.X > s.Board.W || deepest(s) > 1 {
				s.Coins[id] = mole.Piece{}
			}
		}
		if s.Coins[0].Alive && s.Coins[1].Alive {
			return
		}
	}
}

// deepest returns the greatest overlap on the board in whole µm, rounded down: by its own arithmetic.
func deepest(s *mole.State) (deep int) {
	radius := [4]float64{12_950, 10_150, 10_150, 10_150}
	far := func(x, y float64) float64 { return math.Hypot(x, y) }
	for i, a := range s.Coins {
		if !a.Alive {
			continue
		}
		x, y := float64(a.At.X), float64(a.At.Y)
		for j, b := range s.Coins[:i] {
			if b.Alive {
				deep = max(deep, int(radius[i]+radius[j]-far(x-float64(b.At.X), y-float64(b.At.Y))))
			}
		}
		for _, p := range s.Board.Posts[:s.Board.NPosts] {
			deep = max(deep, int(radius[i]+float64(p.R)-far(x-float64(p.At.X), y-float64(p.At.Y))))
		}
		for _, w := range s.Board.Walls[:s.Board.NWalls] {
			ax, ay := float64(w.A.X), float64(w.A.Y)
			dx, dy := float64(w.B.X)-ax, float64(w.B.Y)-ay
			k := math.Min(1, math.Max(0, ((x-ax)*dx+(y-ay)*dy)/(dx*dx+dy*dy)))
			deep = max(deep, int(radius[i]-far(x-ax-k*dx, y-ay-k*dy)))
		}
	}
	return deep
}
