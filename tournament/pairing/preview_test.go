package pairing_test

import (
	"fmt"
	"os"
	"slices"
	"testing"

	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/internal/must"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/pairing"
)

// Whatever the results, no more rounds are played than are foretold; just as many where all is fixed, and where every tie is even to its end. So for all
// formats, second stages and sizes, at tables of two and of three.
func TestNoMoreRoundsArePlayedThanForetold(t *testing.T) {
	luck := game.Stream(game.Seed{}, 0, "rounds")
	even := func(seats []int) []float64 { return slices.Repeat([]float64{.5}, len(seats)) }
	for _, k := range kinds() {
		for n := 2; n <= 33; n++ {
			if n > 17 && n%8 > 1 && os.Getenv("MOLERUN_NIGHTLY") == "" {
				continue // by night
			}
			for i := range 6 {
				s := pairing.Settings{Format: k.format, SeatsPerTable: 2, Cycles: 1 + luck.IntN(2), FormatOptions: tournament.FormatOptions{Playoff: k.playoff}}
				s.BestOf, s.Duplicate = []int{0, 1, 2, 3}[luck.IntN(4)], luck.IntN(3) == 0
				s.GroupSize, s.Finalists, s.ThirdPlace = luck.IntN(6), luck.IntN(6), luck.IntN(2) == 0
				if s.Duplicate {
					s.BestOf &^= 1
				}
				if k.format == tournament.SPRT {
					s.Duplicate, s.Test.MaxPairs = true, 20
				}
				if i > 3 {
					s.SeatsPerTable, s.BestOf, s.ThirdPlace = 3, 0, false
				}
				if _, err := pairing.Matches(n, s); err != nil || k.format == tournament.Arena {
					continue
				}
				w := newWorld(t, s, n)
				w.r = game.Stream(game.Seed{byte(n), byte(i)}, 0, "world")
				w.c.Seed = game.Seed{byte(n)}
				for e := range 1 + luck.IntN(max(1, n-s.SeatsPerTable)) {
					w.c.Entries[e].Challenger = true
				}
				if i%2 == 0 {
					w.result = even
				}
				told := pairing.Rounds(n, s)
				w.play(told)
				loose := k.format == tournament.Gauntlet || k.format == tournament.SPRT || k.format == tournament.DoubleElimination || k.playoff == tournament.DoubleElimination
				if got := len(w.c.Rounds); i%2 == 0 && !loose && got != told {
					t.Errorf("%s of %d, %+v: %d rounds were played, foretold were %d", k, n, s, got, told)
				}
			}
		}
	}
}

// All that is foretold is played if every tie of single games is drawn, or void, until its extra pair; in a double elimination the lower seed
// must then win the final by that.
func TestABracketMayTakeAllItsRounds(t *testing.T) {
	drawn, void := &pairing.Result{Points: []float64{.5, .5}, Score: []float64{0, 0}}, &pairing.Result{Void: true}
	most := func(s pairing.Settings, n int, even *pairing.Result) {
		s.SeatsPerTable = 2
		w := newWorld(t, s, n)
		for w.round() {
			for _, b := range w.c.Rounds[len(w.c.Rounds)-1].Blocks {
				for i := range b.Games {
					b.Games[i].Result = even
					if points := upsets(b.Games[i].Seats); s.Format == tournament.DoubleElimination && b.Name == "final" && len(b.Games) == 2 {
						b.Games[i].Result = &pairing.Result{Points: points, Score: points}
					}
				}
			}
		}
		must.Same(t, fmt.Sprintf("%d entries, %+v, %+v: rounds", n, s, even), len(w.c.Rounds), pairing.Rounds(n, s))
	}
	for n := 2; n <= 33; n++ {
		for _, third := range []bool{false, true} {
			for _, even := range []*pairing.Result{drawn, void} {
				most(pairing.Settings{Format: tournament.SingleElimination, FormatOptions: tournament.FormatOptions{BestOf: 1, ThirdPlace: third}}, n, even)
			}
		}
		for bestOf := 1; bestOf <= 3 && n <= 17; bestOf++ {
			most(pairing.Settings{Format: tournament.DoubleElimination, FormatOptions: tournament.FormatOptions{BestOf: bestOf}}, n, drawn)
		}
	}
}
