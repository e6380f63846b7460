package game

import "encoding/json"

// Sim is the typed path for playouts and search: no JSON, no events, no allocation per move.
type Sim[C, S, A, V, E any] struct {
	Rules Rules[C, S, A, V, E]
	acts  []Act[A]
}

// Playout plays s at random to its end and counts the decisions made.
func (m *Sim[C, S, A, V, E]) Playout(s *S, r *Rand) int {
	moves := 0
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

// StateOf returns a copy of a table's state, for playouts on the typed path; false if the states of its game are of another type.
func StateOf[S any](t Table) (s S, ok bool) {
	x, ok := t.(interface{ state() *S })
	if ok {
		s = *x.state()
	}
	return s, ok
}

func (t *table[C, S, A, V, E]) state() *S { return &t.s }

// Playout is a random match on the typed path for code that does not know the types, such as benchmarks.
type Playout interface {
	// Deal starts a new match.
	Deal(r *Rand)
	// Step plays one step at random and counts the decisions made; 0 when the match is over.
	Step(r *Rand) (moves int)
	// Kind is the type of the action that Step would make for the first seat due ("" without), and draws nothing from r.
	Kind(r *Rand) string
	// Set copies another walk of the same game into it.
	Set(from Playout)
}

type playout[C, S, A, V, E any] struct {
	sim    Sim[C, S, A, V, E]
	config C
	seats  int
	s      S
}

func (w *playout[C, S, A, V, E]) Deal(r *Rand) { w.sim.Rules.Deal(&w.s, w.config, w.seats, r, nil) }

func (w *playout[C, S, A, V, E]) Step(r *Rand) int {
	due := w.sim.Rules.Due(&w.s)
	if due == 0 {
		return 0
	}
	return w.sim.Step(&w.s, due, r)
}

func (w *playout[C, S, A, V, E]) Kind(r *Rand) string {
	due, ahead := w.sim.Rules.Due(&w.s), *r
	if due == 0 {
		return ""
	}
	var kind struct {
		Type string `json:"type"`
	}
	action := must(json.Marshal(w.sim.Rules.Sample(&w.s, due.Lowest(), &ahead)))
	if err := json.Unmarshal(action, &kind); err != nil {
		return "" // an action without a type
	}
	return kind.Type
}

func (w *playout[C, S, A, V, E]) Set(from Playout) {
	f := from.(*playout[C, S, A, V, E])
	w.config, w.seats, w.s = f.config, f.seats, f.s
}

func (e engine[C, S, A, V, E]) Playout(config json.RawMessage, seats int) (Playout, error) {
	c, _, err := e.read(config, seats)
	if err != nil {
		return nil, err
	}
	return &playout[C, S, A, V, E]{sim: Sim[C, S, A, V, E]{Rules: e.r}, config: c, seats: seats}, nil
}
