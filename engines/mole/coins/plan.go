package coins

import "slices"

// plan finds the impulses of several contacts at once by adding them one by one to a set that is kept exactly at its wanted
// rates, dropping those that would have to pull (the dual method of Goldfarb and Idnani, 1983, "A numerically stable dual
// method for solving strictly convex quadratic programs").
type plan struct {
	n       int
	ease    [maxContacts][maxContacts]float64
	lack    [maxContacts]float64 // by how much a rate must rise; hugely negative: it need not
	impulse [maxContacts]float64 // 0 or more
	set     [maxContacts]int     // contacts held at their rates
	held    int
}

// enough is how far, in mm/s, a rate may be from the wanted one.
const enough = 1e-10

func newPlan(c *collision) *plan {
	p := &plan{n: c.n}
	for k := range c.n {
		p.lack[k] = c.list[k].want - c.list[k].rate
		for l := range c.n {
			p.ease[k][l] = c.ease(k, l)
		}
	}
	return p
}

func (p *plan) run() {
	for range 8 * maxContacts { // each turn improves the plan; this many are never needed
		worst, most := -1, enough
		for k := range p.n {
			if lack := p.lacking(k); lack > most && !slices.Contains(p.set[:p.held], k) {
				worst, most = k, lack
			}
		}
		if worst < 0 {
			return
		}
		p.admit(worst)
	}
}

func (p *plan) lacking(k int) float64 {
	lack := p.lack[k]
	for l := range p.n {
		lack -= float64(p.ease[k][l] * p.impulse[l])
	}
	return lack
}

// admit raises the impulse of contact k until it has its rate, while those held keep theirs.
func (p *plan) admit(k int) {
	for {
		share := p.shares(k)
		gain := p.ease[k][k]
		for i, l := range p.set[:p.held] {
			gain -= float64(share[i] * p.ease[l][k])
		}
		step, drop := never, -1
		if gain > float64(1e-12*p.ease[k][k]) {
			step = max(p.lacking(k), 0) / gain
		}
		for i, l := range p.set[:p.held] {
			if share[i] > 0 {
				if most := p.impulse[l] / share[i]; most < step {
					step, drop = most, i
				}
			}
		}
		if step == never {
			return // a wish that follows from those held, up to rounding
		}
		for i, l := range p.set[:p.held] {
			p.impulse[l] = max(p.impulse[l]-float64(step*share[i]), 0)
		}
		p.impulse[k] += step
		if drop < 0 {
			p.set[p.held] = k
			p.held++
			return
		}
		p.impulse[p.set[drop]] = 0
		copy(p.set[drop:], p.set[drop+1:p.held])
		p.held--
	}
}

// shares solves for how much less impulse each held contact needs for a unit of it at k, by elimination with the largest
// pivot; the held contacts are independent.
func (p *plan) shares(k int) [maxContacts]float64 {
	var x [maxContacts]float64
	var m [maxContacts][maxContacts + 1]float64
	n := p.held
	for i, a := range p.set[:n] {
		for j, b := range p.set[:n] {
			m[i][j] = p.ease[a][b]
		}
		m[i][n] = p.ease[a][k]
	}
	for i := range n {
		best := i
		for j := i + 1; j < n; j++ {
			if abs(m[j][i]) > abs(m[best][i]) {
				best = j
			}
		}
		m[i], m[best] = m[best], m[i]
		for j := i + 1; j < n; j++ {
			f := m[j][i] / m[i][i]
			for l := i; l <= n; l++ {
				m[j][l] -= float64(f * m[i][l])
			}
		}
	}
	for i := n - 1; i >= 0; i-- {
		x[i] = m[i][n]
		for j := i + 1; j < n; j++ {
			x[i] -= float64(m[i][j] * x[j])
		}
		x[i] /= m[i][i]
	}
	return x
}

func abs(x float64) float64 { return max(x, -x) }
