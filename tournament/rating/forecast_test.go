package rating_test

import (
	"math"
	"testing"

	"github.com/molerun/molerun/internal/must"
	"github.com/molerun/molerun/tournament/rating"
)

// What ratings expect before a match is what [rating.Rate] compares its result with.
func TestExpectationsAreThoseThatAMatchIsRatedBy(t *testing.T) {
	states := []rating.State{{Rating: 1_600_000}, {Rating: 1_550_000}, {Rating: 1_500_000}, {Rating: 1_400_000}, {Rating: 1_450_000}}
	p := rating.Params{Tables: map[int]rating.Advantage{
		2: {Seat: []float64{20, -20}},
		4: {Seat: []float64{30, 10, -10, -30}},
		5: {Team: map[string]float64{"agent": -60}},
	}}
	for _, m := range []rating.Match{
		{Seats: []rating.Seat{{Player: 2, Rank: 2}, {Player: 0, Rank: 1}}},
		{Seats: []rating.Seat{{Player: 0, Rank: 2}, {Player: 1, Rank: 1}, {Player: 2, Rank: 3}, {Player: 3, Rank: 3}}},
		{Seats: []rating.Seat{
			{Player: 0, Rank: 2, Team: "mole"}, {Player: 1, Rank: 1, Team: "agent"}, {Player: 2, Rank: 1, Team: "agent"},
			{Player: 3, Rank: 2, Team: "mole"}, {Player: 4, Rank: 1, Team: "agent"},
		}},
	} {
		deltas := must.Get(rating.Rate(m, states, p))(t)
		first := deltas[0] // of the lowest player
		for _, d := range deltas {
			if d.Player == m.Seats[0].Player {
				first = d
			}
		}
		expected, score := 0.0, 0.0
		list := rating.Expectations(m, states, p)
		for _, x := range list[:1] {
			expected, score = x.Chance, x.Score
		}
		if len(m.Seats) == 4 { // the pairs of seat 0 are those with 1, 2 and 3
			expected, score = list[0].Chance+list[1].Chance+list[3].Chance, list[0].Score+list[1].Score+list[3].Score
		}
		if math.Abs(expected-first.Expected) > 1e-9 {
			t.Errorf("%d seats: seat 0 was given %v, and is rated by %v", len(m.Seats), expected, first.Expected)
		}
		if score != first.Score {
			t.Errorf("%d seats: seat 0 scored %v, and is rated by %v", len(m.Seats), score, first.Score)
		}
	}
}

func TestWhatIsNotRatedIsNotExpected(t *testing.T) {
	states := []rating.State{rating.New(), rating.New()}
	for name, m := range map[string]rating.Match{
		"a void match":              {Void: true, Seats: []rating.Seat{{Player: 0, Rank: 1}, {Player: 1, Rank: 2}}},
		"a version against itself":  {Seats: []rating.Seat{{Player: 1, Rank: 1}, {Player: 1, Rank: 2}}},
		"a table of one version":    {Seats: []rating.Seat{{Player: 1, Rank: 1, Team: "a"}, {Player: 1, Rank: 1, Team: "a"}, {Player: 1, Rank: 2, Team: "b"}}},
		"teams with a retired seat": {Seats: []rating.Seat{{Player: 0, Rank: 1, Team: "a"}, {Player: 1, Rank: 1, Team: "a", Retired: true}, {Player: 1, Rank: 2, Team: "b"}}},
	} {
		if got := rating.Expectations(m, states, rating.Params{}); got != nil {
			t.Errorf("%s: got %v, want none", name, got)
		}
	}
}
