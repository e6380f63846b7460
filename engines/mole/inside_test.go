package mole

import (
	"encoding/json"
	"math"
	"math/big"
	"slices"
	"testing"

	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/engines/mole/coins"
)

// TestArcsAreTheDirectionsAwayFromAllItTouches (row 12): random neighbours, every direction near an end of an arc and many more.
func TestArcsAreTheDirectionsAwayFromAllItTouches(t *testing.T) {
	r := game.Stream(game.Seed{21}, 0, "arcs")
	empty := 0
	for range 400 {
		s := State{Board: Classic()}
		s.Coins[Mole] = Piece{At: Point{150_000, 200_000}, Alive: true}
		for id := M1; id <= M3; id++ {
			mdeg := r.IntN(coins.FullTurn)
			if r.IntN(3) == 0 {
				mdeg = 45_000 * r.IntN(8)
			}
			sin, cos := coins.SinCos(mdeg)
			s.Coins[id] = Piece{At: Point{150_000 + round(23_110*cos), 200_000 + round(23_110*sin)}, Alive: r.IntN(4) > 0}
			if r.IntN(20) == 0 {
				s.Coins[id].At = s.Coins[Mole].At // as only a guessed table can be
			}
		}
		a := s.moleArcs()
		for k, x := range a.list[:a.n] {
			if x.From < 0 || x.From > x.To || x.To >= coins.FullTurn {
				t.Fatalf("arc %d: want it within a turn, got %v", k, x)
			}
			if k > 0 && x.From <= a.list[k-1].To {
				t.Fatalf("want arcs ascending and disjoint, got %v", a.list[:a.n])
			}
		}
		if a.n == 0 {
			empty++
		}
		try := []int{}
		for _, x := range a.list[:a.n] {
			for d := -3; d <= 3; d++ {
				try = append(try, int(x.From)+d, int(x.To)+d)
			}
		}
		for range 300 {
			try = append(try, r.IntN(coins.FullTurn))
		}
		for _, mdeg := range try {
			mdeg = (mdeg + coins.FullTurn) % coins.FullTurn
			sin, cos := coins.SinCos(mdeg)
			want := true
			for id := M1; id <= M3; id++ {
				dx, dy := float64(s.Coins[id].At.X-150_000), float64(s.Coins[id].At.Y-200_000)
				if s.Coins[id].Alive && float64(cos*dx)+float64(sin*dy) > 0 {
					want = false
				}
			}
			if got := a.has(int32(mdeg)); got != want {
				t.Fatalf("%d mdeg: allowed is %v, want %v; arcs %v, coins %+v", mdeg, got, want, a.list[:a.n], s.Coins)
			}
		}
		if a.n > 0 {
			mdeg := int32(r.IntN(coins.FullTurn))
			if got, want := a.nearest(mdeg), slowNearest(&a, mdeg); turn(got, mdeg) != turn(want, mdeg) {
				t.Fatalf("the nearest to %d: got %d, want %d in %v", mdeg, got, want, a.list[:a.n])
			}
		}
	}
	if empty < 5 {
		t.Errorf("only %d times no direction was left", empty)
	}
}

// TestOfTwoNearestDirectionsTheLowerIsTaken, an end of an arc before the next.
func TestOfTwoNearestDirectionsTheLowerIsTaken(t *testing.T) {
	a := arcs{list: [2 * Mignettes]arc{{90_000, 90_000}, {270_000, 270_000}}, n: 2}
	for mdeg, want := range map[int32]int32{0: 90_000, 180_000: 90_000, 180_001: 270_000, 359_999: 270_000, 90_000: 90_000} {
		if got := a.nearest(mdeg); got != want {
			t.Errorf("nearest to %d: got %d, want %d", mdeg, got, want)
		}
	}
}

func turn(a, b int32) int32 { d := max(a-b, b-a); return min(d, coins.FullTurn-d) }

// slowNearest looks outwards step by step.
func slowNearest(a *arcs, mdeg int32) int32 {
	for d := int32(0); ; d++ {
		for _, x := range []int32{mdeg - d, mdeg + d} {
			if x = (x + coins.FullTurn) % coins.FullTurn; a.has(x) {
				return x
			}
		}
	}
}

// TestNoiseHasItsDeviations (P7), and none and Nasdaq draw nothing.
func TestNoiseHasItsDeviations(t *testing.T) {
	for noise, want := range [][2]float64{{0, 0}, {500, .02}, {1500, .05}} {
		s := State{Board: Classic(), Noise: uint8(noise)}
		r := game.Stream(game.Seed{5}, 0, "noise")
		const n = 40_000
		var sumA, sumA2, sumV, sumV2 float64
		for range n {
			shot := s.execute(Action{Type: Flick, Coin: M1, Angle: 359_900, Speed: 1000}, r)
			a := float64(shot.Angle) - 359_900
			if a < -180_000 {
				a += coins.FullTurn
			}
			v := float64(shot.Speed)/1e6 - 1
			sumA, sumA2, sumV, sumV2 = sumA+a, sumA2+a*a, sumV+v, sumV2+v*v
			if shot.Angle < 0 || shot.Angle >= coins.FullTurn {
				t.Fatalf("executed at %d mdeg", shot.Angle)
			}
		}
		if sd := math.Sqrt(sumA2 / n); math.Abs(sd-want[0]) > .02*want[0] || math.Abs(sumA/n) > .02*want[0] {
			t.Errorf("%s: angle deviates by %g mdeg about %g, want %g about 0", noiseNames[noise], sd, sumA/n, want[0])
		}
		if sd := math.Sqrt(sumV2 / n); math.Abs(sd-want[1]) > .02*want[1] || math.Abs(sumV/n) > .02*want[1] {
			t.Errorf("%s: speed deviates by %g about %g, want %g about 0", noiseNames[noise], sd, sumV/n, want[1])
		}
	}
	s := State{Board: Classic(), Noise: 2}
	r := game.Stream(game.Seed{5}, 0, "slow")
	for range 2000 {
		if shot := s.execute(Action{Type: Flick, Coin: M1, Speed: 1}, r); shot.Speed < leastSpeed {
			t.Fatalf("executed at %d µm/s", shot.Speed)
		}
	}
	a, b := game.Stream(game.Seed{6}, 0, "x"), game.Stream(game.Seed{6}, 0, "x")
	s.Noise = 0
	if s.execute(Action{Type: Flick, Coin: M1, Speed: 1}, a); a.Uint64() != b.Uint64() {
		t.Error("without noise nothing is drawn")
	}
}

// TestNormalHasTheMomentsOfTwelveUniforms: mean 0, variance 1, kurtosis 2.9.
func TestNormalHasTheMomentsOfTwelveUniforms(t *testing.T) {
	r := game.Stream(game.Seed{7}, 0, "normal")
	const n = 200_000
	var m1, m2, m4 float64
	for range n {
		x := normal(r)
		m1, m2, m4 = m1+x/n, m2+x*x/n, m4+x*x*x*x/n
	}
	if math.Abs(m1) > .01 || math.Abs(m2-1) > .02 || math.Abs(m4-2.9) > .1 {
		t.Errorf("moments %g, %g, %g", m1, m2, m4)
	}
}

// TestWallsAreExactToTheMicrometre compares with rational arithmetic.
func TestWallsAreExactToTheMicrometre(t *testing.T) {
	r := game.Stream(game.Seed{8}, 0, "walls")
	point := func() Point { return Point{int32(r.IntN(1_000_001)), int32(r.IntN(1_000_001))} }
	hit := 0
	for n := range 20_000 {
		w, c := Wall{point(), point()}, Circle{point(), int32(1 + r.IntN(400_000))}
		if w.A == w.B {
			continue
		}
		if n%2 == 0 { // nearly touching: the radius is the distance, give or take a micrometre
			c.R = max(int32(math.Sqrt(slowApart(c.At, w)))+int32(r.IntN(3))-1, 1)
		}
		got, want := c.overlapsWall(w), slowOverlap(c, w)
		if got != want {
			t.Fatalf("%+v and %+v: overlap is %v, want %v", c, w, got, want)
		}
		if got {
			hit++
		}
	}
	if hit < 2000 || hit > 18_000 {
		t.Errorf("%d of 20000 overlap", hit)
	}
}

// slowOverlap: (p−a)×d squared < r² d², with big numbers, where the foot is within; else the ends.
func slowOverlap(c Circle, w Wall) bool {
	big64 := func(x int64) *big.Int { return big.NewInt(x) }
	dx, dy := int64(w.B.X-w.A.X), int64(w.B.Y-w.A.Y)
	px, py := int64(c.At.X-w.A.X), int64(c.At.Y-w.A.Y)
	r2 := new(big.Int).Mul(big64(int64(c.R)), big64(int64(c.R)))
	if along := px*dx + py*dy; along > 0 && along < dx*dx+dy*dy {
		side := new(big.Int).Sub(new(big.Int).Mul(big64(dx), big64(py)), new(big.Int).Mul(big64(dy), big64(px)))
		return side.Mul(side, side).Cmp(r2.Mul(r2, big64(dx*dx+dy*dy))) < 0
	}
	return min(apart2(c.At, w.A), apart2(c.At, w.B)) < r2.Int64()
}

// slowApart returns the square of the distance of a point and a wall.
func slowApart(p Point, w Wall) float64 {
	dx, dy := float64(w.B.X-w.A.X), float64(w.B.Y-w.A.Y)
	px, py := float64(p.X-w.A.X), float64(p.Y-w.A.Y)
	k := math.Min(1, math.Max(0, (px*dx+py*dy)/(dx*dx+dy*dy)))
	return (px-k*dx)*(px-k*dx) + (py-k*dy)*(py-k*dy)
}

// TestOnlyWhatLandsAfterTheMoleIsOnHim (row 13): of two that lie on each other the later to land is the upper.
func TestOnlyWhatLandsAfterTheMoleIsOnHim(t *testing.T) {
	for _, row := range []struct {
		name     string
		mole, m1 int // order of landing, 0: it has not flown
		m1x      int32
		want     bool
	}{
		{"m1 on the mole", 0, 1, 160_000, true},
		{"m1 after the mole", 1, 2, 160_000, true},
		{"m1 before the mole", 2, 1, 160_000, false},
		{"the mole on m1", 1, 0, 160_000, false},
		{"m1 no longer over the mole", 0, 1, 173_100, false},
	} {
		s := State{Board: Classic()}
		s.Coins[Mole] = Piece{At: Point{150_000, 200_000}, Alive: true}
		s.Coins[M1] = Piece{At: Point{row.m1x, 200_000}, Alive: true}
		var sim coins.Sim
		for id, rank := range map[Coin]int{Mole: row.mole, M1: row.m1} {
			if rank > 0 {
				sim.Discs[id].Mode, sim.Discs[id].Rank = coins.Raised, rank
			}
		}
		if got := s.onMole(&sim); got != row.want {
			t.Errorf("row 13: %s: %v", row.name, got)
		}
		s.Coins[M1], s.Coins[M3] = s.Coins[M3], s.Coins[M1]
		sim.Discs[M1], sim.Discs[M3] = sim.Discs[M3], sim.Discs[M1]
		if got := s.onMole(&sim); got != row.want {
			t.Errorf("row 13: %s, m3 being m1: %v", row.name, got)
		}
	}
}

// TestAFullBoardLeavesACoinWhereItIs: the search for a free place ends.
func TestAFullBoardLeavesACoinWhereItIs(t *testing.T) {
	s := State{Board: Board{W: 100_000, H: 100_000, NPosts: 1}}
	s.Board.Posts[0] = Circle{Point{50_000, 50_000}, 200_000}
	s.Coins[M1] = Piece{At: Point{10_000, 10_000}, Alive: true}
	if got := s.freePlace(M1, s.Coins[M1].At); got != s.Coins[M1].At {
		t.Errorf("moved to %v", got)
	}
}

// TestEveryPairOfPlacesOfferedIsApart on odd nichees too.
func TestEveryPairOfPlacesOfferedIsApart(t *testing.T) {
	r := game.Stream(game.Seed{9}, 0, "places")
	for range 200 {
		b := Classic()
		b.W, b.H = 1_000_000, 1_000_000
		b.Nichee.To = Point{b.Nichee.From.X + 20_300 + int32(r.IntN(600_000)), b.Nichee.From.Y + 20_300 + int32(r.IntN(300_000))}
		if r.IntN(2) == 0 { // a post and the mole in it
			b.NPosts, b.Posts[0] = 1, Circle{Point{80_000, 270_000}, 5000}
			b.Circle.At = Point{b.Nichee.From.X + 20_000, b.Nichee.To.Y - 20_000}
		}
		var list [maxPlaces]Point
		n := b.places(&list)
		for i, p := range list[:n] {
			c := Circle{p, mignetteRadius}
			if !c.withinRect(b.Nichee) {
				t.Fatalf("%v is not in %v", p, b.Nichee)
			}
			if !b.clear(c) || c.overlaps(Circle{b.Circle.At, moleRadius}) {
				t.Fatalf("%v is on a post or the mole", p)
			}
			for _, q := range list[:i] {
				if c.overlaps(Circle{q, mignetteRadius}) {
					t.Fatalf("%v and %v overlap", p, q)
				}
			}
		}
	}
}

// TestGeometryIsExactAtTouching: overlapping takes something in common, being inside may touch.
func TestGeometryIsExactAtTouching(t *testing.T) {
	at := Point{100_000, 100_000}
	c, r := Circle{at, 10_000}, Rect{Point{90_000, 90_000}, Point{110_000, 110_000}}
	inset := func(x0, y0, x1, y1 int32) Rect {
		return Rect{Point{r.From.X + x0, r.From.Y + y0}, Point{r.To.X - x1, r.To.Y - y1}}
	}
	wall := func(x0, y0, x1, y1 int32) Wall { return Wall{Point{x0, y0}, Point{x1, y1}} }
	for name, row := range map[string]struct{ got, want bool }{
		"a circle is within itself":             {c.within(c), true},
		"not within a smaller one":              {c.within(Circle{at, 9_999}), false},
		"within a rectangle it just fits":       {c.withinRect(r), true},
		"not if its left is in the way":         {c.withinRect(inset(1, 0, 0, 0)), false},
		"not if its bottom is":                  {c.withinRect(inset(0, 1, 0, 0)), false},
		"not if its right is":                   {c.withinRect(inset(0, 0, 1, 0)), false},
		"not if its top is":                     {c.withinRect(inset(0, 0, 0, 1)), false},
		"touching a wall's side":                {c.overlapsWall(wall(0, 110_000, 300_000, 110_000)), false},
		"a micrometre nearer":                   {c.overlapsWall(wall(0, 109_999, 300_000, 109_999)), true},
		"touching a wall's first end":           {c.overlapsWall(wall(110_000, 100_000, 300_000, 100_000)), false},
		"a micrometre nearer to the first end":  {c.overlapsWall(wall(109_999, 100_000, 300_000, 100_000)), true},
		"touching a wall's second end":          {c.overlapsWall(wall(0, 100_000, 90_000, 100_000)), false},
		"a micrometre nearer to the second end": {c.overlapsWall(wall(0, 100_000, 90_001, 100_000)), true},
	} {
		if row.got != row.want {
			t.Errorf("%s: got %v, want %v", name, row.got, row.want)
		}
	}
	for x, want := range map[float64]int64{3: 3, -3: -3, 2.5: 2, -2.5: -3, 0: 0} {
		if got := floor(x); got != want {
			t.Errorf("floor(%g): got %d, want %d", x, got, want)
		}
	}
}

// TestAFreePlaceIsSoughtFromZeroDegreesCounterClockwise (F4).
func TestAFreePlaceIsSoughtFromZeroDegreesCounterClockwise(t *testing.T) {
	for _, row := range []struct {
		name string
		at   Point
		want Point
	}{
		{"in the open to the right", Point{100_000, 100_000}, Point{120_300, 100_000}},
		{"at the right edge the first degrees are off the board", Point{300_000, 100_000}, Point{300_000, 120_300}},
		{"in the upper right corner to the left", Point{300_000, 450_000}, Point{279_700, 450_000}},
	} {
		s := State{Board: Classic()}
		s.Coins[M1] = Piece{At: row.at, Alive: true}
		if got := s.freePlace(M2, row.at); got != row.want {
			t.Errorf("F4: %s: got %v, want %v", row.name, got, row.want)
		}
	}
}

// UnmarshalJSON reads how a round ended, which is all that the test of the words varies: no program reads an event back.
func (e *Event) UnmarshalJSON(b []byte) error {
	var end struct{ Kind, Winner, Why string }
	err := json.Unmarshal(b, &end)
	*e = Event{Kind: end.Kind, Winner: winner(slices.Index(winnerNames[:], end.Winner)), Why: end.Why}
	return err
}
