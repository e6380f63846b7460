package molemajority

import "github.com/molerun/molerun/engines/game"

// Sample returns a random legal action. All on the list are as likely; but a roll is drawn hex first, then space, direction and
// count, and chosen spaces are drawn after their hexes.
func (Rules) Sample(s *State, seat game.Seat, r *game.Rand) Action {
	if s.Phase < PhasePlay {
		return Action{Kind: ActPlaceHome + Kind(s.Phase), At: Hex(r.Bit(uint64(s.sites())))}
	}
	switch now := s.Current(); now {
	case DoNothing:
		var list [maxCards]Action
		return list[r.IntN(s.cards(seat, &list))]
	case DoNumber:
		return s.sampleNumber(seat, r)
	case DoStep, DoBreed, DoMove:
		return s.sampleStep(seat, now, r)
	case DoConvert:
		return s.sampleConvert(seat, r)
	case DoRoll:
		return s.sampleRoll(seat, r)
	case DoSpecial:
		return s.sampleSpecial(seat, r)
	case DoSwap:
	}
	return s.sampleSwap(seat, r)
}

func (s *State) sampleNumber(seat game.Seat, r *game.Rand) Action {
	kinds := uint64(0)
	for c := Number4; c <= Number2; c++ {
		if s.Hand[seat][c] > 0 {
			kinds |= 1 << c
		}
	}
	return Action{Kind: ActPlay, Card: Card(r.Bit(kinds))}
}

func (s *State) sampleStep(seat game.Seat, now Do, r *game.Rand) Action {
	breed := s.breedable(seat)
	if now == DoMove {
		breed = 0
	}
	var list [hexes]moves
	n, total := 0, breed.Len()+1
	if now != DoBreed {
		n = s.moveGroups(seat, &list)
	}
	for i := range n {
		total += list[i].count()
	}
	k := r.IntN(total) - 1
	if k < 0 {
		return Action{Kind: ActDone}
	}
	if k < breed.Len() {
		h := breed.nth(k)
		return Action{Kind: ActBreed, At: h, Space: s.sampleSpace(h, 0, r)}
	}
	k -= breed.Len()
	for _, g := range list[:n] {
		if k >= g.count() {
			k -= g.count()
			continue
		}
		for from := g.From; ; from &= from - 1 {
			h := from.Lowest()
			to := g.To &^ (1 << h)
			if k < to.Len() {
				a := Action{Kind: ActMove, At: h, To: to.nth(k)}
				a.Leave, a.Space = s.sampleSpace(h, int8(seat)+1, r), s.sampleSpace(a.To, 0, r)
				return a
			}
			k -= to.Len()
		}
	}
	panic("molemajority: moves were counted wrongly")
}

// sampleSpace draws one of the spaces of h with this entry, + 1; 0 if spaces are not chosen.
func (s *State) sampleSpace(h Hex, entry int8, r *game.Rand) int8 {
	if !s.Choose {
		return 0
	}
	spaces := uint64(0)
	for i := range s.Size[h] {
		if s.Space[h][i] == entry {
			spaces |= 1 << i
		}
	}
	return int8(r.Bit(spaces)) + 1
}

func (s *State) sampleConvert(seat game.Seat, r *game.Rand) Action {
	var by [MaxSeats]Board
	total := 1
	for other := range game.Seat(s.Seats) {
		by[other] = s.victims(seat, other)
		total += by[other].Len()
	}
	k := r.IntN(total) - 1
	if k < 0 {
		return Action{Kind: ActDone}
	}
	other := game.Seat(0)
	for ; k >= by[other].Len(); other++ {
		k -= by[other].Len()
	}
	h := by[other].nth(k)
	return Action{Kind: ActConvert, At: h, Seat: other, Space: s.sampleSpace(h, int8(other)+1, r)}
}

// sampleRoll skips the roll, or uses a Convert for it, once in sixteen times.
func (s *State) sampleRoll(seat game.Seat, r *game.Rand) Action {
	const rare = 16
	switch k := r.IntN(rare); {
	case k == 0:
		return Action{Kind: ActDone}
	case k == 1 && s.Hand[seat][Convert] > 0:
		return Action{Kind: ActStack, Card: Convert, As: asRoll}
	}
	a := Action{Kind: ActRoll, At: Hex(r.Bit(uint64(s.moled()))), Way: direction(r.IntN(2))}
	spaces := uint64(0)
	for i := range s.Size[a.At] {
		if s.Space[a.At][i] != 0 {
			spaces |= 1 << i
		}
	}
	space := int8(r.Bit(spaces))
	a.Space = space + 1
	a.Count = 1 + int8(r.IntN(int(min(s.Parts[0].Left, s.run(a.At, space, a.Way)))))
	return a
}

func (s *State) sampleSpecial(seat game.Seat, r *game.Rand) Action {
	walls, homes := s.wallable(seat), s.homeable(seat)
	n := walls.Len()
	pairs := n * (n - 1) / 2
	k := r.IntN(1 + homes.Len() + pairs)
	switch {
	case k == 0:
		return Action{Kind: ActDone}
	case k <= homes.Len():
		return Action{Kind: ActMakeHome, At: homes.nth(k - 1)}
	}
	first := int8(r.Bit(uint64(walls)))
	second := int8(r.Bit(uint64(walls &^ (1 << first))))
	return Action{Kind: ActCaveIn, Edges: [2]int8{min(first, second), max(first, second)}}
}

func (s *State) sampleSwap(seat game.Seat, r *game.Rand) Action {
	var list [3 * MaxSeats]Action
	n := 1
	list[0] = Action{Kind: ActDone}
	for other := range game.Seat(s.Seats) {
		for kinds, c := s.takeable(seat, other), Card(0); kinds != 0; kinds, c = kinds>>1, c+1 {
			if kinds&1 == 1 {
				list[n] = Action{Kind: ActSwap, Seat: other, Card: c}
				n++
			}
		}
	}
	return list[r.IntN(n)]
}
