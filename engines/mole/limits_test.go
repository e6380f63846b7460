package mole_test

import (
	"strings"
	"testing"

	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/engines/mole"
	"github.com/molerun/molerun/internal/must"
)

func rect(x0, y0, x1, y1 int32) mole.Rect {
	return mole.Rect{From: mole.Point{X: x0, Y: y0}, To: mole.Point{X: x1, Y: y1}}
}

// bare returns a board with a nichee for three mignettes and nothing else; edit changes it.
func bare(edit func(*mole.Board)) mole.Board {
	b := mole.Board{W: 200_000, H: 200_000, Circle: mole.Circle{At: mole.Point{X: 50_000, Y: 80_000}, R: 20_000}, Nichee: rect(0, 0, 60_900, 20_300)}
	if edit != nil {
		edit(&b)
	}
	return b
}

func onRamp(direction, lip, angle int32) func(*mole.Board) {
	return func(b *mole.Board) {
		b.Ramp = mole.Ramp{On: true, Rect: rect(100_000, 30_000, 180_000, 60_000), Direction: direction, Lip: lip, Angle: angle}
	}
}

// TestTheBoundsOfABoard: each bound is taken, one beyond is refused by the name of its key.
func TestTheBoundsOfABoard(t *testing.T) {
	things := func(rosseries, walls, posts int8) func(*mole.Board) {
		return func(b *mole.Board) {
			b.Rosseries, b.NWalls, b.NPosts = rosseries, walls, posts
			for k := range b.Rosserie {
				b.Rosserie[k] = rect(1, 1, 2, 2)
				b.Walls[k] = mole.Wall{A: mole.Point{X: 1, Y: 199_999}, B: mole.Point{X: 2, Y: 199_999}}
				b.Posts[k] = mole.Circle{At: mole.Point{X: 1, Y: 199_999}, R: 1}
			}
		}
	}
	post := func(r int32) func(*mole.Board) {
		return func(b *mole.Board) { b.NPosts, b.Posts[0] = 1, mole.Circle{At: mole.Point{X: 1, Y: 1}, R: r} }
	}
	loup := func(y int32) func(*mole.Board) { return func(b *mole.Board) { b.HasLoup, b.Loup = true, y } }
	rosserie := func(x0, y0, x1, y1 int32) func(*mole.Board) {
		return func(b *mole.Board) { b.Rosseries, b.Rosserie[0] = 1, rect(x0, y0, x1, y1) }
	}
	nichee := func(x1, y1 int32) func(*mole.Board) { return func(b *mole.Board) { b.Nichee = rect(0, 0, x1, y1) } }
	for _, row := range []struct {
		name string
		edit func(*mole.Board)
		want string // the key of the refusal; empty: taken
	}{
		{"as it is", nil, ""},
		{"least width", func(b *mole.Board) { b.W = 100_000 }, ""},
		{"too narrow", func(b *mole.Board) { b.W = 99_999 }, "board.w_um"},
		{"most width", func(b *mole.Board) { b.W = 1_000_000 }, ""},
		{"too wide", func(b *mole.Board) { b.W = 1_000_001 }, "board.w_um"},
		{"least height", func(b *mole.Board) { b.H = 100_000 }, ""},
		{"too low", func(b *mole.Board) { b.H = 99_999 }, "board.h_um"},
		{"most height", func(b *mole.Board) { b.H = 1_000_000 }, ""},
		{"too high", func(b *mole.Board) { b.H = 1_000_001 }, "board.h_um"},
		{"14 things and the two", things(5, 5, 4), ""},
		{"15 rosseries", things(15, 0, 0), "board: want at most 16"},
		{"15 walls", things(0, 15, 0), "board: want at most 16"},
		{"15 posts", things(0, 0, 15), "board: want at most 16"},
		{"least circle", func(b *mole.Board) { b.Circle.R = 1 }, ""},
		{"no circle", func(b *mole.Board) { b.Circle.R = 0 }, "board.circle"},
		{"most circle", func(b *mole.Board) { b.Circle.R = 1_000_000 }, ""},
		{"too much circle", func(b *mole.Board) { b.Circle.R = 1_000_001 }, "board.circle"},
		{"loup at the back", loup(0), ""},
		{"loup beyond the back", loup(-1), "board.loup_um"},
		{"loup at the winning line", loup(200_000), ""},
		{"loup beyond it", loup(200_001), "board.loup_um"},
		{"rosserie all over", rosserie(0, 0, 200_000, 200_000), ""},
		{"rosserie without width", rosserie(5, 5, 5, 9), "board.rosserie[0]"},
		{"rosserie without height", rosserie(5, 9, 8, 9), "board.rosserie[0]"},
		{"rosserie from off the board", rosserie(-1, 5, 8, 9), "board.rosserie[0]"},
		{"rosserie to off the board", rosserie(5, 5, 200_001, 9), "board.rosserie[0]"},
		{"no post", post(0), "board.posts[0]"},
		{"most post, which leaves no room", post(1_000_000), "board.circle: a wall or post"},
		{"too much post", post(1_000_001), "board.posts[0]"},
		{"ramp towards 0", onRamp(0, 180_000, 1), ""},
		{"ramp towards 90", onRamp(90_000, 60_000, 1), ""},
		{"ramp towards 180", onRamp(180_000, 100_000, 45_000), ""},
		{"ramp towards 270", onRamp(270_000, 30_000, 45_000), ""},
		{"ramp towards -90", onRamp(-90_000, 60_000, 1), "direction_mdeg"},
		{"ramp towards 360", onRamp(360_000, 180_000, 1), "direction_mdeg"},
		{"ramp aslant", onRamp(45_000, 60_000, 1), "direction_mdeg"},
		{"lip before the ramp", onRamp(180_000, 99_999, 1), "lip_um"},
		{"lip behind the ramp", onRamp(0, 180_001, 1), "lip_um"},
		{"lip below the ramp", onRamp(270_000, 29_999, 1), "lip_um"},
		{"lip above the ramp", onRamp(90_000, 60_001, 1), "lip_um"},
		{"flat ramp", onRamp(0, 180_000, 0), "angle_mdeg"},
		{"too steep a ramp", onRamp(0, 180_000, 45_001), "angle_mdeg"},
		{"three side by side, not four", nichee(60_900, 20_300), ""},
		{"three above each other", nichee(20_300, 60_900), ""},
		{"two side by side", nichee(60_899, 20_300), "board.nichee"},
		{"too narrow for one", nichee(20_299, 60_900), "board.nichee"},
		{"too low for one", nichee(60_900, 20_299), "board.nichee"},
	} {
		c := mole.Rules{}.Defaults()
		c.Board.Board = bare(row.edit)
		err := mole.Rules{}.Validate(c, 2)
		if row.want == "" && err != nil || row.want != "" && (err == nil || !strings.Contains(err.Error(), row.want)) {
			t.Errorf("%s: want a refusal by %q, got %v", row.name, row.want, err)
		}
	}
}

// TestTheBoundsOfAMatch are taken; a seat that is none for the first mole is not.
func TestTheBoundsOfAMatch(t *testing.T) {
	least := mole.Rules{}.Defaults()
	least.Points, least.Lead, least.MaxRounds, least.MoleTurns = 1, 1, 1, 1
	least.FrictionPermille, least.RestitutionPermille, least.MoleMaxMMS, least.MignetteMaxMMS, least.FirstMole = 50, 0, 100, 100, 0
	most := mole.Rules{}.Defaults()
	most.Points, most.Lead, most.MaxRounds, most.MoleTurns = 50, 10, 500, 100
	most.FrictionPermille, most.RestitutionPermille, most.MoleMaxMMS, most.MignetteMaxMMS, most.FirstMole = 1000, 1000, 5000, 5000, 1
	for name, c := range map[string]mole.Config{"least": least, "most": most} {
		if err := (mole.Rules{}).Validate(c, 2); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	for _, seat := range []game.First{-2, 2} {
		c := mole.Rules{}.Defaults()
		c.FirstMole = seat
		if err := (mole.Rules{}).Validate(c, 2); err == nil || !strings.Contains(err.Error(), "first_mole") {
			t.Errorf("first mole %d: %v", seat, err)
		}
	}
}

// TestWhatIsNotDueIsRefused, whatever numbers an action is made of.
func TestWhatIsNotDueIsRefused(t *testing.T) {
	pos := set{MO: {150, 200}, M1: {40, 100}, M2: {5, 300}}
	lifted := func(lift int32) mole.Action { a := flick(M2, 0, 100); a.Lift = lift; return a }
	place := func(x1, y1, x2, y2, x3, y3 int32) mole.Action {
		return mole.Action{Type: mole.Place, At: [3]mole.Point{{X: x1, Y: y1}, {X: x2, Y: y2}, {X: x3, Y: y3}}}
	}
	for _, row := range []struct {
		name  string
		phase mole.Phase
		a     mole.Action
		want  string // part of the reason; empty: legal
	}{
		{"a type that is none", turnM, mole.Action{Type: 9, Coin: M1}, "is not due now"},
		{"a coin below all", turnM, flick(-1, 0, 1), "is not played now"},
		{"a coin above all", turnM, flick(4, 0, 1), "is not played now"},
		{"a coin above all, of the mole's", turnO, flick(4, 0, 1), "is not played now"},
		{"a flick once over", mole.PhaseOver, flick(M1, 0, 1), "the match is over"},
		{"a placing once over", mole.PhaseOver, place(60_000, 260_150, 90_000, 260_150, 120_000, 260_150), "the match is over"},
		{"the last direction", turnM, flick(M1, 359.999, 1), ""},
		{"a full turn", turnM, flick(M1, 360, 1), "want 0 to 359999, got 360000"},
		{"the steepest lift", turnM, lifted(45_000), ""},
		{"a steeper lift", turnM, lifted(45_001), "want 0 to 45000, got 45001"},
		{"a lift downwards", turnM, lifted(-1), "want 0 to 45000, got -1"},
		{"a place outside", mole.PhasePlace, place(60_150, 260_150, 60_149, 300_000, 120_000, 260_150), "at[1]: m2 at [60149 300000] is not"},
		{"a place outside to the right", mole.PhasePlace, place(60_150, 260_150, 239_851, 300_000, 120_000, 260_150), "at[1]: m2 at [239851 300000] is not"},
		{"the least number to the left", mole.PhasePlace, place(-1<<31, 280_000, 60_150, 260_150, 120_000, 260_150), "at[0]: m1 at [-2147483648 280000] is not"},
		{"the greatest to the right", mole.PhasePlace, place(1<<31-1, 280_000, 60_150, 260_150, 120_000, 260_150), "at[0]: m1 at [2147483647 280000] is not"},
		{"the least below", mole.PhasePlace, place(120_000, -1<<31, 60_150, 260_150, 80_450, 260_150), "at[0]: m1 at [120000 -2147483648] is not"},
		{"the greatest above", mole.PhasePlace, place(120_000, 1<<31-1, 60_150, 260_150, 80_450, 260_150), "at[0]: m1 at [120000 2147483647] is not"},
		{"places that touch", mole.PhasePlace, place(60_150, 260_150, 80_450, 260_150, 239_850, 299_850), ""},
		{"places that overlap", mole.PhasePlace, place(60_150, 260_150, 120_000, 260_150, 80_449, 260_150), "at[2]: m1 and m3 overlap: their centres must be at least 20300 um"},
		{"a place on a post", mole.PhasePlace, place(60_150, 260_150, 80_450, 260_150, 200_000, 280_000), "at[2]: m3 at [200000 280000] overlaps a wall or post"},
		{"a place on the mole", mole.PhasePlace, place(60_150, 260_150, 150_000, 280_000, 120_000, 260_150), "at[1]: m2 at [150000 280000] overlaps the mole"},
	} {
		b := plain()
		b.NPosts, b.Posts[0] = 1, mole.Circle{At: mole.Point{X: 200_000, Y: 281_000}, R: 500}
		x := lay(t, b, row.phase, pos)
		if row.phase == mole.PhasePlace {
			x.s.Coins = [4]mole.Piece{{At: at([2]float64{150, 280}), Alive: true}}
		}
		err := mole.Rules{}.Legal(&x.s, 0, row.a)
		if row.want == "" && err != nil || row.want != "" && (err == nil || !strings.Contains(err.Error(), row.want)) {
			t.Errorf("%s: want a refusal with %q, got %v", row.name, row.want, err)
		}
	}
}

// examples returns what is offered as such, by coin.
func (x *table) examples() map[mole.Coin]mole.Action {
	var o game.Offer[mole.Action]
	mole.Rules{}.Offer(&x.s, 0, &o)
	out := map[mole.Coin]mole.Action{}
	for _, a := range o.Examples {
		if a.Type == mole.Flick {
			out[a.Coin] = a
		}
	}
	return out
}

// TestTheExamplesOfAFlick: of a mignette towards the mole, of the mole straight up the board or as near to it as Gad leaves;
// at three quarters of the highest speed.
func TestTheExamplesOfAFlick(t *testing.T) {
	x := lay(t, plain(), turnM, set{MO: {150, 200}, M1: {100, 150}, M2: {150, 300}, M3: {200, 200}})
	for c, want := range map[mole.Coin]mole.Action{M1: flick(M1, 45, 975), M2: flick(M2, 270, 975), M3: flick(M3, 180, 975)} {
		if got := x.examples()[c]; got != want {
			t.Errorf("%s: got %+v, want %+v", c, got, want)
		}
	}
	x.s.Coins[MO] = mole.Piece{}
	if got, want := x.examples()[M1], flick(M1, 90, 975); got != want {
		t.Errorf("without a mole: got %+v, want %+v", got, want)
	}
	x = lay(t, plain(), turnO, set{MO: {150, 200}, M1: {100, 150}})
	if got, want := x.examples()[MO], flick(MO, 90, 675); got != want {
		t.Errorf("the mole: got %+v, want %+v", got, want)
	}
	x = lay(t, plain(), turnO, set{MO: {150, 200}, M1: {150 - 16, 200 + 16}})
	if got, want := x.examples()[MO], flick(MO, 45, 675); got != want {
		t.Errorf("the mole in Gad: got %+v, want %+v", got, want)
	}
}

// TestTaupiniereIsOfferedForTwoOrMore (row 11).
func TestTaupiniereIsOfferedForTwoOrMore(t *testing.T) {
	for n, coins := range []set{{M1: {40, 100}}, {M1: {40, 100}, M3: {80, 100}}, {M1: {40, 100}, M2: {80, 100}, M3: {120, 100}}} {
		coins[MO] = [2]float64{150, 200}
		x := lay(t, plain(), turnO, coins)
		var o game.Offer[mole.Action]
		mole.Rules{}.Offer(&x.s, 0, &o)
		fields := o.Forms[0].Fields
		if got := fields[len(fields)-1].Name == "taupiniere"; got != (n >= 1) {
			t.Errorf("with %d mignettes: offered %v", n+1, got)
		}
	}
}

// TestSampleDrawsAllThatIsAllowed: in Gad the whole arc and nothing else; places clear of things, on a board so full that only
// those on the list fit too.
func TestSampleDrawsAllThatIsAllowed(t *testing.T) {
	r := game.Stream(game.Seed{3}, 0, "sample")
	rules := mole.Rules{}
	x := lay(t, plain(), turnO, set{MO: {150, 200}, M1: {173.1, 200}})
	least, most := int32(360_000), int32(0)
	for range 400 {
		a := rules.Sample(&x.s, 0, r)
		if err := rules.Legal(&x.s, 0, a); err != nil {
			t.Fatalf("in Gad: %s: %v", a.AppendJSON(nil), err)
		}
		least, most = min(least, a.Angle), max(most, a.Angle)
	}
	if least > 95_000 || most < 265_000 {
		t.Errorf("in Gad: angles from %d to %d, want 90000 to 270000", least, most)
	}
	full := bare(nil)
	odd := mole.Classic()
	odd.Circle.At = mole.Point{X: 150_000, Y: 280_000}
	odd.NPosts, odd.Posts[0] = 1, mole.Circle{At: mole.Point{X: 90_000, Y: 280_000}, R: 12_000}
	for name, b := range map[string]mole.Board{"three places": full, "things in the nichee": odd} {
		c := rules.Defaults()
		c.Board.Board = b
		must.OK(t, rules.Validate(c, 2))
		var s mole.State
		rules.Deal(&s, c, 2, r, nil)
		first := map[mole.Point]bool{}
		for range 200 {
			a := rules.Sample(&s, 0, r)
			if err := rules.Legal(&s, 0, a); err != nil {
				t.Fatalf("%s: %s: %v", name, a.AppendJSON(nil), err)
			}
			first[a.At[0]] = true
		}
		if len(first) < 3 {
			t.Errorf("%s: m1 is always at one of %v", name, first)
		}
	}
}

// TestRampsOfAllDirectionsThrow: a coin that crosses the lip flies, so that its path is told in the air.
func TestRampsOfAllDirectionsThrow(t *testing.T) {
	for _, row := range []struct {
		direction, lip int32
		from           [2]float64
	}{{0, 180_000, [2]float64{170, 45}}, {90_000, 60_000, [2]float64{150, 50}}, {180_000, 100_000, [2]float64{110, 45}}, {270_000, 30_000, [2]float64{150, 40}}} {
		x := lay(t, bare(onRamp(row.direction, row.lip, 30_000)), turnM, set{MO: {30, 150}, M1: row.from})
		x.flick(M1, float64(row.direction)/1000, 500)
		flew := false
		for _, e := range x.e {
			for _, seg := range e.Segments {
				flew = flew || seg.Air
			}
		}
		if !flew {
			t.Errorf("towards %d: m1 did not fly (%s)", row.direction, x.happened())
		}
	}
}
