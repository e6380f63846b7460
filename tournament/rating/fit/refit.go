package fit

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"
)

// A fit of a long history is out of date with every match and hardly changes by one. Refit moves what is believed to where the matches
// now put it and leaves the errors, which change by half of what the number of matches does, as they were.
const (
	small  = 20_000 // a history of fewer matches is always solved as a whole: its fit then depends on the matches alone
	growth = 100    // and one that has grown by more than one in so many since it last was
	each   = 10     // or in which the matches of somebody have
)

// Refit returns the fit of all matches added so far, like [History.Fit], near the last one of this history. A long history that
// has grown by at most 1 %, and by 10 % for each player, since it was last solved as a whole takes a small part of the time:
// its strengths are then off by hundredths of their errors at most, and its intervals are as wide as they were. nil for
// last, or a short history, is [History.Fit]. last is used up.
func (h *History) Refit(last *Fit) (*Fit, error) {
	if last == nil || len(last.solved) == 0 || h.matches < small || h.grown(last) {
		return h.Fit()
	}
	f := *last
	f.Matches, f.Blocks, f.beliefs = h.matches, int(h.clusters), slices.Clone(last.beliefs)
	for i, s := range last.solved {
		if !s.model.extend() || !s.follow() {
			return h.Fit()
		}
		f.beliefs[i].x = slices.Clone(s.x)
		s.model.centre(f.beliefs[i].x)
	}
	f.settle(f.solved[0].model)
	return &f, nil
}

// grown reports whether the history has so much more than a fit knew that it is to be solved as a whole.
func (h *History) grown(last *Fit) bool {
	if h.params != last.params || growth*(h.matches-last.whole) > h.matches {
		return true
	}
	for i, games := range h.games {
		if each*(games-last.games[i]) > games {
			return true
		}
	}
	return false
}

// extend takes over the comparisons that the history has made since; false if one has a parameter that did not occur.
func (m *model) extend() bool {
	for _, t := range m.History.terms[len(m.terms):] {
		if m.at[t.param] < 0 {
			return false
		}
		m.terms = append(m.terms, term{m.at[t.param], t.by})
	}
	return true
}

// follow moves a solution to the mean of what is believed now, by Newton steps with the curvature that it was found with; false if it
// does not come to rest.
func (s *solved) follow() bool {
	const (
		rounds = 20
		rest   = 1e-6 // squared length of the last step, in standard errors
	)
	m := s.model
	for c := len(m.vague); c < len(m.ended); c++ {
		m.vague = append(m.vague, variance(s.inverse, m.terms[m.from[c]:m.from[c+1]])/(scale*scale))
	}
	gradient, curvature := make([]float64, m.p), mat.NewSymDense(m.p, nil)
	step := mat.NewVecDense(m.p, nil)
	for range rounds {
		m.look(s.x, gradient, curvature)
		slope := mat.NewVecDense(m.p, gradient)
		step.MulVec(s.inverse, slope)
		squared := mat.Dot(step, slope)
		if math.IsNaN(squared) {
			return false
		}
		for i := range s.x {
			s.x[i] += step.AtVec(i)
		}
		if squared < rest {
			return true
		}
	}
	return false
}
