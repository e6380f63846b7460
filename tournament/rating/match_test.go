package rating_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/internal/must"
	"github.com/molerun/molerun/tournament/rating"
)

func TestAFreeAgentIsNobodysWinAndThePlayersAreRankedAmongThemselves(t *testing.T) {
	for _, row := range []struct {
		name   string
		result game.Result
		out    game.Seats
		want   []int // places
	}{
		{"a player won", game.Result{Rank: []int{2, 1, 3}, Points: []float64{40, 44, 38}, Why: "finish"}, 0, []int{2, 1, 3}},
		{"a free agent was ahead", game.Result{Rank: []int{1, 1, 1}, Points: []float64{40, 41, 38}, Why: "free_agent"}, 0, []int{2, 1, 3}},
		{"ahead of players who tie", game.Result{Rank: []int{1, 1, 1, 1}, Points: []float64{40, 38, 40, 38}, Why: "free_agent"}, 0, []int{1, 3, 1, 3}},
		{"and the best player retired", game.Result{Rank: []int{1, 1, 1}, Points: []float64{41, 40, 38}, Why: "free_agent"}, set(0), []int{3, 1, 2}},
		{"a draw in another game stays one", game.Result{Rank: []int{1, 1}, Points: []float64{5, 3}, Why: "turn_limit"}, 0, []int{1, 1}},
	} {
		players := []int{0, 1, 2, 3}[:len(row.result.Rank)]
		before := slices.Clone(row.result.Rank)
		got := rating.Of(row.result, players, row.out).Places()
		if !cmp.Equal(got, row.want) || !cmp.Equal(before, row.result.Rank) {
			t.Errorf("%s: got %v, want %v (the result's ranks are now %v)", row.name, got, row.want, row.result.Rank)
		}
	}
}

func TestAMatchKeepsWhoSatWhereInWhichTeam(t *testing.T) {
	got := rating.Of(game.Result{Rank: []int{1, 2, 1}, Team: []string{"agent", "mole", "agent"}}, []int{7, 3, 7}, set(1))
	want := rating.Match{Seats: []rating.Seat{{Player: 7, Rank: 1, Team: "agent"}, {Player: 3, Rank: 2, Team: "mole", Retired: true}, {Player: 7, Rank: 1, Team: "agent"}}}
	if diff := cmp.Diff(want, got); diff != "" || !got.Teams() {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

// Players: 0 the first version of a bot, 1 an opponent, 2 the bot's second version, 3 its third, never tried before it.
func TestAVersionInheritsWhatItsParentHasWhenItEntersAndRollBackRestores(t *testing.T) {
	parent := []int{-1, -1, 0, 2}
	start := []rating.State{rating.New(), rating.New(), rating.New(), rating.New()}
	for _, row := range []struct {
		name    string
		matches []rating.Match
		want    []rating.State
	}{
		{
			"the second version starts at 1524.821 with K 49.64",
			[]rating.Match{duel(0, 1, "1"), duel(2, 1, "=")},
			// E = 1/(1+10^(-49.642/400)) = .570958: -3.5226 at K 49.642857, the opponent +3.2877 at K 46.333333.
			[]rating.State{{Rating: 1_524_821, Games: 1}, {Rating: 1_478_467, Games: 2}, {Rating: 1_521_298, Games: 1}, rating.New()},
		},
		{
			"what the parent does later is its own",
			[]rating.Match{duel(0, 1, "1"), duel(2, 1, "="), duel(0, 2, "=")},
			// The parent is 3.523 ahead, E = .505070: -.235 at K 46.333333, +.235 for the child.
			[]rating.State{{Rating: 1_524_586, Games: 2}, {Rating: 1_478_467, Games: 2}, {Rating: 1_521_533, Games: 2}, rating.New()},
		},
		{
			"a version skipped on the way hands on",
			[]rating.Match{duel(0, 1, "1"), duel(3, 1, "=")},
			[]rating.State{{Rating: 1_524_821, Games: 1}, {Rating: 1_478_467, Games: 2}, rating.New(), {Rating: 1_521_298, Games: 1}},
		},
		{
			"a void match is no entry",
			[]rating.Match{{Seats: ranks(1, 2, 3), Void: true}, duel(0, 1, "1"), duel(2, 1, "=")},
			[]rating.State{{Rating: 1_524_821, Games: 1}, {Rating: 1_478_467, Games: 2}, {Rating: 1_521_298, Games: 1}, rating.New()},
		},
		{
			"no rated ancestor: 1500",
			[]rating.Match{duel(2, 1, "1")},
			[]rating.State{rating.New(), {Rating: 1_475_179, Games: 1}, {Rating: 1_524_821, Games: 1}, rating.New()},
		},
	} {
		got, err := rating.Fold(start, parent, row.matches, rating.Params{})
		if diff := cmp.Diff(row.want, got); err != nil || diff != "" {
			t.Errorf("%s: %v (-want +got)\n%s", row.name, err, diff)
		}
	}
}

func TestTheFoldOfAPartAndTheRestIsTheFoldOfAll(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(2, 8).Draw(t, "players")
		parent, start := make([]int, n), make([]rating.State, n)
		for i := range n {
			parent[i], start[i] = rapid.IntRange(-1, i-1).Draw(t, "parent"), rating.New()
		}
		var all []rating.Match
		for range rapid.IntRange(0, 20).Draw(t, "matches") {
			m := duel(rapid.IntRange(0, n-1).Draw(t, "first"), rapid.IntRange(0, n-1).Draw(t, "second"), rapid.SampledFrom([]string{"1", "=", "0"}).Draw(t, "result"))
			m.Void = rapid.IntRange(0, 4).Draw(t, "void") == 0
			all = append(all, m)
		}
		cut := rapid.IntRange(0, len(all)).Draw(t, "cut")
		fold := func(start []rating.State, matches []rating.Match) []rating.State {
			return must.Get(rating.Fold(start, parent, matches, rating.Params{}))(t)
		}
		if got, want := fold(fold(start, all[:cut]), all[cut:]), fold(start, all); !slices.Equal(got, want) {
			t.Fatalf("cut at %d of %d: got %v, want %v", cut, len(all), got, want)
		}
	})
}

func TestParentsAreOlder(t *testing.T) {
	for _, row := range []struct {
		name   string
		parent []int
		want   string
	}{
		{"too few", []int{-1}, "1 parents for 2 players"},
		{"itself", []int{-1, 1}, "player 1 has parent 1"},
		{"younger", []int{1, -1}, "player 0 has parent 1"},
		{"nobody", []int{-1, -2}, "player 1 has parent -2"},
	} {
		_, err := rating.Fold(states(1500, 1500), row.parent, nil, rating.Params{})
		if !errors.Is(err, rating.ErrMatch) || !strings.Contains(fmt.Sprint(err), row.want) {
			t.Errorf("%s: got %v, want bad_match with %q", row.name, err, row.want)
		}
	}
}
