package tournament_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/rating"
)

// done is a finished match of the named bots in their ranks with their points.
func done(bots string, ranks []int, points []float64, retired ...game.Seat) tournament.Match {
	m := tournament.Match{Status: tournament.MatchDone, Result: &game.Result{Rank: ranks, Points: points}}
	for i, b := range bots {
		m.Seats = append(m.Seats, tournament.MatchSeat{Seat: game.Seat(i), BotID: string(b)})
	}
	for _, s := range retired {
		m.Retired = m.Retired.With(s)
		m.Seats[s].Faults = 3
	}
	m.Rank = rating.Placing(*m.Result, m.Retired)
	return m
}

func TestStandings(t *testing.T) {
	left := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	teams := done("abcd", []int{1, 1, 3, 3}, []float64{1, 1, 0, 0})
	teams.Result.Team = []string{"agent", "agent", "mole", "mole"}
	quit := done("abcd", []int{1, 1, 3, 3}, []float64{1, 1, 0, 0}, 0)
	quit.Result.Team = teams.Result.Team
	void := done("ab", []int{1, 2}, []float64{9, 0})
	void.Status, void.Result = tournament.MatchVoid, nil
	open := done("ab", []int{1, 2}, []float64{9, 0})
	open.Status = tournament.MatchRunning
	type S = tournament.Standing
	for _, row := range []struct {
		name    string
		bots    string
		matches []tournament.Match
		want    []S
	}{
		{"nothing played: all share the first rank, by name", "ba", nil, []S{{Rank: 1, BotID: "a", Bot: "a"}, {Rank: 1, BotID: "b", Bot: "b"}}},
		{
			"a win is 1, a loss 0", "ab",
			[]tournament.Match{done("ab", []int{2, 1}, []float64{3, 7})},
			[]S{{1, "b", "b", 1, 1, 1, 0, 0, 7, 0}, {2, "a", "a", 1, 0, 0, 0, 1, 3, 0}},
		},
		{
			"a draw is a half", "ab",
			[]tournament.Match{done("ab", []int{1, 1}, []float64{4, 4})},
			[]S{{1, "a", "a", 1, .5, 0, 1, 0, 4, 0}, {1, "b", "b", 1, .5, 0, 1, 0, 4, 0}},
		},
		{"equal points: more wins first", "abcd", []tournament.Match{
			done("ac", []int{1, 1}, []float64{1, 1}), done("ac", []int{1, 1}, []float64{1, 1}),
			done("bd", []int{1, 2}, []float64{1, 0}), done("bd", []int{2, 1}, []float64{0, 9}),
		}, []S{
			{1, "d", "d", 2, 1, 1, 0, 1, 9, 0},
			{2, "b", "b", 2, 1, 1, 0, 1, 1, 0},
			{3, "a", "a", 2, 1, 0, 2, 0, 2, 0},
			{3, "c", "c", 2, 1, 0, 2, 0, 2, 0},
		}},
		{"a larger table: the share of opponents beaten", "abcd", []tournament.Match{done("abcd", []int{1, 2, 2, 4}, []float64{40, 30, 30, 1})}, []S{
			{1, "a", "a", 1, 1, 1, 0, 0, 40, 0}, {2, "b", "b", 1, .5, 0, 0, 1, 30, 0}, {2, "c", "c", 1, .5, 0, 0, 1, 30, 0}, {4, "d", "d", 1, 0, 0, 0, 1, 1, 0},
		}},
		{"a larger table: a shared first place is a draw", "abc", []tournament.Match{done("abc", []int{1, 1, 3}, []float64{4, 4, 0})}, []S{
			{1, "a", "a", 1, .75, 0, 1, 0, 4, 0}, {1, "b", "b", 1, .75, 0, 1, 0, 4, 0}, {3, "c", "c", 1, 0, 0, 0, 1, 0, 0},
		}},
		{"teams: 1 for each of the winners", "abcd", []tournament.Match{teams}, []S{
			{1, "a", "a", 1, 1, 1, 0, 0, 1, 0}, {1, "b", "b", 1, 1, 1, 0, 0, 1, 0}, {3, "c", "c", 1, 0, 0, 0, 1, 0, 0}, {3, "d", "d", 1, 0, 0, 0, 1, 0, 0},
		}},
		{"teams: who retired has lost, its mate has won", "abcd", []tournament.Match{quit}, []S{
			{1, "b", "b", 1, 1, 1, 0, 0, 1, 0}, {2, "a", "a", 1, 0, 0, 0, 1, 1, 3}, {3, "c", "c", 1, 0, 0, 0, 1, 0, 0}, {3, "d", "d", 1, 0, 0, 0, 1, 0, 0},
		}},
		{
			"who retired ranks last, whatever the house made of it", "ab",
			[]tournament.Match{done("ab", []int{1, 2}, []float64{9, 0}, 0)},
			[]S{{1, "b", "b", 1, 1, 1, 0, 0, 0, 0}, {2, "a", "a", 1, 0, 0, 0, 1, 9, 3}},
		},
		{"void and open matches do not count", "ab", []tournament.Match{void, open}, []S{{Rank: 1, BotID: "a", Bot: "a"}, {Rank: 1, BotID: "b", Bot: "b"}}},
		{"who withdrew is not listed", "aZ", nil, []S{{Rank: 1, BotID: "a", Bot: "a"}}},
	} {
		var entries []tournament.Entry
		for _, b := range row.bots {
			e := tournament.Entry{BotID: string(b), BotName: string(b)}
			if b == 'Z' {
				e.WithdrawnAt = &left
			}
			entries = append(entries, e)
		}
		if diff := cmp.Diff(row.want, tournament.Standings(entries, row.matches, rating.Points)); diff != "" {
			t.Errorf("%s: %s", row.name, diff)
		}
	}
}

func TestTheOrderOfMatchesBreaksNoTie(t *testing.T) {
	entries := []tournament.Entry{{BotID: "a", BotName: "a"}, {BotID: "b", BotName: "b"}}
	third, second, first := []int{3, 1, 2, 4}, []int{2, 1, 3, 4}, []int{1, 2, 3, 4} // a third, two thirds, the whole
	var matches []tournament.Match
	for _, ranks := range [][]int{third, third, third, second, first, second, second} {
		matches = append(matches, done("axyz", ranks, []float64{.1, 0, 0, 0}))
	}
	for _, ranks := range [][]int{first, second, second, second, third, third, third} {
		matches = append(matches, done("bxyz", ranks, []float64{.1, 0, 0, 0}))
	}
	got := tournament.Standings(entries, matches, rating.Points)
	if got[0].Rank != 1 || got[1].Rank != 1 {
		t.Errorf("the same results in another order: %+v", got)
	}
}
