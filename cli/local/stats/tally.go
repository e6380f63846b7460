package stats

import (
	"fmt"
	"math"
)

// Tally adds up whole numbers, in any order with the same outcome.
type Tally struct{ N, Sum, Squares int }

// add counts one number.
func (t *Tally) add(x int) { t.N, t.Sum, t.Squares = t.N+1, t.Sum+x, t.Squares+x*x }

// whole is the unit of the tallies of shares: it can be divided by any number of seats up to ten.
const whole = 2520

// addShare counts a match of which k of n seats were won.
func (t *Tally) addShare(k, n int) { t.add(whole * k / n) }

// Share is the mean of a tally of shares, 0 to 1, and its 95 % interval: Wilson's for as many matches, won or lost, as would
// scatter like these. With nothing counted it is all of 0 to 1.
func (t Tally) Share() (mean, low, high float64) {
	if t.N == 0 {
		return 0, 0, 1
	}
	n := float64(t.N)
	p := float64(t.Sum) / (whole * n)
	if spread := float64(t.Squares)/(whole*whole*n) - p*p; spread > 0 {
		n *= p * (1 - p) / spread
	}
	low, high = wilson(p, n)
	return p, low, high
}

// share is a tally of shares in per cent with its interval.
func (t Tally) share() string {
	p, low, high := t.Share()
	return fmt.Sprintf("%.1f (%.1f–%.1f)", 100*p, 100*low, 100*high)
}

// mean is the mean of a tally with its 95 % interval.
func (t Tally) mean() string {
	sum, n := float64(t.Sum), float64(t.N)
	if n < 2 {
		return fmt.Sprintf("%.1f", sum)
	}
	variance := max(0, (float64(t.Squares)-sum*sum/n)/(n-1))
	return fmt.Sprintf("%.1f ± %.1f", sum/n, z*math.Sqrt(variance/n))
}

// z is the half width of the middle 95 % of a normal distribution, in standard deviations.
const z = 1.959964

// Wilson is the 95 % interval of a share of which k of n were seen (Wilson 1927), 0 to 1. With n = 0 it is all of it.
func Wilson(k, n int) (float64, float64) {
	if n == 0 {
		return 0, 1
	}
	return wilson(float64(k)/float64(n), float64(n))
}

func wilson(p, n float64) (float64, float64) {
	centre := p + z*z/(2*n)
	half := z * math.Sqrt(p*(1-p)/n+z*z/(4*n*n))
	return max(0, (centre-half)/(1+z*z/n)), min(1, (centre+half)/(1+z*z/n))
}
