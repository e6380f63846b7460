package coins_test

import (
	"math"
	"testing"

	"github.com/molerun/molerun/engines/mole/coins"
)

// The coins and the table of the game.
const (
	decel        = 2452.5 // mm/s²: 0.25 g
	moleR, smalR = 12.95, 10.15
	close12      = 1e-9 // mm, mm/s or s: what "equal" means below, though most rows agree to 1e-12
)

func small(x, y float64) coins.Disc {
	return coins.Disc{At: coins.Vec{X: x, Y: y}, R: smalR, Mass: 3.56, Thick: 1.52}
}

func large(x, y float64) coins.Disc {
	return coins.Disc{At: coins.Vec{X: x, Y: y}, R: moleR, Mass: 7.12, Thick: 1.85}
}

// lay returns a big empty table with these discs.
func lay(discs ...coins.Disc) *coins.Sim {
	s := &coins.Sim{Scene: coins.Scene{W: 20_000, H: 20_000, Decel: decel, CoinBounce: .75, WallBounce: .6}, N: len(discs)}
	copy(s.Discs[:], discs)
	s.Trace = new(coins.Trace)
	return s
}

func run(t *testing.T, s *coins.Sim, i, mdeg int, speed float64, lift int) {
	t.Helper()
	s.Flick(i, mdeg, speed, lift)
	if err := s.Run(); err != nil {
		t.Fatal(err)
	}
}

func near(t *testing.T, what string, got, want float64) {
	t.Helper()
	if !(math.Abs(got-want) <= close12) {
		t.Errorf("%s: got %.15g, want %.15g, off by %g", what, got, want, got-want)
	}
}

// slide returns how far a coin of speed v slides; fast is what is left of v after a way.
func slide(v float64) float64     { return v * v / (2 * decel) }
func fast(v, way float64) float64 { return math.Sqrt(v*v - 2*decel*way) }

func TestALoneCoinStopsAfterVSquaredOverTwoMuG(t *testing.T) {
	for _, speed := range []float64{1, 12.5, 300, 900, 1000, 1300, 5000} {
		for _, mdeg := range []int{0, 45_000, 90_000, 123_456, 270_001, 359_999} {
			s := lay(small(6000, 6000))
			run(t, s, 0, mdeg, speed, 0)
			sin, cos := math.Sincos(float64(mdeg) * math.Pi / 180_000)
			near(t, "x", s.Discs[0].At.X, 6000+slide(speed)*cos)
			near(t, "y", s.Discs[0].At.Y, 6000+slide(speed)*sin)
			near(t, "time", s.Time, speed/decel)
		}
	}
	if got := slide(1000); math.Abs(got-204) > .2 {
		t.Errorf("1 m/s goes %g mm, the rules say 204", got)
	}
}

func TestHeadOnHitGivesTheTextbookSpeeds(t *testing.T) {
	for _, bounce := range []float64{0, .3, .75, 1} {
		for _, row := range []struct {
			name string
			a, b coins.Disc
		}{
			{"mignette on mole", small(100, 100), large(180, 100)},
			{"mole on mignette", large(100, 100), small(180, 100)},
			{"mignette on mignette", small(100, 100), small(180, 100)},
			{"feather on anvil", coins.Disc{At: coins.Vec{X: 100, Y: 100}, R: 5, Mass: .01, Thick: 1}, coins.Disc{At: coins.Vec{X: 180, Y: 100}, R: 9, Mass: 100, Thick: 1}},
		} {
			const speed = 900
			s := lay(row.a, row.b)
			s.CoinBounce = bounce
			gap := row.b.At.X - row.a.At.X - row.a.R - row.b.R
			u, ma, mb := fast(speed, gap), row.a.Mass, row.b.Mass
			va, vb := u*(ma-bounce*mb)/(ma+mb), u*(1+bounce)*ma/(ma+mb)
			if bounce == 0 { // P1: they part at 1 mm/s at least
				va, vb = (u*ma-1*mb)/(ma+mb), (u*ma+1*ma)/(ma+mb)
			}
			run(t, s, 0, 0, speed, 0)
			if x := s.Trace.Marks[0]; x.T != 0 {
				near(t, row.name+": time of contact", x.T, (speed-u)/decel)
				near(t, row.name+": speed of approach", x.Speed, u)
			}
			if len(s.Trace.Marks) > 1 {
				continue // the one behind is faster after all: below, in the chain
			}
			near(t, row.name+": striker", s.Discs[0].At.X, row.a.At.X+gap+math.Copysign(slide(va), va))
			near(t, row.name+": struck", s.Discs[1].At.X, row.b.At.X+slide(vb))
		}
	}
}

func TestObliqueHitActsAlongTheLineOfCentres(t *testing.T) {
	for _, off := range []float64{-20, -3, .5, 11, 22} { // sideways offset of the two centres
		const speed, bounce = 1100.0, .75
		a, b := small(100, 100), large(200, 100+off)
		s := lay(a, b)
		run(t, s, 0, 0, speed, 0)
		r := a.R + b.R
		nx, ny := math.Sqrt(r*r-off*off)/r, off/r // from a to b at contact
		way := 100 - r*nx
		u := fast(speed, way)
		j := (1 + bounce) * u * nx / (1/a.Mass + 1/b.Mass)
		ax, ay := u-j/a.Mass*nx, -j/a.Mass*ny
		bx, by := j/b.Mass*nx, j/b.Mass*ny
		va, vb := math.Hypot(ax, ay), math.Hypot(bx, by)
		near(t, "striker x", s.Discs[0].At.X, 100+way+ax/va*slide(va))
		near(t, "striker y", s.Discs[0].At.Y, 100+ay/va*slide(va))
		near(t, "struck x", s.Discs[1].At.X, 200+bx/vb*slide(vb))
		near(t, "struck y", s.Discs[1].At.Y, 100+off+by/vb*slide(vb))
	}
}

func TestWallTurnsTheNormalPartOfTheSpeed(t *testing.T) {
	for _, mdeg := range []int{60_000, 90_000, 100_000, 150_000} {
		const speed = 1200.0
		s := lay(small(500, 100))
		s.Walls[0], s.NWalls = coins.NewWall(coins.Vec{X: 0, Y: 150}, coins.Vec{X: 5000, Y: 150}), 1
		run(t, s, 0, mdeg, speed, 0)
		sin, cos := math.Sincos(float64(mdeg) * math.Pi / 180_000)
		way := (50 - smalR) / sin
		u := fast(speed, way)
		vx, vy := u*cos, -.6*u*sin
		v := math.Hypot(vx, vy)
		near(t, "x", s.Discs[0].At.X, 500+way*cos+vx/v*slide(v))
		near(t, "y", s.Discs[0].At.Y, 100+way*sin+vy/v*slide(v))
	}
}

// struckRound returns where a coin flicked along +x from (100, 100) rests after a fixed circle of radius r at (x, 100+off).
func struckRound(speed, x, off, r float64) (float64, float64) {
	r += smalR
	nx, ny := -math.Sqrt(r*r-off*off)/r, -off/r // from the circle to the coin
	way := x - 100 + r*nx
	u := fast(speed, way)
	vx, vy := u-1.6*u*nx*nx, -1.6*u*nx*ny
	v := math.Hypot(vx, vy)
	return 100 + way + vx/v*slide(v), 100 + vy/v*slide(v)
}

func TestPostAndRoundEndOfAWall(t *testing.T) {
	for _, off := range []float64{-9, 0, 4, 9.9} {
		s := lay(small(100, 100))
		s.Posts[0], s.NPosts = coins.Post{At: coins.Vec{X: 200, Y: 100 + off}, R: 8}, 1
		run(t, s, 0, 0, 1000, 0)
		x, y := struckRound(1000, 200, off, 8)
		near(t, "post: x", s.Discs[0].At.X, x)
		near(t, "post: y", s.Discs[0].At.Y, y)

		s = lay(small(100, 100)) // a wall that runs away from its end: only the end is met
		end, far := coins.Vec{X: 200, Y: 100 + off}, coins.Vec{X: 300, Y: 100 + 2*off}
		s.Walls[0], s.NWalls = coins.NewWall(end, far), 1
		run(t, s, 0, 0, 1000, 0)
		x, y = struckRound(1000, 200, off, 0)
		near(t, "end: x", s.Discs[0].At.X, x)
		near(t, "end: y", s.Discs[0].At.Y, y)
	}
}

func TestACoinLeavesWhenItsCentrePassesAnEdge(t *testing.T) {
	place := func(x, y float64) *coins.Sim {
		s := lay(small(x, y))
		s.W, s.H = 300, 450
		return s
	}
	for _, row := range []struct {
		name     string
		x, y     float64
		mdeg     int
		way      float64
		wantEdge coins.Edge
	}{
		{"right", 200, 100, 0, 100, coins.Right},
		{"left", 100, 100, 180_000, 100, coins.Left},
		{"winning", 100, 400, 90_000, 50, coins.Winning},
		{"back", 100, 50, 270_000, 50, coins.Back},
		{"two at once: winning before sides", 200, 350, 45_000, 100 * math.Sqrt2, coins.Winning},
		{"two at once: back before sides", 100, 100, 225_000, 100 * math.Sqrt2, coins.Back},
		{"from the edge itself", 300, 100, 1, 0, coins.Right},
	} {
		s := place(row.x, row.y)
		run(t, s, 0, row.mdeg, 1000, 0)
		if d := s.Discs[0]; d.Mode != coins.Gone || d.Edge != row.wantEdge {
			t.Errorf("%s: got mode %d, edge %d, want gone over %d", row.name, d.Mode, d.Edge, row.wantEdge)
			continue
		}
		near(t, row.name+": time", s.Trace.Marks[0].T, (1000-fast(1000, row.way))/decel)
	}
	s := place(300-slide(500)+1e-9, 100)
	if run(t, s, 0, 0, 500, 0); s.Discs[0].Mode != coins.Gone {
		t.Error("a coin that can go a nanometre less than its reach must leave")
	}
	s = place(300-slide(500)-1e-9, 100)
	if run(t, s, 0, 0, 500, 0); s.Discs[0].Mode == coins.Gone {
		t.Error("a coin that stops a picometre before the edge is on the board")
	}
	s = place(100, 100)
	s.W, s.Decel = 1100, 500 // all exact in binary: it stops on the edge itself
	if run(t, s, 0, 0, 1000, 0); s.Discs[0].Mode == coins.Gone || s.Discs[0].At.X != 1100 {
		t.Errorf("P5: at the width a coin is on the board: got mode %d at %g", s.Discs[0].Mode, s.Discs[0].At.X)
	}
	s = place(0, 100)
	if run(t, s, 0, 90_000, 500, 0); s.Discs[0].Mode == coins.Gone {
		t.Error("at 0 a coin is on the board, and stays when it slides along the edge")
	}
}

func TestChainOfThreeInContactPassesTheBlowOn(t *testing.T) {
	for _, bounce := range []float64{.2, .75, 1} {
		const speed = 1000.0
		s := lay(small(100, 100), small(160, 100), small(160+2*smalR, 100))
		s.CoinBounce = bounce
		run(t, s, 0, 0, speed, 0)
		// One after the other, as the blow runs along the line, until none approaches.
		v := [3]float64{fast(speed, 60-2*smalR), 0, 0}
		for again := true; again; {
			again = false
			for i := range 2 {
				if u := v[i] - v[i+1]; u > 1e-9 {
					mean, part := (v[i]+v[i+1])/2, math.Max(bounce*u, 1)
					v[i], v[i+1], again = mean-part/2, mean+part/2, true
				}
			}
		}
		start := [3]float64{160 - 2*smalR, 160, 160 + 2*smalR}
		for i := range v {
			near(t, "place", s.Discs[i].At.X, start[i]+slide(v[i]))
		}
	}
}

func TestTwoContactsAtOneInstantAreSolvedTogether(t *testing.T) {
	const speed, bounce = 800.0, .75
	r := moleR + smalR
	sin, cos := .5, math.Sqrt(3)/2 // two mignettes 30° to either side of the mole's way
	x := 180.0
	s := lay(large(100, 500), small(x+r*cos, 500+r*sin), small(x+r*cos, 500-r*sin))
	run(t, s, 0, 0, speed, 0)
	u, m, n := fast(speed, x-100), 7.12, 3.56
	after := u * (m - 2*n*bounce*cos*cos) / (m + 2*n*cos*cos)
	struck := cos * (after + bounce*u)
	near(t, "mole x", s.Discs[0].At.X, x+slide(after))
	near(t, "mole y", s.Discs[0].At.Y, 500)
	for i, sign := range []float64{1, -1} {
		near(t, "mignette x", s.Discs[1+i].At.X, x+(r+slide(struck))*cos)
		near(t, "mignette y", s.Discs[1+i].At.Y, 500+sign*(r+slide(struck))*sin)
	}
}

func TestTwoSlowContactsAtOneInstantOnlyTurnTheSpeed(t *testing.T) {
	r := moleR + smalR
	sin, cos := .5, math.Sqrt(3)/2
	x := 100 + slide(800) - slide(.8) // the mole arrives at 0.8 mm/s: each mignette, 30° aside, is left at all of that
	s := lay(large(100, 500), small(x+r*cos, 500+r*sin), small(x+r*cos, 500-r*sin))
	run(t, s, 0, 0, 800, 0)
	u, m, n := fast(800, x-100), 7.12, 3.56
	aside, ahead := math.Sincos(math.Pi / 12) // so the impulse is half as far aside
	p := 2 * ahead * u / (2*ahead*ahead/m + 1/n)
	after, struck := u-2*p*ahead/m, p/n
	near(t, "mole x", s.Discs[0].At.X, x+math.Copysign(slide(after), after))
	near(t, "mignette x", s.Discs[1].At.X, x+r*cos+slide(struck)*ahead)
	near(t, "mignette y", s.Discs[1].At.Y, 500+r*sin+slide(struck)*aside)
	near(t, "the other's y", s.Discs[2].At.Y, 500-r*sin-slide(struck)*aside)
}

func TestWedgedCoinPushesWhatHoldsIt(t *testing.T) {
	// Struck in the middle of three in a triangle: the two behind get equal shares, the one in front nothing but its own.
	r := 2 * smalR
	s := lay(small(100, 500), small(200, 500), small(200+r*math.Sqrt(3)/2, 500+r/2), small(200+r*math.Sqrt(3)/2, 500-r/2))
	run(t, s, 0, 0, 1000, 0)
	up, down := s.Discs[2].At, s.Discs[3].At
	near(t, "same x", up.X, down.X)
	near(t, "mirrored y", up.Y-500, 500-down.Y)
	near(t, "the middle one stays on the axis", s.Discs[1].At.Y, 500)
	if !(up.X > 200+r) {
		t.Errorf("the coins behind did not move: %v", up)
	}
}

func TestRampThrowsTheBallisticRange(t *testing.T) {
	for _, mdeg := range []int{70_000, 90_000, 100_000} {
		const speed, angle = 1200.0, 35.0
		s := lay(small(500, 100))
		up, ahead := coins.SinCos(35_000)
		s.Ramp = coins.Ramp{On: true, Quarter: 1, Lip: 150, From: 400, To: 600, Sin: up, Cos: ahead}
		run(t, s, 0, mdeg, speed, 0)
		sin, cos := math.Sincos(float64(mdeg) * math.Pi / 180_000)
		way := 50 / sin
		u := fast(speed, way)
		flight := u * u * math.Sin(2*angle*math.Pi/180) / coins.Gravity
		total := way + flight + slide(u*math.Cos(angle*math.Pi/180))
		near(t, "x", s.Discs[0].At.X, 500+total*cos)
		near(t, "y", s.Discs[0].At.Y, 100+total*sin)
	}
	for name, start := range map[string]struct {
		x, y float64
		mdeg int
		flew bool
	}{
		"beside the lip": {399, 100, 90_000, false}, "against the direction": {500, 200, 270_000, false}, "beyond it": {500, 151, 90_000, false},
		"over its first end": {400, 100, 90_000, true}, "over its other end": {600, 100, 90_000, true}, "from the lip itself": {500, 150, 90_000, true},
		"along the lip": {450, 150, 0, false},
	} {
		s := lay(small(start.x, start.y))
		s.Ramp = coins.Ramp{On: true, Quarter: 1, Lip: 150, From: 400, To: 600, Sin: .6, Cos: .8}
		if run(t, s, 0, start.mdeg, 700, 0); s.Discs[0].Flew != start.flew {
			t.Errorf("%s: the coin took off is %v", name, s.Discs[0].Flew)
		}
	}
}

// From 21.8 mm before the lip 327 mm/s is just enough to come to it, so what is left of the speed there is rounding. A coin that
// took off with it would land where it was, take off again, and so on: thousands of times, or on a flat ramp without end.
func TestACoinThatComesToTheLipWithNoSpeedLeftStopsThere(t *testing.T) {
	for _, angle := range []int{1, 1000, 35_000, 45_000} {
		for k := range 200 {
			at := float64(100_000+997*k) / 1000
			lip := float64(100_000+997*k+21_800)/1000 - []float64{0, 1e-9, 1e-6}[k%3]
			s := lay(small(500, at))
			s.Ramp = coins.Ramp{On: true, Quarter: 1, Lip: lip, From: 400, To: 600}
			s.Ramp.Sin, s.Ramp.Cos = coins.SinCos(angle)
			if run(t, s, 0, 90_000, 327, 0); s.Events > 4 {
				t.Fatalf("from %v, ramp of %d mdeg: %d events, want one or two", at, angle, s.Events)
			}
			near(t, "y", s.Discs[0].At.Y, lip)
		}
	}
}

func TestRampsInAllFourDirections(t *testing.T) {
	for quarter, want := range []coins.Vec{{X: 1}, {Y: 1}, {X: -1}, {Y: -1}} {
		s := lay(small(500, 500))
		lip := 500 + 20*(want.X+want.Y)
		s.Ramp = coins.Ramp{On: true, Quarter: quarter, Lip: lip, From: 490, To: 510, Sin: .6, Cos: .8}
		run(t, s, 0, quarter*90_000, 900, 0)
		u := fast(900, 20)
		total := 20 + 2*.8*.6*u*u/coins.Gravity + slide(.8*u)
		near(t, "x", s.Discs[0].At.X, 500+want.X*total)
		near(t, "y", s.Discs[0].At.Y, 500+want.Y*total)
	}
}

func TestLiftedCoinLandsOnTopOfACoinAndStops(t *testing.T) {
	const speed, lift = 1000.0, 30_000
	up, ahead := speed*.5, speed*math.Sqrt(3)/2
	fall := (up + math.Sqrt(up*up-2*coins.Gravity*1.85)) / coins.Gravity // down at the mole's top
	x := 100 + ahead*fall
	for name, off := range map[string]float64{"wholly": 0, "just": moleR + smalR - .01} {
		s := lay(small(100, 500), large(x+off, 500))
		run(t, s, 0, 0, speed, lift)
		if d := s.Discs[0]; d.Mode != coins.Raised || d.Rank != 1 {
			t.Errorf("%s on top: got mode %d, rank %d", name, d.Mode, d.Rank)
		}
		near(t, name+": lands at", s.Discs[0].At.X, x)
		near(t, name+": the lower coin stays", s.Discs[1].At.X, x+off)
	}
	s := lay(small(100, 500), large(x+moleR+smalR+.01, 500)) // too short: it lands before the mole and slides into it
	run(t, s, 0, 0, speed, lift)
	if d := s.Discs[0]; d.Mode != coins.Sliding || s.Discs[1].At.X <= x+moleR+smalR+.01 {
		t.Errorf("short of the mole: got mode %d, the mole at %g", d.Mode, s.Discs[1].At.X)
	}
	s = lay(small(100, 500), large(x+moleR+smalR+.5e-6, 500)) // P2: at such a gap they touch, and nothing overlaps
	if run(t, s, 0, 0, speed, lift); s.Discs[0].Mode != coins.Sliding {
		t.Errorf("touching the mole: got mode %d", s.Discs[0].Mode)
	}
	s = lay(small(100, 500), large(x-moleR-smalR-.2, 500)) // too far: it flies over and slides on
	run(t, s, 0, 0, speed, lift)
	near(t, "flown over: striker", s.Discs[0].At.X, 100+2*up*ahead/coins.Gravity+slide(ahead))
	near(t, "flown over: the mole stays", s.Discs[1].At.X, x-moleR-smalR-.2)
}

func TestLowInTheAirAContactIsSideways(t *testing.T) {
	const speed, bounce = 1000.0, .75
	up, ahead := speed*.5, speed*math.Sqrt(3)/2
	gap := .5 // mm: there it is 0.28 mm high, lower than the mole's 1.85
	va, vb := ahead*(3.56-bounce*7.12)/10.68, ahead*(1+bounce)*3.56/10.68
	rest := 2*up/coins.Gravity - gap/ahead // of the flight, at the horizontal speed left
	for first := range 2 {                 // whichever stands first in the list
		s := lay(small(100, 500), large(100+gap+moleR+smalR, 500))
		if first == 1 {
			s.Discs[0], s.Discs[1] = s.Discs[1], s.Discs[0]
		}
		run(t, s, first, 0, speed, 30_000)
		near(t, "flies back", s.Discs[first].At.X, 100+gap+va*rest-slide(va))
		near(t, "the mole slides", s.Discs[1-first].At.X, 100+gap+moleR+smalR+slide(vb))
	}
}

func TestWallsAndPostsAreTenMillimetresHigh(t *testing.T) {
	const speed = 1000.0
	up, ahead := speed*math.Sqrt2/2, speed*math.Sqrt2/2
	rise := (up - math.Sqrt(up*up-2*coins.Gravity*10)) / coins.Gravity // up at 10 mm
	at := 100 + ahead*rise + smalR                                     // there its rim meets the thing exactly at that height
	for _, row := range []struct {
		name string
		x    float64
		over bool
	}{{"higher than it", at + .01, true}, {"lower than it", at - .01, false}} {
		wall := lay(small(100, 500))
		wall.Walls[0], wall.NWalls = coins.NewWall(coins.Vec{X: row.x, Y: 400}, coins.Vec{X: row.x, Y: 600}), 1
		post := lay(small(100, 500))
		post.Posts[0], post.NPosts = coins.Post{At: coins.Vec{X: row.x + 3, Y: 500}, R: 3}, 1
		for kind, s := range map[string]*coins.Sim{"wall": wall, "post": post} {
			run(t, s, 0, 0, speed, 45_000)
			if over := s.Discs[0].At.X > row.x; over != row.over {
				t.Errorf("%s, %s: rests at %g, over it %v, want %v", kind, row.name, s.Discs[0].At.X, over, row.over)
			}
		}
	}
}

func TestFlyingCoinLeavesOverTheEdgeItPasses(t *testing.T) {
	s := lay(small(100, 440))
	s.H = 450
	run(t, s, 0, 90_000, 1000, 45_000)
	if d := s.Discs[0]; d.Mode != coins.Gone || d.Edge != coins.Winning {
		t.Errorf("got mode %d, edge %d", d.Mode, d.Edge)
	}
	near(t, "time", s.Trace.Marks[0].T, 10/(1000*math.Sqrt2/2))
}

func TestASlowHeadOnContactLosesNothing(t *testing.T) {
	gap := slide(1000) - slide(.5) // it arrives at half a millimetre a second
	s := lay(small(100, 100), small(100+gap+2*smalR, 100))
	run(t, s, 0, 0, 1000, 0)
	near(t, "striker", s.Discs[0].At.X, 100+gap)
	near(t, "struck", s.Discs[1].At.X, 100+gap+2*smalR+slide(.5))
}

// TestACoinThatJustFitsBetweenTwoWallsSlidesOn: what it has across is lost at once.
func TestACoinThatJustFitsBetweenTwoWallsSlidesOn(t *testing.T) {
	s := lay(small(100, 100))
	s.Walls[0] = coins.NewWall(coins.Vec{X: 0, Y: 100 + smalR}, coins.Vec{X: 900, Y: 100 + smalR})
	s.Walls[1] = coins.NewWall(coins.Vec{X: 0, Y: 100 - smalR}, coins.Vec{X: 900, Y: 100 - smalR})
	s.NWalls = 2
	run(t, s, 0, 10_000, 1000, 0)
	near(t, "x", s.Discs[0].At.X, 100+slide(1000*math.Cos(math.Pi/18)))
	near(t, "y", s.Discs[0].At.Y, 100)
}

// TestTwoCoinsThatJustFitBetweenTwoWallsJam: each push past the other is a contact again, and after 64 they stop (P3).
func TestTwoCoinsThatJustFitBetweenTwoWallsJam(t *testing.T) {
	s := lay(small(100, 100), small(100, 100+2*smalR))
	s.Walls[0] = coins.NewWall(coins.Vec{X: 0, Y: 100 - smalR}, coins.Vec{X: 900, Y: 100 - smalR})
	s.Walls[1] = coins.NewWall(coins.Vec{X: 0, Y: 100 + 3*smalR}, coins.Vec{X: 900, Y: 100 + 3*smalR})
	s.NWalls = 2
	run(t, s, 0, 10_000, 1000, 0)
	near(t, "x", s.Discs[0].At.X, 100)
	near(t, "the other's x", s.Discs[1].At.X, 100)
	if s.Events != 1 {
		t.Errorf("%d events, want the one instant", s.Events)
	}
}
