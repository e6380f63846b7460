package mole_test

import (
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/molerun/molerun/engines/mole"
)

// TestWordsTellWhoDoesWhatAndWhoHasWon, with seat 1 being the mole.
func TestWordsTellWhoDoesWhatAndWhoHasWon(t *testing.T) {
	rules := mole.Rules{}
	tell := func(phase mole.Phase, score [2]int16, coins set) (text, svg string) {
		x := lay(t, mole.Classic(), phase, coins)
		x.s.Mole, x.s.Score, x.s.Round = 1, score, 20
		v := rules.View(&x.s, 0)
		return rules.Describe(v), string(rules.Draw(v, nil))
	}
	all := set{MO: {150, 200}, M1: {40, 100}, M3: {80, 100}}
	for _, row := range []struct {
		name  string
		phase mole.Phase
		score [2]int16
		coins set
		want  []string
	}{
		{"placing", mole.PhasePlace, [2]int16{3, 2}, set{MO: {150, 90}}, []string{"Mole, round 20 of at most 120, score 3 : 2.", "Seat 0 places the mignettes", "Seat 1 has the mole, seat 0 the mignettes.", "m1: not yet placed."}},
		{"mignettes", turnM, [2]int16{3, 2}, all, []string{"Seat 0 plays the mignettes; to play: m1 m3.", "mole: at (150.000, 200.000).", "m2: off the board."}},
		{"mole", turnO, [2]int16{3, 2}, all, []string{"Seat 1 plays the mole; turn 2 of 12."}},
		{"over, seat 0 wins", mole.PhaseOver, [2]int16{11, 2}, all, []string{"Mole, over: seat 0 wins 11 : 2.", "The match is over."}},
		{"over, seat 1 wins", mole.PhaseOver, [2]int16{2, 11}, all, []string{"Mole, over: seat 1 wins 2 : 11."}},
		{"over, a draw", mole.PhaseOver, [2]int16{4, 4}, all, []string{"Mole, over: a draw, 4 : 4."}},
	} {
		text, svg := tell(row.phase, row.score, row.coins)
		for _, want := range row.want {
			if !strings.Contains(text, want) {
				t.Errorf("%s: no %q in\n%s", row.name, want, text)
			}
		}
		for side, want := range map[string]int16{"mole": row.score[1], "mignettes": row.score[0]} {
			plate := regexp.MustCompile(`>` + side + `</text><text [^>]*>(\d+)<`).FindStringSubmatch(svg)
			if plate == nil || plate[1] != fmt.Sprint(want) {
				t.Errorf("%s: the plate of the %s says %v, want %d", row.name, side, plate, want)
			}
		}
	}
}

// TestAFlickTellsWhatComesOfIt, with the coin that struck before the one that was struck, whichever was named first.
func TestAFlickTellsWhatComesOfIt(t *testing.T) {
	for _, row := range []struct {
		name    string
		phase   mole.Phase
		coins   set
		coin    mole.Coin
		degrees float64
		speed   int32
		want    []string
	}{
		{"off a side", turnM, set{MO: {280, 300}, M1: {250, 300}}, M1, 0, 1300, []string{"Mignette 1 is flicked to the right at 1300 mm/s and knocks the mole off the right side.", "Mignette 1 hits the mole.", "The mole goes off the right side."}},
		{"a touch", turnM, set{MO: {150, 320}, M1: {100, 320}, M2: {40, 40}}, M1, 0, 500, []string{"Mignette 1 is flicked to the right at 500 mm/s and hits the mole.", "Mignette 1 hits the mole."}},
		{"over the line", turnO, set{MO: {150, 430}, M1: {40, 100}}, MO, 90, 700, []string{"The mole is flicked up at 700 mm/s and goes over the winning line."}},
		{"nothing", turnM, set{MO: {150, 300}, M1: {100, 100}, M2: {40, 40}}, M1, 225, 100, []string{"Mignette 1 is flicked down to the left at 100 mm/s."}},
		{"gently", turnM, set{MO: {150, 300}, M1: {100, 100}, M2: {40, 40}}, M1, 225, 12, []string{"Mignette 1 is flicked down to the left at 12 mm/s."}},
		{"hardly", turnM, set{MO: {150, 300}, M1: {100, 100}, M2: {40, 40}}, M1, 135, 1, []string{"Mignette 1 is flicked up to the left at 1 mm/s."}},
		{"from a touch", turnM, set{MO: {150, 320}, M1: {150 - 23.1, 320}, M2: {40, 40}}, M1, 0, 500, []string{"Mignette 1 hits the mole."}},
		{"a row", turnM, set{MO: {150, 320}, M1: {80, 320}, M2: {150 - 23.1, 320}}, M1, 0, 500, []string{"Mignette 1 hits mignette 2.", "Mignette 2 hits the mole."}},
	} {
		x := lay(t, plain(), row.phase, row.coins).flick(row.coin, row.degrees, row.speed)
		told := ""
		for i := range x.e {
			told += x.e[i].Words() + "\n"
		}
		for _, want := range row.want {
			if !strings.Contains(told, want+"\n") {
				t.Errorf("%s: no %q in\n%s", row.name, want, told)
			}
		}
		if strings.Contains(told, "The mole hits mignette 1.") {
			t.Errorf("%s: the mole is said to hit m1, which hit it:\n%s", row.name, told)
		}
	}
}

// paths returns the ends of the lines of a drawing with these attributes: where they start and how far they go.
func paths(svg, attributes string) (out [][4]float64) {
	for _, m := range regexp.MustCompile(`<path d="M([-\d.]+) ([-\d.]+)[lL]([-\d.]+) ([-\d.]+)" `+regexp.QuoteMeta(attributes)).FindAllStringSubmatch(svg, -1) {
		var x [4]float64
		for i := range x {
			x[i], _ = strconv.ParseFloat(m[i+1], 64)
		}
		out = append(out, x)
	}
	return out
}

// TestGadIsDrawnWhereTheRimsMeet: the middle of a bar along the line of the centres.
func TestGadIsDrawnWhereTheRimsMeet(t *testing.T) {
	dx, dy := 23.1*.6, 23.1*.8
	x := lay(t, plain(), turnO, set{MO: {150, 200}, M1: {150 + dx, 200 + dy}})
	list := paths(string(mole.Rules{}.Draw(mole.Rules{}.View(&x.s, 0), nil)), `class="gad"`)
	if len(list) != 1 {
		t.Fatalf("want one bar, got %v", list)
	}
	bar := list[0]
	midX, midY := bar[0]+bar[2]/2, bar[1]+bar[3]/2
	const scale = 690. / 450 // of the plain board
	wantX, wantY := 130+scale*(150+12.95*.6), 150+scale*(450-200-12.95*.8)
	if math.Hypot(midX-wantX, midY-wantY) > .05 || math.Abs(bar[2]-.3*scale*dx) > .05 || math.Abs(bar[3]+.3*scale*dy) > .05 {
		t.Errorf("the bar %v has its middle at (%g, %g), want (%g, %g)", bar, midX, midY, wantX, wantY)
	}
}

// TestTheLipIsDrawnAcrossTheRamp.
func TestTheLipIsDrawnAcrossTheRamp(t *testing.T) {
	for _, row := range []struct {
		direction, lip int32
		want           [4]float64 // from and to in mm of the board
	}{
		{0, 180_000, [4]float64{180, 30, 180, 60}},
		{90_000, 60_000, [4]float64{100, 60, 180, 60}},
		{180_000, 100_000, [4]float64{100, 30, 100, 60}},
		{270_000, 30_000, [4]float64{100, 30, 180, 30}},
	} {
		x := lay(t, bare(onRamp(row.direction, row.lip, 30_000)), turnO, set{MO: {30, 150}, M1: {90, 100}})
		const scale, left, top = 3.2, 40, 150 // of a board of 200 by 200 mm
		want := [4]float64{left + scale*row.want[0], top + scale*(200-row.want[1]), left + scale*row.want[2], top + scale*(200-row.want[3])}
		got := paths(string(mole.Rules{}.Draw(mole.Rules{}.View(&x.s, 0), nil)), `class="lip"`)
		if fmt.Sprintf("%.2f", got) != fmt.Sprintf("%.2f", [][4]float64{want}) {
			t.Errorf("towards %d: the lip is drawn as %v, want %v", row.direction, got, want)
		}
	}
}
