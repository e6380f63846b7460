package coins_test

import (
	"math"
	"testing"

	"github.com/molerun/molerun/engines/mole/coins"
)

func TestSinCosAgreesWithTheStandardLibrary(t *testing.T) {
	worst := 0.0
	for mdeg := -coins.FullTurn; mdeg < 2*coins.FullTurn; mdeg += 7 {
		sin, cos := coins.SinCos(mdeg)
		wantSin, wantCos := math.Sincos(float64(mdeg%coins.FullTurn) * math.Pi / 180_000)
		worst = max(worst, math.Abs(sin-wantSin), math.Abs(cos-wantCos), math.Abs(sin*sin+cos*cos-1))
	}
	if worst > 2e-15 { // the library's own argument, up to 2π, is only good to 9e-16
		t.Errorf("the largest difference is %g", worst)
	}
	for quarter, want := range [][2]float64{{0, 1}, {1, 0}, {0, -1}, {-1, 0}} {
		if sin, cos := coins.SinCos(quarter * 90_000); sin != want[0] || cos != want[1] {
			t.Errorf("%d°: got %g, %g, want %v exactly", quarter*90, sin, cos, want)
		}
	}
}

func TestDirectionIsTheNearestWholeMdeg(t *testing.T) {
	for mdeg := 0; mdeg < coins.FullTurn; mdeg += 13 {
		sin, cos := coins.SinCos(mdeg)
		if got := coins.Direction(23.1*cos, 23.1*sin); got != mdeg {
			t.Fatalf("the direction of %d mdeg: got %d", mdeg, got)
		}
		sin, cos = math.Sincos((float64(mdeg) + .4) * math.Pi / 180_000)
		if got := coins.Direction(1e6*cos, 1e6*sin); got != mdeg {
			t.Fatalf("the direction of %d.4 mdeg: got %d", mdeg, got)
		}
	}
	for want, d := range map[int][2]float64{0: {1, 0}, 90_000: {0, 1}, 180_000: {-1, 0}, 270_000: {0, -1}, 135_000: {-5, 5}} {
		if got := coins.Direction(d[0], d[1]); got != want {
			t.Errorf("the direction of %v: got %d, want %d", d, got, want)
		}
	}
}
