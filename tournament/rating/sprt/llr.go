package sprt

import "math"

// distribution is the chance of each score of a unit, ascending from 0 to 1 in equal steps.
type distribution []float64

// score returns the i-th score.
func (d distribution) score(i int) float64 { return float64(i) / float64(len(d)-1) }

// moments returns the mean and the variance of the score of a unit.
func (d distribution) moments() (float64, float64) {
	mean, variance := 0.0, 0.0
	for i, p := range d {
		mean += p * d.score(i)
	}
	for i, p := range d {
		variance += p * math.Pow(d.score(i)-mean, 2)
	}
	return mean, variance
}

// LLR returns the generalised log-likelihood ratio of the tally: of the likeliest chances whose difference is Elo1 against the
// likeliest whose difference is Elo0. Before the first unit it is 0.
func (t Test) LLR(tally Tally) (float64, error) {
	if err := t.Check(); err != nil {
		return 0, err
	}
	if err := tally.check(); err != nil {
		return 0, err
	}
	if tally.Units() == 0 {
		return 0, nil
	}
	seen, n := tally.chances()
	h0, h1 := t.likeliest(seen, t.Elo0), t.likeliest(seen, t.Elo1)
	sum := 0.0
	for i, p := range seen {
		sum += p * math.Log(h1[i]/h0[i])
	}
	return n * sum, nil
}

// likeliest returns the chances under which what was seen is likeliest, among all that have a difference of elo.
func (t Test) likeliest(seen distribution, elo float64) distribution {
	if t.Normalised {
		return seen.withDeviations(elo / normal * math.Sqrt(float64(len(seen)/2)))
	}
	return seen.withMean(scoreOf(elo))
}

// withMean returns the likeliest chances with the given mean.
func (d distribution) withMean(mean float64) distribution {
	excess := make([]float64, len(d))
	for i := range d {
		excess[i] = d.score(i) - mean
	}
	return d.without(excess)
}

// withDeviations returns the likeliest chances whose mean is so many of their own standard deviations above 1/2. That
// condition is not linear in the chances; it is made so about a first guess, solved, and made so again about the solution.
func (d distribution) withDeviations(by float64) distribution {
	guess := make(distribution, len(d))
	for i := range guess {
		guess[i] = 1 / float64(len(d))
	}
	for range 10 {
		mean, variance := guess.moments()
		sd := math.Sqrt(variance)
		excess := make([]float64, len(d))
		for i := range d {
			excess[i] = d.score(i) - .5 - by*sd*(1+math.Pow((d.score(i)-mean)/sd, 2))/2
		}
		next := d.without(excess)
		moved := 0.0
		for i := range next {
			moved = max(moved, math.Abs(next[i]-guess[i]))
		}
		if guess = next; moved < 1e-9 {
			break
		}
	}
	return guess
}

// without returns the likeliest chances under which the mean of excess is 0: p/(1+θ·excess), with the θ that makes it so. The
// mean falls as θ rises, between the two poles, and a root is found by halving.
func (d distribution) without(excess []float64) distribution {
	low, high := math.Inf(1), math.Inf(-1)
	for _, e := range excess {
		low, high = min(low, e), max(high, e)
	}
	from, to := -1/high, -1/low
	for range 200 {
		theta := (from + to) / 2
		mean := 0.0
		for i, p := range d {
			mean += p * excess[i] / (1 + theta*excess[i])
		}
		if theta == from || theta == to || mean == 0 {
			break
		}
		if mean > 0 {
			from = theta
		} else {
			to = theta
		}
	}
	out := make(distribution, len(d))
	for i, p := range d {
		out[i] = p / (1 + (from+to)/2*excess[i])
	}
	return out
}
