package coins

import (
	"testing"

	"github.com/molerun/molerun/internal/must"
)

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
	must.OK(t, s.Run())
	a, b := &s.Discs[0], &s.Discs[1]
	if a.Mode != Raised || b.Mode != Raised {
		t.Errorf("got modes %d and %d, want both raised", a.Mode, b.Mode)
	}
	if a.Rank != 1 || b.Rank != 2 {
		t.Errorf("got ranks %d and %d, want disc 0 first", a.Rank, b.Rank)
	}
}

func TestTwoCoinsInTheAirDoNotTouch(t *testing.T) {
	for name, row := range map[string]struct{ apart, up float64 }{"high": {200, 1500}, "low": {40, 100}} {
		s := &Sim{Scene: Scene{W: 1000, H: 1000, Decel: 2452.5, CoinBounce: .75, WallBounce: .6}, N: 2}
		for i, x := range []float64{400, 400 + row.apart} {
			s.Discs[i] = Disc{At: Vec{x, 500}, R: 10.15, Mass: 3.56, Thick: 1.52, Dir: Vec{float64(1 - 2*i), 0}, Speed: 1000, Mode: Flying, ZSpeed: row.up, passed: noHeight, Flew: true}
			s.begin(i)
		}
		s.Trace = new(Trace)
		must.OK(t, s.Run())
		if s.Discs[0].At.X <= s.Discs[1].At.X || len(s.Trace.Marks) > 0 {
			t.Errorf("%s: they came to %v and %v, marks %v", name, s.Discs[0].At, s.Discs[1].At, s.Trace.Marks)
		}
	}
}

// Two coins slide in touch, parting at first; their frictions pull them together again within the gap that is touching.
func TestTouchingCoinsThatBeginToApproachMakeAContact(t *testing.T) {
	s := &Sim{Scene: Scene{W: 5000, H: 5000, Decel: 2452.5, CoinBounce: .75, WallBounce: .6}, N: 2}
	for i, d := range []Disc{{At: Vec{500, 500}, Dir: Vec{.6, .8}, Speed: 100}, {At: Vec{520.3, 500}, Dir: Vec{.8, .6}, Speed: 75.0005}} {
		d.R, d.Mass, d.Thick = 10.15, 3.56, 1.52
		s.Discs[i] = d
		s.begin(i)
	}
	s.Trace = new(Trace)
	must.OK(t, s.Run())
	if len(s.Trace.Marks) == 0 || s.Trace.Marks[0].T > 1e-3 || s.Events > 40 {
		t.Errorf("want a contact within a millisecond, and few events: got %v, %d events", s.Trace.Marks, s.Events)
	}
	if s.deepest() > touchGap {
		t.Errorf("they overlap by %g mm", s.deepest())
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
		must.OK(t, s.Run())
		if got := s.Discs[0].At.X; got > 500 != row.beyond {
			t.Errorf("%s: rests at %g", name, got)
		}
	}
}

// A coin that flies has no friction, so it presses on the one before it: hardly faster than that, it comes down (F2).
func TestACoinInTheAirThatMovesWithAnotherComesDown(t *testing.T) {
	for first := range 2 { // whichever stands first in the list
		fly := Disc{At: Vec{500, 500}, Mode: Flying, Dir: Vec{1, 0}, Speed: 400, Z: .5, ZSpeed: 100, passed: noHeight, Flew: true}
		list := [2]Disc{fly, {At: Vec{520.3, 500}, Dir: Vec{1, 0}, Speed: 400}}
		list[0], list[1] = list[first], list[1-first]
		s := scene(list[:]...)
		s.CoinBounce = 0
		if err := s.Run(); err != nil {
			t.Errorf("first %d: %v", first, err)
		}
		if s.Events > 10 || s.Time < .1 {
			t.Errorf("first %d: %d events in %g s, want at most 10 in at least 0.1 s", first, s.Events, s.Time)
		}
		if got := s.Discs[first].Mode; got != Sliding {
			t.Errorf("first %d: mode %d, want it to slide", first, got)
		}
	}
}

// A coin that drifts across the lip while it slides along it would land where it took off, thousands of times (F1).
func TestACoinThatDriftsAcrossTheLipSlidesOn(t *testing.T) {
	for _, row := range []struct {
		across float64 // of a speed of 300 mm/s
		flew   bool
	}{{1e-12, false}, {.099, false}, {.101, true}, {30, true}} {
		s := scene(Disc{At: Vec{500, 300}, Dir: Vec{1, row.across / 300}, Speed: 300})
		s.Ramp = Ramp{On: true, Quarter: 1, Lip: 300, From: 400, To: 900}
		s.Ramp.Sin, s.Ramp.Cos = SinCos(1)
		if err := s.Run(); err != nil || s.Events > 3 {
			t.Errorf("across at %g mm/s: %v, %d events, want at most 3", row.across, err, s.Events)
		}
		if got := s.Discs[0].Flew; got != row.flew {
			t.Errorf("across at %g mm/s: flew %v, want %v", row.across, got, row.flew)
		}
		if at := s.Discs[0].At; at.Y <= 300 && row.across > 1e-6 {
			t.Errorf("across at %g mm/s: rests at %v, want it beyond 300", row.across, at)
		}
	}
}

// The cap on events is an error, not a result.
func TestTooManyEventsIsAnError(t *testing.T) {
	s := &Sim{Scene: Scene{W: 1000, H: 1000, Decel: 1e-300, CoinBounce: 1, WallBounce: 1}, N: 1}
	s.Walls[0], s.Walls[1], s.NWalls = NewWall(Vec{500, 0}, Vec{500, 1000}), NewWall(Vec{530, 0}, Vec{530, 1000}), 2
	s.Discs[0] = Disc{At: Vec{515, 500}, R: 10.15, Mass: 3.56, Thick: 1.52}
	s.Flick(0, 0, 1000, 0)
	if err := s.Run(); err == nil || s.Events != maxEvents+1 {
		t.Errorf("an endless bouncing: %v after %d events", err, s.Events)
	}
}
