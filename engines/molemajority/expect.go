package molemajority

import "github.com/molerun/molerun/engines/game"

// The factors of a table, in the order of the weights. Sizes and values are in tens.
const (
	byClaims     = iota // sizes of claimed hexes
	byTokens            // values of home tokens taken
	byNear              // sizes of hexes of the network without an owner
	byNearTokens        // values of home tokens in the network
	byHand              // what its cards are worth
	byDeck              // and the next of its deck
	byTurn              // how soon its turn comes
	byMoles             // on the board
)

// soon is how many cards of a deck are looked at.
const soon = 5

// cardWorth is what the thinker of bots/house/molemajority thinks of a card that it keeps.
var cardWorth = [Cards]float64{Number4: 1.5, Number3: 1.2, Number2: 1, CaveIn: 2, Convert: 1, Groundskeeper1: 0.6, Groundskeeper2: 0.8, GopherIt: 0.5}

// Factors writes what speaks for a seat, once play has begun.
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
		out[byHand] += float64(cardWorth[c] * float64(copies) / 10)
	}
	for i := range min(int8(soon), s.DeckN[seat]) {
		out[byDeck] += cardWorth[s.Deck[seat][s.DeckN[seat]-1-i]] / 10
	}
	out[byTurn] = -float64((int8(seat)-int8(s.Active)+s.Seats)%s.Seats) / float64(s.Seats)
	out[byMoles] = float64(s.BoardMoles(seat)) / 10
}

// Weights returns what `go run -C bench ./luck -fit -games molemajority -matches 200` prints.
func (Rules) Weights() []float64 { return []float64{-0.03, 2.91, 1.52, 2.59, -1.80, 1.78, 0.75, -7.56} }
