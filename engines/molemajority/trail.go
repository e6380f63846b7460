package molemajority

import "github.com/molerun/molerun/engines/game"

// play keeps a card played from a hand of so many. With the last card of the hand all that was known of it is gone.
func (x *trail) play(c Card, hand int8) {
	switch {
	case !x.On:
	case hand == 1:
		*x = trail{}
	default:
		x.Plays[x.N] = Play{c, hand}
		x.N++
	}
}

// lefts weighs what can be left in a hand of the cards that were known when the deck was last shuffled again. All other
// unseen cards are alike: those of them in the hand are any of them. Each way in which the cards played can have come from
// the known ones or from the draws since counts once, each copy and order of the deck by itself.
type lefts struct {
	stride [Cards + 1]int
	weight [1 << maxHand]float64 // by what is left: the sum of copies times stride
}

// at returns what is left at index i.
func (x *lefts) at(i int) Counts {
	var left Counts
	for c := range left {
		left[c] = int8(i % x.stride[c+1] / x.stride[c])
	}
	return left
}

// follow weighs along the trail to a hand of so many among the unseen cards, which holds a number card if it has to; false
// if nothing fits.
func (x *lefts) follow(t *trail, unseen Counts, hand int8, number bool) bool {
	x.stride[0] = 1
	for c, copies := range t.Known {
		x.stride[c+1] = x.stride[c] * int(copies+1)
	}
	x.weight[x.stride[Cards]-1] = 1
	then := unseen // before the plays
	for _, p := range t.Plays[:t.N] {
		then[p.Card]++
	}
	for _, p := range t.Plays[:t.N] {
		x.play(p, then)
		then[p.Card]--
	}
	ok := false
	for i := range x.weight[:x.stride[Cards]] {
		if x.weight[i] > 0 && fits(x.at(i), unseen, hand, number) {
			ok = true
		} else {
			x.weight[i] = 0
		}
	}
	return ok
}

// play weighs a card played when so many of each were unseen.
func (x *lefts) play(p Play, unseen Counts) {
	c, all := p.Card, unseen.sum()
	for i := range x.weight[:x.stride[Cards]] {
		left := x.at(i)
		known := left.sum()
		drawn, others := p.Hand-known, all-known
		w := 0.0
		if drawn > 0 && others > 0 && unseen[c] > left[c] {
			w = float64(x.weight[i] * float64(int(drawn)*int(unseen[c]-left[c])) / float64(others))
		}
		if left[c] < x.most(c) {
			w += float64(x.weight[i+x.stride[c]] * float64(left[c]+1))
		}
		x.weight[i] = w
	}
}

// most returns how many copies of c were known.
func (x *lefts) most(c Card) int8 {
	return int8(x.stride[c+1]/x.stride[c]) - 1
}

// fits reports whether a hand of so many can hold what is left and others of the unseen cards.
func fits(left, unseen Counts, hand int8, number bool) bool {
	numbers := int8(0)
	for c, copies := range left {
		if unseen[c] < copies {
			return false
		}
		if c <= int(Number2) {
			numbers += copies
		}
	}
	drawn := hand - left.sum()
	if drawn < 0 || hand > unseen.sum() {
		return false
	}
	others := unseen[Number4] + unseen[Number3] + unseen[Number2] - numbers
	return !number || numbers > 0 || drawn > 0 && others > 0
}

// draw returns what is left of the known cards, at random by the weights.
func (x *lefts) draw(r *game.Rand) Counts {
	total := 0.0
	list := x.weight[:x.stride[Cards]]
	for _, w := range list {
		total += w
	}
	at, last := float64(r.Uint64()>>11)*0x1p-53*total, 0
	for i, w := range list {
		if w > 0 {
			if last = i; at < w {
				break
			}
			at -= w
		}
	}
	return x.at(last)
}
