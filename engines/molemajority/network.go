package molemajority

import "github.com/molerun/molerun/engines/game"

// open returns the edges without a Cave-In.
func (s *State) open() roads {
	out := grid.roads
	for i, w := 0, s.Walls; w != 0; i, w = i+1, w>>wallBits { // not one by one: late in a match there are many
		out = out.without(grid.crossing[i][w%(1<<wallBits)])
	}
	return out
}

// Network returns the tunnel network of seat: hexes it claims or occupies and the neighbours of those it occupies; with walls
// the neighbours across an edge with a Cave-In do not count.
func (s *State) Network(seat game.Seat, walls bool) Board {
	if !walls {
		return s.network(seat, &grid.roads)
	}
	open := s.open()
	return s.network(seat, &open)
}

func (s *State) network(seat game.Seat, open *roads) Board {
	return s.Claimed[seat] | s.Occupied[seat] | open.around(s.Occupied[seat])&s.Tiles
}

// moves is a set of sources and the targets that a mole of each of them can go to; a source is no target of itself.
type moves struct{ From, To Board }

// moveGroups fills list with all moves of seat, by the parts of its network that walls and distance separate, and returns
// how many those are.
func (s *State) moveGroups(seat game.Seat, list *[hexes]moves) int {
	from := s.Claimed[seat] & s.Occupied[seat]
	if from == 0 {
		return 0
	}
	if !s.PathNeeded {
		list[0] = moves{from, s.Network(seat, false) & s.Free}
		return 1
	}
	open := s.open()
	net := s.network(seat, &open) & s.Free
	own := s.Claimed[seat] | s.Occupied[seat]
	n := 0
	for from != 0 {
		part, reach := Board(0), from&-from
		for part != reach&own {
			part = reach & own
			reach |= open.around(part) & s.Tiles
		}
		list[n] = moves{from & part, reach & net}
		n++
		from &^= part
	}
	return n
}

// count returns how many pairs of source and target there are.
func (m moves) count() int { return m.From.Len()*m.To.Len() - (m.From & m.To).Len() }

// targets returns where a mole of h can go.
func (s *State) targets(seat game.Seat, h Hex) Board {
	var list [hexes]moves
	for _, m := range list[:s.moveGroups(seat, &list)] {
		if m.From.Has(h) {
			return m.To &^ (1 << h)
		}
	}
	return 0
}

// canMove reports whether seat has any MOVE.
func (s *State) canMove(seat game.Seat) bool {
	open := s.open()
	if open.around(s.Claimed[seat]&s.Occupied[seat])&s.Free != 0 { // the usual case, decided without the whole network
		return true
	}
	var list [hexes]moves
	for _, m := range list[:s.moveGroups(seat, &list)] {
		if m.count() > 0 {
			return true
		}
	}
	return false
}

// breedable returns the hexes on which seat can BREED.
func (s *State) breedable(seat game.Seat) Board {
	if s.Moles[seat] == 0 {
		return 0
	}
	return s.Claimed[seat] & s.Free
}

// victims returns the hexes with a mole of other that seat can CONVERT.
func (s *State) victims(seat, other game.Seat) Board {
	if s.Moles[seat] == 0 || other == seat {
		return 0
	}
	return s.Network(seat, false) & s.Occupied[other]
}

// canConvert reports whether seat has any CONVERT.
func (s *State) canConvert(seat game.Seat) bool {
	if s.Moles[seat] == 0 {
		return false
	}
	others := Board(0)
	for other := range game.Seat(s.Seats) {
		if other != seat {
			others |= s.Occupied[other]
		}
	}
	return s.Network(seat, false)&others != 0
}

// wallable returns the edges where seat can put a Cave-In, if it has two of them and two places.
func (s *State) wallable(seat game.Seat) walls {
	var out walls
	if s.CaveIns[seat] < 2 {
		return 0
	}
	for m := s.Claimed[seat]; m != 0; m &= m - 1 {
		out |= grid.edgesAt[m.Lowest()]
	}
	out &= s.edges() &^ s.Walls
	if out.Len() < 2 {
		return 0
	}
	return out
}

// edges returns the edges between two tiles.
func (s *State) edges() walls {
	out := walls(1)<<edges - 1
	for m := ^s.Tiles & (1<<hexes - 1); m != 0; m &= m - 1 {
		out &^= grid.edgesAt[m.Lowest()]
	}
	return out
}

// homeable returns the hexes where seat can Make A Home.
func (s *State) homeable(seat game.Seat) Board { return s.Claimed[seat] & s.Homed }

// takeable returns the kinds among the top three of the discard pile of other that seat can take, as a set of bits.
func (s *State) takeable(seat, other game.Seat) uint16 {
	var kinds uint16
	if other == seat || s.Out[other] != 0 {
		return 0
	}
	for i := max(0, s.JunkN[other]-3); i < s.JunkN[other]; i++ {
		kinds |= 1 << s.Junk[other][i]
	}
	return kinds
}

// canSwap reports whether there is a card for the Gopher to take.
func (s *State) canSwap(seat game.Seat) bool {
	for other := range game.Seat(s.Seats) {
		if s.takeable(seat, other) != 0 {
			return true
		}
	}
	return false
}

// numbers reports whether seat holds a NUMBER CARD.
func (s *State) numbers(seat game.Seat) bool {
	hand := &s.Hand[seat]
	return hand[Number4]+hand[Number3]+hand[Number2] > 0
}

// possible reports whether seat has a decision in a part; it depends on what everybody sees.
func (s *State) possible(seat game.Seat, do Do) bool {
	switch do {
	case DoStep:
		return s.breedable(seat) != 0 || s.canMove(seat)
	case DoBreed:
		return s.breedable(seat) != 0
	case DoMove:
		return s.canMove(seat)
	case DoConvert:
		return s.canConvert(seat)
	case DoRoll:
		return s.moled() != 0
	case DoSpecial:
		return s.homeable(seat) != 0 || s.wallable(seat) != 0
	case DoSwap:
		return s.canSwap(seat)
	case DoNumber: // a Groundskeeper is played only with a NUMBER CARD in hand
		return true
	case DoNothing:
	}
	return false
}

// moled returns the hexes with any mole.
func (s *State) moled() Board { return s.Occupied[0] | s.Occupied[1] | s.Occupied[2] | s.Occupied[3] }
