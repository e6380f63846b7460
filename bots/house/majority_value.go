package house

import (
	"math"

	"github.com/molerun/molerun/engines/game"
	mm "github.com/molerun/molerun/engines/molemajority"
)

// What counts beside claims, in points.
const (
	tokenWorth = 2.0  // a home token taken, whatever is on it
	lyingWorth = 0.5  // a home token on an own claimed hex
	moverWorth = 0.30 // a mole that can move
	placeWorth = 0.20 // any other mole on the board
	stepWorth  = 0.35 // a step that is left to do
	cardWorth  = 0.30 // a card, times its keep
	homeCard   = 1.5  // Cave-Ins or a home left to do
)

// keep is what each card is worth in the hand, a card of the deck being 1.
var keep = [mm.Cards]float64{mm.Number4: 1.5, mm.Number3: 1.2, mm.Number2: 1, mm.CaveIn: 2, mm.Convert: 1, mm.Groundskeeper1: 0.6, mm.Groundskeeper2: 0.8, mm.GopherIt: 0.5}

// steal is the odds that a seat fills up a claimed hex with so many spaces free and takes it; fill that it does so on a hex
// without an owner.
var (
	steal = [...]float64{0, 0.45, 0.38, 0.28, 0.16, 0.06, 0.03}
	fill  = [...]float64{0, 0.60, 0.50, 0.42, 0.32, 0.22, 0.15}
)

// odds are the odds of the tribe's seat to win from here: each seat's territory with all that may come of it, and luck that
// counts the less the fewer hexes are without an owner.
func (x *tribe) odds(s *mm.State) float64 {
	x.tries++
	var v [mm.MaxSeats]float64
	over := s.Phase == mm.PhaseOver
	free := x.land(s, &v, over)
	luck := 2 + 0.45*float64(free)
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
		return cardWorth * float64(s.FullHand)
	}
	for _, p := range s.Parts[:s.PartN] {
		switch p.Do {
		case mm.DoSpecial:
			sum += homeCard
		default:
			sum += stepWorth * float64(p.Left)
		}
	}
	for c, copies := range s.Hand[x.seat] {
		sum += cardWorth * keep[c] * float64(copies)
	}
	return sum + cardWorth // the card to be drawn
}

// land adds what the hexes are worth to each seat; over: claims and tokens only. It returns how many hexes have no owner.
func (x *tribe) land(s *mm.State, v *[mm.MaxSeats]float64, over bool) (free int) {
	var reach [mm.MaxSeats]mm.Board
	for seat := range game.Seat(s.Seats) {
		for _, copies := range s.Homes[seat] {
			v[seat] += tokenWorth * float64(copies)
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
	size, seats := float64(s.Size[h]), game.Seat(s.Seats)
	room, most, second := s.Size[h], int8(0), int8(0)
	for seat := range seats {
		n := s.On[seat][h]
		room -= n
		if seat == owner {
			v[seat] += moverWorth * float64(n)
		} else {
			v[seat] += placeWorth * float64(n)
		}
		if s.Out[seat] != 0 {
			continue
		}
		if n > most {
			most, second = n, most
		} else {
			second = max(second, n)
		}
	}
	if owner >= 0 && s.Homed.Has(h) {
		v[owner] += lyingWorth
	}
	var chance [mm.MaxSeats]float64
	all, high := 0.0, 0.0
	for seat := range seats {
		if seat == owner || !reach[seat].Has(h) {
			continue
		}
		n, other := s.On[seat][h], most
		if n == most {
			other = second
		}
		p := 0.0
		switch {
		case room == 0 && owner >= 0 && n+2 >= s.On[owner][h]: // a CONVERT
			p = 0.06
		case room > 0 && n+room >= other && owner < 0:
			p = fill[room]
			if 2*n > s.Size[h] { // whoever fills it up
				p = 0.8
			}
		case room > 0 && n+room >= other:
			p = steal[room]
		}
		if owner >= 0 && s.Size[h]-room <= 2 { // a roll
			p = max(p, 0.05)
		}
		chance[seat] = p
		all += p
		high = max(high, p)
	}
	if all == 0 {
		return
	}
	for seat := range seats {
		if p := chance[seat]; p > 0 && owner >= 0 {
			v[seat] += 0.5 * size * high * p / all
		} else if p > 0 {
			v[seat] += size * high * p / all
		}
	}
	if owner >= 0 {
		v[owner] -= size * high
	}
}
