package molemajority

import (
	"math"

	"github.com/molerun/molerun/engines/game"
	mm "github.com/molerun/molerun/engines/molemajority"
)

// odds returns the odds of the position's seat to win from here: each seat's territory with all that may come of it, and luck that
// counts the less the fewer hexes are without an owner.
func (x *position) odds(s *mm.State) float64 {
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

// tempo returns the worth of what the seat can still do in this turn and in those to come.
func (x *position) tempo(s *mm.State) float64 {
	if s.Turn != x.table.Turn || s.HandN[x.seat] == 0 { // the hand is out, a new one comes
		return x.w.card * float64(s.FullHand)
	}
	sum := 0.0
	for _, p := range s.Parts[:s.PartN] {
		if p.Do == mm.DoSpecial {
			sum += x.w.home
		} else {
			sum += x.w.step * float64(p.Left)
		}
	}
	for c, copies := range s.Hand[x.seat] {
		sum += x.w.card * x.w.keep[c] * float64(copies)
	}
	return sum + x.w.card // the card to be drawn
}

// land adds what the hexes are worth to each seat; over: claims and tokens only. It returns how many hexes have no owner.
func (x *position) land(s *mm.State, v *[mm.MaxSeats]float64, over bool) int {
	free := 0
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
func (x *position) hex(s *mm.State, h mm.Hex, owner game.Seat, reach *[mm.MaxSeats]mm.Board, v *[mm.MaxSeats]float64) {
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

// taking returns the odds that seat takes a hex with so much room from its owner, if it has one; other is the most moles of another
// seat there.
func (x *position) taking(s *mm.State, h mm.Hex, owner, seat game.Seat, room, other int8) float64 {
	n := s.On[seat][h]
	p := 0.0
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
