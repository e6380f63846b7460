package demol

import (
	"cmp"
	"slices"

	"github.com/molerun/molerun/engines/game"
)

// belief is the sets of moles that are possible, and their odds, which sum to 1.
type belief struct {
	sets []game.Seats
	odds []float64
}

func (b *belief) add(m game.Seats, weight float64) {
	b.sets = append(b.sets, m)
	b.odds = append(b.odds, weight)
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

// suspicion returns the odds that a seat is a mole.
func (b *belief) suspicion(seat game.Seat) float64 {
	sum := 0.0
	for i, m := range b.sets {
		if m.Has(seat) {
			sum += b.odds[i]
		}
	}
	return sum
}

// danger returns the odds that a team has moles enough to fail a mission.
func (b *belief) danger(team game.Seats, needed int) float64 {
	sum := 0.0
	for i, m := range b.sets {
		if (m & team).Len() >= needed {
			sum += b.odds[i]
		}
	}
	return sum
}

// sets lists the sets of k seats out of n.
func sets(n, k int) []game.Seats {
	var list []game.Seats
	for m := game.Seats(0); m <= game.FirstSeats(n); m++ {
		if m.Len() == k {
			list = append(list, m)
		}
	}
	return list
}

// least returns so many seats out of some, 0 or fewer for none, that are suspected least; of equals the lowest.
func least(of game.Seats, n int, suspicion func(game.Seat) float64) game.Seats {
	order := slices.SortedStableFunc(of.Each(), func(a, b game.Seat) int { return cmp.Compare(suspicion(a), suspicion(b)) })
	var out game.Seats
	for _, seat := range order[:max(0, min(n, len(order)))] {
		out = out.With(seat)
	}
	return out
}
