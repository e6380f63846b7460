package fit

import (
	"errors"
	"math"

	"gonum.org/v1/gonum/mat"
)

// scale is the Elo of one unit of log-odds: 400/ln 10.
const scale = 400 / math.Ln10

// errNoFit is the code of a fit that does not come to rest; it would be a fault of this package.
var errNoFit = errors.New("no_fit")

// look writes the gradient of the logarithm of the posterior density at x, and the negative of its second derivative, both per Elo.
func (m *model) look(x, gradient []float64, curvature *mat.SymDense) {
	clear(gradient)
	curvature.Zero()
	raw := curvature.RawSymmetric()
	for c, ended := range m.ended {
		n, won := ended[0]+ended[1]+ended[2], ended[2]+ended[1]/2
		chance, bend := blurred(m.odds(c, x), m.vague[c])
		slope := (won - n*chance) / scale
		bend *= n / (scale * scale)
		terms := m.terms[m.from[c]:m.from[c+1]]
		for i, a := range terms { // they ascend: only the upper triangle is touched
			gradient[a.param] += slope * a.by
			row := raw.Data[int(a.param)*raw.Stride:]
			for _, b := range terms[i:] {
				row[b.param] += bend * a.by * b.by
			}
		}
	}
	for _, t := range m.ties {
		pull := t.off(x) * t.precision
		gradient[t.at] -= pull
		if t.to >= 0 {
			gradient[t.to] += pull
		}
	}
	m.addPrior(curvature)
}

// addPrior adds the precision of the prior to a.
func (m *model) addPrior(a *mat.SymDense) {
	for _, t := range m.ties {
		p := t.precision
		a.SetSym(t.at, t.at, a.At(t.at, t.at)+p)
		if t.to >= 0 {
			a.SetSym(t.to, t.to, a.At(t.to, t.to)+p)
			a.SetSym(t.at, t.to, a.At(t.at, t.to)-p)
		}
	}
}

// solve finds the top of the posterior, or its mean if the prior asks for it, from x.
func (m *model) solve(x []float64) ([]float64, *mat.SymDense, float64, int, error) {
	const rounds = 60
	steps := 0
	for round := 1; ; round++ {
		top, curvature, n, err := m.maximise(x)
		if err != nil {
			return nil, nil, 0, steps + n, err
		}
		x, steps = top, steps+n
		var inverse mat.SymDense
		if err := curvature.InverseTo(&inverse); err != nil && !errors.As(err, new(mat.Condition)) {
			return nil, nil, 0, steps, err
		}
		moved := m.prior.means() && m.blur(&inverse)
		moved = m.prior.Learn && m.learn(x, &inverse) || moved
		moved = m.divide(x) || moved
		if !moved || round == rounds {
			height := 0.0
			if m.prior.means() {
				height = m.evidence(x, &inverse, -curvature.LogDet())
			}
			return x, &inverse, height, steps, nil
		}
	}
}

// maximise finds the top of the posterior by Newton's method, from x. It returns the place and the factored curvature
// there. The density has one top; a step past it, where the slope along the step has turned, is halved.
func (m *model) maximise(x []float64) ([]float64, *mat.Cholesky, int, error) {
	const (
		rounds  = 100
		maxStep = 400 // Elo: further away the curvature says little
	)
	rest := 1e-16 // squared length of the last step, in standard errors; the step after it is as short as that
	if m.prior.means() {
		rest = 1e-2 // the odds are blurred again after it
	}
	try, gradient := make([]float64, m.p), make([]float64, m.p)
	step := mat.NewVecDense(m.p, nil)
	curvature := mat.NewSymDense(m.p, nil)
	var factored mat.Cholesky
	m.look(x, gradient, curvature)
	for round := 1; round <= rounds; round++ {
		if !factored.Factorize(curvature) {
			return nil, nil, round, errors.New("the curvature is not positive")
		}
		if err := factored.SolveVecTo(step, mat.NewVecDense(m.p, gradient)); err != nil && !errors.As(err, new(mat.Condition)) {
			return nil, nil, round, err
		}
		squared := mat.Dot(step, mat.NewVecDense(m.p, gradient))
		size := min(1, maxStep/mat.Norm(step, math.Inf(1)))
		for {
			for i := range x {
				try[i] = x[i] + size*step.AtVec(i)
			}
			m.look(try, gradient, curvature)
			if mat.Dot(step, mat.NewVecDense(m.p, gradient)) >= -squared/2 || size < 1e-6 {
				break
			}
			size /= 2
		}
		x, try = try, x
		if squared < rest {
			factored.Factorize(curvature)
			return x, &factored, round, nil
		}
	}
	return nil, nil, rounds, errors.New("it does not come to rest")
}
