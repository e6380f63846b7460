package pairing_test

import (
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/molerun/molerun/internal/must"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/pairing"
	"github.com/molerun/molerun/tournament/rating/sprt"
)

// fated returns a game of an sprt whose result is fixed by where it stands in the schedule: round, block, game.
func fated(at [3]int, lead float64, voids int) *pairing.Result {
	luck := rand.New(rand.NewPCG(uint64(at[0]*1000+at[1]), uint64(at[2])))
	if luck.IntN(100) < voids {
		return &pairing.Result{Void: true}
	}
	first := 0.0
	switch x := luck.Float64(); {
	case x < .4+lead:
		first = 1
	case x < .6+lead:
		first = .5
	}
	points := []float64{first, 1 - first}
	if (at[1]+at[2])%2 == 1 { // seats go round, and blocks begin in turn
		slices.Reverse(points)
	}
	return &pairing.Result{Points: points, Score: points}
}

// arrive plays an sprt whose games end in the order that luck gives, so many of them under way that begun ones may be left
// open at the end.
func arrive(t *testing.T, s pairing.Settings, lead float64, voids int, luck *rand.Rand) (pairing.Contest, string) {
	t.Helper()
	c := pairing.Contest{Settings: s, Entries: field(2)}
	for {
		step := must.Get(pairing.Next(c))(t)
		if n := len(c.Rounds); n > 0 { // the last round alone tells the same
			cut := c
			cut.Rounds = make([]pairing.Round, n)
			cut.Rounds[n-1] = c.Rounds[n-1]
			if alone, err := pairing.Next(cut); err != nil || !reflect.DeepEqual(alone, step) {
				t.Fatalf("round %d alone: %+v (%v), with those before %+v", n, alone, err, step)
			}
		}
		switch step.Status {
		case pairing.Over:
			return c, step.Why
		case pairing.Play:
			c.Rounds = append(c.Rounds, step.Round)
			continue
		}
		var open [][3]int
		for i, r := range c.Rounds {
			for k, b := range r.Blocks {
				for g := range b.Games {
					if b.Games[g].Result == nil {
						open = append(open, [3]int{i, k, g})
					}
				}
			}
		}
		at := open[0]
		if luck != nil {
			at = open[luck.IntN(len(open))]
		}
		c.Rounds[at[0]].Blocks[at[1]].Games[at[2]].Result = fated(at, lead, voids)
	}
}

func TestAnSPRTEndsAtTheSamePairInWhateverOrderResultsCome(t *testing.T) {
	for _, row := range []struct {
		name  string
		test  tournament.Test
		lead  float64
		voids int
		want  string
	}{
		{"stronger", tournament.Test{Elo1: 60}, .1, 0, "H1"},
		{"no stronger", tournament.Test{Elo1: 60}, -.1, 0, "H0"},
		{"stronger in normalised Elo", tournament.Test{Elo1: 60, Normalised: true}, .1, 0, "H1"},
		{"not weaker, of which the upper hypothesis is 0", tournament.Test{Elo0: -60}, .1, 0, "H1"},
		{"with void matches", tournament.Test{Elo1: 60}, .1, 15, "H1"},
		{"undecided", tournament.Test{Elo1: 2, MaxPairs: 37}, 0, 0, "continue"},
	} {
		t.Run(row.name, func(t *testing.T) {
			s := pairing.Settings{Format: tournament.SPRT, SeatsPerTable: 2, Duplicate: true, FormatOptions: tournament.FormatOptions{Test: row.test}}
			c, why := arrive(t, s, row.lead, row.voids, nil)
			want, err := pairing.Trial(c)
			if err != nil || want.Verdict != row.want || !strings.Contains(why, "pairs") {
				t.Fatalf("in order: %+v (%v), %q; want %s", want, err, why, row.want)
			}
			lines, err := pairing.Standings(c)
			if err != nil || lines[0].Played != 2*want.Pairs {
				t.Errorf("standings %+v (%v), want the games of %d pairs", lines, err, want.Pairs)
			}
			path := must.Get(pairing.Path(c))(t)
			if end := path[len(path)-1]; end.Units != want.Pairs || end.LLR != want.LLR || path[0].Units != 0 {
				t.Errorf("the path goes from %+v to %+v, want from no pair to %d with an LLR of %v", path[0], end, want.Pairs, want.LLR)
			}
			if len(c.Rounds) <= 16 && len(path) < want.Pairs {
				t.Errorf("the path has %d places, want one a pair of %d", len(path), want.Pairs)
			}
			for seed := range uint64(20) {
				c, whyNow := arrive(t, s, row.lead, row.voids, rand.New(rand.NewPCG(seed, 9)))
				got, err := pairing.Trial(c)
				if err != nil || !reflect.DeepEqual(got, want) || whyNow != why {
					t.Fatalf("order %d: %+v (%v) %q, want %+v %q", seed, got, err, whyNow, want, why)
				}
				if other, err := pairing.Path(c); err != nil || !reflect.DeepEqual(other, path) {
					t.Fatalf("order %d: the path %+v (%v), want %+v", seed, other, err, path)
				}
				now, err := pairing.Standings(c)
				if err != nil || !reflect.DeepEqual(now, lines) || !reflect.DeepEqual(pairing.Crosstable(c)[0][1].Games, 2*want.Pairs) {
					t.Fatalf("order %d: standings %+v (%v), want %+v", seed, now, err, lines)
				}
			}
		})
	}
}

// The format counts what the pure test counts: games in schedule order, from the first entry's side.
func TestAnSPRTIsTheTestOfItsPairs(t *testing.T) {
	s := pairing.Settings{Format: tournament.SPRT, SeatsPerTable: 2, Duplicate: true, FormatOptions: tournament.FormatOptions{Test: tournament.Test{Elo1: 60}}}
	c, _ := arrive(t, s, .06, 0, nil)
	var points []float64
	for _, r := range c.Rounds {
		for _, b := range r.Blocks {
			for _, g := range b.Games {
				if g.Result != nil {
					points = append(points, g.Result.Points[slices.Index(g.Seats, 0)])
				}
			}
		}
	}
	test, tally := sprt.Test{Elo1: 60, Alpha: .05, Beta: .05}, sprt.Pairs()
	want, err := test.Judge(tally)
	for i := 0; err == nil && want.State == sprt.Continue && i+1 < len(points); i += 2 {
		if err = tally.Add(points[i] + points[i+1]); err == nil {
			want, err = test.Judge(tally)
		}
	}
	must.OK(t, err)
	got := must.Get(pairing.Trial(c))(t)
	if got.Verdict != string(want.State) || got.Pairs != want.Units || got.LLR != want.LLR {
		t.Errorf("got %+v, want %+v", got, want)
	}
	must.SameList(t, "the tally", got.Tally, tally)
	if !(got.Low < got.Elo && got.Elo < got.High) {
		t.Errorf("the estimate %v is outside %v..%v", got.Elo, got.Low, got.High)
	}
}

func TestAnSPRTSwapsSeatsAndWaitsForWhoIsPaused(t *testing.T) {
	s := pairing.Settings{Format: tournament.SPRT, SeatsPerTable: 2, Duplicate: true, FormatOptions: tournament.FormatOptions{Test: tournament.Test{MaxPairs: 5}}}
	c := pairing.Contest{Settings: s, Entries: field(2)}
	step, err := pairing.Next(c)
	if err != nil || len(step.Round.Blocks) != 5 {
		t.Fatalf("%+v (%v), want the five pairs that there are at most", step, err)
	}
	for i, b := range step.Round.Blocks {
		if len(b.Games) != 2 || b.Games[0].Seats[0] != i%2 || b.Games[1].Seats[1] != i%2 {
			t.Errorf("pair %d: %+v, want two games with the seats swapped, begun in turn", i+1, b.Games)
		}
	}
	for state, want := range map[pairing.State]pairing.Status{pairing.Paused: pairing.Wait, pairing.Dead: pairing.Wait, pairing.Withdrawn: pairing.Over} {
		c.Entries[1].State = state
		if step, err := pairing.Next(c); err != nil || step.Status != want || step.Why == "" {
			t.Errorf("an entry that is %s: %+v (%v), want %s", state, step, err, want)
		}
	}
}
