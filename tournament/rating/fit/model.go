package fit

import "slices"

// model is a history with the parameters it speaks of numbered without gaps: x has one value for each, in Elo. It holds one
// belief of how far the bots are spread.
type model struct {
	*History
	prior Prior     // what holds now: the history's, or scaled by [model.believe]
	at    []int32   // number of each parameter, -1 for those that occur nowhere
	p     int       // parameters that occur
	gap   float64   // Elo between the middles of two camps; 0 for one field
	first []float64 // by player: how likely it is of the stronger camp; used where there is a gap
	ties  []tie
	terms []term    // those of the history, by number
	vague []float64 // by comparison: the variance of its log-odds; see [model.blur]
}

// tie says that x[at] is about x[to], or about the constant middle if to is -1.
type tie struct {
	at, to    int
	middle    float64
	precision float64
}

// off returns how far a comparison is from being a difference.
func (t tie) off(x []float64) float64 {
	if t.to < 0 {
		return x[t.at] - t.middle
	}
	return x[t.at] - x[t.to]
}

func newModel(h *History) *model {
	m := &model{
		History: h,
		prior:   h.prior,
		at:      make([]int32, h.params),
		first:   slices.Repeat([]float64{.5}, len(h.games)),
		terms:   make([]term, len(h.terms)),
		vague:   make([]float64, len(h.ended)),
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
	m.tie()
	return m
}

// free reports whether the strength of player i is not about that of a parent.
func (h *History) free(i int) bool { return len(h.parent) == 0 || h.parent[i] < 0 }

// sorted returns the players that two camps are made of: with matches, and without a parent.
func (h *History) sorted() []int {
	var list []int
	for i, games := range h.games {
		if games > 0 && h.free(i) {
			list = append(list, i)
		}
	}
	return list
}

// believe sets how far bots are spread, in Elo, and how far two camps of them are from each other. Versions of one bot are spread in
// proportion: a ladder has too few of them to tell.
func (m *model) believe(spread, gap float64) {
	given := m.History.prior
	m.prior.Bot, m.prior.Version = spread, given.Version*spread/given.Bot
	m.gap = gap
	m.tie()
}

// tie lists the prior.
func (m *model) tie() {
	m.ties = m.ties[:0]
	about := func(param int32, middle, sd float64) {
		if at := m.at[param]; at >= 0 {
			m.ties = append(m.ties, tie{at: int(at), to: -1, middle: middle, precision: precision(sd)})
		}
	}
	players := len(m.games)
	for i := range players {
		if m.free(i) {
			about(int32(i), (m.first[i]-.5)*m.gap, m.prior.Bot)
		} else { // strengths are numbered as players are
			m.ties = append(m.ties, tie{at: i, to: m.parent[i], precision: precision(m.prior.Version)})
		}
		about(int32(players+i), 0, m.prior.Role)
	}
	for n := range maxSeats {
		if first, ok := m.seatAt[n]; ok {
			for s := range n {
				about(first+int32(s), 0, m.prior.Seat)
			}
		}
		if size, ok := m.teamAt[n]; ok {
			about(size.param, 0, m.prior.Team)
		}
	}
}

// odds returns the log-odds of comparison c at x.
func (m *model) odds(c int, x []float64) float64 {
	sum := 0.0
	for _, t := range m.terms[m.from[c]:m.from[c+1]] {
		sum += t.by * x[t.param]
	}
	return sum / scale
}
