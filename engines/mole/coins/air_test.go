package coins

import "testing"

// Two coins in the air do not touch, so one may come down to the plane beneath or upon the other: it stops there, out of the
// plane, and nothing in the plane overlaps.
func TestLandingWhereAnotherStillFliesLow(t *testing.T) {
	s := &Sim{Scene: Scene{W: 1000, H: 1000, Decel: 2452.5, CoinBounce: .75, WallBounce: .6}, N: 2}
	fly := func(x, z float64) Disc {
		return Disc{At: Vec{x, 500}, R: 10.15, Mass: 3.56, Thick: 1.52, Mode: Flying, Dir: Vec{1, 0}, Speed: 100, Z: z, ZSpeed: -50, passed: 1.52, Flew: true}
	}
	s.Discs[0], s.Discs[1] = fly(500, 1), fly(505, 1.4)
	s.begin(0)
	s.begin(1)
	if err := s.Run(); err != nil {
		t.Fatal(err)
	}
	a, b := &s.Discs[0], &s.Discs[1]
	if a.Mode != Raised || b.Mode != Raised || a.Rank != 1 || b.Rank != 2 {
		t.Errorf("want both raised, 0 first: got modes %d, %d and ranks %d, %d", a.Mode, b.Mode, a.Rank, b.Rank)
	}
}

// A coin that overlaps a thing after a flight is turned back if it approaches, and let go if not.
func TestComingDownOverAWall(t *testing.T) {
	for name, row := range map[string]struct {
		x      float64
		beyond bool
	}{"centre before the wall": {495, false}, "centre beyond it": {501, true}} {
		s := &Sim{Scene: Scene{W: 1000, H: 1000, Decel: 2452.5, CoinBounce: .75, WallBounce: .6}, N: 1}
		s.Walls[0], s.NWalls = NewWall(Vec{500, 0}, Vec{500, 1000}), 1
		s.Discs[0] = Disc{At: Vec{row.x, 500}, R: 10.15, Mass: 3.56, Thick: 1.52, Mode: Flying, Dir: Vec{1, 0}, Speed: 300, Z: 10.0001, passed: noHeight, Flew: true}
		s.begin(0)
		if err := s.Run(); err != nil {
			t.Fatal(err)
		}
		if got := s.Discs[0].At.X; got > 500 != row.beyond {
			t.Errorf("%s: rests at %g", name, got)
		}
	}
}

// The cap on events is an error, not a result.
func TestTooManyEventsIsAnError(t *testing.T) {
	s := &Sim{Scene: Scene{W: 1000, H: 1000, Decel: 1e-300, CoinBounce: 1, WallBounce: 1}, N: 1}
	s.Walls[0], s.Walls[1], s.NWalls = NewWall(Vec{500, 0}, Vec{500, 1000}), NewWall(Vec{530, 0}, Vec{530, 1000}), 2
	s.Discs[0] = Disc{At: Vec{515, 500}, R: 10.15, Mass: 3.56, Thick: 1.52}
	s.Flick(0, 0, 1000, 0)
	if err := s.Run(); err == nil {
		t.Error("an endless bouncing ended without an error")
	}
}
