package pairing

import "math"

// koya returns what entry e took from opponents that have half of the points they could have, or more.
func (b *book) koya(e int) float64 {
	sum := 0.0
	for _, m := range b.records[e].meetings {
		if o := m.opponent; o != Bye && 2*b.points(o) >= round6(b.records[o].possible) {
			sum += m.taken
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
	for _, m := range b.records[e].meetings {
		taken += min(m.taken, m.worth)
		worth += m.worth
		mean += m.worth * b.c.Entries[max(0, m.opponent)].Rating
	}
	if worth == 0 {
		return 0
	}
	mean /= worth
	low, high := mean-farthest, mean+farthest
	for range 40 { // to far below a point
		middle := (low + high) / 2
		if b.expected(e, middle) < taken {
			low = middle
		} else {
			high = middle
		}
	}
	return math.Round((low + high) / 2)
}

// expected returns what one of a rating would take from the opponents of entry e.
func (b *book) expected(e int, rating float64) float64 {
	sum := 0.0
	for _, m := range b.records[e].meetings {
		if m.worth > 0 {
			sum += m.worth / (1 + math.Pow(10, (b.c.Entries[m.opponent].Rating-rating)/400))
		}
	}
	return sum
}
