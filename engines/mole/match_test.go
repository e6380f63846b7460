package mole_test

import (
	"testing"

	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/engines/mole"
	"github.com/molerun/molerun/internal/must"
)

// rounds plays a match in which the mole wins (m), loses (l) or ties (t) round after round, and stops when it is over.
func rounds(t *testing.T, config string, results string) (x *table, played int) {
	t.Helper()
	x = &table{t: t, r: game.Stream(game.Seed{1}, 0, "rounds")}
	c := mole.Rules{}.Defaults()
	c.Noise, c.FirstMole, c.MignetteMaxMMS = "none", 0, 1300
	switch config {
	case "short":
		c.Points, c.MaxRounds = 5, 60
	case "cap":
		c.MaxRounds = 4
	}
	mole.Rules{}.Deal(&x.s, c, 2, x.r, nil)
	for _, result := range results {
		if x.s.Phase == mole.PhaseOver {
			break
		}
		played++
		x.s.Phase, x.s.MoleTurns = mole.PhaseMole, 1
		x.s.Coins[M1] = mole.Piece{At: at([2]float64{40, 240}), Alive: true}
		x.s.Coins[M2] = mole.Piece{At: at([2]float64{270, 240}), Alive: true}
		x.s.Coins[MO].At = at([2]float64{150, 400})
		switch result {
		case 'm':
			x.flick(MO, 90, 900)
		case 'l':
			x.s.Coins[MO].At = at([2]float64{30, 300})
			x.flick(MO, 180, 900)
		case 't':
			x.s.Phase, x.s.Coins = mole.PhaseMignettes, [4]mole.Piece{}
			x.s.Coins[MO] = mole.Piece{At: at([2]float64{8, 442}), Alive: true}
			x.s.Coins[M1] = mole.Piece{At: at([2]float64{28, 389}), Alive: true}
			x.flick(M1, 90, 1300)
		}
	}
	return x, played
}

func TestTheMoleScoresAndStaysTheMignettesSwapATieIsReplayed(t *testing.T) {
	for _, row := range []struct {
		results string
		score   [2]int16
		mole    int8
	}{{"m", [2]int16{1, 0}, 0}, {"l", [2]int16{0, 0}, 1}, {"t", [2]int16{0, 0}, 0}, {"lm", [2]int16{0, 1}, 1}, {"mltml", [2]int16{1, 1}, 0}} {
		x, n := rounds(t, "", row.results)
		if x.s.Score != row.score || x.s.Mole != row.mole || int(x.s.Round) != n+1 {
			t.Errorf("%s: score %v, mole %d, round %d; want %v, %d, %d", row.results, x.s.Score, x.s.Mole, x.s.Round, row.score, row.mole, n+1)
		}
		if x.s.Phase != mole.PhasePlace || x.s.Coins[MO].At != x.s.Board.Circle.At || x.s.Coins[M1].Alive {
			t.Errorf("%s: the board is reset: phase %s, coins %+v", row.results, x.s.Phase, x.s.Coins)
		}
	}
}

func TestTheMatchGoesToElevenByTwo(t *testing.T) {
	const ten = "mmmmmmmmmm"
	for _, row := range []struct {
		name, config, results string
		played                int
		score                 [2]int16
		rank                  [2]int
		why                   string
	}{
		{"11 to 0", "", ten + "mmm", 11, [2]int16{11, 0}, [2]int{1, 2}, "points"},
		{"11 to 10 is not enough", "", ten + "l" + ten + "mm" + "lm", 23, [2]int16{10, 12}, [2]int{2, 1}, "points"},
		{"12 to 10", "", ten + "l" + ten + "l" + "mmm", 24, [2]int16{12, 10}, [2]int{1, 2}, "points"},
		{"short: to 5", "short", "lmmmmmmm", 6, [2]int16{0, 5}, [2]int{2, 1}, "points"},
		{"at the cap the leader wins", "cap", "mtlt", 4, [2]int16{1, 0}, [2]int{1, 2}, "max_rounds"},
		{"at the cap a draw, ties count", "cap", "mtlm", 4, [2]int16{1, 1}, [2]int{1, 1}, "max_rounds"},
	} {
		x, n := rounds(t, row.config, row.results)
		if n != row.played || x.s.Score != row.score || x.s.Phase != mole.PhaseOver {
			t.Errorf("%s: %d rounds, score %v, phase %s; want %d, %v, over", row.name, n, x.s.Score, x.s.Phase, row.played, row.score)
			continue
		}
		got := mole.Rules{}.Result(&x.s)
		if got.Rank[0] != row.rank[0] || got.Rank[1] != row.rank[1] {
			t.Errorf("%s: ranks %v, want %v", row.name, got.Rank, row.rank)
		}
		if got.Why != row.why {
			t.Errorf("%s: why %s, want %s", row.name, got.Why, row.why)
		}
		if got.Points[0] != float64(row.score[0]) {
			t.Errorf("%s: points %v, want %v", row.name, got.Points, row.score)
		}
	}
}

func TestARoundBeginsWithThePlacingAndTheMignettes(t *testing.T) {
	c := mole.Rules{}.Defaults()
	c.FirstMole = 1
	x := &table{t: t, r: game.Stream(game.Seed{1}, 0, "test")}
	mole.Rules{}.Deal(&x.s, c, 2, x.r, nil)
	if due := (mole.Rules{}).Due(&x.s); due != game.Only(0) {
		t.Errorf("the mignettes' seat places: due %v", due)
	}
	placing := func(a, b, c [2]float64) mole.Action {
		return mole.Action{Type: mole.Place, At: [3]mole.Point{at(a), at(b), at(c)}}
	}
	for name, row := range map[string]struct {
		a  mole.Action
		ok bool
	}{
		"touching":              {placing([2]float64{100, 280}, [2]float64{120.3, 280}, [2]float64{140.6, 280}), true},
		"a micrometre too near": {placing([2]float64{100, 280}, [2]float64{120.299, 280}, [2]float64{141, 280}), false},
		"in the corners":        {placing([2]float64{60.15, 260.15}, [2]float64{239.85, 260.15}, [2]float64{239.85, 299.85}), true},
		"a micrometre out":      {placing([2]float64{60.149, 260.15}, [2]float64{239.85, 260.15}, [2]float64{239.85, 299.85}), false},
	} {
		if err := (mole.Rules{}).Legal(&x.s, 0, row.a); (err == nil) != row.ok {
			t.Errorf("row 2: %s: %v", name, err)
		}
	}
	x.play(placing([2]float64{100, 280}, [2]float64{150, 280}, [2]float64{200, 280}))
	if x.s.Phase != mole.PhaseMignettes || mole.Rules.Due(mole.Rules{}, &x.s) != game.Only(0) {
		t.Errorf("mignettes first: phase %s", x.s.Phase)
	}
	x.pass(M2, M1, M3)
	if x.s.Phase != mole.PhaseMole || mole.Rules.Due(mole.Rules{}, &x.s) != game.Only(1) {
		t.Errorf("then the mole: phase %s", x.s.Phase)
	}
	if v := (mole.Rules{}).View(&x.s, 0); v.Coins[1].Played {
		t.Error("played is of this turn")
	}
}

func TestTheLotDrawsBothSeats(t *testing.T) {
	seen := map[int8]int{}
	for k := range 40 {
		var s mole.State
		mole.Rules{}.Deal(&s, mole.Rules{}.Defaults(), 2, game.Stream(game.Seed{byte(k)}, 0, "deal"), nil)
		seen[s.Mole]++
	}
	if seen[0] < 8 || seen[1] < 8 {
		t.Errorf("the lot gives %v", seen)
	}
}

// TestTheViewNamesTheSideThatDecides, none once over.
func TestTheViewNamesTheSideThatDecides(t *testing.T) {
	for phase, want := range map[mole.Phase]string{mole.PhasePlace: "mignettes", turnM: "mignettes", turnO: "mole", mole.PhaseOver: "none"} {
		x := lay(t, plain(), phase, set{MO: {150, 200}, M1: {40, 100}})
		got := "none"
		if side := (mole.Rules{}).View(&x.s, 0).Side; side != nil {
			got = *side
		}
		if got != want {
			t.Errorf("in phase %s: got %s, want %s", phase, got, want)
		}
	}
}

func TestTheHashOfATableIsItsOwnWhateverItsTwinsHash(t *testing.T) {
	table, _, err := game.Wrap(mole.Rules{}).New(nil, 2, game.Seed{1})
	must.OK(t, err)
	play := func(x game.Table) {
		seat := x.Due().Lowest()
		must.OK(t, x.Repeat([]game.Turn{{Seat: seat, Action: x.House(seat)}}))
		x.Hash()
	}
	for range 3 {
		play(table)
		want := table.Hash()
		twin := table.Resample(game.Spectator, game.Seed{2})
		for range 20 {
			play(twin)
		}
		if got := table.Hash(); got != want {
			t.Fatalf("step %d: got %x after the twin's, want %x", table.Step(), got, want)
		}
	}
}
