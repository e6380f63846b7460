package pairing_test

import (
	"math"
	"testing"

	"github.com/molerun/molerun/internal/must"
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
	for _, l := range must.Get(pairing.Standings(c))(t) {
		played := 0
		for _, x := range pairing.Crosstable(c)[l.Entry] {
			played += x.Games
		}
		if l.Annulled != (l.Entry == 2) || l.Annulled && played != 0 || !l.Annulled && played != l.Played {
			t.Errorf("%+v, and %d games in the crosstable", l, played)
		}
	}
}

// Members of one team do not meet: who only sat on one team has no cell, and games on one team are in no cell. The level of a pair counts
// them ½, so that of a game of n seats the levels of a bot sum to (n − 1)/2 and n/2 times what it has more points than the mean of the table.
func TestMembersOfOneTeamAreNotInTheCrosstable(t *testing.T) {
	c := pairing.Contest{Settings: pairing.Settings{Format: tournament.RoundRobin, SeatsPerTable: 5}, Entries: field(5)}
	teams := [][]string{{"a", "a", "a", "b", "b"}, {"a", "a", "b", "a", "b"}, {"b", "b", "a", "a", "a"}} // 0 and 1 are on one in all of them
	winners := []string{"a", "b", "a"}
	want, levels := make([]float64, 5), make([]float64, 5) // by entry
	for k, team := range teams {
		res := &pairing.Result{Team: team, Points: make([]float64, 5), Score: make([]float64, 5)}
		won, others := 0.0, make([]float64, 5)
		for i := range 5 {
			if team[i] == winners[k] {
				res.Points[i] = 1
				won++
			}
			for j := range 5 {
				if team[j] != team[i] {
					others[i]++
				}
			}
		}
		for i := range 5 {
			want[i] += res.Points[i] * others[i]
			levels[i] += 2 + 2.5*(res.Points[i]-won/5)
		}
		c.Rounds = append(c.Rounds, pairing.Round{Blocks: []pairing.Block{{Games: []pairing.Game{{Seats: []int{0, 1, 2, 3, 4}, Result: res}}}}})
	}
	got := pairing.Crosstable(c)
	if x := got[0][1]; x.Blocks != 0 || x.Games != 0 || x.Share != 0 || x.High != 0 {
		t.Errorf("0 and 1, who are always on one team, have %+v", x)
	}
	if x, y := got[0][2], got[2][0]; x.Games != 2 || x.Blocks != 2 || x.Share != 0 || y.Share != 1 || x.Shared != 3 {
		t.Errorf("0 against 2, who beat it in both games: %+v and %+v", x, y)
	}
	for e, row := range got {
		sum, level := 0.0, 0.0
		for _, x := range row {
			sum += x.Share * float64(x.Games)
			level += x.Level * float64(x.Shared)
		}
		if math.Abs(sum-want[e]) > 1e-5 || math.Abs(level-levels[e]) > 1e-5 {
			t.Errorf("%d: its cells sum to %v and %v, want %v and %v", e, sum, level, want[e], levels[e])
		}
	}
}
