package pairing_test

import (
	"slices"
	"testing"

	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/pairing"
)

// With opponents of 1500 and 1700: half of the points is their mean, three of four is 400·log₁₀ 3 = 191 above it where they are equal,
// all is 800 above it. Byes and forfeits say nothing.
func TestThePerformanceIsTheRatingThatExpectsAsMuch(t *testing.T) {
	for _, row := range []struct {
		name    string
		games   []string
		ratings [3]float64 // of A, B and C
		forfeit bool
		want    float64
	}{
		{"half", []string{"AB1", "CA1"}, [3]float64{2500, 1500, 1700}, false, 1600},
		{"three of four against equals", []string{"AB1", "AB1", "AC1", "CA1"}, [3]float64{0, 1600, 1600}, false, 1791},
		{"all", []string{"AB1", "AC1"}, [3]float64{0, 1500, 1700}, false, 2400},
		{"nothing", []string{"BA1"}, [3]float64{0, 1500, 1700}, false, 700},
		{"a forfeit says nothing", []string{"AB1", "BA1"}, [3]float64{0, 1500, 1700}, true, 1500},
	} {
		c := games(tournament.Swiss, 3, row.games...)
		for e := range c.Entries {
			c.Entries[e].Rating = row.ratings[e]
		}
		if row.forfeit {
			c.Rounds = append(c.Rounds, pairing.Round{Forfeits: []pairing.Forfeit{{Winner: 0, Loser: 2, Why: "it has withdrawn"}}})
		}
		c.Settings.TieBreaks = []string{string(pairing.ByPerformance)}
		if got := values(t, c, pairing.ByPerformance)[0]; got != row.want {
			t.Errorf("%s: got %v, want %v", row.name, got, row.want)
		}
	}
}

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
		if got := row.s.Ties(); !slices.Equal(got, row.want) {
			t.Errorf("%s: got %v, want %v", row.s.Format, got, row.want)
		}
	}
	for _, name := range tournament.TieBreaks() {
		c := games(tournament.RoundRobin, 4, "AB1", "AC1", "AD1", "BC1", "BD1", "CD1")
		c.Settings.TieBreaks = []string{name}
		if got := values(t, c, pairing.Tie(name)); slices.Max(got) == 0 && name != "direct_encounter" && name != "game_score" {
			t.Errorf("%s: nobody has anything of it: %v", name, got)
		}
	}
}
