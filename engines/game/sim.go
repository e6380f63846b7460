package game

// Sim is the typed path for playouts and search: no JSON, no events, no allocation per move.
type Sim[C, S, A, V, E any] struct {
	Rules Rules[C, S, A, V, E]
	acts  []Act[A]
}

// Playout plays s at random to its end and counts the decisions made.
func (m *Sim[C, S, A, V, E]) Playout(s *S, r *Rand) (moves int) {
	for due := m.Rules.Due(s); due != 0; due = m.Rules.Due(s) {
		moves += m.Step(s, due, r)
	}
	return moves
}

// Step plays one step of s at random for the due seats and counts the decisions made.
func (m *Sim[C, S, A, V, E]) Step(s *S, due Seats, r *Rand) int {
	m.acts = m.acts[:0]
	for ; due != 0; due &= due - 1 {
		seat := due.Lowest()
		m.acts = append(m.acts, Act[A]{seat, m.Rules.Sample(s, seat, r)})
	}
	m.Rules.Apply(s, m.acts, r, nil)
	return len(m.acts)
}
