package pairing

import (
	"math"
	"slices"
)

// koya returns what entry e took from opponents that have half of the points they could have, or more.
func (b *book) koya(e int) float64 {
	sum := 0.0
	for _, m := range slices.Concat(b.records[e].meetings...) {
		if 2*b.points(m.opponent) >= round6(b.records[m.opponent].possible) {
			sum += m.taken * m.worth
		}
	}
	return sum
}

// farthest is how far above or below its opponents a performance is at most, in Elo: all won or all lost says no more.
const farthest = 800

// performance returns the rating, in whole Elo, at which entry e would be expected to take what it took from its opponents, by their ratings
// at the start; 0 if it has played nobody. Forfeits and byes do not count.
func (b *book) performance(e int) float64 {
	taken, worth, mean := 0.0, 0.0, 0.0
	played := slices.DeleteFunc(slices.Concat(b.records[e].meetings...), func(m meeting) bool { return m.given })
	for _, m := range played {
		taken += m.taken * m.worth
		worth += m.worth
		mean += m.worth * b.c.Entries[m.opponent].Rating
	}
	if worth == 0 {
		return 0
	}
	mean /= worth
	low, high := mean-farthest, mean+farthest
	for range 40 { // to far below a point
		middle := (low + high) / 2
		if b.expected(played, middle) < taken {
			low = middle
		} else {
			high = middle
		}
	}
	return math.Round((low + high) / 2)
}

// expected returns what one of a rating would take in some meetings.
func (b *book) expected(list []meeting, rating float64) float64 {
	sum := 0.0
	for _, m := range list {
		sum += m.worth / (1 + math.Pow(10, (b.c.Entries[m.opponent].Rating-rating)/400))
	}
	return sum
}
