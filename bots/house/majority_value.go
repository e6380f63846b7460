package house

import (
	"math"

	"github.com/molerun/molerun/engines/game"
	mm "github.com/molerun/molerun/engines/molemajority"
)

// weights is what counts beside claims, in points, and the odds of what may come.
type weights struct {
	token float64 // a home token taken, whatever is on it
	lying float64 // a home token that still lies on an own claimed hex; below 0, so that homes are made before walls lock everybody in
	mover float64 // a mole that can move
	place float64 // any other mole on the board
	step  float64 // a step that is left to do
	home  float64 // Cave-Ins or a home left to do
	card  float64 // a card, times its keep
	keep  [mm.Cards]float64
	steal [7]float64 // by free spaces: that a seat fills up a claimed hex and takes it
	fill  [7]float64 // the same of a hex without an owner
	sure  float64    // that a hex without an owner goes to whom it must, once full
	swap  float64    // that a full hex is taken by a CONVERT
	roll  float64    // that a hex of one or two moles is emptied
	loot  float64    // what a threatened hex is worth to whom it may go, its size being 1
	luck  float64    // the lead that luck makes up for at the end, and for each hex without an owner
	each  float64
}

// judgement is the thinker's.
func judgement() weights {
	return weights{
		token: 2, lying: -0.4, mover: 0.6, place: 0.35, step: 0.6, home: 1.5, card: 0.12,
		keep:  [mm.Cards]float64{mm.Number4: 1.5, mm.Number3: 1.2, mm.Number2: 1, mm.CaveIn: 2, mm.Convert: 1, mm.Groundskeeper1: 0.6, mm.Groundskeeper2: 0.8, mm.GopherIt: 0.5},
		steal: [7]float64{0, 0.27, 0.23, 0.17, 0.10, 0.04, 0.02},
		fill:  [7]float64{0, 0.42, 0.35, 0.29, 0.22, 0.15, 0.10},
		sure:  0.8, swap: 0.12, roll: 0.1, loot: 0.5, luck: 2, each: 0.45,
	}
}

// odds are the odds of the tribe's seat to win from here: each seat's territory with all that may come of it, and luck that
// counts the less the fewer hexes are without an owner.
func (x *tribe) odds(s *mm.State) float64 {
	var v [mm.MaxSeats]float64
	over := s.Phase == mm.PhaseOver
	free := x.land(s, &v, over)
	luck := x.w.luck + x.w.each*float64(free)
	if over {
		luck = 1
	} else {
		v[x.seat] += x.tempo(s)
	}
	own, all := 0.0, 0.0
	for seat := range game.Seat(s.Seats) {
		if s.Out[seat] != 0 {
			continue
		}
		w := math.Exp((v[seat] - v[x.seat]) / luck)
		all += w
		if seat == x.seat {
			own = w
		}
	}
	if own == 0 {
		return 0
	}
	return own / all
}

// tempo is the worth of what the seat can still do in this turn and in those to come.
func (x *tribe) tempo(s *mm.State) (sum float64) {
	if s.Turn != x.table.Turn || s.HandN[x.seat] == 0 { // the hand is out, a new one comes
		return x.w.card * float64(s.FullHand)
	}
	for _, p := range s.Parts[:s.PartN] {
		switch p.Do {
		case mm.DoSpecial:
			sum += x.w.home
		default:
			sum += x.w.step * float64(p.Left)
		}
	}
	for c, copies := range s.Hand[x.seat] {
		sum += x.w.card * x.w.keep[c] * float64(copies)
	}
	return sum + x.w.card // the card to be drawn
}

// land adds what the hexes are worth to each seat; over: claims and tokens only. It returns how many hexes have no owner.
func (x *tribe) land(s *mm.State, v *[mm.MaxSeats]float64, over bool) (free int) {
	var reach [mm.MaxSeats]mm.Board
	for seat := range game.Seat(s.Seats) {
		for _, copies := range s.Homes[seat] {
			v[seat] += x.w.token * float64(copies)
		}
		if s.Out[seat] == 0 && !over {
			reach[seat] = s.Network(seat, s.PathNeeded)
		}
	}
	for m := s.Tiles; m != 0; m &= m - 1 {
		h := m.Lowest()
		owner := s.Owner(h)
		if owner < 0 {
			free++
		} else {
			v[owner] += float64(s.Size[h])
		}
		if !over {
			x.hex(s, h, owner, &reach, v)
		}
	}
	return free
}

// hex adds what may come of a hex: who can win it by filling it up, and what the moles on it are good for.
func (x *tribe) hex(s *mm.State, h mm.Hex, owner game.Seat, reach *[mm.MaxSeats]mm.Board, v *[mm.MaxSeats]float64) {
	room, most, second := s.Size[h], int8(0), int8(0)
	for seat := range game.Seat(s.Seats) {
		n := s.On[seat][h]
		room -= n
		if seat == owner {
			v[seat] += x.w.mover * float64(n)
		} else {
			v[seat] += x.w.place * float64(n)
		}
		switch {
		case s.Out[seat] != 0:
		case n > most:
			most, second = n, most
		default:
			second = max(second, n)
		}
	}
	if owner >= 0 && s.Homed.Has(h) {
		v[owner] += x.w.lying
	}
	var chance [mm.MaxSeats]float64
	all, high := 0.0, 0.0
	for seat := range game.Seat(s.Seats) {
		if seat == owner || !reach[seat].Has(h) {
			continue
		}
		other := most
		if s.On[seat][h] == most {
			other = second
		}
		chance[seat] = x.taking(s, h, owner, seat, room, other)
		all += chance[seat]
		high = max(high, chance[seat])
	}
	if all == 0 {
		return
	}
	size := float64(s.Size[h])
	worth := size
	if owner >= 0 {
		worth = x.w.loot * size
		v[owner] -= size * high
	}
	for seat := range game.Seat(s.Seats) {
		v[seat] += worth * high * chance[seat] / all
	}
}

// taking is the odds that seat takes a hex with so much room from its owner, if it has one; other is the most moles of another
// seat there.
func (x *tribe) taking(s *mm.State, h mm.Hex, owner, seat game.Seat, room, other int8) (p float64) {
	n := s.On[seat][h]
	switch {
	case room == 0 && owner >= 0 && n+2 >= s.On[owner][h]: // a CONVERT
		p = x.w.swap
	case room > 0 && n+room >= other && owner >= 0:
		p = x.w.steal[room]
	case room > 0 && 2*n > s.Size[h]: // whoever fills it up
		p = x.w.sure
	case room > 0 && n+room >= other:
		p = x.w.fill[room]
	}
	if owner >= 0 && s.Size[h]-room <= 2 { // a roll
		p = max(p, x.w.roll)
	}
	return p
}
