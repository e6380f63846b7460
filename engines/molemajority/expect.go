package molemajority

import "github.com/molerun/molerun/engines/game"

// The factors of a table, in the order of the weights.
const (
	byClaims = iota
	byTokens
	byNear
	byNearTokens
	byHand
	byDeck
	byTurn
	byMoles
	factors
)

// soon is how many cards of a deck are looked at.
const soon = 5

var keep = [Cards]float64{Number4: 1.5, Number3: 1.2, Number2: 1, CaveIn: 2, Convert: 1, Groundskeeper1: 0.6, Groundskeeper2: 0.8, GopherIt: 0.5}

// Factors writes what a seat has and what lies near.
func (Rules) Factors(s *State, seat game.Seat, out []float64) {
	if s.Phase != PhasePlay || s.Out[seat] != 0 {
		return
	}
	for m := s.Claimed[seat]; m != 0; m &= m - 1 {
		out[byClaims] += float64(s.Size[m.Lowest()]) / 10
	}
	for i, copies := range s.Homes[seat] {
		out[byTokens] += float64((i+1)*int(copies)) / 10
	}
	for m := s.Network(seat, s.PathNeeded); m != 0; m &= m - 1 {
		h := m.Lowest()
		if s.Owner(h) == game.Spectator {
			out[byNear] += float64(s.Size[h]) / 10
		}
		out[byNearTokens] += float64(s.Home[h]) / 10
	}
	for c, copies := range s.Hand[seat] {
		out[byHand] += keep[c] * float64(copies) / 10
	}
	for i := range min(int8(soon), s.DeckN[seat]) {
		out[byDeck] += keep[s.Deck[seat][s.DeckN[seat]-1-i]] / 10
	}
	out[byTurn] = -float64((int8(seat)-int8(s.Active)+s.Seats)%s.Seats) / float64(s.Seats)
	out[byMoles] = float64(s.boardMoles(seat)) / 10
}

// Weights returns what `go run -C bench ./luck -fit molemajority` prints.
func (Rules) Weights() []float64 { return []float64{1, 1, 0, 0.15, 1, 0.4, 0.46, 0.5} }
