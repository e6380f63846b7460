package mole

import "github.com/molerun/molerun/engines/mole/coins"

// touching returns the mignettes that the mole touches (row 12).
func (s *State) touching() ([Mignettes]Coin, int) {
	var list [Mignettes]Coin
	n := 0
	for id := M1; id <= M3; id++ {
		if s.Coins[Mole].Alive && s.Coins[id].Alive &&
			apart2(s.Coins[Mole].At, s.Coins[id].At) <= square(moleRadius+mignetteRadius+gadGap) {
			list[n] = id
			n++
		}
	}
	return list, n
}

// arc is the whole mdeg From to To, both included, 0 ≤ From ≤ To < 360 000.
type arc struct{ From, To int32 }

// arcs are the directions that the mole may take, ascending and disjoint.
type arcs struct {
	list [2 * Mignettes]arc
	n    int
}

func (a *arcs) has(mdeg int32) bool {
	for _, x := range a.list[:a.n] {
		if mdeg >= x.From && mdeg <= x.To {
			return true
		}
	}
	return false
}

// nearest returns the direction of the arcs nearest to mdeg, the lower end of an arc before the upper.
func (a *arcs) nearest(mdeg int32) int32 {
	if a.has(mdeg) {
		return mdeg
	}
	best, least := int32(0), int32(coins.FullTurn)
	for _, x := range a.list[:a.n] {
		for _, end := range [2]int32{x.From, x.To} {
			if away := max(mdeg-end, end-mdeg); min(away, coins.FullTurn-away) < least {
				best, least = end, min(away, coins.FullTurn-away)
			}
		}
	}
	return best
}

// moleArcs returns the directions in which the mole does not point towards any coin it touches (row 12): all of them, or what
// the half circles away from those coins have in common, which may be nothing.
func (s *State) moleArcs() arcs {
	var out arcs
	list, n := s.touching()
	if n == 0 {
		out.list[0], out.n = arc{0, coins.FullTurn - 1}, 1
		return out
	}
	var half [Mignettes]arc // To may go beyond a full turn
	for k, id := range list[:n] {
		half[k] = s.away(id)
	}
	for k, x := range half[:n] { // whatever is common begins where one of the halves does
		from, to, again := x.From, x.To, false
		for l, y := range half[:n] {
			shift := int32(0)
			if from < y.From {
				shift = coins.FullTurn
			}
			again = again || l < k && y.From == x.From
			to = min(to, y.To-shift)
		}
		if !again && to >= from {
			out.add(arc{from, to})
		}
	}
	return out
}

// add puts in an arc that may go beyond a full turn.
func (a *arcs) add(x arc) {
	if x.To >= coins.FullTurn {
		a.insert(arc{0, x.To - coins.FullTurn})
		x.To = coins.FullTurn - 1
	}
	a.insert(x)
}

func (a *arcs) insert(x arc) {
	k := a.n
	for ; k > 0 && a.list[k-1].From > x.From; k-- {
		a.list[k] = a.list[k-1]
	}
	a.list[k] = x
	a.n++
}

// away returns the half circle of directions that do not point from the mole towards a coin; To may go beyond a full turn.
func (s *State) away(id Coin) arc {
	dx := float64(s.Coins[id].At.X - s.Coins[Mole].At.X)
	dy := float64(s.Coins[id].At.Y - s.Coins[Mole].At.Y)
	if dx == 0 && dy == 0 {
		return arc{0, coins.FullTurn - 1} // one upon the other, as only a guessed table can be: no direction is towards it
	}
	towards := coins.Direction(dx, dy)
	allowed := func(mdeg int) bool {
		sin, cos := coins.SinCos(mdeg)
		return float64(cos*dx)+float64(sin*dy) <= 0
	}
	// the first allowed direction on either side of a quarter turn is within a step of it, whatever was rounded
	from, to := towards+coins.FullTurn/4-2, towards+coins.FullTurn*3/4+2
	for !allowed(from) {
		from++
	}
	for !allowed(to) {
		to--
	}
	if from >= coins.FullTurn {
		from, to = from-coins.FullTurn, to-coins.FullTurn
	}
	return arc{int32(from), int32(to)}
}
