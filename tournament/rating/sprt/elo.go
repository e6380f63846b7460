package sprt

import (
	"math"
	"slices"

	"github.com/molerun/molerun/tournament"
)

// Strength is how much stronger the first version is, by what was counted.
type Strength struct {
	Score    float64         // mean points per game; 1/2 before the first
	Elo      tournament.Mean // of that score, within ±1000
	Superior float64         // likelihood, 0 to 1, that the first version is the stronger one
}

const (
	// critical is the likelihood ratio at either end of an interval, in the logarithm: half the 95 % quantile of χ² with one
	// degree of freedom.
	critical = 1.9207294103470635
	// unseen is how many units are added to the best score and to the worst. Without it a handful of 2–0 and 0–2 among
	// drawn pairs would look surer than it is: intervals would hold 90 times of 100, with it 95 times.
	unseen = .1
	// widest is the largest difference that is reported, in Elo.
	widest = 1000
	// halvings find an end to a billionth of an Elo.
	halvings = 40
)

// Measure returns how much stronger the first version is, with a likelihood-ratio interval. It depends on the tally alone,
// so whoever has counted the same says the same. In a series of fixed length the interval holds the truth 95 times of 100;
// docs/4-ratings.md has the table, also of tests that stopped by themselves.
//
// Two laws hold exactly. A unit that moves to a better score never lowers either end: [Tally.evidence] has the proof. And
// the mirrored tally has the mirrored interval, since the upper end is the lower end of the other side, with the sign changed.
func Measure(tally Tally) (Strength, error) {
	if err := tally.check(); err != nil {
		return Strength{}, err
	}
	other := slices.Clone(tally)
	slices.Reverse(other)
	out := Strength{Score: .5}
	won, lost := tally.steps(), other.steps()
	if won+lost > 0 {
		out.Score = won / (won + lost)
	}
	const least = .5 // step, half of the least that can be won: a score of 0 or 1 has an Elo too
	elo := logit * (math.Log(max(won, least)) - math.Log(max(lost, least)))
	out.Elo = tournament.Mean{Value: min(max(elo, -widest), widest), Low: tally.atLeast(), High: -other.atLeast()}
	out.Superior = phi(math.Sqrt(2*tally.evidence(.5)) - math.Sqrt(2*other.evidence(.5))) // one of the two is 0
	return out, nil
}

// steps returns the sum of the scores, in steps from one score to the next.
func (t Tally) steps() float64 {
	sum := 0
	for i, c := range t {
		sum += i * c
	}
	return float64(sum)
}

// atLeast returns the lower end of the interval, in Elo, by halving: the evidence falls as Elo rises.
func (t Tally) atLeast() float64 {
	low, high := -float64(widest), float64(widest)
	for range halvings {
		middle := (low + high) / 2
		if t.evidence(scoreOf(middle)) > critical {
			low = middle
		} else {
			high = middle
		}
	}
	return low
}

// evidence returns the log-likelihood ratio of the likeliest chances against the likeliest whose mean score is at most mean.
// Scores that were never counted may have a chance too. As the duality of that problem has it, the ratio is
//
//	max over 0 ≤ k ≤ 1 of Σ count(score) · ln(1 − k + k·score/mean)
//
// For each k the sum rises when a unit moves to a better score, and falls as mean rises. So does its maximum; hence the mean
// at which it is critical, the lower end of the interval, never falls when a unit moves to a better score. What is added as
// unseen is the same for every tally and changes nothing in that. The sum is concave in k, and its top is found by halving.
func (t Tally) evidence(mean float64) float64 {
	last := len(t) - 1
	over := func(f func(count, gain float64)) {
		for i, c := range t {
			count := float64(c)
			if i == 0 || i == last {
				count += unseen
			}
			f(count, float64(i)/float64(last)/mean-1)
		}
	}
	slope := func(k float64) float64 {
		sum := 0.0
		over(func(count, gain float64) { sum += count * gain / (1 + k*gain) })
		return sum
	}
	if slope(0) <= 0 {
		return 0
	}
	low, high := 0.0, 1.0
	for range halvings {
		if middle := (low + high) / 2; slope(middle) > 0 {
			low = middle
		} else {
			high = middle
		}
	}
	sum := 0.0
	over(func(count, gain float64) { sum += count * math.Log1p(low*gain) })
	return sum
}

// scoreOf returns the mean score that a difference of elo brings.
func scoreOf(elo float64) float64 { return 1 / (1 + math.Exp(-elo/logit)) }

// phi returns the standard normal distribution function.
func phi(x float64) float64 { return math.Erfc(-x/math.Sqrt2) / 2 }
