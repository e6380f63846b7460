package fit

import (
	"errors"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"
)

// doubt is the covariance that the estimates have because the deviations of the prior are learned from the same matches and
// not known. What is believed of their logarithms is taken as normal: its precision is how fast the slope of the
// likelihood falls when a deviation is nudged and everything else is solved again, and the estimates move with it (the
// first order of the integral over the deviations; Kass and Steffey 1989). A deviation that has reached its bound is taken
// for known, and so are all where the likelihood has no top in them. nil where nothing is to be added.
func (m *model) doubt(x []float64, inverse *mat.SymDense) (*mat.Dense, error) {
	const nudge = .1 // of the logarithm: small beside what is not known of it, large beside the rest of solve
	if !m.prior.Learn {
		return nil, nil
	}
	var learned []int
	slope := m.slope(x, inverse)
	squares, _ := m.told(x, inverse)
	for kind := range kinds {
		if given := *m.History.prior.deviation(kind); squares[kind] > 0 && *m.prior.deviation(kind) < widest*given {
			learned = append(learned, kind)
		}
	}
	if len(learned) == 0 {
		return nil, nil
	}
	moves, precision := mat.NewDense(m.p, len(learned), nil), mat.NewSymDense(len(learned), nil)
	for i, kind := range learned {
		twin := *m
		twin.flat, twin.ties, twin.prior.Learn, twin.prior.Mean = slices.Clone(m.flat), nil, false, true
		*twin.prior.deviation(kind) *= math.Exp(nudge)
		twin.believe()
		moved, around, _, err := twin.solve(slices.Clone(x))
		if err != nil {
			return nil, err
		}
		for k := range x {
			moves.Set(k, i, (moved[k]-x[k])/nudge)
		}
		now := twin.slope(moved, around)
		for j, other := range learned {
			half := (slope[other] - now[other]) / nudge / 2
			if j == i {
				half *= 2
			}
			precision.SetSym(i, j, precision.At(i, j)+half)
		}
	}
	var factored mat.Cholesky
	if !factored.Factorize(precision) {
		return nil, nil
	}
	var spread mat.SymDense
	if err := factored.InverseTo(&spread); err != nil && !errors.As(err, new(mat.Condition)) {
		return nil, err
	}
	var half, whole mat.Dense
	half.Mul(moves, &spread)
	whole.Mul(&half, moves.T())
	return &whole, nil
}

// slope is how fast the logarithm of the likelihood of the matches rises with the logarithm of each deviation.
func (m *model) slope(x []float64, inverse *mat.SymDense) (out [kinds]float64) {
	squares, told := m.told(x, inverse)
	for kind := range kinds {
		given, now := *m.History.prior.deviation(kind), *m.prior.deviation(kind)
		if given > 0 {
			out[kind] = (squares[kind]+weight*given*given)/(now*now) - told[kind] - weight
		}
	}
	return out
}
