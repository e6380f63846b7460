package matching

// levels is how many wishes a weight ranks.
const levels = 8

// Weight is what a pair is worth: whole numbers, of which an earlier one outweighs all later ones. Weights add and compare
// as numbers do, so that a matching can make the first wish true as often as possible, then the second, and so on, without
// one number large enough to hold them all.
type Weight [levels]int64

func (a Weight) plus(b Weight) Weight {
	for i := range a {
		a[i] += b[i]
	}
	return a
}

func (a Weight) minus(b Weight) Weight {
	for i := range a {
		a[i] -= b[i]
	}
	return a
}

// half returns exact for weights whose numbers are even.
func (a Weight) half() Weight {
	for i := range a {
		a[i] /= 2
	}
	return a
}

func (a Weight) less(b Weight) bool {
	for i := range a {
		if a[i] != b[i] {
			return a[i] < b[i]
		}
	}
	return false
}

// positive reports whether a is more than nothing.
func (a Weight) positive() bool { return Weight{}.less(a) }
