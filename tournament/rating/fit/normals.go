package fit

import (
	"math"

	"gonum.org/v1/gonum/mat"
)

// belief is what follows for the estimates if bots are spread in one way, and how likely that is.
type belief struct {
	weight     float64 // all sum to 1
	x          []float64
	covariance *mat.SymDense
}

// normals are a mixture of normal distributions.
type normals []struct{ weight, mean, sd float64 }

// estimate returns the mean of the mixture with its standard deviation and its 95 % interval, equal tails on both sides.
func (list normals) estimate() Estimate {
	var e Estimate
	for _, n := range list {
		e.Elo += n.weight * n.mean
	}
	square := 0.0
	for _, n := range list {
		square += n.weight * (n.sd*n.sd + (n.mean-e.Elo)*(n.mean-e.Elo))
	}
	e.SE = math.Sqrt(square)
	e.Low, e.High = list.quantile(.025), list.quantile(.975)
	return e
}

// below returns the chance of a number below x.
func (list normals) below(x float64) float64 {
	chance := 0.0
	for _, n := range list {
		if n.sd > 0 {
			chance += n.weight * math.Erfc((n.mean-x)/(n.sd*math.Sqrt2)) / 2
		} else if n.mean < x {
			chance += n.weight
		}
	}
	return chance
}

// quantile returns the number with the chance given below it, to a millionth of an Elo.
func (list normals) quantile(chance float64) float64 {
	low, high := math.Inf(1), math.Inf(-1)
	for _, n := range list {
		low, high = min(low, n.mean-6*n.sd), max(high, n.mean+6*n.sd)
	}
	for high-low > 1e-6 {
		mid := low + (high-low)/2
		if mid == low || mid == high {
			break
		}
		if list.below(mid) < chance {
			low = mid
		} else {
			high = mid
		}
	}
	return low + (high-low)/2
}
