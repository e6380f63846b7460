package tournament_test

import (
	"testing"

	"github.com/molerun/molerun/internal/must"
	"github.com/molerun/molerun/tournament"
)

func TestVerdicts(t *testing.T) {
	for _, row := range []struct {
		name   string
		points float64
		place  int
		want   tournament.Verdict
	}{
		{"all the points", 1, 1, tournament.Win},
		{"half of them at a table of two", .5, 1, tournament.Draw},
		{"the first place shared at a larger table", .75, 1, tournament.Draw},
		{"the second place", .75, 2, tournament.Loss},
		{"the last place, shared by all who retired", 0, 1, tournament.Loss},
	} {
		must.Same(t, row.name, tournament.VerdictOf(row.points, row.place), row.want)
	}
}
