package fit_test

import (
	"math"
	"math/rand/v2"
	"slices"

	"github.com/molerun/molerun/tournament/rating/fit"
)

// exact is the posterior of games of two by a Markov chain (Metropolis): nothing is taken as normal, nothing is on a grid, and no
// code is shared with the fit. The prior is the fit's: strengths normal about 0, or half about each of two middles; their deviation
// half-Cauchy about the guess g, from g/8 to 4g in the logarithm; the gap as likely as none, at least three deviations.
type exact struct {
	prior   fit.Prior
	bots    int
	results []pairing

	// where the chain is
	x      []float64 // strengths, Elo
	seat   float64   // half of the first seat's advantage
	spread float64   // logarithm of the deviation over the guess
	gap    float64   // over the guess; below 0 there is none
}

// pairing is all games of two with one of them in the first seat.
type pairing struct {
	first, second int
	won, games    float64
}

// paired counts games of two by who sat first.
func paired(matches []fit.Match) []pairing {
	var list []pairing
	for _, m := range matches {
		first, second := m.Seats[0], m.Seats[1]
		at := slices.IndexFunc(list, func(p pairing) bool { return p.first == first.Player && p.second == second.Player })
		if at < 0 {
			at = len(list)
			list = append(list, pairing{first: first.Player, second: second.Player})
		}
		list[at].games++
		switch {
		case first.Rank < second.Rank:
			list[at].won++
		case first.Rank == second.Rank:
			list[at].won += .5
		}
	}
	return list
}

const (
	narrowest = -2.0794415416798357 // log 1/8
	widest    = 1.3862943611198906  // log 4
	widestGap = 8.
)

// logDensity returns that of the posterior, but for a constant.
func (e *exact) logDensity() float64 {
	if e.spread < narrowest || e.spread > widest {
		return math.Inf(-1)
	}
	wide := math.Exp(e.spread)
	if e.gap < -1 || e.gap > widestGap || (e.gap >= 0 && e.gap < 3*wide) {
		return math.Inf(-1)
	}
	sum := e.spread - math.Log(1+wide*wide) - e.seat*e.seat/(2*e.prior.Seat*e.prior.Seat)
	middle := 0.0
	if e.gap >= 0 {
		sum -= e.gap*e.gap/4 + math.Log(math.Sqrt(math.Pi))
		middle = e.gap * e.prior.Bot / 2
	}
	sd := wide * e.prior.Bot
	for _, x := range e.x {
		up, down := (x-middle)/sd, (x+middle)/sd
		sum += math.Log((math.Exp(-up*up/2)+math.Exp(-down*down/2))/2) - math.Log(sd)
	}
	for _, r := range e.results {
		z := (e.x[r.first] - e.x[r.second] + 2*e.seat) * math.Ln10 / 400
		sum += r.won*z - r.games*math.Log1p(math.Exp(z))
	}
	return sum
}

// move proposes a change: of one strength, of the seat, of the spread alone, of spread and strengths together, or of spread and gap
// to anywhere. It returns what the logarithm of the density is to be corrected by.
func (e *exact) move(r *rand.Rand) float64 {
	kind := r.IntN(e.bots + 5)
	switch {
	case kind < e.bots:
		e.x[kind] += 130 * r.NormFloat64()
	case kind == e.bots:
		e.seat += 40 * r.NormFloat64()
	case kind == e.bots+1:
		e.spread += .6 * r.NormFloat64()
	case kind == e.bots+2 && e.gap >= 0:
		e.gap += .8 * r.NormFloat64()
	case kind == e.bots+3:
		by := .3 * r.NormFloat64()
		e.spread += by
		if e.gap >= 0 {
			e.gap *= math.Exp(by)
		}
		for i := range e.x {
			e.x[i] *= math.Exp(by)
		}
		if e.gap >= 0 {
			return float64(e.bots+1) * by
		}
		return float64(e.bots) * by
	case e.prior.Camps:
		e.spread = narrowest + (widest-narrowest)*r.Float64()
		e.gap = -1 + (1+widestGap)*r.Float64()
	}
	return 0
}

// sample walks and keeps the strengths, less their mean, of every tenth step after the first tenth.
func (e *exact) sample(steps int) [][]float64 {
	r := rand.New(rand.NewPCG(14, 2))
	e.x, e.gap = make([]float64, e.bots), -1
	now := e.logDensity()
	var kept [][]float64
	for step := range steps {
		x, seat, spread, gap := slices.Clone(e.x), e.seat, e.spread, e.gap
		by := e.move(r)
		next := e.logDensity()
		if math.Log(1-r.Float64()) < next-now+by {
			now = next
		} else {
			e.x, e.seat, e.spread, e.gap = x, seat, spread, gap
		}
		if step%10 == 0 && step >= steps/10 {
			kept = append(kept, lessMean(e.x))
		}
	}
	return kept
}

func lessMean(x []float64) []float64 {
	out := slices.Clone(x)
	mean := 0.0
	for _, v := range x {
		mean += v / float64(len(x))
	}
	for i := range out {
		out[i] -= mean
	}
	return out
}

// estimate returns what the samples say of bot i, with 1500 for the mean of all.
func estimate(samples [][]float64, i int) fit.Estimate {
	list := make([]float64, len(samples))
	mean := 0.0
	for k, x := range samples {
		list[k] = 1500 + x[i]
		mean += list[k] / float64(len(samples))
	}
	slices.Sort(list)
	return fit.Estimate{Elo: mean, Low: list[len(list)/40], High: list[len(list)-1-len(list)/40]}
}

// ranks of bot i: below those that are above it in 97.5 % of the samples, above those that are below it in as many.
func ranks(samples [][]float64, i int) [2]int {
	bots := len(samples[0])
	out := [2]int{1, bots}
	for j := range bots {
		above, below := 0, 0
		for _, x := range samples {
			if x[j] > x[i] {
				above++
			}
			if x[j] < x[i] {
				below++
			}
		}
		if float64(above) > .975*float64(len(samples)) {
			out[0]++
		}
		if float64(below) > .975*float64(len(samples)) {
			out[1]--
		}
	}
	return out
}
