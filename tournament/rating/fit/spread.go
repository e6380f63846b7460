package fit

import (
	"math"

	"gonum.org/v1/gonum/mat"
)

// sandwich returns the covariance of the estimates that holds whatever goes together inside a cluster:
// G/(G−1)·H⁻¹·(Σ u·u' + prior)·H⁻¹, where u is the gradient of one cluster and G their number, at least 2. Where odds are
// flattened, u·u' is divided by 1 − the mean leverage in the cluster (HC2; MacKinnon and White 1985).
func (m *model) sandwich(x []float64, inverse *mat.SymDense) *mat.Dense {
	filling := mat.NewSymDense(m.p, nil)
	m.eachCluster(x, func(at []int32, u []float64) {
		raw := filling.RawSymmetric()
		for _, i := range at {
			row := raw.Data[int(i)*raw.Stride:]
			for _, j := range at {
				if j >= i {
					row[j] += u[i] * u[j]
				}
			}
		}
	})
	m.addPrior(filling)
	var half, whole mat.Dense
	half.Mul(inverse, filling)
	whole.Mul(&half, inverse)
	g := float64(m.clusters)
	whole.Scale(g/(g-1), &whole)
	return &whole
}

// eachCluster shows the gradient u of every cluster, as a result unseen would make it, and where it is not 0.
func (m *model) eachCluster(x []float64, show func(at []int32, u []float64)) {
	residual := make([]float64, len(m.ended)) // of a loss; a draw has 1/2 more, a win 1
	leverage := make([]float64, len(m.ended))
	for c := range residual {
		chance, slope := blurred(m.odds(c, x), m.vague[c])
		residual[c], leverage[c] = -chance, m.follows(c, slope)
	}
	u, touched := make([]float64, m.p), make([]bool, m.p)
	var at []int32
	from, cells := m.byCluster()
	for g := range m.clusters {
		followed, results := 0.0, 0.0
		for _, cell := range cells[from[g]:from[g+1]] {
			c := cell / 3
			followed, results = followed+leverage[c], results+m.weight[c]
			off := m.weight[c] * (residual[c] + float64(cell%3)/2) / scale
			for _, t := range m.terms[m.from[c]:m.from[c+1]] {
				if !touched[t.param] {
					touched[t.param] = true
					at = append(at, t.param)
				}
				u[t.param] += off * t.by
			}
		}
		if followed > 0 {
			by := 1 / math.Sqrt(1-min(followed/results, .9))
			for _, i := range at {
				u[i] *= by
			}
		}
		show(at, u)
		for _, i := range at {
			u[i], touched[i] = 0, false
		}
		at = at[:0]
	}
}

// byCluster sorts the comparisons made by cluster: those of g are cells[from[g]:from[g+1]].
func (m *model) byCluster() (from, cells []int32) {
	from = make([]int32, m.clusters+2)
	for _, u := range m.uses {
		from[u.cluster+2]++
	}
	for g := range m.clusters {
		from[g+2] += from[g+1]
	}
	cells = make([]int32, len(m.uses))
	for _, u := range m.uses {
		cells[from[u.cluster+1]] = u.cell
		from[u.cluster+1]++
	}
	return from[:m.clusters+1], cells
}

// single reports whether every block is one comparison that ended without a draw.
func (h *History) single() bool {
	seen := make([]bool, h.clusters)
	for _, u := range h.uses {
		if seen[u.cluster] || u.cell%3 == 1 {
			return false
		}
		seen[u.cluster] = true
	}
	return true
}

// centre moves x to where it is reported. What all have in common says nothing about anybody: strengths become
// differences from the mean of those who have played, seats from the mean of their table. A role strength that all share
// is an advantage of the team: each unit of it is worth 2h = 4ab/n.
func (m *model) centre(x []float64) {
	players := len(m.games)
	m.subtractMean(x, 0)
	if common := m.subtractMean(x, players); common != 0 {
		for n := range maxSeats {
			if size, ok := m.teamAt[n]; ok && m.at[size.param] >= 0 {
				x[m.at[size.param]] += common * 4 * float64(size.first*(n-size.first)) / float64(n)
			}
		}
	}
	for n := range maxSeats {
		first, ok := m.seatAt[n]
		if !ok {
			continue
		}
		mean := 0.0
		for s := range n {
			mean += x[m.at[int(first)+s]] / float64(n)
		}
		for s := range n {
			x[m.at[int(first)+s]] -= mean
		}
	}
}

// subtractMean subtracts from the parameters of all players, the first of which is given, their mean over those who have
// played, and returns it. If nobody has, nothing is in common.
func (m *model) subtractMean(x []float64, first int) float64 {
	sum, n := 0.0, 0
	for i, games := range m.games {
		if at := m.at[first+i]; at >= 0 && games > 0 {
			sum += x[at]
			n++
		}
	}
	if n == 0 {
		return 0
	}
	for i := range m.games {
		if at := m.at[first+i]; at >= 0 {
			x[at] -= sum / float64(n)
		}
	}
	return sum / float64(n)
}

// centred returns the covariance v of the estimates as [model.centre] moves them.
func (m *model) centred(v *mat.Dense) *mat.SymDense {
	for range 2 {
		for i := range m.p {
			m.centre(v.RawRowView(i))
		}
		v = mat.DenseCopyOf(v.T())
	}
	out := mat.NewSymDense(m.p, nil)
	for i := range m.p {
		for j := i; j < m.p; j++ {
			out.SetSym(i, j, v.At(i, j))
		}
	}
	return out
}
