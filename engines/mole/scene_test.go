package mole_test

import (
	"math"
	"strings"
	"testing"

	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/engines/mole"
	"github.com/molerun/molerun/internal/must"
)

// table is a match in the middle of a round, with short words for tests. Lengths are in mm.
type table struct {
	t *testing.T
	s mole.State
	r *game.Rand
	e []mole.Event // of the last action
}

// set is a position: coins by name, in mm; those not named are not on the board. Without noise; after the first turn.
type set map[mole.Coin][2]float64

const (
	MO = mole.Mole
	M1 = mole.M1
	M2 = mole.M2
	M3 = mole.M3
)

func um(mm float64) int32 { return int32(math.Round(mm * 1000)) }

func at(mm [2]float64) mole.Point { return mole.Point{X: um(mm[0]), Y: um(mm[1])} }

// ramped returns the carnival with its ramp and its wall across the middle, where all coins come by.
func ramped() mole.Board {
	b := mole.Carnival()
	b.Ramp.Rect, b.Ramp.Lip = mole.Rect{From: at([2]float64{125, 175}), To: at([2]float64{175, 205})}, um(205)
	b.Walls[0] = mole.Wall{A: at([2]float64{125, 350}), B: at([2]float64{175, 350})}
	return b
}

// lay sets up a position on a board, with seat 0 the mole and mignettes as fast as 1300 mm/s.
func lay(t *testing.T, board mole.Board, phase mole.Phase, coins set) *table {
	t.Helper()
	c := mole.Rules{}.Defaults()
	c.Board.Board, c.Noise, c.FirstMole, c.MignetteMaxMMS = board, "none", 0, 1300
	must.OK(t, (mole.Rules{}).Validate(c, 2))
	x := &table{t: t, r: game.Stream(game.Seed{1}, 0, "test")}
	mole.Rules{}.Deal(&x.s, c, 2, x.r, nil)
	x.s.Phase, x.s.MoleTurns = phase, 1
	x.s.Coins = [4]mole.Piece{}
	for id, mm := range coins {
		x.s.Coins[id] = mole.Piece{At: at(mm), Alive: true}
	}
	return x
}

// play applies a legal action.
func (x *table) play(a mole.Action) *table {
	x.t.Helper()
	seat := mole.Rules{}.Due(&x.s).Lowest()
	if err := (mole.Rules{}).Legal(&x.s, seat, a); err != nil {
		x.t.Fatalf("%s: %v", a.AppendJSON(nil), err)
	}
	var log game.Log[mole.Event]
	mole.Rules{}.Apply(&x.s, []game.Act[mole.Action]{{Seat: seat, Action: a}}, x.r, &log)
	x.e = nil
	for _, n := range log.Notes {
		x.e = append(x.e, n.Event)
	}
	return x
}

func (x *table) flick(c mole.Coin, degrees float64, speed int32) *table {
	x.t.Helper()
	return x.play(flick(c, degrees, speed))
}

func (x *table) pass(coins ...mole.Coin) *table {
	x.t.Helper()
	for _, c := range coins {
		x.play(mole.Action{Type: mole.Nasdaq, Coin: c})
	}
	return x
}

func flick(c mole.Coin, degrees float64, speed int32) mole.Action {
	return mole.Action{Type: mole.Flick, Coin: c, Angle: int32(math.Round(degrees * 1000)), Speed: speed}
}

func taupiniere(a mole.Action) mole.Action { a.Taupiniere = true; return a }

// happened tells the last action's events in words: "round mole crossed", "died m1", "left mole winning", "put_back mole".
func (x *table) happened() string {
	var words []string
	for _, e := range x.e {
		switch e.Kind {
		case "round":
			words = append(words, "round "+e.Winner.String()+" "+e.Why)
		case "left":
			words = append(words, "left "+e.Coin.String()+" "+e.Edge.String())
		case "died", "put_back", "set_down":
			words = append(words, e.Kind+" "+e.Coin.String())
		case "swap", "over":
			words = append(words, e.Kind)
		}
	}
	return strings.Join(words, ", ")
}

// want compares what happened in the last action.
func (x *table) want(law, want string) {
	x.t.Helper()
	if got := x.happened(); got != want {
		x.t.Errorf("%s: got %q, want %q", law, got, want)
	}
}

// speed returns the whole mm/s at which a lone coin slides this far, to within a third of a millimetre.
func speed(mm float64) int32 { return int32(math.Round(math.Sqrt(2 * 2452.5 * mm))) }

// plain returns a board with nothing on it but a circle in a corner; zones are put on it as needed.
func plain(rosserie ...[4]float64) mole.Board {
	b := mole.Classic()
	b.Circle = mole.Circle{At: mole.Point{X: 260_000, Y: 40_000}, R: 30_000}
	b.Rosseries = 0
	b.HasLoup = false
	b.Rosserie = [mole.MaxThings]mole.Rect{}
	for _, r := range rosserie {
		b.Rosserie[b.Rosseries] = mole.Rect{From: at([2]float64{r[0], r[1]}), To: at([2]float64{r[2], r[3]})}
		b.Rosseries++
	}
	return b
}
