package house

import "github.com/molerun/molerun/engines/game"

// belief is the sets of moles that are possible, and their odds, which sum to 1.
type belief struct {
	sets []game.Seats
	odds []float64
}

func (b *belief) add(m game.Seats, weight float64) {
	b.sets, b.odds = append(b.sets, m), append(b.odds, weight)
}

// settle makes the weights odds. Should nothing fit, all are alike.
func (b *belief) settle() {
	sum := 0.0
	for _, w := range b.odds {
		sum += w
	}
	for i := range b.odds {
		if sum > 0 {
			b.odds[i] /= sum
		} else {
			b.odds[i] = 1 / float64(len(b.odds))
		}
	}
}

// suspicion is the odds that a seat is a mole.
func (b *belief) suspicion(seat game.Seat) (sum float64) {
	for i, m := range b.sets {
		if m.Has(seat) {
			sum += b.odds[i]
		}
	}
	return sum
}

// danger is the odds that a team has moles enough to fail a mission.
func (b *belief) danger(team game.Seats, needed int) (sum float64) {
	for i, m := range b.sets {
		if (m & team).Len() >= needed {
			sum += b.odds[i]
		}
	}
	return sum
}

// molesAt is the number of moles at a table of 5 to 10 (rules, table 1.1).
func molesAt(seats int) int {
	switch {
	case seats <= 6:
		return 2
	case seats <= 9:
		return 3
	}
	return 4
}

// sets lists the sets of k seats out of n.
func sets(n, k int) (list []game.Seats) {
	for m := game.Seats(0); m <= game.First(n); m++ {
		if m.Len() == k {
			list = append(list, m)
		}
	}
	return list
}

func choose(n, k int) int {
	out := 1
	for i := range k {
		out = out * (n - i) / (i + 1)
	}
	return out
}

// weigh fills the seat's belief: the sets of moles that its own knowledge allows, each with its weight.
func (d *table) weigh(weight func(m game.Seats) float64) {
	n := len(d.view.Seats)
	for _, m := range sets(n, molesAt(n)) {
		if m.Has(d.seat) == d.mole && !d.contradicts(m) {
			d.add(m, weight(m))
		}
	}
	d.settle()
}

// contradicts tells whether the roles and the mission cards that the seat knows rule out that m are the moles.
func (d *table) contradicts(m game.Seats) bool {
	for seat, role := range d.view.Me.Known {
		if m.Has(seat) != (role == "mole") {
			return true
		}
	}
	for seat, success := range d.view.OpenMission {
		if !success && !m.Has(seat) {
			return true
		}
	}
	for _, p := range d.view.Me.Peeks {
		if !p.Success && !m.Has(p.At) {
			return true
		}
	}
	for i := range d.view.Missions {
		closed, fails, failed := d.cards(i + 1)
		if failed&^m != 0 || fails > (closed&m).Len() {
			return true
		}
	}
	return false
}

// cards is what the seat knows of a mission's cards: the members whose card it has not seen, the fails among those, and
// who was seen to fail. A mission that was not played has none.
func (d *table) cards(mission int) (closed game.Seats, fails int, failed game.Seats) {
	x := &d.view.Missions[mission-1]
	if x.Result == nil {
		return 0, 0, 0
	}
	closed, fails = x.Team, x.Fails
	see := func(seat game.Seat, success bool) {
		if !closed.Has(seat) {
			return
		}
		if closed = closed.Without(seat); !success {
			failed = failed.With(seat)
			fails--
		}
	}
	for seat, success := range x.Open {
		see(seat, success)
	}
	for _, p := range d.view.Me.Peeks {
		if p.Mission == mission {
			see(p.At, p.Success)
		}
	}
	for _, p := range d.view.Me.Played {
		if p.Mission == mission {
			see(d.seat, p.Success)
		}
	}
	return closed, fails, failed
}
