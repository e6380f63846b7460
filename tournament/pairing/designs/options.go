package designs

import "errors"

// ErrImpossible reports that every schedule has entries meet that must not. Its text is its stable code.
var ErrImpossible = errors.New("pairing_impossible")

// Options are what is asked of line-ups.
type Options struct {
	Seats  int // at a table
	Cycles int // a cycle is [Blocks] tables
	// Conflict reports whether two entries must not share a table; nil: none. It is symmetric.
	Conflict func(a, b int) bool
	// Soft makes Conflict a wish: where the search finds no line-ups without one, it takes those with the fewest.
	Soft bool
}

// Blocks returns the fewest tables of seats at which so many entries play equally often.
func Blocks(entries, seats int) int { return entries / gcd(entries, seats) }

// Meetings counts the pairs of entries that may share a table.
func Meetings(entries int, conflict func(a, b int) bool) int {
	count := entries * (entries - 1) / 2
	if conflict == nil {
		return count
	}
	for a := range entries {
		for b := range a {
			if conflict(b, a) {
				count--
			}
		}
	}
	return count
}

func gcd(a, b int) int {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}
