package fit

import (
	"errors"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"
)

// scale is the Elo of one unit of log-odds: 400/ln 10.
const scale = 400 / math.Ln10

// ErrNoFit is the code of a fit that does not come to rest; it would be a fault of this package.
var ErrNoFit = errors.New("no_fit")

// model is a history with the parameters it speaks of numbered without gaps: x has one value for each, in Elo.
type model struct {
	*History
	prior Prior   // what holds now; the history's to begin with
	at    []int32 // number of each parameter, -1 for those that occur nowhere
	p     int
	ties  []tie
	terms []term    // those of the history, by number
	flat  []float64 // by comparison: what its odds are multiplied by, 1 or less; see [model.blur]
}

// tie says that x[at] is about x[to], or about 0 if to is -1.
type tie struct {
	at, to, kind int
	precision    float64
}

// off is how far it is.
func (t tie) off(x []float64) float64 {
	if t.to < 0 {
		return x[t.at]
	}
	return x[t.at] - x[t.to]
}

func newModel(h *History) *model {
	m := &model{
		History: h, prior: h.prior, at: make([]int32, h.params), terms: make([]term, len(h.terms)),
		flat: slices.Repeat([]float64{1}, len(h.ended)),
	}
	occurs := make([]bool, h.params)
	for i := range h.games {
		occurs[i] = true
	}
	for _, t := range h.terms {
		occurs[t.param] = true
	}
	for i := range m.at {
		if m.at[i] = -1; occurs[i] {
			m.at[i] = int32(m.p)
			m.p++
		}
	}
	for i, t := range h.terms {
		m.terms[i] = term{m.at[t.param], t.by}
	}
	m.believe()
	return m
}

// believe lists the prior.
func (m *model) believe() {
	m.ties = m.ties[:0]
	about := func(param int32, to, kind int) {
		if at := m.at[param]; at >= 0 {
			m.ties = append(m.ties, tie{int(at), to, kind, precision(*m.prior.deviation(kind))})
		}
	}
	players := len(m.games)
	for i := range players {
		if len(m.parent) > 0 && m.parent[i] >= 0 {
			about(int32(i), m.parent[i], ofVersion) // strengths are numbered as players are
		} else {
			about(int32(i), -1, ofBot)
		}
		about(int32(players+i), -1, ofRole)
	}
	for n := range maxSeats {
		if first, ok := m.seatAt[n]; ok {
			for s := range n {
				about(first+int32(s), -1, ofSeat)
			}
		}
		if size, ok := m.teamAt[n]; ok {
			about(size.param, -1, ofTeam)
		}
	}
}

// odds is the log-odds of comparison c at x.
func (m *model) odds(c int, x []float64) float64 {
	sum := 0.0
	for _, t := range m.terms[m.from[c]:m.from[c+1]] {
		sum += t.by * x[t.param]
	}
	return sum / scale
}

func logistic(odds float64) float64 { return 1 / (1 + math.Exp(-odds)) }

// softplus is ln(1+e^z).
func softplus(z float64) float64 { return max(z, 0) + math.Log1p(math.Exp(-math.Abs(z))) }

// look returns the logarithm of the posterior density at x, of flattened odds, but for a constant, and writes its gradient and the negative
// of its second derivative, both per Elo.
func (m *model) look(x, gradient []float64, curvature *mat.SymDense) float64 {
	clear(gradient)
	curvature.Zero()
	raw := curvature.RawSymmetric()
	total := 0.0
	for c, ended := range m.ended {
		n, won := ended[0]+ended[1]+ended[2], ended[2]+ended[1]/2
		flat := m.flat[c]
		z := flat * m.odds(c, x)
		p := logistic(z)
		total += (won*z - n*softplus(z)) / flat
		slope, bend := (won-n*p)/scale, n*flat*p*(1-p)/(scale*scale)
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
		off := t.off(x)
		total -= off * off * t.precision / 2
		gradient[t.at] -= off * t.precision
		if t.to >= 0 {
			gradient[t.to] += off * t.precision
		}
	}
	m.addPrior(curvature)
	return total
}

// addPrior adds the precision of the prior to a.
func (m *model) addPrior(a *mat.SymDense) {
	for _, t := range m.ties {
		a.SetSym(t.at, t.at, a.At(t.at, t.at)+t.precision)
		if t.to >= 0 {
			a.SetSym(t.to, t.to, a.At(t.to, t.to)+t.precision)
			a.SetSym(t.at, t.to, a.At(t.at, t.to)-t.precision)
		}
	}
}

// solve finds the top of the posterior, or its mean, learning the prior, if it is to, from x. It returns the place, the inverse
// of the curvature there and the number of Newton steps.
func (m *model) solve(x []float64) ([]float64, *mat.SymDense, int, error) {
	const rounds = 50
	steps := 0
	for round := 1; ; round++ {
		top, curvature, n, err := m.maximise(x)
		if err != nil {
			return nil, nil, steps + n, err
		}
		x, steps = top, steps+n
		var inverse mat.SymDense
		if err := curvature.InverseTo(&inverse); err != nil && !errors.As(err, new(mat.Condition)) {
			return nil, nil, steps, err
		}
		moved := m.prior.means() && m.blur(&inverse)
		moved = m.prior.Learn && m.learn(x, &inverse) || moved
		if !moved || round == rounds {
			return x, &inverse, steps, nil
		}
	}
}

// maximise finds the top of the posterior by Newton's method, from x. It returns the place and the factored curvature
// there. The density has one top, and steps that do not climb are halved, so that it cannot run away.
func (m *model) maximise(x []float64) ([]float64, *mat.Cholesky, int, error) {
	const (
		rounds  = 100
		maxStep = 400   // Elo: further away the curvature says little
		rest    = 1e-16 // squared length of the last step, in standard errors
	)
	try, gradient := make([]float64, m.p), make([]float64, m.p)
	step := mat.NewVecDense(m.p, nil)
	curvature := mat.NewSymDense(m.p, nil)
	var factored mat.Cholesky
	height := m.look(x, gradient, curvature)
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
			next := m.look(try, gradient, curvature)
			if next >= height-1e-9*math.Abs(height) || size < 1e-6 {
				height = next
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
