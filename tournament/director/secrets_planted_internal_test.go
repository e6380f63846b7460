package director

import (
	"encoding/binary"
	"slices"
	"testing"

	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/tournament"
)

// Each way in which a match could tell of another is planted, and has to be seen by the test that finds none.
func TestLongAPlantedDependenceOfMatchesIsSeen(t *testing.T) {
	demol, cia, hands, mole := secretives()[0], secretives()[1], secretives()[2], secretives()[3]
	for _, row := range []struct {
		name      string
		g         secretive
		format    tournament.Format
		duplicate bool
		plant     func(x *scene, block []*dealt, before int)
	}{
		{"balanced teams", demol, tournament.RoundRobin, true, balancedTeams},
		{"balanced teams", demol, tournament.Swiss, true, balancedTeams},
		{"one seed for a block", demol, tournament.Groups, true, sharedSeed},
		{"one seed for a block", cia, tournament.RoundRobin, true, sharedSeed},
		{"one seed for a block", hands, tournament.SPRT, true, sharedSeed},
		{"one seed for a block", mole, tournament.SingleElimination, true, sharedSeed},
		{"deals by rating order", demol, tournament.Swiss, false, byRating},
		{"deals by rating order", cia, ladder, false, byRating},
		{"aliases from a counter", demol, tournament.RoundRobin, false, countedAliases},
		{"aliases from a counter", mole, challenges, false, countedAliases},
		{"seeds from a counter", cia, tournament.Arena, false, countedSeeds},
		{"seeds from the seed before", cia, tournament.Gauntlet, false, chainedSeeds()},
	} {
		x := newScene(t, row.g, row.format, row.duplicate)
		x.plant = row.plant
		v := x.charts(row.g.matches)[0]
		t.Logf("%-26s %-20s %-13s %-40s %3d cells, chi2 %.1f, df %d, p %.2g", row.name, row.format, row.g.id, v.name, v.cells, v.chi2, v.df, v.p)
		if v.p >= sure {
			t.Errorf("%s in %s of %s: not seen: %s: p %.2g; want less than %.2g", row.name, row.format, row.g.id, v.name, v.p, sure)
		}
	}
}

func sharedSeed(_ *scene, block []*dealt, _ int) {
	for _, d := range block {
		d.Seed = block[0].Seed
	}
}

// balancedTeams draws seeds until everybody is on each team as often over the block as the deal has it: who has which role in
// which match is a circulant square with its rows, columns and symbols shuffled.
func balancedTeams(x *scene, block []*dealt, _ int) {
	n := len(block[0].entries)
	roles := slices.Clone(x.classes(block[0].Match)[0])
	game.Shuffle(x.luck, roles)
	rows, columns := x.luck.Perm(n), x.luck.Perm(len(block))
	for k, d := range block {
		want := make([]int, n)
		for seat, entry := range d.entries {
			want[seat] = roles[(rows[slices.Index(block[0].entries, entry)]+columns[k])%n]
		}
		redraw(x, d, func(roles []int) bool { return slices.Equal(roles, want) })
	}
}

// byRating deals class 0 to the stronger half of the entries first.
func byRating(x *scene, block []*dealt, _ int) {
	for _, d := range block {
		redraw(x, d, func(classes []int) bool {
			at := slices.Index(classes, 0)
			return at >= 0 && d.ranks[at] == 0
		})
	}
}

// redraw draws the seed of a match until its first secret pleases, or a hundred times.
func redraw(x *scene, d *dealt, please func(classes []int) bool) {
	for range 100 {
		var err error
		if d.Seed, err = x.seed(); err != nil {
			x.t.Fatal(err)
		}
		if please(x.classes(d.Match)[0]) {
			return
		}
	}
}

func countedAliases(_ *scene, block []*dealt, before int) {
	for k, d := range block {
		for seat, alias := range aliases(len(d.Seats), game.Stream(game.Seed{}, before+k, "aliases")) {
			d.Seats[seat].Alias = alias
		}
	}
}

func countedSeeds(_ *scene, block []*dealt, before int) {
	for k, d := range block {
		d.Seed = game.Seed{}
		binary.BigEndian.PutUint64(d.Seed[:], uint64(before+k))
	}
}

// chainedSeeds keeps the first half byte of the seed for every second match of a row: its luck follows from it alone.
func chainedSeeds() func(x *scene, block []*dealt, before int) {
	var last game.Seed
	return func(_ *scene, block []*dealt, before int) {
		for k, d := range block {
			if (before+k)%2 == 1 {
				d.Seed = game.Seed{last[0] & 0xf0}
			}
			last = d.Seed
		}
	}
}
