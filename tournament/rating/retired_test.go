package rating_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/tournament/rating"
)

func set(seats ...game.Seat) (m game.Seats) {
	for _, s := range seats {
		m = m.With(s)
	}
	return m
}

func TestPlacing(t *testing.T) {
	for _, row := range []struct {
		name    string
		rank    []int
		retired game.Seats
		want    []int
	}{
		{"nobody retired: the engine's ranks as they are", []int{1, 1, 2}, 0, []int{1, 1, 2}},
		{"a retired winner falls below all", []int{1, 2, 3}, set(0), []int{3, 1, 2}},
		{"a retired loser stays last", []int{1, 2, 3}, set(2), []int{1, 2, 3}},
		{"several retired tie in the last place", []int{1, 2, 3, 4}, set(0, 2), []int{3, 1, 3, 2}},
		{"ties of the others stay", []int{2, 1, 2, 4}, set(1), []int{1, 4, 1, 3}},
		{"all retired: all tie", []int{1, 2}, set(0, 1), []int{1, 1}},
		{"a seat that is not at the table is no matter", []int{1, 2}, set(5), []int{1, 2}},
		{"team mates part", []int{1, 1, 1, 2, 2}, set(0), []int{5, 1, 1, 3, 3}},
	} {
		before := append([]int(nil), row.rank...)
		if got := rating.Placing(game.Result{Rank: row.rank}, row.retired); !cmp.Equal(got, row.want) || !cmp.Equal(before, row.rank) {
			t.Errorf("%s: got %v, want %v (input now %v)", row.name, got, row.want, row.rank)
		}
	}
}

func TestPoints(t *testing.T) {
	team := []string{"agent", "mole", "agent", "mole", "agent"}
	for _, row := range []struct {
		name    string
		result  game.Result
		retired game.Seats
		want    []float64
	}{
		{"a win of two", game.Result{Rank: []int{2, 1}}, 0, []float64{0, 1}},
		{"a draw of two", game.Result{Rank: []int{1, 1}}, 0, []float64{.5, .5}},
		{"the winner retired", game.Result{Rank: []int{1, 2}}, set(0), []float64{0, 1}},
		{"both retired", game.Result{Rank: []int{1, 2}}, set(0, 1), []float64{.5, .5}},
		{"teams of one are two seats", game.Result{Rank: []int{1, 2}, Team: []string{"a", "b"}}, 0, []float64{1, 0}},
		{"teams of one, the winner retired", game.Result{Rank: []int{1, 2}, Team: []string{"a", "b"}}, set(0), []float64{0, 1}},
		{"three in order", game.Result{Rank: []int{3, 1, 2}}, 0, []float64{0, 1, .5}},
		{"five with ties", game.Result{Rank: []int{1, 2, 2, 4, 5}}, 0, []float64{1, .625, .625, .25, 0}},
		{"five, the winner retired", game.Result{Rank: []int{1, 2, 3, 4, 5}}, set(0), []float64{0, 1, .75, .5, .25}},
		{"agents win", game.Result{Rank: []int{1, 2, 1, 2, 1}, Team: team}, 0, []float64{1, 0, 1, 0, 1}},
		{"moles win", game.Result{Rank: []int{2, 1, 2, 1, 2}, Team: team}, 0, []float64{0, 1, 0, 1, 0}},
		{"teams tie", game.Result{Rank: []int{1, 1, 1, 1, 1}, Team: team}, 0, []float64{.5, .5, .5, .5, .5}},
		{"a retired agent has nothing, his team its win", game.Result{Rank: []int{1, 2, 1, 2, 1}, Team: team}, set(0), []float64{0, 0, 1, 0, 1}},
		{"a retired mole has nothing, his team its win", game.Result{Rank: []int{2, 1, 2, 1, 2}, Team: team}, set(3), []float64{0, 1, 0, 0, 0}},
	} {
		if got := rating.Points(row.result, row.retired); !cmp.Equal(got, row.want) {
			t.Errorf("%s: got %v, want %v", row.name, got, row.want)
		}
	}
}

func changes(deltas []rating.Delta) (out []rating.Milli) {
	for _, d := range deltas {
		out = append(out, d.Change)
	}
	return out
}

func TestARetiredSeatIsRatedAsLast(t *testing.T) {
	players := states(1700, 1500, 1400, 1550)
	p := rating.Params{FixedK: 20}
	won, lost := ranks(1, 2, 3, 4), ranks(4, 1, 2, 3)
	won[0].Retired = true
	got, want := rate(t, rating.Match{Seats: won}, players, p), rate(t, rating.Match{Seats: lost}, players, p)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("winning and retired against plainly last (-last +retired):\n%s", diff)
	}
}

func TestInATeamGameOnlyTheRetiredAreRatedAndAsHavingLost(t *testing.T) {
	players := states(1550, 1500, 1480, 1520, 1470)
	p := rating.Params{FixedK: 24, Tables: map[int]rating.Advantage{5: {Team: map[string]float64{"agent": -60}}}}
	for _, row := range []struct {
		name      string
		agentsWin bool
		retired   []int
		want      []rating.Milli
	}{
		{"an agent whose team won", true, []int{1}, []rating.Milli{0, -7448, 0, 0, 0}},
		{"an agent whose team lost", false, []int{1}, []rating.Milli{0, -7448, 0, 0, 0}},
		{"a mole whose team won", false, []int{3}, []rating.Milli{0, 0, 0, -12828, 0}},
		{"one of each", true, []int{0, 4}, []rating.Milli{-7448, 0, 0, 0, -12828}},
		{"all", true, []int{0, 1, 2, 3, 4}, []rating.Milli{-7448, -7448, -7448, -12828, -12828}},
	} {
		seats := teams(3, 2, row.agentsWin)
		for _, i := range row.retired {
			seats[i].Retired = true
		}
		deltas := rate(t, rating.Match{Seats: seats}, players, p)
		if got := changes(deltas); !cmp.Equal(got, row.want) {
			t.Errorf("%s: got %v, want %v", row.name, got, row.want)
		}
		for i, d := range deltas {
			counted, want := d.After.Games-d.Before.Games, 0
			if seats[i].Retired {
				want = 1
			}
			if counted != want {
				t.Errorf("%s: player %d: the match counted %d times, want %d", row.name, i, counted, want)
			}
		}
	}
}

func TestAVoidMatchChangesNothing(t *testing.T) {
	players := states(1700, 1500)
	for name, m := range map[string]rating.Match{
		"with ranks": {Void: true, Seats: ranks(1, 2)}, "without": {Void: true, Seats: ranks(0, 0)}, "of nobody": {Void: true},
	} {
		deltas := rate(t, m, players, rating.Params{})
		if len(deltas) != len(m.Seats) {
			t.Errorf("%s: got %d deltas, want %d", name, len(deltas), len(m.Seats))
		}
		for _, d := range deltas {
			if want := (rating.Delta{Player: d.Player, Before: players[d.Player], After: players[d.Player]}); d != want {
				t.Errorf("%s: got %+v, want %+v", name, d, want)
			}
		}
	}
}

func TestAVersionInSeveralSeats(t *testing.T) {
	players := []rating.State{{Rating: 1_500_000, Games: 26}, {Rating: 1_500_000}, {Rating: 1_500_000}}
	sit := func(m []rating.Seat, who ...int) []rating.Seat {
		for i, p := range who {
			m[i].Player = p
		}
		return m
	}
	for _, row := range []struct {
		name  string
		seats []rating.Seat
		want  []rating.Milli
		games []int
	}{
		// K·c·(S−E) with K = 17.375 for player 0 (26 matches), 49.642857 for the others, c = 3/5.
		{"first and last of four", sit(ranks(1, 2, 3, 4), 0, 1, 2, 0), []rating.Milli{0, 14893, -14893}, []int{27, 1, 1}},
		{"first and second of four", sit(ranks(1, 2, 3, 4), 0, 0, 1, 2), []rating.Milli{20850, -14893, -44679}, []int{27, 1, 1}},
		{"two agents of three", sit(teams(3, 2, true), 0, 0, 1, 2, 2), []rating.Milli{11583, 16548, -49643}, []int{27, 1, 1}},
		{"agent and mole", sit(teams(3, 2, true), 0, 1, 1, 0, 2), []rating.Milli{-2896, 33095, -24821}, []int{27, 1, 1}},
		{"every seat", sit(ranks(1, 2, 3), 0, 0, 0), []rating.Milli{0}, []int{26}},
		{"every seat of both teams", sit(teams(3, 2, true), 1, 1, 1, 1, 1), []rating.Milli{0}, []int{0}},
	} {
		deltas := rate(t, rating.Match{Seats: row.seats}, players, rating.Params{})
		if got := changes(deltas); !cmp.Equal(got, row.want) {
			t.Errorf("%s: got %v, want %v", row.name, got, row.want)
		}
		for i, d := range deltas {
			if d.After.Games != row.games[i] {
				t.Errorf("%s: player %d: got %d games, want %d", row.name, d.Player, d.After.Games, row.games[i])
			}
		}
	}
}

func TestANewVersionStartsFromItsParentWithAFreshK(t *testing.T) {
	parent := rating.State{Rating: 1_654_321, Games: 200}
	child := parent.Successor()
	if child != (rating.State{Rating: 1_654_321}) {
		t.Errorf("got %+v", child)
	}
}

func TestHalfAMilliEloRoundsAwayFromZero(t *testing.T) {
	for k, want := range map[float64]rating.Milli{.001: 1, .003: 2, .005: 3} { // K/2 is 0.5, 1.5 and 2.5 milli-Elo
		got := changes(rate(t, duel(0, 1, "1"), states(1500, 1500), rating.Params{FixedK: k}))
		if !cmp.Equal(got, []rating.Milli{want, -want}) {
			t.Errorf("K=%v: got %v, want %d and %d", k, got, want, -want)
		}
	}
}
