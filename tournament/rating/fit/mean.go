package fit

import (
	"math"

	"gonum.org/v1/gonum/mat"
)

// The likeliest strengths are not the mean ones where matches are few for what is asked of them: how sure a result was
// depends on strengths that are not known well, so the odds must be flatter than at any one of them, and the estimates
// further apart. The mean of the posterior is found as the middle of the normal distribution that is nearest to it
// (variational Bayes; Opper and Archambeau 2009): wherever a comparison's chances stand, their mean over what is believed
// of its odds takes their place. That mean is the chance at odds that are flatter by 1/√(1+πv/8), v being the variance of
// the odds (MacKay 1992).

// still is the share by which a number may change that has come to rest.
const still = 1e-5

// blur flattens the odds of every comparison by what is not known of them, and reports whether any moved.
func (m *model) blur(inverse *mat.SymDense) bool {
	moved := false
	for c, was := range m.flat {
		v := variance(inverse, m.terms[m.from[c]:m.from[c+1]]) / (scale * scale)
		m.flat[c] = 1 / math.Sqrt(1+math.Pi/8*v)
		moved = moved || math.Abs(m.flat[c]/was-1) > still
	}
	return moved
}

// follows is the share, 0 to 1, of one result of comparison c that the estimates follow: its leverage. Its residual is
// smaller by that than the error of a result that the estimates have not seen. 0 where odds are not flattened.
func (m *model) follows(c int, chance float64) float64 {
	flat := m.flat[c]
	v := 8 / math.Pi * (1/(flat*flat) - 1)
	return m.weight[c] * flat * chance * (1 - chance) * v
}
