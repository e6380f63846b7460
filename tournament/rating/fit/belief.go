package fit

import (
	"math"

	"gonum.org/v1/gonum/mat"
)

// What can be believed of the strengths after the matches is taken as normal: the normal distribution that is nearest to it
// (variational Bayes; Opper and Archambeau 2009). In place of a comparison's chance stands its mean over what is believed of
// its odds, so the odds are flatter than at any one place and the estimates further from each other: the mean of the posterior, where
// the top of it would be too near the prior.

// settledBy is the share by which a number that has settled may still change.
const settledBy = 1e-4

// blur takes over what is not known of the log-odds of every comparison, and reports whether any moved.
func (m *model) blur(inverse *mat.SymDense) bool {
	moved := false
	for c, was := range m.vague {
		v := variance(inverse, m.terms[m.from[c]:m.from[c+1]]) / (scale * scale)
		m.vague[c] = v
		moved = moved || math.Abs(v-was) > settledBy*v
	}
	return moved
}

// learn moves the deviation between the roles to where the matches are likeliest, and reports whether it moved: sd² = Σx²/γ
// with γ = n − Σvar/sd² (MacKay 1992). The guess counts for one more thing, and is left by four times at most. The
// estimates lean on it little, so it is not integrated over.
func (m *model) learn(x []float64, inverse *mat.SymDense) bool {
	const widest = 4
	given := m.History.prior.Role
	if given == 0 {
		return false
	}
	squares, known := given*given, 1.0
	for i := range m.games {
		if at := m.at[len(m.games)+i]; at >= 0 {
			squares += x[at] * x[at]
			known += max(0, 1-inverse.At(int(at), int(at))*precision(m.prior.Role))
		}
	}
	was := m.prior.Role
	m.prior.Role = min(widest*given, math.Sqrt(squares/known))
	m.tie()
	return math.Abs(m.prior.Role/was-1) > 100*settledBy
}

// divide moves each bot towards the camp it is likely of, and reports whether any moved. The two are taken as equally
// likely before the matches.
func (m *model) divide(x []float64) bool {
	if m.gap == 0 {
		return false
	}
	moved := false
	for _, i := range m.sorted() {
		was := m.first[i]
		m.first[i] = logistic(x[i] * m.gap * precision(m.prior.Bot))
		moved = moved || math.Abs(m.first[i]-was) > settledBy
	}
	m.tie()
	return moved
}

// evidence returns a lower bound of the logarithm of how likely the matches are under the prior, but for a constant. logDet is
// that of the inverse.
func (m *model) evidence(x []float64, inverse *mat.SymDense, logDet float64) float64 {
	total := logDet / 2
	for c, ended := range m.ended {
		n, won := ended[0]+ended[1]+ended[2], ended[2]+ended[1]/2
		z := m.odds(c, x)
		total += won*z - n*blurredSoftplus(z, m.vague[c])
	}
	for _, t := range m.ties {
		off := t.off(x)
		v := inverse.At(t.at, t.at)
		if t.to >= 0 {
			v += inverse.At(t.to, t.to) - 2*inverse.At(t.at, t.to)
		}
		total -= (t.precision*(off*off+v) - math.Log(t.precision)) / 2
	}
	if given := m.History.prior.Role; given > 0 && m.prior.Learn { // the guess counts for one more
		total -= given*given*precision(m.prior.Role)/2 + math.Log(m.prior.Role)
	}
	if m.gap > 0 {
		for _, i := range m.sorted() {
			p := m.first[i]
			total += entropy(p) - math.Ln2 - p*(1-p)*m.gap*m.gap*precision(m.prior.Bot)/2
		}
	}
	return total
}

// entropy of a chance, in nats.
func entropy(p float64) float64 {
	if p <= 0 || p >= 1 {
		return 0
	}
	return -p*math.Log(p) - (1-p)*math.Log(1-p)
}

// follows returns the share, 0 to 1, of one result of comparison c that the estimates follow: its leverage. Its residual is
// smaller by that than the error of a result that the estimates have not seen. 0 where odds are not blurred.
func (m *model) follows(c int, slope float64) float64 { return m.weight[c] * slope * m.vague[c] }
