package matches

import (
	"math"
	"testing"

	"github.com/molerun/molerun/engines/catalog"
	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/internal/must"
)

// The two win one game of each pair, and chance gives the first 0.3 in one and takes 0.1 in the other: games scatter, pairs do not.
func TestPointsWithoutLuckCountAPairAsOne(t *testing.T) {
	e, _ := catalog.Find("molehill")
	s := Series{engine: e, Seats: 2, Bots: []string{"a", "b"}, Fill: "random", Rotate: true}
	score := NewScore(&s, []Bot{{Name: "a"}, {Name: "b"}})
	for number := range 8 {
		p := Played{Number: number + 1, Players: []int{0, 1}, Rank: []int{1, 2}, Luck: []float64{0.3, -0.3}}
		if number%2 == 1 {
			p.Players, p.Luck = []int{1, 0}, []float64{0.1, -0.1}
		}
		p.Result = game.Result{Rank: p.Rank, Points: []float64{1, 0}}
		must.OK(t, score.Add(p))
		if score.Adjust(); number < 6 && score.Lines[0].Adjusted != nil {
			t.Fatalf("after %d games: %+v, want no interval on fewer than four pairs", number+1, score.Lines[0].Adjusted)
		}
	}
	for e, want := range []float64{4 - 4*0.2, 4 + 4*0.2} {
		got := score.Lines[e].Adjusted
		if got == nil || math.Abs(got.Value-want) > 1e-9 || math.Abs(got.High-got.Low) > 1e-9 {
			t.Errorf("entry %d: %+v, want %v without scatter", e, got, want)
		}
	}
}
