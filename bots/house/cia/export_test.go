package cia

import "github.com/molerun/molerun/engines/cia"

// Foreseen returns what the searcher's leaf makes of a state for seat 0.
func Foreseen(s *cia.State) float64 {
	shares, _ := leaf(&cia.State{Turns: s.Turns - horizon}, s)
	return shares[0]
}
