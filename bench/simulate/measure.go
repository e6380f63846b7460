package main

import (
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/molerun/molerun/tournament/rating"
	"github.com/molerun/molerun/tournament/rating/fit"
)

// Share is how many of so many.
type Share struct {
	In int
	Of int
}

// Part returns the share as a number, 0 to 1; NaN of nothing.
func (s Share) Part() float64 { return float64(s.In) / float64(s.Of) }

func (s *Share) count(in bool) {
	s.Of++
	if in {
		s.In++
	}
}

func (s *Share) add(o Share) { s.In, s.Of = s.In+o.In, s.Of+o.Of }

// Errors are mean absolute errors in Elo, after both the ratings and the truth are shifted to the mean 0.
type Errors struct {
	Fit   float64
	Known float64 // the same fit if it knows how far the true strengths are spread
	// KnownSDs is that of a fit which knows the SDs of the simulation, each as likely, and not which one is so.
	KnownSDs float64
	Online   float64
	Plain    float64 // Elo with K = 32 on the same results
}

// Point is what one ladder knows when its bots have played some number of matches each.
type Point struct {
	Form        string
	SD          float64 // of the strengths in games of two; see [Options]
	Ladder      int     // from 1
	MatchesABot int
	Matches     int // rated by then
	Ratings     Share
	Order             // who is above whom
	Roles       Share // strengths as agent and as mole; none where there are no teams
	Advantages  Share // of seats or teams: within two standard errors
	Farthest    float64
	KnownSDs    Share // intervals of the fit that knows which spreads there are
	Errors      Errors
}

// point measures a ladder as it stands.
func (l *ladder) point() (Point, error) {
	var p Point
	f, err := l.history.Fit()
	if err != nil {
		return p, fmt.Errorf("fit: %w", err)
	}
	p = Point{Form: l.form.name, Matches: l.matches}
	p.Order.count(f.Players, f.Difference, l.is.strength)
	base := float64(rating.Start) / 1000
	fitted := strengths(f)
	for i, player := range f.Players {
		p.Ratings.count(holds(player.Estimate, base+l.is.strength[i]))
		if l.form.team != nil {
			p.Roles.count(holds(player.Roles[0], base+l.is.strength[i]+l.is.role[i]))
			p.Roles.count(holds(player.Roles[1], base+l.is.strength[i]-l.is.role[i]))
		}
	}
	known, err := l.known.fits()
	if err != nil {
		return p, err
	}
	p.Errors = Errors{
		Fit: meanError(fitted, l.is.strength), Known: meanError(strengths(known[l.own]), l.is.strength),
		Online: meanError(elos(l.online), l.is.strength), Plain: meanError(elos(l.plain), l.is.strength),
	}
	p.Errors.KnownSDs, p.KnownSDs = knownSDs(known, l.is.strength)
	advantage := func(e fit.Estimate, is float64) {
		off := math.Abs(e.Elo-is) / e.SE
		p.Advantages.count(off <= 2)
		p.Farthest = max(p.Farthest, off)
	}
	for _, n := range l.form.sizes {
		if e, ok := f.Team[n]; ok {
			advantage(e, l.form.team[n])
		}
		for s, e := range f.Seat[n] {
			if n > 2 || s == 0 { // of two seats the other is the same number
				advantage(e, l.form.seat[s])
			}
		}
	}
	return p, nil
}

func holds(e fit.Estimate, is float64) bool { return e.Low <= is && is <= e.High }

func strengths(f *fit.Fit) []float64 {
	out := make([]float64, len(f.Players))
	for i, p := range f.Players {
		out[i] = p.Elo
	}
	return out
}

func elos(states []rating.State) []float64 {
	out := make([]float64, len(states))
	for i, s := range states {
		out[i] = float64(s.Rating) / 1000
	}
	return out
}

func meanError(ratings, is []float64) float64 {
	var mean float64
	is = centred(is)
	for i, x := range centred(ratings) {
		mean += math.Abs(x-is[i]) / float64(len(is))
	}
	return mean
}

// traffic notes who met whom and who waited how long.
type traffic struct {
	waits   []time.Duration // from the end of a match, or the opening, to being given the next
	longest time.Duration   // those too who still wait when the last match is given
	meets   [][]bool
	gap     float64 // sum over who sat with whom of their difference in strength
	pairs   int
	played  []int
	waited  []time.Duration // by bot, all its waits
	lasted  time.Duration
}

func newTraffic(bots int) traffic {
	t := traffic{meets: make([][]bool, bots), played: make([]int, bots), waited: make([]time.Duration, bots)}
	for i := range t.meets {
		t.meets[i] = make([]bool, bots)
	}
	return t
}

func (t *traffic) seated(bot int, others []int, waited time.Duration, strength []float64) {
	t.waits = append(t.waits, waited)
	t.longest = max(t.longest, waited)
	t.played[bot]++
	t.waited[bot] += waited
	for _, o := range others {
		t.meets[bot][o] = true
		t.gap += math.Abs(strength[bot] - strength[o])
		t.pairs++
	}
}

// stop counts those who wait when no more matches are given, so that one who never got any is seen.
func (t *traffic) stop(now time.Duration, free []time.Duration, busy []bool) {
	for b, since := range free {
		if !busy[b] {
			t.longest = max(t.longest, now-since)
		}
	}
}

// Fairness is how the matchmaking treated the bots of one form, over all its ladders.
type Fairness struct {
	Form          string
	SD            float64
	Matches       int
	Hours         float64
	MedianWaitS   float64
	WorstMean     float64 // of the bot that waited longest on average, in median waits
	Longest       float64 // the longest single wait of anybody, in median waits
	FewestMatches int     // that a bot had
	MostMatches   int
	FewestMet     int     // different ones that a bot had
	GapElo        float64 // mean, between the true strengths of two at one table
	AnyGapElo     float64 // the same of any two bots of the ladder
}

// fairness sums up one ladder.
func (l *ladder) fairness() Fairness {
	t := &l.traffic
	slices.Sort(t.waits)
	median := t.waits[len(t.waits)/2].Seconds()
	f := Fairness{
		Form: l.form.name, Matches: l.matches, Hours: t.lasted.Hours(), MedianWaitS: median, Longest: t.longest.Seconds() / median,
		FewestMatches: slices.Min(t.played), MostMatches: slices.Max(t.played), FewestMet: len(l.bots), GapElo: t.gap / float64(t.pairs),
	}
	n := float64(len(l.bots))
	for b, met := range t.meets {
		count := 0
		for o, yes := range met {
			if yes {
				count++
			}
			f.AnyGapElo += math.Abs(l.is.strength[b]-l.is.strength[o]) / (n * (n - 1))
		}
		f.FewestMet = min(f.FewestMet, count)
		f.WorstMean = max(f.WorstMean, t.waited[b].Seconds()/float64(max(1, t.played[b]))/median)
	}
	return f
}
