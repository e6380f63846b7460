package pairing_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/molerun/molerun/internal/must"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/pairing"
)

// Points come first whatever the organiser has chosen; what he has chosen takes the place of the format's own.
func TestTheOrganisersTieBreaksComeBehindThePoints(t *testing.T) {
	mine := []string{string(pairing.ByProgressive), string(pairing.ByKoya)}
	for _, row := range []struct {
		s    pairing.Settings
		want []pairing.Tie
	}{
		{pairing.Settings{Format: tournament.RoundRobin, SeatsPerTable: 2, FormatOptions: tournament.FormatOptions{TieBreaks: mine}}, []pairing.Tie{pairing.ByPoints, pairing.ByProgressive, pairing.ByKoya}},
		{pairing.Settings{Format: tournament.Groups, SeatsPerTable: 2, FormatOptions: tournament.FormatOptions{TieBreaks: mine}}, []pairing.Tie{pairing.ByStage, pairing.ByFinal, pairing.ByPoints, pairing.ByProgressive, pairing.ByKoya}},
		{pairing.Settings{Format: tournament.SingleElimination, SeatsPerTable: 2, FormatOptions: tournament.FormatOptions{TieBreaks: mine}}, []pairing.Tie{pairing.ByStage}},
	} {
		must.SameList(t, fmt.Sprint(row.s.Format), row.s.Ties(), row.want)
	}
	for _, name := range tournament.TieBreaks() {
		c := games(tournament.RoundRobin, 4, "AB1", "AC1", "AD1", "BC1", "BD1", "CD1")
		c.Settings.TieBreaks = []string{name}
		if got := values(t, c, pairing.Tie(name)); slices.Max(got) == 0 && name != "direct_encounter" && name != "game_score" {
			t.Errorf("%s: nobody has anything of it: %v", name, got)
		}
	}
}
