package main

import (
	"math"
	"math/rand/v2"
	"testing"
)

func TestAStraightFlickStopsWhereTheClosedFormSays(t *testing.T) {
	for _, row := range []struct {
		name   string
		solver solver
		within float64
	}{
		{"coins", newOurs(), 1e-12},
		{"steps of 1/60", newStepper(1.0 / 60), 15.0 / 60}, // the way of one step
		{"steps of 1/960", newStepper(1.0 / 960), 15.0 / 960},
	} {
		if got, err := stopError(row.solver, 15); err != nil || !(got <= row.within) {
			t.Errorf("%s: off by %g (%v), want %g at most", row.name, got, err, row.within)
		}
	}
}

// A head-on hit of equal discs, restitution e: at the contact the speed is u = √(v² − 2·a·gap), and then they slide on with
// (1 − e)/2 and (1 + e)/2 of it. The stepper agrees within the way of two steps, and so the better the shorter they are.
func TestBothAgreeOnAHeadOnShot(t *testing.T) {
	const v, gap = 10.0, 1.5
	x := straight(v)
	x.at[1] = vec{X: x.at[0].X + 2*radius + gap, Y: x.at[0].Y}
	u := math.Sqrt(v*v - 2*decel*gap)
	want := [2]float64{x.at[0].X + gap + closed((1-bounce)/2*u), x.at[1].X + closed((1+bounce)/2*u)}
	for _, row := range []struct {
		name   string
		solver solver
		within float64
	}{
		{"coins", newOurs(), 1e-9},
		{"steps of 1/60", newStepper(1.0 / 60), 2 * v / 60},
		{"steps of 1/960", newStepper(1.0 / 960), 2 * v / 960},
	} {
		rest, err := row.solver.play(x)
		if err != nil {
			t.Fatalf("%s: %v", row.name, err)
		}
		for i, w := range want {
			if d := math.Hypot(rest[i].X-w, rest[i].Y-x.at[0].Y); !(d <= row.within) {
				t.Errorf("%s: disc %d rests at %v, off (%.4f, %.4f) by %g; want %g at most", row.name, i, rest[i], w, x.at[0].Y, d, row.within)
			}
		}
	}
}

// The shots of the measurement are worth measuring: most hit a disc, and in both solvers all stay on the table.
func TestTheShotsOfTheMeasurementHit(t *testing.T) {
	const n = 300
	for name, s := range map[string]solver{"coins": newOurs(), "steps of 1/60": newStepper(1.0 / 60)} {
		hit := 0
		for k, x := range shots(rand.New(rand.NewPCG(3, 4)), n) {
			rest, err := s.play(x)
			if err != nil {
				t.Fatalf("%s: shot %d: %v", name, k, err)
			}
			moved := false
			for i, at := range rest {
				moved = moved || i > 0 && at != x.at[i]
				if at.X < 0 || at.X > side {
					t.Errorf("%s: shot %d: disc %d rests at %v, left or right of the table", name, k, i, at)
				}
				if at.Y < 0 || at.Y > side {
					t.Errorf("%s: shot %d: disc %d rests at %v, before or behind the table", name, k, i, at)
				}
			}
			if moved {
				hit++
			}
		}
		if hit < n/2 {
			t.Errorf("%s: %d of %d shots moved another disc, want most", name, hit, n)
		}
	}
}
