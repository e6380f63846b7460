package pairing_test

import (
	"math"
	"testing"

	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/pairing"
)

// Wilson (1927): 8 of 10 are between 0.490 and 0.943; the values here are those of 1½ of 2, worked by hand from his formula.
func TestACrosstableCountsTheGamesOfBlocksThatAreOver(t *testing.T) {
	c := pairing.Contest{Settings: pairing.Settings{Format: tournament.RoundRobin, SeatsPerTable: 2, Duplicate: true}, Entries: field(3)}
	block := func(a, b int, points ...float64) pairing.Block {
		out := pairing.Block{}
		for i, p := range points {
			g := pairing.Game{Seats: []int{a, b}, Result: &pairing.Result{Points: []float64{p, 1 - p}, Score: []float64{0, 0}}}
			if i%2 == 1 {
				g.Seats, g.Result.Points = []int{b, a}, []float64{1 - p, p}
			}
			out.Games = append(out.Games, g)
		}
		return out
	}
	open, void := block(0, 2, 1, 1), block(0, 2, 1, 1)
	open.Games[1].Result, void.Games[1].Result = nil, &pairing.Result{Void: true}
	c.Rounds = []pairing.Round{{Blocks: []pairing.Block{block(0, 1, 1, .5), block(0, 1, 1, .5), open, void}}}
	got := pairing.Crosstable(c)
	z2 := 1.959963984540054 * 1.959963984540054
	low := (.75 + z2/4 - math.Sqrt(z2)*math.Sqrt(.75*.25/2+z2/16)) / (1 + z2/2)
	x := got[0][1]
	if x.Blocks != 2 || x.Games != 4 || x.Share != .75 {
		t.Errorf("0 against 1: %+v, want 0.75 of 4 games in 2 blocks", x)
	}
	if math.Abs(x.Low-low) > 1e-6 {
		t.Errorf("0 against 1: from %v, want %.6f", x.Low, low)
	}
	if math.Abs(x.High+got[1][0].Low-1) > 2e-6 {
		t.Errorf("0 against 1: to %v, want the mirror of the other's %v", x.High, got[1][0].Low)
	}
	if x := got[1][0]; x.Share != .25 {
		t.Errorf("1 against 0: %+v, want 0.25", x)
	}
	if x := got[0][2]; x.Blocks != 1 || x.Games != 1 || x.Share != 1 {
		t.Errorf("0 against 2: %+v, want the one game of a block whose other is void, and nothing of one that is open", x)
	}
}

func TestACrosstableOfLargerTablesComparesTwoAtATime(t *testing.T) {
	c := pairing.Contest{Settings: pairing.Settings{Format: tournament.Groups, SeatsPerTable: 3}, Entries: field(3)}
	c.Rounds = []pairing.Round{{Blocks: []pairing.Block{{Games: []pairing.Game{{
		Seats: []int{2, 0, 1}, Result: &pairing.Result{Points: []float64{1, .25, .25}, Score: []float64{0, 0, 0}},
	}}}}}}
	got := pairing.Crosstable(c)
	for _, row := range []struct {
		e, o int
		want float64
	}{{2, 0, 1}, {2, 1, 1}, {0, 1, .5}, {1, 0, .5}, {0, 2, 0}} {
		if x := got[row.e][row.o]; x.Share != row.want || x.Games != 1 {
			t.Errorf("%d against %d: %+v, want %v of one game", row.e, row.o, x, row.want)
		}
	}
}

// The games of an entry that left early count for nobody: neither in the standings nor here. Those of a playoff do.
func TestACrosstableHasWhatTheStandingsCount(t *testing.T) {
	c := games(tournament.RoundRobin, 5, "AB1", "AC1", "AD1", "BD=")
	c.Entries[3].State = pairing.Withdrawn // after two of its four
	if got := pairing.Crosstable(c); got[0][3].Games != 1 || got[3][1].Games != 1 {
		t.Errorf("who left after half of its games has %+v", got[3])
	}
	c.Entries[2].State = pairing.Withdrawn // after one of its four
	lines, err := pairing.Standings(c)
	if err != nil {
		t.Fatal(err)
	}
	for _, l := range lines {
		played := 0
		for _, x := range pairing.Crosstable(c)[l.Entry] {
			played += x.Games
		}
		if l.Annulled != (l.Entry == 2) || l.Annulled && played != 0 || !l.Annulled && played != l.Played {
			t.Errorf("%+v, and %d games in the crosstable", l, played)
		}
	}
}
