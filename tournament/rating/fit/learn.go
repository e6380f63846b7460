package fit

import (
	"math"

	"gonum.org/v1/gonum/mat"
)

// learn moves the deviations of the prior towards where the matches are likeliest, and tells whether any moved by more
// than a millionth. The likelihood of the matches given the deviations is taken by Laplace's method; its top satisfies
// sd² = Σx²/γ, with γ = n − Σvar/sd² + the share by which the curvature itself changes as estimates spread. The deviation
// given first counts for four more things.
func (m *model) learn(x []float64, inverse *mat.SymDense) bool {
	const weight = 4
	var squares, told [kinds]float64
	pull := [kinds]*mat.VecDense{}
	for kind := range pull {
		pull[kind] = mat.NewVecDense(m.p, nil)
	}
	for _, t := range m.ties {
		terms := []term{{int32(t.at), 1}, {int32(t.to), -1}}
		if t.to < 0 {
			terms = terms[:1]
		}
		off := t.off(x)
		squares[t.kind] += off * off
		told[t.kind] += 1 - variance(inverse, terms)*t.precision
		for _, a := range terms {
			pull[t.kind].SetVec(int(a.param), pull[t.kind].AtVec(int(a.param))+2*t.precision*off*a.by)
		}
	}
	skew := m.skew(x, inverse)
	moved := false
	for kind := range kinds {
		given, now := *m.History.prior.deviation(kind), m.prior.deviation(kind)
		if given == 0 || squares[kind] == 0 {
			continue
		}
		var spreading mat.VecDense // of the estimates, as the deviation grows
		spreading.MulVec(inverse, pull[kind])
		told[kind] += mat.Dot(skew, &spreading) / 2
		next := math.Sqrt((squares[kind] + weight*given*given) / (max(0, told[kind]) + weight))
		moved = moved || math.Abs(next/(*now)-1) > 1e-6
		*now = next
	}
	m.believe()
	return moved
}

// skew is by how much the logarithm of the determinant of the curvature grows with each parameter.
func (m *model) skew(x []float64, inverse *mat.SymDense) *mat.VecDense {
	out := mat.NewVecDense(m.p, nil)
	for c, ended := range m.ended {
		terms := m.terms[m.from[c]:m.from[c+1]]
		p := logistic(m.odds(c, x))
		by := (ended[0] + ended[1] + ended[2]) * p * (1 - p) * (1 - 2*p) / (scale * scale * scale) * variance(inverse, terms)
		for _, t := range terms {
			out.SetVec(int(t.param), out.AtVec(int(t.param))+by*t.by)
		}
	}
	return out
}
