package pairing_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/molerun/molerun/internal/must"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/pairing"
)

// byIndex lets the lower index beat the higher.
func byIndex(seats []int) []float64 {
	out := make([]float64, len(seats))
	for i, a := range seats {
		for _, b := range seats {
			if a < b {
				out[i] += 1 / float64(len(seats)-1)
			}
		}
	}
	return out
}

// The best of a swiss play the bracket: seeded by the standing, byes for its first. Without upsets the standing is theirs at the end.
func TestASwissGoesIntoABracketOfItsBest(t *testing.T) {
	for _, row := range []struct {
		playoff           tournament.Format
		finalists, second int // rounds of the second stage
		byes              []int
	}{
		{tournament.SingleElimination, 8, 3, nil},
		{tournament.SingleElimination, 6, 3, []int{0, 1}},
		{tournament.DoubleElimination, 4, 4, nil},
	} {
		w := newWorld(t, pairing.Settings{Format: tournament.Swiss, SeatsPerTable: 2, FormatOptions: tournament.FormatOptions{Rounds: 7, Playoff: row.playoff, Finalists: row.finalists}}, 16)
		w.result = byIndex
		w.play(40)
		first := w.c.Playoff()
		if got := len(w.c.Rounds) - first; first != 7 || got != row.second {
			t.Errorf("%s of %d: %d rounds and then %d, want 7 and %d", row.playoff, row.finalists, first, got, row.second)
			continue
		}
		opening := w.c.Rounds[first]
		before := w.c
		before.Rounds, before.Settings.Playoff = w.c.Rounds[:first], ""
		lines := must.Get(pairing.Standings(before))(t)
		var want []int
		for _, l := range lines[:row.finalists] {
			want = append(want, l.Entry)
		}
		if !slices.Equal(opening.Seeds, want) {
			t.Errorf("%s of %d: seeds %v, the standing is %v", row.playoff, row.finalists, opening.Seeds, want)
		}
		var byes []int
		for _, place := range row.byes {
			byes = append(byes, want[place])
		}
		slices.Sort(byes)
		must.SameList(t, fmt.Sprintf("%s of %d: byes", row.playoff, row.finalists), opening.Byes, byes)
		after := w.standings()
		if after[0].Entry != 0 || after[1].Entry != 1 {
			t.Errorf("%s of %d: the first two are %d and %d, want 0 and 1", row.playoff, row.finalists, after[0].Entry, after[1].Entry)
		}
		for _, l := range after {
			if l.Played != 7 {
				t.Errorf("%s of %d: the line %+v, want the seven games of the first stage", row.playoff, row.finalists, l)
			}
		}
	}
}

// Four groups into a bracket of eight: the winners of the groups are the first four seeds, and two of one group meet no sooner than the
// bracket must.
func TestGroupsGoIntoABracketThatPartsThem(t *testing.T) {
	w := newWorld(t, pairing.Settings{Format: tournament.Groups, SeatsPerTable: 2, FormatOptions: tournament.FormatOptions{GroupSize: 4, Playoff: tournament.SingleElimination, Finalists: 8}}, 16)
	w.result = byIndex
	w.play(20)
	first := w.c.Playoff()
	opening := w.c.Rounds[first]
	// By seed forth and back the groups are 0 7 8 15, 1 6 9 14, 2 5 10 13 and 3 4 11 12.
	group := func(e int) int { return min(e%8, 7-e%8) }
	if got, want := slices.Sorted(slices.Values(opening.Seeds[:4])), []int{0, 1, 2, 3}; !slices.Equal(got, want) {
		t.Errorf("the first four seeds are %v, want the winners of the groups", got)
	}
	for _, b := range opening.Blocks {
		x, y := b.Games[0].Seats[0], b.Games[0].Seats[1]
		if group(x) == group(y) {
			t.Errorf("entries %d and %d of one group meet in the %s", x, y, b.Name)
		}
	}
	if got := len(w.c.Rounds) - first; first != 3 || got != 3 {
		t.Errorf("%d rounds of groups and %d of a bracket of eight, want 3 and 3", first, got)
	}
}

// Who leaves during the first stage is passed over, and the next best plays; who leaves later forfeits. The seeds of a playoff that has
// begun stay.
func TestWhoLeavesBeforeAPlayoffIsPassedOver(t *testing.T) {
	w := newWorld(t, pairing.Settings{Format: tournament.Swiss, SeatsPerTable: 2, FormatOptions: tournament.FormatOptions{Rounds: 3, Playoff: tournament.SingleElimination, Finalists: 4}}, 8)
	w.result = byIndex
	w.rounds(3)
	w.c.Entries[0].State = pairing.Withdrawn
	w.round()
	seeds := w.c.Rounds[3].Seeds
	if len(seeds) != 4 || slices.Contains(seeds, 0) {
		t.Fatalf("the playoff is between %v, want four without entry 0", seeds)
	}
	w.finish()
	out := seeds[0]
	w.c.Entries[out].State = pairing.Withdrawn
	w.round()
	if got := w.c.Rounds[4]; len(got.Forfeits) != 1 || got.Forfeits[0].Loser != out {
		t.Errorf("after entry %d has left: %+v, want its forfeit", out, got)
	}
	lines := w.standings()
	at := slices.IndexFunc(lines, func(l pairing.Line) bool { return l.Entry == 0 })
	if l := lines[at]; !l.Withdrew || l.Left != 3 {
		t.Errorf("entry 0 left after three rounds: %+v", l)
	}
}

func TestAPlayoffThatCannotBeIsRefusedInWords(t *testing.T) {
	for _, row := range []struct {
		s    pairing.Settings
		want string
	}{
		{pairing.Settings{Format: tournament.Arena, SeatsPerTable: 2, FormatOptions: tournament.FormatOptions{Playoff: tournament.SingleElimination}}, "has no playoff"},
		{pairing.Settings{Format: tournament.Swiss, SeatsPerTable: 2, FormatOptions: tournament.FormatOptions{Playoff: tournament.Arena}}, "a playoff is"},
		{pairing.Settings{Format: tournament.Swiss, SeatsPerTable: 4, FormatOptions: tournament.FormatOptions{Playoff: tournament.DoubleElimination}}, "tables of two"},
		{pairing.Settings{Format: tournament.Groups, SeatsPerTable: 2, FormatOptions: tournament.FormatOptions{Playoff: tournament.SingleElimination, Finalists: 1}}, "cannot fill a table"},
	} {
		_, err := pairing.Matches(16, row.s)
		if err == nil || !strings.Contains(err.Error(), row.want) {
			t.Errorf("%+v: got %v, want %q", row.s, err, row.want)
		}
	}
}
