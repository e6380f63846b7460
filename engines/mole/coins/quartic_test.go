package coins

import (
	"math"
	"slices"
	"testing"

	"github.com/molerun/molerun/engines/game"
)

func TestAQuarticAndItsDerivatives(t *testing.T) {
	c := quartic{1, 2, 3, 4, 5}
	if at, slope, bend := c.at(2), c.slope(2), c.bend(2); at != 129 || slope != 222 || bend != 294 {
		t.Errorf("1 + 2t + 3t² + 4t³ + 5t⁴ at 2: got %g, %g, %g, want 129, 222, 294", at, slope, bend)
	}
}

// sloped returns a quartic whose slope is k(t−a)(t−b)(t−c), from height h.
func sloped(h, k, a, b, c float64) quartic {
	return quartic{h, -k * a * b * c, k * (a*b + b*c + c*a) / 2, -k * (a + b + c) / 3, k / 4}
}

// parabolic returns a cubic whose slope is k(t−a)(t−b).
func parabolic(k, a, b float64) quartic { return quartic{0, k * a * b, -k * (a + b) / 2, k / 3, 0} }

// TestTurnsAreWhereTheSlopeChangesItsSign: slopes with known zeros, some of them outside the range asked for.
func TestTurnsAreWhereTheSlopeChangesItsSign(t *testing.T) {
	check := func(what string, c quartic, end float64, want ...float64) {
		t.Helper()
		var out [5]float64
		n := c.turns(&out, end)
		want = append(slices.DeleteFunc(want, func(x float64) bool { return x <= 0 || x >= end }), end)
		slices.Sort(want)
		if n != len(want) {
			t.Fatalf("%s: got %v, want %v", what, out[:n], want)
		}
		for i, x := range want {
			if !(math.Abs(out[i]-x) <= 1e-9*math.Max(1, math.Abs(x))) {
				t.Fatalf("%s: got %v, want %v", what, out[:n], want)
			}
		}
	}
	r := game.Stream(game.Seed{9}, 0, "turns")
	for range 2000 {
		var zeros [3]float64
		for i := range zeros { // apart from each other and from 0 and the end, at 6
			zeros[i] = float64(3*r.IntN(5)-3+i) + .1 + .8*float64(r.IntN(1000))/1000
		}
		k := float64(1+r.IntN(9)) * float64(1-2*r.IntN(2))
		check("three", sloped(1, k, zeros[0], zeros[1], zeros[2]), 6, zeros[0], zeros[1], zeros[2])
		check("two", parabolic(k, zeros[0], zeros[1]), 6, zeros[0], zeros[1])
		check("one", quartic{0, -2 * k * zeros[0], k}, 6, zeros[0])
	}
	check("the start is none, upwards", quartic{0, 0, 1}, 6)
	check("the start is none, downwards", quartic{0, 0, -1}, 6)
	check("a constant", quartic{7}, 6)
	check("a line", quartic{7, -1}, 6)
}

// TestTheFallIsTheFirstTimeDownToZero, or down from where bodies that touch begin.
func TestTheFallIsTheFirstTimeDownToZero(t *testing.T) {
	for _, row := range []struct {
		name      string
		c         quartic
		end, near float64
		want      float64
	}{
		{"a line", quartic{3, -1}, 5, 0, 3},
		{"not before the end", quartic{3, -1}, 2, 0, never},
		{"upwards", quartic{3, 1}, 5, 0, never},
		{"the first of two", quartic{2, -3, 1}, 5, 0, 1},
		{"a graze", quartic{1, -2, 1}, 5, 0, 1},
		{"just above", quartic{1.01, -2, 1}, 5, 0, never},
		{"first up, then down", quartic{0, 2, -1}, 5, 0, 2},
		{"the second fall, as the first stays above", sloped(30, 4, 1, 2, 6), 9, 0, 3.11701985302},
		{"from 0 by a thousandth of near", quartic{0, -1}, 5, 2, .002},
		{"from below 0 by as much again", quartic{-1, -1}, 5, 2, .002},
		{"from below 0 upwards", quartic{-1, .1}, 5, 2, never},
		{"from the top below 0 by as much", quartic{-1, 1, -1}, 5, 2, .5 + math.Sqrt(.002)},
	} {
		if got := row.c.fall(row.end, row.near); !(math.Abs(got-row.want) <= 1e-7*math.Max(1, row.want)) {
			t.Errorf("%s: got %.12g, want %g", row.name, got, row.want)
		}
	}
}

// TestAZeroIsFoundInFewStepsWithinItsBracket: Newton's steps near it, halving where they would leave the bracket.
func TestAZeroIsFoundInFewStepsWithinItsBracket(t *testing.T) {
	for _, row := range []struct {
		name   string
		lo, hi float64
		want   float64
		f      func(x float64) (value, slope float64)
	}{
		{"rising", 1, 2, math.Sqrt2, func(x float64) (float64, float64) { return x*x - 2, 2 * x }},
		{"falling", 1, 2, math.Sqrt2, func(x float64) (float64, float64) { return 2 - x*x, -2 * x }},
		{"far from the start", 5, 105, 6, func(x float64) (float64, float64) { return x - 6, 1 }},
		{"steps that leave below", -3, 20, -2, func(x float64) (float64, float64) {
			y := x + 2
			return y / (1 + math.Abs(y)), math.Pow(1+math.Abs(y), -2)
		}},
		{"steps that leave above", -20, 3, 2, func(x float64) (float64, float64) {
			y := x - 2
			return y / (1 + math.Abs(y)), math.Pow(1+math.Abs(y), -2)
		}},
		{"near 0", 1e-9, 1, 1e-6, func(x float64) (float64, float64) { return x*x - 1e-12, 2 * x }},
	} {
		calls := 0
		got := zero(row.lo, row.hi, func(x float64) (float64, float64) {
			if calls++; x < row.lo || x > row.hi {
				t.Fatalf("%s: asks at %g, outside [%g, %g]", row.name, x, row.lo, row.hi)
			}
			return row.f(x)
		})
		if math.Abs(got-row.want) > 1e-14*math.Abs(row.want) || calls > 30 {
			t.Errorf("%s: got %.17g in %d steps, want %.17g in at most 30", row.name, got, calls, row.want)
		}
	}
}
