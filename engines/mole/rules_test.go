package mole_test

import (
	"math"
	"strings"
	"testing"

	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/engines/mole"
	"github.com/molerun/molerun/internal/must"
)

// Each test below is a row of the table of rulings in docs/rules/mole.md; R, P and F are its binding details.

const (
	turnM = mole.PhaseMignettes
	turnO = mole.PhaseMole
)

func TestRow1ACoinLeavesWhenItsCentrePassesAnEdge(t *testing.T) {
	for edge, row := range map[string]struct {
		from    [2]float64
		degrees float64
	}{"left": {[2]float64{40, 330}, 180}, "right": {[2]float64{260, 330}, 0}, "back": {[2]float64{150, 40}, 270}, "winning": {[2]float64{150, 410}, 90}} {
		x := lay(t, plain(), turnM, set{MO: {150, 200}, M1: row.from, M2: {60, 100}})
		x.flick(M1, row.degrees, speed(39.5)).want("row 1: a centre just on the board overhangs, "+edge, "")
		x = lay(t, plain(), turnM, set{MO: {150, 200}, M1: row.from, M2: {60, 100}})
		x.flick(M1, row.degrees, speed(40.5)).want("row 1: a centre just beyond has left, "+edge, "left m1 "+edge+", died m1")
	}
}

func TestRow2WhollyAndPartlyInsideToTheMicrometre(t *testing.T) {
	zone := plain([4]float64{30, 170, 100, 220})
	for _, row := range []struct {
		name      string
		mole, m1  [2]float64
		protected bool
		dies      bool
	}{
		{"rectangle: wholly is closed", [2]float64{200, 300}, [2]float64{30 + 10.15, 170 + 10.15}, false, true},
		{"rectangle: a micrometre out", [2]float64{200, 300}, [2]float64{30 + 10.149, 200}, false, false},
		{"circle: wholly is closed", [2]float64{200, 300}, [2]float64{260 - 30 + 10.15, 40}, false, true},
		{"circle: a micrometre out", [2]float64{200, 300}, [2]float64{260 - 30 + 10.149, 40}, false, false},
		{"rectangle: partly is strict", [2]float64{100 + 12.95, 200}, [2]float64{200, 300}, false, false},
		{"rectangle: a micrometre in", [2]float64{100 + 12.949, 200}, [2]float64{200, 300}, true, false},
		{"rectangle: its corner counts as round", [2]float64{100 + 9.2, 220 + 9.2}, [2]float64{200, 300}, false, false},
		{"circle: partly is strict", [2]float64{260, 40 + 42.95}, [2]float64{200, 300}, false, false},
		{"circle: a micrometre in", [2]float64{260, 40 + 42.949}, [2]float64{200, 300}, true, false},
	} {
		x := lay(t, zone, turnM, set{MO: row.mole, M1: row.m1, M2: {150, 400}})
		if got := (mole.Rules{}).View(&x.s, 0).Protected; got != row.protected {
			t.Errorf("row 2: %s: protected is %v, want %v", row.name, got, row.protected)
		}
		x.pass(M1, M2)
		if died := strings.Contains(x.happened(), "died m1"); died != row.dies {
			t.Errorf("row 2: %s: died is %v, want %v (%s)", row.name, died, row.dies, x.happened())
		}
	}
}

// knock returns a mole at the left side and a mignette that will knock it off.
func knock(t *testing.T, more set) *table {
	coins := set{MO: {30, 300}, M1: {80, 300}}
	for id, mm := range more {
		coins[id] = mm
	}
	return lay(t, plain([4]float64{200, 330, 280, 400}), turnM, coins)
}

func TestRow3TheProtectedMoleIsPutBack(t *testing.T) {
	x := knock(t, set{M2: {250, 200}})
	x.s.MoleTurns = 0
	x.flick(M1, 180, 1300).want("row 3: in the first mignette turn", "left mole left, put_back mole")
	if got := x.s.Coins[MO]; !got.Alive || got.At != at([2]float64{30, 300}) {
		t.Errorf("row 3: put back where it stood at the start of the flick: got %+v", got)
	}
	x.flick(M2, 0, 1).want("row 3: the first mignette turn goes on", "")
	if x.s.Phase != turnO {
		t.Errorf("row 3: after a put-back the turn goes on: phase %s", x.s.Phase)
	}

	if (mole.Rules{}).View(&x.s, 0).Protected {
		t.Error("row 3: the first mignette turn is over in the first turn of the mole")
	}

	zone := plain([4]float64{5, 290, 25, 310})
	x = lay(t, zone, turnM, set{MO: {30, 300}, M1: {80, 300}, M2: {250, 200}})
	x.flick(M1, 180, 1300).want("row 3: overlapping Rosserie, in a later turn", "left mole left, put_back mole")

	x = lay(t, zone, turnM, set{MO: {40, 300}, M1: {90, 300}, M2: {250, 200}})
	x.flick(M1, 180, 1300).want("row 3: judged at the start of the flick, not where it slides", "left mole left")
	if x.s.PendingEdge.String() != "left" {
		t.Errorf("row 5: pending is %s", x.s.PendingEdge)
	}

	x = lay(t, plain(), turnM, set{MO: {150, 25}, M1: {150, 75}, M2: {250, 200}})
	x.s.MoleTurns = 0
	x.flick(M1, 270, 1300).want("row 3: off the back, protected: put back", "left mole back, put_back mole")
}

func TestRow3TheNearestFreePlaceIfItsOwnIsTaken(t *testing.T) {
	// Without restitution m1 follows the mole and comes to rest where it stood.
	x := lay(t, plain(), turnM, set{MO: {20, 300}, M1: {50, 300}, M2: {250, 200}})
	x.s.MoleTurns, x.s.Restitution = 0, 0
	x.flick(M1, 180, 1002).want("row 3: put back", "left mole left, put_back mole")
	taken, got := x.s.Coins[M1].At, x.s.Coins[MO].At
	if near(taken, at([2]float64{20, 300})) > 5 {
		t.Fatalf("m1 rests at %v, which is not where the mole stood", taken)
	}
	if want := nearestFree(mole.Point{X: 20_000, Y: 300_000}, taken); got != want {
		t.Errorf("F4: put back at %v, want %v", got, want)
	}
}

// near returns the distance of two places in mm.
func near(a, b mole.Point) float64 {
	return math.Hypot(float64(a.X-b.X), float64(a.Y-b.Y)) / 1000
}

// nearestFree is F4 for the mole beside one mignette: rings of 0.1 mm, whole degrees from 0.
func nearestFree(from, taken mole.Point) mole.Point {
	for ring := 0; ; ring++ {
		for degree := range 360 {
			sin, cos := math.Sincos(float64(degree) * math.Pi / 180)
			p := mole.Point{
				X: from.X + int32(math.Floor(100*float64(ring)*cos+.5)), Y: from.Y + int32(math.Floor(100*float64(ring)*sin+.5)),
			}
			if p.X >= 0 && near(p, taken) >= 23.1 {
				return p
			}
		}
	}
}

// Of what is sent ahead, what follows a flick is dropped, what follows a nasdaq or a placing is kept (Wire).
func TestWhatFollowsAFlickIsDropped(t *testing.T) {
	tbl, _, err := engine.New([]byte(`{}`), 2, game.Seed{})
	must.OK(t, err)
	for action, want := range map[string]bool{
		`{"type":"place","at":[[130000,280000],[151000,280000],[172000,280000]]}`: true,
		`{"type":"nasdaq","coin":"m1"}`:                                           true,
		`{"type":"flick","coin":"m1","angle_mdeg":0,"speed_mm_s":1}`:              false,
		`{"type":"flick","coin":"mole","angle_mdeg":0,"speed_mm_s":900}`:          false,
	} {
		if got := tbl.Chains([]byte(action)); got != want {
			t.Errorf("after %s: kept %v, want %v", action, got, want)
		}
	}
}
