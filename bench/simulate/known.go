package main

import (
	"fmt"
	"math"

	"github.com/molerun/molerun/tournament/rating"
	"github.com/molerun/molerun/tournament/rating/fit"
)

// known holds the matches of one ladder as they look to those who know an SD: one history for each SD of the simulation.
type known []*fit.History

func newKnown(f form, bots int, sds []float64) (known, error) {
	var t known
	for _, sd := range sds {
		h, err := fit.New(bots, nil, f.known(sd))
		if err != nil {
			return nil, err
		}
		t = append(t, h)
	}
	return t, nil
}

func (t known) add(m fit.Match) error {
	for _, h := range t {
		if err := h.Add(m); err != nil {
			return err
		}
	}
	return nil
}

// fits returns the fits by SD.
func (t known) fits() ([]*fit.Fit, error) {
	var list []*fit.Fit
	for _, h := range t {
		f, err := h.Fit()
		if err != nil {
			return nil, fmt.Errorf("fit that knows the spread: %w", err)
		}
		list = append(list, f)
	}
	return list, nil
}

// believed returns how much the fits of a ladder weigh for one who knows which SDs there are, each as likely, but not which one holds.
func believed(fits []*fit.Fit) []float64 {
	weights, top, total := make([]float64, len(fits)), math.Inf(-1), 0.0
	for _, f := range fits {
		top = max(top, f.Evidence)
	}
	for k, f := range fits {
		weights[k] = math.Exp(f.Evidence - top)
		total += weights[k]
	}
	for k := range weights {
		weights[k] /= total
	}
	return weights
}

// knownSDs judges the posterior under the very prior from which the simulation draws: its mean, and its intervals, which leave out
// 2.5 % on either side.
func knownSDs(fits []*fit.Fit, is []float64) (float64, Share) {
	weights, mean, held := believed(fits), make([]float64, len(is)), Share{}
	for i, strength := range is {
		below := 0.0
		for k, f := range fits {
			e := f.Players[i].Estimate
			mean[i] += weights[k] * e.Elo
			z := (float64(rating.Start)/1000 + strength - e.Elo) / e.SE
			below += weights[k] * math.Erfc(-z/math.Sqrt2) / 2
		}
		held.count(.025 <= below && below <= .975)
	}
	return meanError(mean, is), held
}

// scatter returns the standard error of Σover/Σunder, one of each for every ladder; 0 where there are too few to tell.
func scatter(over, under []float64) float64 {
	n, above, below, squares := float64(len(over)), 0.0, 0.0, 0.0
	for i := range over {
		above, below = above+over[i], below+under[i]
	}
	if n < 2 || below == 0 {
		return 0
	}
	for i := range over {
		off := over[i] - above/below*under[i]
		squares += off * off
	}
	return math.Sqrt(squares*n/(n-1)) / below
}

// standardErrors are those of what a [Row] says, from the scatter over its ladders: the intervals of one ladder err together. 0 for
// one ladder alone.
type standardErrors struct {
	Ratings    float64
	Wrong      float64
	AboveKnown float64 // of the error of the fit over that of the fit that knows the spread
}

// errorsOf returns the standard errors of what a row says of several ladders.
func errorsOf(points []Point) standardErrors {
	column := func(number func(Point) float64) []float64 {
		var list []float64
		for _, p := range points {
			list = append(list, number(p))
		}
		return list
	}
	share := func(of func(Point) Share) float64 {
		in := column(func(p Point) float64 { return float64(of(p).In) })
		return scatter(in, column(func(p Point) float64 { return float64(of(p).Of) }))
	}
	return standardErrors{
		Ratings:    share(func(p Point) Share { return p.Ratings }),
		Wrong:      share(func(p Point) Share { return p.Wrong }),
		AboveKnown: scatter(column(func(p Point) float64 { return p.Errors.Fit }), column(func(p Point) float64 { return p.Errors.Known })),
	}
}
