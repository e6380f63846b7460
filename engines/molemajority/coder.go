package molemajority

import (
	"cmp"

	"github.com/molerun/molerun/engines/game"
)

// Numbering numbers the kinds in their order: by the first field, then the next; hexes and edges in the order of their numbers. Under
// choose_spaces what names a space has a number for each.
func (Rules) Numbering(c Config, seats int) (int, func(Action) int) {
	return game.Enumerate(func(add func(Action)) {
		for kind := ActPlaceHome; kind <= ActDiscardHand; kind++ {
			eachAction(Action{Kind: kind}, fieldsOf[kind], c.ChooseSpaces, seats, add)
		}
	})
}

// eachAction gives add a with every value of the fields that it has.
func eachAction(a Action, has uint16, choose bool, seats int, add func(Action)) {
	rest := func(field uint16, set func(i int8), first, n int) {
		for i := first; i < first+n; i++ {
			set(int8(i))
			eachAction(a, has&^field, choose, seats, add)
		}
	}
	switch {
	case has&(hasSeat|hasVictim) != 0:
		rest(hasSeat|hasVictim, func(i int8) { a.Seat = game.Seat(i) }, 0, seats)
	case has&hasCard != 0:
		rest(hasCard, func(i int8) { a.Card = Card(i) }, 0, Cards)
	case has&hasAs != 0:
		rest(hasAs, func(i int8) { a.As = As(i) }, int(asBreed), int(asConvert))
	case has&hasAt != 0:
		rest(hasAt, func(i int8) { a.At = Hex(i) }, 0, hexes)
	case has&hasFrom != 0:
		for from := range Hex(hexes) {
			a.At = from
			rest(hasFrom, func(i int8) { a.To = Hex(i) }, 0, hexes)
		}
	case has&hasEdges != 0:
		for i := range int8(edges) {
			a.Edges[0] = i
			rest(hasEdges, func(j int8) { a.Edges[1] = j }, int(i)+1, edges-1-int(i))
		}
	case has&hasLeave != 0 && choose:
		rest(hasLeave, func(i int8) { a.Leave = i }, 1, maxSize)
	case has&hasSpace != 0 && choose:
		rest(hasSpace, func(i int8) { a.Space = i }, 1, maxSize)
	case has&hasRoll != 0:
		for way := CW; way <= CCW; way++ {
			for a.Count = 1; a.Count <= maxSize; a.Count++ {
				a.Way = way
				rest(hasRoll, func(i int8) { a.Space = i }, 1, maxSize)
			}
		}
	default:
		add(a)
	}
}

// Choices is the offer.
func (r Rules) Choices(s *State, seat game.Seat, o *game.Offer[Action]) { r.Offer(s, seat, o) }

// Observe writes the board by hex and edge, what everybody knows of each seat, and what the seat alone knows; nothing of the trails. Where
// there is no tile its size is 0; nobody's claims and spaces are 0, those of seat k are k+1.
func (Rules) Observe(s *State, seat game.Seat, o *game.Observation) {
	n := int(s.Seats)
	game.Put(o, "seat", 0, n-1, seat)
	game.Put(o, "phase", 0, int(PhaseOver), s.Phase)
	game.Put(o, "turn", 0, int(cmp.Or(s.MaxTurns, maxLimit)), s.Turn)
	game.Put(o, "active", 0, n-1, s.Active)
	game.Put(o, "tile", 0, maxSize, s.Tile)
	game.Put(o, "action", 0, Cards, s.Played)
	o.Flag("stacked", s.Stacked)
	for _, p := range s.Parts {
		game.Put(o, "pending", 0, 60, int8(p.Do), p.Left)
	}
	game.Put(o, "size", 0, maxSize, s.Size[:]...)
	for h := range Hex(hexes) {
		game.Put(o, "spaces", 0, n, s.Space[h][:]...)
	}
	var claims [hexes]int8
	for i := range s.Seats {
		for m := s.Claimed[i]; m != 0; m &= m - 1 {
			claims[m.Lowest()] = i + 1
		}
	}
	game.Put(o, "claim", 0, n, claims[:]...)
	o.Bits("home", hexes, uint64(s.Homed))
	o.Bits("edges", edges, uint64(s.Walls))
	for i := range game.Seat(n) {
		game.Put(o, "supplies", 0, 60, s.Moles[i], s.Claims[i], s.CaveIns[i], s.HandN[i], s.DeckN[i], s.homeCount(i), s.Out[i])
	}
	for i := range n {
		var discard Counts
		for _, c := range s.Junk[i][:s.JunkN[i]] {
			discard[c]++
		}
		game.Put(o, "discard", 0, maxDeck, discard[:]...)
	}
	for i := range game.Seat(n) {
		unseen := s.unseen(i)
		game.Put(o, "unseen", 0, maxDeck, unseen[:]...)
	}
	var hand Counts
	var homes [maxValue]int8
	if s.seats().Has(seat) {
		hand, homes = s.Hand[seat], s.Homes[seat]
	}
	game.Put(o, "my_hand", 0, maxHand, hand[:]...)
	game.Put(o, "my_homes", 0, maxHomes, homes[:]...)
}
