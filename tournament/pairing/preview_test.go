package pairing_test

import (
	"os"
	"testing"

	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/pairing"
)

// What is foretold of a full field is what is played, or lies within it: where a loss is not the end, rounds without a tie are not
// played, nor a second final that nobody needs.
func TestTheRoundsForetoldAreThoseThatArePlayed(t *testing.T) {
	for _, row := range []struct {
		s     pairing.Settings
		fewer int // rounds that may not be needed
	}{
		{s: pairing.Settings{Format: tournament.SingleElimination}},
		{s: pairing.Settings{Format: tournament.DoubleElimination}, fewer: 2},
		{s: pairing.Settings{Format: tournament.Swiss}},
		{s: pairing.Settings{Format: tournament.Swiss, FormatOptions: tournament.FormatOptions{Playoff: tournament.SingleElimination}}},
		{s: pairing.Settings{Format: tournament.Swiss, FormatOptions: tournament.FormatOptions{Playoff: tournament.DoubleElimination, Finalists: 6}}, fewer: 2},
		{s: pairing.Settings{Format: tournament.Groups, FormatOptions: tournament.FormatOptions{GroupSize: 4}}},
		{s: pairing.Settings{Format: tournament.Groups, FormatOptions: tournament.FormatOptions{GroupSize: 5, Playoff: tournament.SingleElimination}}},
		{s: pairing.Settings{Format: tournament.Groups, FormatOptions: tournament.FormatOptions{GroupSize: 5, Playoff: tournament.DoubleElimination}}, fewer: 2},
	} {
		row.s.SeatsPerTable = 2
		for n := 2; n <= 64; n++ {
			if n > 20 && n%5 != 0 && os.Getenv("MOLERUN_NIGHTLY") == "" {
				continue // the large ones by night
			}
			if _, err := pairing.Matches(n, row.s); err != nil {
				continue // too few for its stages
			}
			w := &world{t: t, r: game.Stream(game.Seed{byte(n)}, 0, "world"), c: pairing.Contest{Settings: row.s, Entries: field(n), Seed: game.Seed{byte(n)}}}
			w.result = func([]int) []float64 {
				first := float64(w.r.IntN(2))
				return []float64{first, 1 - first}
			}
			w.play(100) // which holds its matches against those foretold
			if got, told := len(w.c.Rounds), pairing.Rounds(n, row.s); got > told || got < told-row.fewer {
				t.Errorf("%s of %d, then %q: %d rounds were played, foretold were %d and %d fewer at most", row.s.Format, n, row.s.Playoff, got, told, row.fewer)
			}
		}
	}
}

func TestAnEmptyBracketHasNoRounds(t *testing.T) {
	for format, want := range map[tournament.Format]int{tournament.SingleElimination: 0, tournament.DoubleElimination: 1} {
		if got := pairing.Rounds(0, pairing.Settings{Format: format, SeatsPerTable: 2}); got != want {
			t.Errorf("%s: %d rounds, want %d", format, got, want)
		}
	}
}
