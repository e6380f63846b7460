package designs

// Bye is the opponent of an entry that has none in a round.
const Bye = -1

// Pair is two entries, by index; First takes seat 0. One of them may be [Bye].
type Pair struct{ First, Second int }

// Berger returns the round robin of n entries, 0..n-1, by round and board, after the Berger tables of the FIDE handbook
// (C.05): every two meet once, and nobody has one seat more than once oftener than the other. An odd n is paired as n+1
// whose last entry is [Bye]. Fewer than two entries have no rounds.
func Berger(n int) [][]Pair {
	if n < 2 {
		return nil
	}
	even := n + n%2
	entry := func(i int) int {
		if i == n {
			return Bye
		}
		return i
	}
	rounds := make([][]Pair, even-1)
	for r := range rounds {
		// All but the last entry stand in a ring that turns half a ring each round; the last one meets the head.
		ring := func(k int) int { return entry((k + r*(even/2)) % (even - 1)) }
		head := Pair{ring(0), entry(even - 1)}
		if r%2 == 1 {
			head = Pair{head.Second, head.First}
		}
		rounds[r] = append(make([]Pair, 0, even/2), head)
		for k := 1; k < even/2; k++ {
			rounds[r] = append(rounds[r], Pair{ring(k), ring(even - 1 - k)})
		}
	}
	return rounds
}
