package pairing_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/molerun/molerun/internal/must"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/pairing"
)

// games returns a contest of single games between entries named by letters: "AB1" A beat B, "CD=" a draw, "EF?" not over yet, one round each.
func games(format tournament.Format, n int, list ...string) pairing.Contest {
	c := pairing.Contest{Settings: pairing.Settings{Format: format, SeatsPerTable: 2}, Entries: field(n)}
	for _, g := range list {
		points := []float64{1, 0}
		if g[2] == '=' {
			points = []float64{.5, .5}
		}
		c.Rounds = append(c.Rounds, pairing.Round{Blocks: []pairing.Block{{Games: []pairing.Game{{
			Seats: []int{int(g[0] - 'A'), int(g[1] - 'A')}, Result: &pairing.Result{Points: points, Score: []float64{0, 0}},
		}}}}})
		if g[2] == '?' { // not over
			c.Rounds[len(c.Rounds)-1].Blocks[0].Games[0].Result = nil
		}
	}
	return c
}

// values returns what each entry has of a tie-break in the standings of a format, by entry.
func values(t *testing.T, c pairing.Contest, tie pairing.Tie) []float64 {
	t.Helper()
	lines := must.Get(pairing.Standings(c))(t)
	at := slices.Index(c.Settings.Ties(), tie)
	out := make([]float64, len(c.Entries))
	for _, l := range lines {
		out[l.Entry] = l.Ties[at]
	}
	return out
}

// The table of scalachess (lichess-org/scalachess, TiebreakTest), checked by hand: A beat B and E, drew C, lost to D; B beat
// C, drew D, lost to E; C beat D, drew E; D beat E. The sums of A: its opponents have 1.5, 2, 2.5 and 1.5.
func TestTieBreaksAreThePublishedTable(t *testing.T) {
	list := []string{"AB1", "AE1", "AC=", "DA1", "BC1", "BD=", "EB1", "CD1", "CE=", "DE1"}
	rr, sw := games(tournament.RoundRobin, 5, list...), games(tournament.Swiss, 5, list...)
	for _, row := range []struct {
		c    pairing.Contest
		tie  pairing.Tie
		want []float64
	}{
		{rr, pairing.ByPoints, []float64{2.5, 1.5, 2, 2.5, 1.5}},
		{sw, pairing.ByBuchholz, []float64{7.5, 8.5, 8, 7.5, 8.5}},
		{sw, pairing.ByBuchholz1, []float64{6, 7, 6.5, 6, 7}},
		{rr, pairing.BySonneborn, []float64{4, 3.25, 4.5, 4.75, 2.5}},
		{rr, pairing.ByWins, []float64{2, 1, 1, 2, 1}},
		{rr, pairing.ByDirect, []float64{0, 0, 0, 1, 1}}, // D beat A, E beat B
	} {
		must.SameList(t, fmt.Sprint(row.tie), values(t, row.c, row.tie), row.want)
	}
	for _, row := range []struct {
		tie  pairing.Tie
		want float64 // of A
	}{
		{pairing.ByKoya, .5},        // half of C, none of D; B and E have less than half
		{pairing.ByProgressive, 23}, // its games are the first four of ten rounds: 1 + 2 + 8 · 2.5
	} {
		rr.Settings.TieBreaks = []string{string(row.tie)}
		must.Same(t, string(row.tie), values(t, rr, row.tie)[0], row.want)
	}
	rr.Settings.TieBreaks = nil
	lines, _ := pairing.Standings(rr)
	var order []int
	for _, l := range lines {
		order = append(order, l.Entry)
	}
	must.SameList(t, "round robin", order, []int{3, 0, 2, 4, 1})
}

// Among exactly the equal, and those still equal again: A beat B and C, B beat C and D, C beat D, D beat A; F, who has
// more points than they, makes all four equal (lichess-org/scalachess, TiebreakTest).
func TestDirectEncounterIsComparedAnewAmongThoseStillEqual(t *testing.T) {
	base := []string{"AB1", "AC1", "DA1", "BC1", "BD1", "CD1"}
	even := append(slices.Clone(base), "FA1", "FB1", "CF1", "DF1", "FE1")
	for _, row := range []struct {
		name string
		list []string
		n    int
		want []float64 // how many of the equal stand behind, by entry
	}{
		{"A and B have 2 each, C and D 1 each; A beat B, C beat D", even, 6, []float64{3, 2, 1, 0, 0, 0}},
		{"three in a circle are not told apart", []string{"AB1", "BC1", "CA1"}, 3, []float64{0, 0, 0}},
		{"not all have met: nothing is told", []string{"AB1", "CD1", "AD=", "BC="}, 4, []float64{0, 0, 0, 0}},
		{
			"A beat B, C and D; B beat C and D, who have not met",
			[]string{"AB1", "AC1", "AD1", "BC1", "BD1", "BE1", "CE1", "CF1", "CG1", "DE1", "DF1", "DG1"}, 7,
			[]float64{3, 2, 0, 0, 0, 0, 0},
		},
	} {
		must.SameList(t, row.name, values(t, games(tournament.RoundRobin, row.n, row.list...), pairing.ByDirect), row.want)
	}
	// A beat C and gave its game with B away.
	given := games(tournament.RoundRobin, 3, "AC1")
	given.Rounds = append(given.Rounds, pairing.Round{Forfeits: []pairing.Forfeit{{Winner: 1, Loser: 0, Why: "its bot does not answer"}}})
	must.SameList(t, "a forfeit is a meeting", values(t, given, pairing.ByDirect), []float64{0, 1, 0})
	// A, B and C have two points each. A beat both others, who have not met: it leads whatever they would do.
	c := games(tournament.RoundRobin, 6, "AB1", "AC1", "DA1", "EA1", "BD1", "BE1", "CD1", "CE1")
	must.SameList(t, "one cannot be caught", values(t, c, pairing.ByDirect)[:3], []float64{2, 0, 0})
}

// What was before an entry came is a round without a game; what is under way is nothing yet.
func TestOnlyBlocksThatAreOverAreOpponents(t *testing.T) {
	late := games(tournament.Swiss, 3, "AB1", "CB1")
	late.Entries[2].Joined = 1
	open := games(tournament.Swiss, 3, "AB1", "AC1")
	open.Settings.Duplicate = true
	for i, r := range open.Rounds {
		open.Rounds[i].Blocks[0].Games = append(r.Blocks[0].Games, pairing.Game{Seats: []int{1 + i, 0}})
	}
	open.Rounds[0].Blocks[0].Games[1].Result = &pairing.Result{Points: []float64{1, 0}, Score: []float64{0, 0}}
	for _, row := range []struct {
		name string
		c    pairing.Contest
		want []float64 // Buchholz
	}{
		{"C missed the first round and beat B in the second", late, []float64{0, 1 + 1, 0 + 1}},
		{"A and B took a game each; of A and C one game is open", open, []float64{1, 2, 0}},
	} {
		must.SameList(t, row.name, values(t, row.c, pairing.ByBuchholz), row.want)
	}
}

// A block of two games is one opponent to Buchholz, and two games in points and wins.
func TestTheBlockIsTheUnit(t *testing.T) {
	c := games(tournament.Swiss, 3, "AB1", "AC1")
	c.Settings.Duplicate = true
	for i, r := range c.Rounds {
		s := r.Blocks[0].Games[0].Seats
		second := pairing.Game{Seats: []int{s[1], s[0]}, Result: &pairing.Result{Points: []float64{.5, .5}, Score: []float64{3, 4}}}
		c.Rounds[i].Blocks[0].Games = append(r.Blocks[0].Games, second)
	}
	for tie, want := range map[pairing.Tie][]float64{
		pairing.ByPoints: {3, .5, .5}, pairing.ByWins: {2, 0, 0}, pairing.ByBuchholz: {1, 3, 3}, pairing.ByScore: {8, 3, 3},
	} {
		must.SameList(t, fmt.Sprint(tie), values(t, c, tie), want)
	}
}

// Who withdrew is listed, also if it has neither played nor given a game away.
func TestWhoIsListedInTheStandings(t *testing.T) {
	c := games(tournament.RoundRobin, 4, "AB1")
	c.Entries[2].State, c.Entries[3].State = pairing.Withdrawn, pairing.Withdrawn
	c.Rounds = append(c.Rounds, pairing.Round{Forfeits: []pairing.Forfeit{{Winner: 0, Loser: 2, Why: "it has withdrawn"}}})
	lines, err := pairing.Standings(c)
	if err != nil || len(lines) != 4 {
		t.Fatalf("got %+v (%v), want all four entries", lines, err)
	}
	for i, forfeits := range []int{1, 0} {
		if l := lines[2+i]; l.Entry != 2+i || l.Forfeits != forfeits || l.Played > 0 || !l.Withdrew || l.Left != 0 {
			t.Errorf("line %d is %+v, want entry %d, withdrawn, with %d forfeits", 3+i, l, 2+i, forfeits)
		}
	}
}

// Findings D6: who leaves a round robin early keeps its line and what it played, and says when it left; nothing of it counts.
func TestWhoWithdrawsKeepsItsLine(t *testing.T) {
	for _, format := range []tournament.Format{tournament.RoundRobin, tournament.Swiss, tournament.Arena, tournament.Groups, tournament.Gauntlet} {
		c := games(format, 8, "AB1", "CD1", "AC1")
		c.Entries[0].State = pairing.Withdrawn
		c.Entries[0].Challenger = true
		lines := must.Get(pairing.Standings(c))(t)
		at := slices.IndexFunc(lines, func(l pairing.Line) bool { return l.Entry == 0 })
		if at < 0 {
			t.Errorf("%s: who withdrew is not in the standings: %+v", format, lines)
			continue
		}
		l := lines[at]
		if l.Played != 2 || l.Wins != 2 {
			t.Errorf("%s: played %d and won %d, want 2 and 2", format, l.Played, l.Wins)
		}
		if !l.Withdrew || l.Left != 3 {
			t.Errorf("%s: withdrew %v after round %d, want after 3", format, l.Withdrew, l.Left)
		}
		annulled := format == tournament.RoundRobin || format == tournament.Groups || format == tournament.Gauntlet
		if (l.Points == 0) != annulled || l.Annulled != annulled {
			t.Errorf("%s: %v points, annulled: %v, want %v", format, l.Points, l.Annulled, annulled)
		}
	}
}

// The line of an entry that left early tells all that it played, against another such one too.
func TestAnAnnulledLineTellsAllThatItPlayed(t *testing.T) {
	c := games(tournament.RoundRobin, 6, "AB1", "AC1")
	c.Entries[0].State, c.Entries[1].State = pairing.Withdrawn, pairing.Withdrawn
	lines := must.Get(pairing.Standings(c))(t)
	played := make([]int, len(c.Entries))
	for _, l := range lines {
		played[l.Entry] = l.Played
		if l.Annulled != (l.Entry < 2) || l.Points != 0 {
			t.Errorf("%+v, want the first two annulled, and no points", l)
		}
	}
	must.SameList(t, "played by entry", played, []int{2, 1, 0, 0, 0, 0})
	going := games(tournament.RoundRobin, 5, "EA1", "BE?")
	if going.Entries[4].State = pairing.Withdrawn; values(t, going, pairing.ByPoints)[4] != 1 {
		t.Error("who left after half of its games, the second of which goes on, has lost what it won")
	}
}

// lichess: a win is 2, a draw 1; after two wins in a row all counts double until one does not win.
func TestArenaScore(t *testing.T) {
	for _, row := range []struct {
		text string
		want int
	}{{"", 0}, {"W", 2}, {"D", 1}, {"L", 0}, {"WWD", 6}, {"WWWWL", 12}, {"WWDW", 8}, {"WLWW", 6}, {"WWLD", 5}, {"WWDD", 7}} {
		var list []tournament.Verdict
		for _, v := range row.text {
			list = append(list, map[rune]tournament.Verdict{'W': tournament.Win, 'D': tournament.Draw, 'L': tournament.Loss}[v])
		}
		must.Same(t, row.text, pairing.ArenaScore(list), row.want)
	}
}

// Before anybody has entered, and with one entry, every format has standings: a page shows them.
func TestEveryFormatHasStandingsBeforeItsEntries(t *testing.T) {
	for _, format := range tournament.Formats() {
		for n := range 2 {
			c := pairing.Contest{Settings: pairing.Settings{Format: format, SeatsPerTable: 2}, Entries: field(n)}
			lines, err := pairing.Standings(c)
			if err != nil || len(lines) != n {
				t.Errorf("%s of %d entries: %d lines, %v", format, n, len(lines), err)
			}
		}
	}
}
