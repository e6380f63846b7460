package fit

import "gonum.org/v1/gonum/mat"

// Both returns the two standard errors of the difference between players i and j, or with j < 0 of the rating of i: the
// robust one and the model's.
func (f *Fit) Both(i, j int) (robust, model float64) {
	terms := []term{{int32(i), 1}, {int32(j), -1}}
	if j < 0 {
		terms = terms[:1]
	}
	return deviation(f.robust, terms), deviation(f.beliefs[0].covariance, terms)
}

// Common returns how far every comparison is from being a difference: the sum of what strengths are multiplied by, and of what
// seats are; both are 0 if only differences count.
func (h *History) Common() (strengths, seats float64) {
	kind := map[int32]bool{}
	for n, first := range h.seatAt {
		for s := range n {
			kind[first+int32(s)] = true
		}
	}
	for c := range h.ended {
		strength, seat := 0.0, 0.0
		for _, t := range h.terms[h.from[c]:h.from[c+1]] {
			if int(t.param) < len(h.games) {
				strength += t.by
			}
			if kind[t.param] {
				seat += t.by
			}
		}
		strengths, seats = max(strengths, strength, -strength), max(seats, seat, -seat)
	}
	return strengths, seats
}

// Slope returns the gradient of the posterior density of h at the place where it is highest, and how sharply the density falls
// along each parameter there.
func (h *History) Slope() (gradient, bend []float64, err error) {
	m := newModel(h)
	x, _, _, err := m.maximise(make([]float64, m.p))
	gradient = make([]float64, m.p)
	curvature := mat.NewSymDense(m.p, nil)
	m.look(x, gradient, curvature)
	for i := range m.p {
		bend = append(bend, curvature.At(i, i))
	}
	return gradient, bend, err
}
