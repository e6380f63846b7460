package main

import "github.com/molerun/molerun/tournament/rating/fit"

// Order is what intervals say of who is above whom.
type Order struct {
	Distinct Share // whose difference has an interval on one side of 0
	Wrong    Share // of those
	Ranks    Share // true ranks between the best and the worst that the fit allows
}

func (o *Order) add(p Order) {
	o.Distinct.add(p.Distinct)
	o.Wrong.add(p.Wrong)
	o.Ranks.add(p.Ranks)
}

// count adds what a fit says of bots with these true strengths: of each, and of the difference of any two.
func (o *Order) count(players []fit.Player, difference func(i, j int) fit.Estimate, is []float64) {
	for i, p := range players {
		for j := range i {
			o.pair(difference(i, j), is[i] > is[j])
		}
		o.Ranks.count(within(is, i, p.Best, p.Worst))
	}
}

// pair counts the difference between two bots, of whom the first is or is not the stronger.
func (o *Order) pair(d fit.Estimate, first bool) {
	distinct := d.Low > 0 || d.High < 0
	o.Distinct.count(distinct)
	if distinct {
		o.Wrong.count((d.Low > 0) != first)
	}
}

// within reports whether the true rank of bot i is from best to worst.
func within(is []float64, i, best, worst int) bool {
	rank := 1
	for _, x := range is {
		if x > is[i] {
			rank++
		}
	}
	return best <= rank && rank <= worst
}
