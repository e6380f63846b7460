package main

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/stat"

	"github.com/molerun/molerun/tournament/rating"
)

// events is how many matches an event has whose interval is held against the mean of all.
const events = 25

// row is what the luck of a setting's matches came to. Differences are of the better of the pair less the worse, in points a match.
type row struct {
	setting
	matches      int
	raw, without spread // differences of record, and without luck
	correction   spread
	alike        float64 // correlation of two matches on one deal
	holds, of    int     // intervals that hold the mean, of events of 25 matches
}

// spread is a mean with the variance of one match.
type spread struct{ mean, variance float64 }

func spreadOf(list []float64) spread {
	mean, variance := stat.MeanVariance(list, nil)
	return spread{mean, variance}
}

// errors returns how many standard errors the mean of n lies from 0.
func (x spread) errors(n int) float64 {
	if x.variance == 0 {
		return 0
	}
	return x.mean / math.Sqrt(x.variance/float64(n))
}

// needed returns the matches after which the better of two is ahead in 95 of 100 series, if it wins as much more as 50 Elo say.
func (x spread) needed() float64 {
	const z = 1.6448536269514722 // the 95 % quantile of a normal distribution
	lead := 2*rating.Expected(50) - 1
	return z * z * x.variance / (lead * lead)
}

// measure plays matches from a seed on and measures their luck; heard learns how many are done.
func (x setting) measure(ctx context.Context, seed uint64, matches int, heard func(done int)) (row, error) {
	r := row{setting: x, matches: matches}
	var raw, again, without, correction []float64
	var blocks [][]rating.Dealt
	for i := range matches {
		m, err := x.play(ctx, seed+uint64(i), 0)
		if err != nil {
			return r, err
		}
		luck, err := m.luck()
		if err != nil {
			return r, err
		}
		second, err := x.play(ctx, seed+uint64(i), 1)
		if err != nil {
			return r, err
		}
		again = append(again, second.points[m.a]-second.points[m.b])
		d, l := m.points[m.a]-m.points[m.b], luck[m.a]-luck[m.b]
		raw, without, correction = append(raw, d), append(without, d-l), append(correction, l)
		blocks = append(blocks, []rating.Dealt{{TeamGame: rating.TeamGame{Seats: []int{0}, Points: []float64{d}}, Worth: []float64{l}}})
		heard(i + 1)
	}
	r.raw, r.without, r.correction = spreadOf(raw), spreadOf(without), spreadOf(correction)
	r.alike = stat.Correlation(raw, again, nil)
	for at := 0; at+events <= matches; at += events {
		luck := rating.Lucks(1, blocks[at:at+events])[0]
		got := spreadOf(raw[at:at+events]).mean*events - luck.Points
		r.of++
		if math.Abs(got-r.without.mean*events) <= luck.Half {
			r.holds++
		}
	}
	return r, nil
}

const heading = `| game | seats | errs | matches | ahead by | mean luck, in its SE | deals alike | scatter left | ahead in 95 % after | without luck | intervals that hold |
|---|---|---|---|---|---|---|---|---|---|---|`

// String returns the row of the table.
func (r row) String() string {
	return fmt.Sprintf("| %s | %d | %.0f %% | %d | %.3f | %+.1f | %.2f | %.0f %% | %.0f | %.0f | %.1f %% |", r.game, r.seats, 100*r.errs, r.matches, r.raw.mean,
		r.correction.errors(r.matches), r.alike, 100*r.without.variance/r.raw.variance, r.raw.needed(), r.without.needed(), 100*float64(r.holds)/float64(r.of))
}
