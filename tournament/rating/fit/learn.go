package fit

import (
	"math"

	"gonum.org/v1/gonum/mat"
)

// weight is what the deviation given counts for, in observations; widest bounds how many times it is learned.
const weight, widest = 1, 4

// told is, by kind, the sum of the squares of the estimates and how many of them the matches tell, not the prior.
func (m *model) told(x []float64, inverse *mat.SymDense) (squares, told [kinds]float64) {
	for _, t := range m.ties {
		terms := []term{{int32(t.at), 1}, {int32(t.to), -1}}
		if t.to < 0 {
			terms = terms[:1]
		}
		off := t.off(x)
		squares[t.kind] += off * off
		told[t.kind] += 1 - variance(inverse, terms)*t.precision
	}
	return squares, told
}

// learn moves the deviations of the prior towards where the matches are likeliest, and reports whether any moved by more
// than one part in a hundred thousand. What is believed of the estimates is taken as normal (see [model.blur]); the matches
// are then likeliest at sd² = Σx²/γ with γ = n − Σvar/sd². The deviation given first counts for one more thing. Where the
// stronger always wins nothing else holds the spread: it is learned up to four times what is given.
func (m *model) learn(x []float64, inverse *mat.SymDense) bool {
	squares, told := m.told(x, inverse)
	moved := false
	for kind := range kinds {
		given, now := *m.History.prior.deviation(kind), m.prior.deviation(kind)
		if given == 0 || squares[kind] == 0 {
			continue
		}
		next := min(widest*given, math.Sqrt((squares[kind]+weight*given*given)/(max(0, told[kind])+weight)))
		moved = moved || math.Abs(next/(*now)-1) > still
		*now = next
	}
	m.believe()
	return moved
}
