package molemajority

import "github.com/molerun/molerun/engines/game"

// Offer lists all legal actions. Between cards: plays and then stacks, each in the order of the deck table, then
// discard_hand or done. In a part: breeds, moves, then done; hexes in their order, then spaces.
func (Rules) Offer(s *State, seat game.Seat, o *game.Offer[Action]) {
	if s.Phase < PhasePlay {
		kind := ActPlaceHome + Kind(s.Phase)
		for m := s.sites(); m != 0; m &= m - 1 {
			o.Add(Action{Kind: kind, At: m.Lowest()})
		}
		return
	}
	switch now := s.Current(); now {
	case DoNothing:
		var list [maxCards]Action
		o.List = append(o.List, list[:s.cards(seat, &list)]...)
		return
	case DoNumber:
		for c := Number4; c <= Number2; c++ {
			if s.Hand[seat][c] > 0 {
				o.Add(Action{Kind: ActPlay, Card: c})
			}
		}
		return
	case DoStep, DoBreed, DoMove:
		if now != DoMove {
			s.offerBreeds(seat, o)
		}
		if now != DoBreed {
			s.offerMoves(seat, o)
		}
	case DoConvert:
		s.offerConverts(seat, o)
	case DoRoll:
		s.offerRolls(seat, o)
	case DoSpecial:
		s.offerSpecial(seat, o)
	case DoSwap:
		for other := range game.Seat(s.Seats) {
			for kinds, c := s.takeable(seat, other), Card(0); kinds != 0; kinds, c = kinds>>1, c+1 {
				if kinds&1 == 1 {
					o.Add(Action{Kind: ActSwap, Seat: other, Card: c})
				}
			}
		}
	}
	o.Add(Action{Kind: ActDone})
}

// maxCards is the most decisions between cards: eight plays, breeding with five cards, two other uses of Convert, done.
const maxCards = 16

// cards lists the decisions between cards and counts them.
func (s *State) cards(seat game.Seat, list *[maxCards]Action) int {
	n := 0
	add := func(a Action) {
		list[n] = a
		n++
	}
	hand := &s.Hand[seat]
	breed, move := s.breedable(seat) != 0, s.canMove(seat)
	step := breed || move
	if !s.begun() {
		for c := range noCard {
			if hand[c] > 0 && (c <= Number2 && step || c == CaveIn && step || c > Number2 && s.playable(seat, c)) {
				add(Action{Kind: ActPlay, Card: c})
			}
		}
	}
	for c := Number2; c < noCard; c++ {
		if hand[c] == 0 || breeds[c] == 0 {
			continue
		}
		if breed {
			add(Action{Kind: ActStack, Card: c, As: asBreed})
		}
		if c != Convert {
			continue
		}
		if move {
			add(Action{Kind: ActStack, Card: c, As: asMove})
		}
		if s.usable(seat, c, asConvert) {
			add(Action{Kind: ActStack, Card: c, As: asConvert})
		}
	}
	if s.begun() {
		add(Action{Kind: ActDone})
	} else {
		add(Action{Kind: ActDiscardHand})
	}
	return n
}

// offerSpaces lists a once for every space of h with this entry if spaces are chosen, or else once.
func (s *State) offerSpaces(a Action, h Hex, entry int8, o *game.Offer[Action]) {
	if !s.Choose {
		o.Add(a)
		return
	}
	for i := range s.Size[h] {
		if s.Space[h][i] == entry {
			a.Space = i + 1
			o.Add(a)
		}
	}
}

func (s *State) offerBreeds(seat game.Seat, o *game.Offer[Action]) {
	for m := s.breedable(seat); m != 0; m &= m - 1 {
		h := m.Lowest()
		s.offerSpaces(Action{Kind: ActBreed, At: h}, h, 0, o)
	}
}

func (s *State) offerMoves(seat game.Seat, o *game.Offer[Action]) {
	var list [hexes]moves
	n := s.moveGroups(seat, &list)
	for m := s.Claimed[seat] & s.Occupied[seat]; m != 0; m &= m - 1 {
		from := m.Lowest()
		for _, g := range list[:n] {
			if g.From.Has(from) {
				s.offerTargets(seat, from, g.To&^(1<<from), o)
			}
		}
	}
}

func (s *State) offerTargets(seat game.Seat, from Hex, targets Board, o *game.Offer[Action]) {
	for ; targets != 0; targets &= targets - 1 {
		a := Action{Kind: ActMove, At: from, To: targets.Lowest()}
		if !s.Choose {
			o.Add(a)
			continue
		}
		for i := range s.Size[from] {
			if s.Space[from][i] == int8(seat)+1 {
				a.Leave = i + 1
				s.offerSpaces(a, a.To, 0, o)
			}
		}
	}
}

func (s *State) offerConverts(seat game.Seat, o *game.Offer[Action]) {
	var by [MaxSeats]Board
	all := Board(0)
	for other := range game.Seat(s.Seats) {
		by[other] = s.victims(seat, other)
		all |= by[other]
	}
	for ; all != 0; all &= all - 1 {
		for other := range game.Seat(s.Seats) {
			if h := all.Lowest(); by[other].Has(h) {
				s.offerSpaces(Action{Kind: ActConvert, At: h, Seat: other}, h, int8(other)+1, o)
			}
		}
	}
}

func (s *State) offerRolls(seat game.Seat, o *game.Offer[Action]) {
	for m := s.moled(); m != 0; m &= m - 1 {
		a := Action{Kind: ActRoll, At: m.Lowest()}
		for i := range s.Size[a.At] {
			a.Space = i + 1
			for a.Way = CW; a.Way <= CCW; a.Way++ {
				most := min(s.Parts[0].Left, s.run(a.At, i, a.Way))
				for a.Count = 1; a.Count <= most; a.Count++ {
					o.Add(a)
				}
			}
		}
	}
	if s.Hand[seat][Convert] > 0 {
		o.Add(Action{Kind: ActStack, Card: Convert, As: asRoll})
	}
}

func (s *State) offerSpecial(seat game.Seat, o *game.Offer[Action]) {
	for w := s.wallable(seat); w != 0; w &= w - 1 {
		for x := w & (w - 1); x != 0; x &= x - 1 {
			o.Add(Action{Kind: ActCaveIn, Edges: [2]int8{w.lowest(), x.lowest()}})
		}
	}
	for m := s.homeable(seat); m != 0; m &= m - 1 {
		o.Add(Action{Kind: ActMakeHome, At: m.Lowest()})
	}
}
