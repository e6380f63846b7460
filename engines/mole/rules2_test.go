package mole_test

import (
	"strings"
	"testing"

	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/engines/mole"
)

func TestRow4KnockedOverTheWinningLineOrOffTheBack(t *testing.T) {
	over := set{MO: {150, 420}, M1: {150, 370}, M2: {250, 100}}
	x := lay(t, plain(), turnM, over)
	x.flick(M1, 90, 1300).want("row 4: over the winning line the mole wins", "left mole winning, round mole knocked_over_line")
	x = lay(t, plain(), turnM, over)
	x.s.MoleTurns = 0
	x.flick(M1, 90, 1300).want("row 4: protected or not, at once", "left mole winning, round mole knocked_over_line")
	x = lay(t, plain(), turnM, set{MO: {150, 30}, M1: {150, 80}, M2: {250, 300}})
	x.flick(M1, 270, 1300).want("row 4: off the back the mole wins, at once", "left mole back, round mole knocked_off_back")
}

func TestRow5KnockedOffASide(t *testing.T) {
	x := knock(t, set{M2: {250, 200}})
	x.flick(M1, 180, 1300).want("row 5: the turn is played to its end first", "left mole left")
	v := mole.Rules{}.View(&x.s, 0)
	if v.Pending == nil || *v.Pending != (mole.Pending{Edge: "left", By: "m1"}) || v.Phase != "mignettes" {
		t.Errorf("row 5: pending is %+v in phase %s", v.Pending, v.Phase)
	}
	x.pass(M2).want("row 5: the mignettes win", "round mignettes knocked_off_side, swap")

	// m1 comes to rest in a Rosserie in front of the mole: it dies at the end of the turn, unless a later one saves it.
	trap := plain([4]float64{45, 285, 80, 315})
	coins := set{MO: {30, 300}, M1: {80, 300}, M2: {65, 260}}
	x = lay(t, trap, turnM, coins)
	x.flick(M1, 180, 1300).pass(M2).want("row 5: the mole wins when the mignette that did it dies", "died m1, round mole knocker_died")
	x = lay(t, trap, turnM, coins)
	x.flick(M1, 180, 1300).flick(M2, 90, 537).want("row 5: a later mignette saves it", "round mignettes knocked_off_side, swap")

	// row 5: through another mignette: m2 strikes m1, m1 strikes the mole; m2 is credited.
	x = lay(t, plain(), turnM, set{MO: {20, 300}, M1: {60, 300}, M2: {120, 300}})
	x.flick(M2, 180, 1300)
	if x.s.PendingBy != M2 || x.s.PendingEdge.String() != "left" {
		t.Errorf("row 5: credited is %s, edge %s; want m2, left (%s)", x.s.PendingBy, x.s.PendingEdge, x.happened())
	}
	x.flick(M1, 0, 1).want("row 5: m2 lives, the mignettes win", "round mignettes knocked_off_side, swap")
}

func TestRow6RecompenseIsATie(t *testing.T) {
	both := set{MO: {8, 442}, M1: {28, 389}}
	x := lay(t, plain(), turnM, both)
	x.flick(M1, 90, 1300).want("row 6: off a side, and all mignettes die in the same flick", "left m1 winning, left mole left, died m1, round tie recompense")
	if x.s.Mole != 0 || x.s.Score != [2]int16{} || x.s.Round != 2 {
		t.Errorf("a tie is played again with the same sides: mole %d, score %v, round %d", x.s.Mole, x.s.Score, x.s.Round)
	}
	both[M2] = [2]float64{200, 100}
	x = lay(t, plain(), turnM, both)
	x.flick(M1, 90, 1300).want("row 6: all of them, not some", "left m1 winning, left mole left, died m1")
	x.pass(M2).want("row 5: then the mole wins, m1 being dead", "round mole knocker_died")

	// row 6: in the last flick of the turn, resting wholly in a zone is dying too; in an earlier one it is not.
	trap := plain([4]float64{30, 170, 100, 220})
	in := set{MO: {15, 195}, M1: {60, 195}}
	x = lay(t, trap, turnM, in)
	x.flick(M1, 180, 1300).want("row 6: last flick", "left mole left, died m1, round tie recompense")
	in[M2] = [2]float64{80, 200}
	x = lay(t, trap, turnM, in)
	x.flick(M1, 180, 1300).want("row 6: not the last", "left mole left")
	x = lay(t, trap, turnM, in)
	x.pass(M2).flick(M1, 180, 1300).want("row 6: last flick, with one that lay there", "left mole left, died m1, died m2, round tie recompense")

	others := set{MO: {8, 442}, M1: {28, 389}, M3: {200, 100}}
	x = lay(t, plain(), turnM, others)
	x.pass(M3).flick(M1, 90, 1300).want("row 6: nor in the last flick of a turn while m3 lives: row 5", "left m1 winning, left mole left, died m1, round mole knocker_died")
	x = lay(t, plain([4]float64{180, 80, 220, 120}), turnM, others)
	x.pass(M3).flick(M1, 90, 1300).want("row 6: m3 dies with it in a zone", "left m1 winning, left mole left, died m1, died m3, round tie recompense")

	back := lay(t, plain([4]float64{120, 30, 180, 100}), turnM, set{MO: {150, 15}, M1: {150, 60}})
	back.flick(M1, 270, 1300).want("row 6: off the back it overrides row 4", "left mole back, died m1, round tie recompense")

	first := lay(t, plain(), turnM, set{MO: {8, 442}, M1: {28, 389}})
	first.s.MoleTurns = 0
	first.flick(M1, 90, 1300).want("row 3: not when the mole was protected: row 8", "left m1 winning, left mole left, put_back mole, died m1, round mole mignettes_dead")
}

func TestRow7WhenAMignetteDies(t *testing.T) {
	zone := plain([4]float64{30, 170, 100, 220})
	coins := set{MO: {200, 300}, M1: {65, 150}, M2: {65, 235}, M3: {20, 330}}
	x := lay(t, zone, turnM, coins)
	x.flick(M1, 90, speed(40)).want("row 7: in a zone it lives to the end of the turn", "")
	x.flick(M2, 90, speed(40)).want("row 7: still", "")
	x.pass(M3).want("row 7: wholly in Rosserie at the end of the turn", "died m1")
	if x.s.Phase != turnO || x.s.Coins[M1].Alive {
		t.Errorf("row 7: phase %s, m1 %+v", x.s.Phase, x.s.Coins[M1])
	}
	x = lay(t, zone, turnM, coins)
	x.flick(M1, 90, speed(40)).flick(M2, 270, 490).pass(M3).want("row 7: knocked out of it in time", "")
	x = lay(t, zone, turnM, coins)
	x.flick(M3, 180, 900).want("row 7: off the board at once", "left m3 left, died m3")
	if err := (mole.Rules{}).Legal(&x.s, 1, flick(M3, 0, 1)); err == nil {
		t.Error("row 7: a mignette off the board has lost its flick")
	}
	// row 7: knocked off by another before it has played.
	x = lay(t, plain(), turnM, set{MO: {200, 300}, M1: {60, 100}, M2: {20, 100}})
	x.flick(M1, 180, 1300).want("row 7: m2 loses its flick and the turn ends", "left m2 left, died m2")
	if x.s.Phase != turnO {
		t.Errorf("row 7: phase %s", x.s.Phase)
	}
	// Killed by the mole: at the end of his flick.
	x = lay(t, zone, turnO, set{MO: {65, 120}, M1: {65, 158}, M2: {250, 400}})
	x.flick(MO, 90, 420).want("row 7: by the mole, at the end of his flick", "died m1")
}

func TestRow8AllMignettesDieInTheirOwnTurn(t *testing.T) {
	x := lay(t, plain([4]float64{30, 170, 100, 220}), turnM, set{MO: {200, 300}, M1: {65, 195}, M2: {20, 330}})
	x.flick(M2, 180, 900).pass(M1).want("row 8: the mole wins", "died m1, round mole mignettes_dead")
}

func TestRow9TheMoleCrossesByHisOwnFlick(t *testing.T) {
	far := func(b mole.Board, y float64) *table {
		return lay(t, b, turnO, set{MO: {150, y}, M1: {40, 100}, M2: {250, 100}})
	}
	x := far(plain(), 400)
	x.flick(MO, 90, 900).want("row 9: he wins", "left mole winning, round mole crossed")
	zone := plain([4]float64{130, 380, 170, 420})
	x = far(zone, 400)
	x.flick(MO, 90, 900).want("row 9: not from wholly inside Rosserie", "left mole winning, round mignettes crossed_from_zone, swap")
	x = far(zone, 410)
	x.flick(MO, 90, 900).want("row 9: from partly inside he does", "left mole winning, round mole crossed")

	kill := set{MO: {150, 420}, M1: {150, 446}, M2: {250, 100}}
	x = lay(t, plain(), turnO, kill)
	x.flick(MO, 90, 900).want("row 9: not while killing", "left m1 winning, left mole winning, died m1, round mignettes crossed_killing, swap")
	x = far(plain(), 400)
	x.play(taupiniere(flick(MO, 90, 900))).want("row 9: not with taupiniere", "left mole winning, round mignettes crossed_taupiniere, swap")

	loup := plain()
	loup.HasLoup, loup.Loup = true, 420_000
	x = far(loup, 419.999)
	x.flick(MO, 90, 900).want("row 9: begun behind the loup line he loses", "left mole winning, round mignettes crossed_from_behind_loup, swap")
	x = far(loup, 420)
	x.flick(MO, 90, 900).want("row 9: on the line is not behind it", "left mole winning, round mole crossed")
}

func TestRow10TheMoleLeavesOverASideOrTheBack(t *testing.T) {
	for _, row := range []struct {
		from    [2]float64
		degrees float64
		want    string
	}{
		{[2]float64{40, 300}, 180, "left mole left, round mignettes left_over_side, swap"},
		{[2]float64{260, 300}, 0, "left mole right, round mignettes left_over_side, swap"},
		{[2]float64{150, 40}, 270, "left mole back, round mignettes left_over_back, swap"},
	} {
		for where, b := range map[string]mole.Board{"": plain(), ", though in Rosserie": plain([4]float64{0, 0, 300, 400})} {
			x := lay(t, b, turnO, set{MO: row.from, M1: {150, 430}})
			x.flick(MO, row.degrees, 900).want("row 10: the mignettes win"+where, row.want)
		}
	}
	x := lay(t, plain([4]float64{130, 420, 170, 450}), turnO, set{MO: {40, 300}, M1: {150, 435}})
	x.flick(MO, 180, 900).want("row 6: though all mignettes die with him it is no tie", "left mole left, died m1, round mignettes left_over_side, swap")
}

func TestRow11KillsByTheMole(t *testing.T) {
	// m1 and m2 side by side near the left edge, each touched alone or both by an angle; m3 far away.
	edge := func(more set) *table {
		coins := set{MO: {70, 300}, M1: {12, 300}}
		for id, mm := range more {
			coins[id] = mm
		}
		return lay(t, plain(), turnO, coins)
	}
	two := set{MO: {45, 300}, M1: {8, 310.5}, M2: {8, 289.5}, M3: {250, 100}}
	x := edge(set{M2: {250, 200}})
	x.flick(MO, 180, 500).want("row 11: one is fine", "left m1 left, died m1")
	if x.s.Phase != turnM || x.s.Round != 1 {
		t.Errorf("row 11: the game proceeds: phase %s, round %d", x.s.Phase, x.s.Round)
	}
	x = lay(t, plain(), turnO, two)
	x.flick(MO, 180, 500).want("row 11: two lose", "left m1 left, left m2 left, died m1, died m2, round mignettes killed_too_many, swap")
	x = lay(t, plain(), turnO, two)
	x.play(taupiniere(flick(MO, 180, 500))).want("row 11: with taupiniere exactly two", "left m1 left, left m2 left, died m1, died m2")
	if x.s.Phase != turnM || x.s.Round != 1 {
		t.Errorf("row 11: then the game proceeds: phase %s, round %d", x.s.Phase, x.s.Round)
	}
	x = edge(set{M2: {250, 200}})
	x.play(taupiniere(flick(MO, 180, 500))).want("row 11: taupiniere and one killed loses", "left m1 left, died m1, round mignettes taupiniere_missed, swap")
	x = edge(set{M2: {250, 200}})
	x.play(taupiniere(flick(MO, 0, 100))).want("row 11: taupiniere and none killed loses", "round mignettes taupiniere_missed, swap")
	x = edge(nil)
	x.flick(MO, 180, 500).want("row 11: the last one killed wins", "left m1 left, died m1, round mole last_killed")
	delete(two, M3)
	x = lay(t, plain(), turnO, two)
	x.play(taupiniere(flick(MO, 180, 500))).want("row 11: the last two under taupiniere win", "left m1 left, left m2 left, died m1, died m2, round mole last_killed")
	two[M3] = [2]float64{250, 100} // and one that lies in a zone at the end of his flick
	for name, a := range map[string]mole.Action{"killed_too_many": flick(MO, 180, 500), "taupiniere_missed": taupiniere(flick(MO, 180, 500))} {
		x = lay(t, plain([4]float64{230, 80, 270, 120}), turnO, two)
		if x.play(a); !strings.HasSuffix(x.happened(), "round mignettes "+name+", swap") {
			t.Errorf("row 11: three lose either way: %s", x.happened())
		}
	}
	one := edge(nil)
	if err := (mole.Rules{}).Legal(&one.s, 0, taupiniere(flick(MO, 0, 1))); err == nil || !strings.Contains(err.Error(), "taupiniere") {
		t.Errorf("row 11: taupiniere takes two living mignettes: %v", err)
	}
	x = lay(t, plain(), turnM, set{MO: {150, 200}, M1: {100, 100}, M2: {200, 100}})
	if err := (mole.Rules{}).Legal(&x.s, 1, taupiniere(flick(M1, 0, 1))); err == nil || !strings.Contains(err.Error(), "taupiniere") {
		t.Errorf("row 11: taupiniere is for the mole: %v", err)
	}
}

func TestRow12Gad(t *testing.T) {
	rules := mole.Rules{}
	touch := func(gap float64) *table {
		return lay(t, plain(), turnO, set{MO: {150, 200}, M1: {150 + 23.1 + gap, 200}, M2: {50, 100}})
	}
	for _, row := range []struct {
		gap float64
		gad bool
	}{{-.001, true}, {0, true}, {.05, true}, {.051, false}} {
		x := touch(row.gap)
		err := rules.Legal(&x.s, 0, mole.Action{Type: mole.Nasdaq, Coin: MO})
		if got := err != nil; got != row.gad {
			t.Errorf("row 12: at a gap of %g mm Nasdaq refused: %v, want %v", row.gap, got, row.gad)
		}
		for degrees, away := range map[float64]bool{0: false, 89.999: false, 90: true, 180: true, 270: true, 270.001: false, 359.999: false} {
			if err := rules.Legal(&x.s, 0, flick(MO, degrees, 100)); (err == nil) != (away || !row.gad) {
				t.Errorf("row 12: gap %g, %g°: %v", row.gap, degrees, err)
			}
		}
	}
	// Two on opposite sides leave two directions, to the mdeg; the offer has them as they are.
	x := lay(t, plain(), turnO, set{MO: {150, 200}, M1: {173.1, 200}, M2: {126.9, 200}})
	var o game.Offer[mole.Action]
	rules.Offer(&x.s, 0, &o)
	if len(o.Forms) != 2 {
		t.Fatalf("row 12: opposite coins leave two directions, got %+v", o.Forms)
	}
	for i, want := range []int{90_000, 270_000} {
		if angle := o.Forms[i].Fields[1]; *angle.Min != want || *angle.Max != want {
			t.Errorf("row 12: direction %d is %d to %d mdeg, want %d", i, *angle.Min, *angle.Max, want)
		}
	}
	// Noise is clamped to them.
	x.s.Noise = 2
	for range 20 {
		y := *x
		y.flick(MO, 90, 100)
		for _, e := range y.e {
			if e.Kind == "flick" && e.Shot.Angle != 90_000 {
				t.Fatalf("row 12: executed at %d mdeg", e.Shot.Angle)
			}
		}
	}
	// Three around leave none: the round ends without a decision, at the start of his turn.
	x = lay(t, plain(), turnM, set{MO: {150, 200}, M1: {150 + 23.1, 200}, M2: {150 - 11.55, 200 + 20.006}, M3: {150 - 11.55, 200 - 20.006}})
	x.pass(M1, M2, M3).want("row 12: no direction left", "round mignettes no_direction, swap")
	// Mignettes are never in Gad.
	x = lay(t, plain(), turnM, set{MO: {150, 200}, M1: {173.1, 200}})
	if err := rules.Legal(&x.s, 1, flick(M1, 180, 100)); err != nil {
		t.Errorf("row 12: a mignette may be flicked at the mole it touches: %v", err)
	}
	if err := rules.Legal(&x.s, 1, mole.Action{Type: mole.Nasdaq, Coin: M1}); err != nil {
		t.Errorf("row 12: and may decline: %v", err)
	}
}

func TestRow13WinningGad(t *testing.T) {
	b := ramped()
	b.NWalls, b.NPosts = 0, 0
	fly := func(moleAt [2]float64) *table {
		return lay(t, b, turnM, set{MO: moleAt, M1: {150, 190}, M2: {280, 30}})
	}
	// From 15 mm before the lip at 700 mm/s m1 flies some 43 mm.
	x := fly([2]float64{150, 255})
	x.flick(M1, 90, 700).want("row 13: a mignette on the mole", "round mignettes winning_gad, swap")
	x = fly([2]float64{165, 255})
	x.flick(M1, 90, 700).want("row 13: partly on the mole", "round mignettes winning_gad, swap")
	x = lay(t, b, turnO, set{MO: {150, 190}, M1: {150, 255}, M2: {280, 30}})
	x.flick(MO, 90, 700).want("F3: the mole on a mignette is set down", "set_down mole")
	if d := near(x.s.Coins[MO].At, x.s.Coins[M1].At); d < 23.1 || d > 23.3 {
		t.Errorf("F4: set down %g mm from m1", d)
	}
	if _, n := mole.Rules.Due(mole.Rules{}, &x.s), 0; n != 0 || x.s.Phase != turnM {
		t.Errorf("F3: no stack outlives a flick: phase %s", x.s.Phase)
	}
	x = lay(t, b, turnM, set{MO: {40, 30}, M1: {150, 190}, M2: {150, 255}})
	x.flick(M1, 90, 700).want("F3: a mignette on another is set down", "set_down m1")
}

func TestRow14APushIsNotPossible(t *testing.T) {
	var a mole.Action
	for _, words := range []string{`{"type":"push","coin":"mole"}`, `{"type":"push","coin":"mole","angle_mdeg":0,"speed_mm_s":1}`, `{"type":"flick","coin":"mole","angle_mdeg":0,"speed_mm_s":1,"push":true}`} {
		if err := a.UnmarshalJSON([]byte(words)); err == nil {
			t.Errorf("row 14: %s is read", words)
		}
	}
	// A flick is an impulse: however slow, it moves the coin no further than its speed carries it.
	x := lay(t, plain(), turnM, set{MO: {150, 200}, M1: {100, 100}})
	if x.flick(M1, 0, 1); x.s.Coins[M1].At != at([2]float64{100, 100}) {
		t.Errorf("row 14: at 1 mm/s m1 goes 0.2 µm, got %v", x.s.Coins[M1].At)
	}
}

func TestP4OverlapAloneMovesNothing(t *testing.T) {
	b := ramped() // a guessed position: m1 lies across the wall, m2 upon m3
	x := lay(t, b, turnM, set{MO: {150, 200}, M1: {150, 352}, M2: {250, 100}, M3: {255, 100}})
	before := x.s.Coins
	x.play(flick(MO+2, 90, 1)).want("P4: nothing is set down that has not flown", "")
	for _, id := range []mole.Coin{MO, M1, M3} {
		if x.s.Coins[id].At != before[id].At {
			t.Errorf("P4: %s moved from %v to %v", id, before[id].At, x.s.Coins[id].At)
		}
	}
}

func TestRow15NasdaqOfTheMole(t *testing.T) {
	x := lay(t, plain(), turnO, set{MO: {150, 200}, M1: {100, 100}})
	x.s.MoleTurns = 0
	for turn := 1; turn < 12; turn++ {
		x.pass(MO).want("row 15: as often as he likes", "")
		x.pass(M1)
	}
	x.pass(MO).want("row 15: every mole turn counts; after the twelfth the mignettes win", "round mignettes mole_turns, swap")
}

func TestR7OrderOfTests(t *testing.T) {
	x := lay(t, plain([4]float64{100, 100, 140, 140}), turnO, set{MO: {120, 120}, M1: {200, 300}})
	x.s.MoleTurns, x.s.MoleMax = 11, 5000
	x.flick(MO, 90, 2000).want("order of tests: row 9 before the cap", "left mole winning, round mignettes crossed_from_zone, swap")
	x = lay(t, plain(), turnO, set{MO: {70, 300}, M1: {12, 300}})
	x.s.MoleTurns = 11
	x.flick(MO, 180, 500).want("order of tests: the last killed before the cap", "left m1 left, died m1, round mole last_killed")
	x = lay(t, plain(), turnO, set{MO: {70, 300}, M1: {112, 300}})
	x.s.MoleTurns = 11
	x.flick(MO, 180, 50).want("order of tests: the cap last", "round mignettes mole_turns, swap")
}

func TestF5LiftTakesAnOverhang(t *testing.T) {
	lift := func(y float64) (*table, mole.Action) {
		a := flick(MO, 90, 900)
		a.Lift = 45_000
		return lay(t, plain(), turnO, set{MO: {150, y}, M1: {40, 300}}), a
	}
	x, a := lift(12.95)
	if err := (mole.Rules{}).Legal(&x.s, 0, a); err == nil || !strings.Contains(err.Error(), "lift_mdeg") {
		t.Errorf("F5: at its radius from the edge a coin does not overhang: %v", err)
	}
	for name, row := range map[string]struct {
		at   [2]float64
		over bool
	}{
		"left": {[2]float64{12.949, 200}, true}, "left, just not": {[2]float64{12.95, 200}, false},
		"right": {[2]float64{300 - 12.949, 200}, true}, "right, just not": {[2]float64{300 - 12.95, 200}, false},
		"winning": {[2]float64{150, 450 - 12.949}, true}, "winning, just not": {[2]float64{150, 450 - 12.95}, false},
	} {
		x, a := lift(100)
		x.s.Coins[MO].At = at(row.at)
		if err := (mole.Rules{}).Legal(&x.s, 0, a); (err == nil) != row.over {
			t.Errorf("F5: %s: %v", name, err)
		}
	}
	x, a = lift(12.949)
	x.play(a)
	want := 12.949 + 900*900/9810. + 900*900/2/(2*2452.5) // v² sin 90° ÷ g in the air, then v cos 45° in the plane
	if got := float64(x.s.Coins[MO].At.Y) / 1000; got < want-.0006 || got > want+.0006 {
		t.Errorf("F5: lifted off the back edge it comes to %g, want %g", got, want)
	}
}
