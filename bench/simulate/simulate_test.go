package main

import (
	"context"
	"errors"
	"io"
	"strings"
	"testing"
)

func small() Options {
	return Options{Bots: 24, Matches: 20, Ladders: 2, Seeds: 1, SDs: []float64{150}, Seed: 7}
}

func run(t *testing.T, o Options) (Summary, []Point) {
	t.Helper()
	var points []Point
	s, err := simulate(context.Background(), o, func(p Point) { points = append(points, p) })
	if err != nil {
		t.Fatal(err)
	}
	return s, points
}

func TestWhatCannotBeSimulatedIsRefused(t *testing.T) {
	for flags, says := range map[string]string{
		"extra -bots 20": `"extra" is no flag`, "-fields -3": "-fields 1 or more", "-deals 1": "-deals 2 or more", "-deals -2": "-deals 2 or more",
		"-fields 1 -deals 2": "want one of", "-sd ten": "-sd: want", "-sd 150,-1": "above 0", "-sd NaN": "NaN",
		"-bots 19": "bots: want 20 to 1000, got 19", "-bots 1001": "got 1001", "-matches 0": "matches: want 1 to",
		"-bots 1000 -matches 2001": "want 1 to 2000 a bot with 1000 bots, got 2001", "-ladders 0": "ladders", "-seeds 0": "seeds: want 1 or more, got 0",
	} {
		if err := command(t.Context(), strings.Fields(flags), io.Discard, io.Discard); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v, want %q", flags, err, says)
		}
	}
}

// Two seeds are two simulations in one.
func TestSeveralSeedsArePooled(t *testing.T) {
	o := small()
	o.Ladders, o.Matches = 1, 10
	var alone []Summary
	for k := range 2 {
		one := o
		one.Seed += uint64(k)
		s, _ := run(t, one)
		alone = append(alone, s)
	}
	o.Seeds = 2
	both, points := run(t, o)
	if len(points) != 6 || len(both.Rows) != 3 {
		t.Fatalf("%d points, %d rows; want a ladder of each form with each seed, and a row for each form", len(points), len(both.Rows))
	}
	for i, r := range both.Rows {
		for k, held := range r.BySeed {
			if want := alone[k].Rows[i].Ratings; held != want {
				t.Errorf("%s, seed %d: %v held, %v with that seed alone", r.Form, k, held, want)
			}
		}
		if pairs := r.Distinct.Of; pairs != 2*24*23/2 {
			t.Errorf("%s: %d pairs, want all of two ladders of 24 bots", r.Form, pairs)
		}
		if ranks := r.Ranks.Of; ranks != 2*24 {
			t.Errorf("%s: %d ranks, want one for each bot", r.Form, ranks)
		}
	}
}

// Everybody plays about as much as the others, and nobody waits much longer than is usual: with sixty bots, who fill six
// tables of ten, a little longer than three times the median at worst.
func TestTheLadderIsFairToEveryBot(t *testing.T) {
	o := Options{Bots: 60, Matches: 40, Ladders: 1, Seeds: 1, SDs: []float64{150, 350}, Seed: 1}
	s, _ := run(t, o)
	for _, f := range s.Fairness {
		if f.FewestMatches < o.Matches*4/5 || f.MostMatches > o.Matches*13/10 {
			t.Errorf("%s, SD %v: bots had %d to %d matches, want about %d", f.Form, f.SD, f.FewestMatches, f.MostMatches, o.Matches)
		}
		if f.WorstMean < 1 || f.WorstMean > 1.5 {
			t.Errorf("%s, SD %v: a bot waited %.2f medians on average, want 1 to 1.5", f.Form, f.SD, f.WorstMean)
		}
		if f.Longest < f.WorstMean || f.Longest > 4 {
			t.Errorf("%s, SD %v: somebody waited %.1f medians, want at most 4", f.Form, f.SD, f.Longest)
		}
		if f.FewestMet < 10 {
			t.Errorf("%s, SD %v: a bot met %d others only", f.Form, f.SD, f.FewestMet)
		}
		if f.GapElo >= f.AnyGapElo {
			t.Errorf("%s, SD %v: %.0f Elo between bots at a table, %.0f by lot: want the nearer ones to meet", f.Form, f.SD, f.GapElo, f.AnyGapElo)
		}
	}
}

// The intervals of small ladders hold the truth about as often as they say, the fit comes nearer with more matches, and on
// a ladder of widely spread bots it is much nearer than plain Elo.
func TestTheFitComesNearTheTruth(t *testing.T) {
	s, _ := run(t, Options{Bots: 40, Matches: 50, Ladders: 6, Seeds: 1, SDs: []float64{350}, Seed: 3})
	for i, r := range s.Rows {
		if held := r.Ratings.Part(); held < .8 || held > .99 { // six ladders: the bots of one err together
			t.Errorf("%s after %d matches: %v intervals hold, want 80 to 99 %%", r.Form, r.MatchesABot, r.Ratings)
		}
		if r.MatchesABot == 50 {
			if r.Errors.Fit >= .75*r.Errors.Plain {
				t.Errorf("%s: the fit is off by %.1f, plain Elo by %.1f; want a quarter less", r.Form, r.Errors.Fit, r.Errors.Plain)
			}
			if early := s.Rows[i-2]; r.Errors.Fit >= early.Errors.Fit {
				t.Errorf("%s: off by %.1f after 10 matches, by %.1f after 50", r.Form, early.Errors.Fit, r.Errors.Fit)
			}
			if r.Advantages.Part() < .75 {
				t.Errorf("%s: %v advantages are within two standard errors", r.Form, r.Advantages)
			}
		}
	}
}

func TestASimulationEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	points := 0
	_, err := simulate(ctx, small(), func(Point) {
		if points++; points == 3 {
			cancel()
		}
	})
	if !errors.Is(err, context.Canceled) || points != 3 {
		t.Errorf("%v after %d points; want the end of the context after 3", err, points)
	}
}
