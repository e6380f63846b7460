package rating_test

import (
	"math"
	"testing"

	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/rating"
)

// By hand: ada scores 18 of 20 against bob where 10 were expected, and 30 of 60 against all others where 33 were. Her rate
// elsewhere, −0.05, times 20 is what she would have; so the surplus is 8 + 1, its variance 5 + (20/60)² × 15.
func TestASurplusIsAgainstOnePartnerBeyondAllOthers(t *testing.T) {
	got := rating.Surpluses([]tournament.Encounters{
		{Owner: "ada", Matches: 80, Score: 48, Expected: 43, Variance: 20},
		{Owner: "ada", Partner: "eve", Matches: 60, Score: 30, Expected: 33, Variance: 15},
		{Owner: "ada", Partner: "bob", Matches: 20, Score: 18, Expected: 10, Variance: 5},
		{Owner: "bob", Partner: "ada", Matches: 20, Score: 2, Expected: 10, Variance: 5},
		{Owner: "bob", Matches: 20, Score: 2, Expected: 10, Variance: 5},
	})
	if len(got) != 3 || got[0].Owner != "ada" || got[0].Partner != "bob" {
		t.Fatalf("got %+v, want ada against bob first of three", got)
	}
	variance := 5 + 15./9
	for _, x := range []struct {
		name      string
		got, want float64
	}{
		{"elsewhere", got[0].Elsewhere, -.05},
		{"z", got[0].Z, 9 / math.Sqrt(variance)},
		{"p", got[0].P, math.Pow(.5/.9, 18) * math.Pow(.5/.1, 2)},
		{"p of three pairs", got[0].Adjusted, 3 * math.Pow(.5/.9, 18) * math.Pow(.5/.1, 2)},
		{"p of a loser", got[2].P, 1},
		{"a loser that has met nobody else, elsewhere", got[2].Elsewhere, 0},
		{"and its z", got[2].Z, -8 / math.Sqrt(5)},
	} {
		if !near(x.got, x.want, 1e-12) {
			t.Errorf("%s: %v, want %v", x.name, x.got, x.want)
		}
	}
}

// Who is stronger than its rating takes more than expected from everybody, and from nobody alone.
func TestWhoIsUnderratedHasNoPartner(t *testing.T) {
	var list []tournament.Encounters
	total := tournament.Encounters{Owner: "new"}
	for _, partner := range []string{"a", "b", "c", "d"} {
		e := tournament.Encounters{Owner: "new", Partner: partner, Matches: 30, Score: 24, Expected: 15, Variance: 7.5}
		total.Matches, total.Score, total.Expected, total.Variance = total.Matches+30, total.Score+24, total.Expected+15, total.Variance+7.5
		list = append(list, e)
	}
	for _, s := range rating.Surpluses(append(list, total)) {
		if s.Z != 0 || s.P < 1-1e-9 || s.Adjusted < 1-1e-9 || !near(s.Elsewhere, .3, 1e-12) {
			t.Errorf("got %+v, want no surplus, and .3 elsewhere", s)
		}
	}
}

// P is at least the chance that there is: all sums of up to forty matches of one expectation, against the binomial tail.
func TestTheBoundHolds(t *testing.T) {
	for _, p := range []float64{.02, .1, .3, .5, .8, .97} {
		for n := 1; n <= 40; n++ {
			tail, chance := 0.0, math.Pow(p, float64(n)) // of n wins, n−1, …
			for wins := n; wins >= 0; wins-- {
				tail += chance
				chance *= float64(wins) / float64(n-wins+1) * (1 - p) / p
				s := rating.Surpluses([]tournament.Encounters{{
					Owner: "a", Partner: "b", Matches: n, Score: float64(wins), Expected: p * float64(n), Variance: p * (1 - p) * float64(n),
				}})[0]
				if s.P < tail-1e-9 {
					t.Fatalf("%d wins of %d at %v: the bound is %v, the chance %v", wins, n, p, s.P, tail)
				}
			}
		}
	}
}
