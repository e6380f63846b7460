package pairing

import (
	"fmt"
	"math/bits"
	"slices"
)

// source is where one side of a tie comes from: a seed, or the winner or loser of an earlier tie.
type source struct {
	seed  int // none if it comes from a tie
	tie   int
	loser bool
}

// none is the seed of a side that comes from a tie.
const none = -1

// duel holds one tie of a bracket. Its loser, if that ends their bracket, is placed by out; 0: nobody leaves by it.
type duel struct {
	a, b  source
	name  string
	out   int
	third bool // its winner is third
	reset bool // played only if the side of the winners lost the tie before
}

// bracket is the ties of an elimination of two, each after those it comes from; the last decides.
type bracket struct {
	duels []duel
	top   int // the out of whoever loses the last
}

func (b *bracket) add(d duel) int {
	b.duels = append(b.duels, d)
	return len(b.duels) - 1
}

// fatal returns the out of tie t or, if it puts nobody out, of the tie into which its loser falls.
func (b *bracket) fatal(t int) int {
	if b.duels[t].out > 0 {
		return b.duels[t].out
	}
	fall := slices.IndexFunc(b.duels, func(d duel) bool { return d.a == loserOf(t) || d.b == loserOf(t) })
	return b.duels[fall].out
}

func winnerOf(tie int) source { return source{seed: none, tie: tie} }
func loserOf(tie int) source  { return source{seed: none, tie: tie, loser: true} }

// seedOrder returns the seeds by place of a bracket of 2^rounds: the first two can only meet in the last round, the first four
// in the last two, and so on. Seeds from entries on are nobody, so the byes fall to the top.
func seedOrder(rounds int) []int {
	order := []int{0}
	for range rounds {
		next := make([]int, 0, 2*len(order))
		for _, s := range order {
			next = append(next, s, 2*len(order)-1-s)
		}
		order = next
	}
	return order
}

// winners adds the ties of those who have not lost, by round.
func (b *bracket) winners(rounds int, prefix string, out func(round int) int) [][]int {
	order := seedOrder(rounds)
	var ties [][]int
	for r := range rounds {
		var round []int
		for i := range len(order) >> (r + 1) {
			d := duel{name: prefix + stageName(len(order)>>r), out: out(r)}
			if r == 0 {
				d.a, d.b = source{seed: order[2*i]}, source{seed: order[2*i+1]}
			} else {
				d.a, d.b = winnerOf(ties[r-1][2*i]), winnerOf(ties[r-1][2*i+1])
			}
			round = append(round, b.add(d))
		}
		ties = append(ties, round)
	}
	return ties
}

// The names of the ties for the first place, at larger tables a table, and for the third.
const FinalTie, ThirdTie = "final", "third place"

// stageName returns what people call the ties among so many entries.
func stageName(left int) string {
	switch left {
	case 2:
		return FinalTie
	case 4:
		return "semi-final"
	case 8:
		return "quarter-final"
	}
	return fmt.Sprintf("round of %d", left)
}

// rounds returns the least number of rounds in which one of so many entries is left.
func rounds(entries int) int { return bits.Len(uint(max(1, entries) - 1)) }

// single returns the bracket in which one defeat puts an entry out.
func single(entries int, third bool) *bracket {
	b, n := &bracket{}, rounds(entries)
	b.top = 2 * n
	ties := b.winners(n, "", func(round int) int { return 2 * (round + 1) })
	if !third || n < 2 {
		return b
	}
	// The third place is played beside the final, which stays the last.
	final := b.duels[len(b.duels)-1]
	b.duels = b.duels[:len(b.duels)-1]
	semi := ties[n-2]
	b.add(duel{a: loserOf(semi[0]), b: loserOf(semi[1]), name: ThirdTie, third: true, out: 2 * (n - 1)})
	b.add(final)
	return b
}

// double returns the bracket in which two defeats put an entry out. The losers of a later round of the winners come in crossed ([crossing]), away
// from those whom they have beaten, so that few meet again. The final is between
// the last of the winners and the last of the losers; if the latter wins it, both have lost once and meet again.
func double(entries int) *bracket {
	b, n := &bracket{}, rounds(entries)
	if n == 0 {
		return b // nobody meets anybody
	}
	ties := b.winners(n, "winners ", func(int) int { return 0 })
	cross := crossing(n)
	var left []source
	for i := 0; n > 1 && i < len(ties[0]); i += 2 {
		d := duel{a: loserOf(ties[0][i]), b: loserOf(ties[0][i+1]), name: "losers round 1", out: 1}
		left = append(left, winnerOf(b.add(d)))
	}
	for r := 1; r < n; r++ {
		// Those left meet the losers of the winners' round r…
		for i := range left {
			from := ties[r][i^cross[r-1]]
			d := duel{a: loserOf(from), b: left[i], name: fmt.Sprintf("losers round %d", 2*r), out: 2 * r}
			left[i] = winnerOf(b.add(d))
		}
		// …and then each other.
		var next []source
		for i := 0; i+1 < len(left); i += 2 {
			d := duel{a: left[i], b: left[i+1], name: fmt.Sprintf("losers round %d", 2*r+1), out: 2*r + 1}
			next = append(next, winnerOf(b.add(d)))
		}
		if len(next) > 0 {
			left = next
		}
	}
	if n == 1 {
		left = []source{loserOf(ties[0][0])}
	}
	b.top = 2 * n
	final := b.add(duel{a: winnerOf(ties[n-1][0]), b: left[0], name: FinalTie})
	b.add(duel{a: winnerOf(final), b: loserOf(final), name: "final reset", out: b.top, reset: true})
	return b
}

// depth returns the most ties of which each begins when the one before is decided, with so many entries: ties without two sides are none.
func (b *bracket) depth(entries int) int {
	most := 0
	won, lost := make([]int, len(b.duels)), make([]int, len(b.duels)) // by tie: how many there are up to it; none: nobody wins or loses it
	from := func(s source) int {
		switch {
		case s.seed >= entries:
			return none
		case s.seed != none:
			return 0
		case s.loser:
			return lost[s.tie]
		}
		return won[s.tie]
	}
	for t, d := range b.duels {
		x, y := from(d.a), from(d.b)
		won[t], lost[t] = max(x, y), none
		if min(x, y) != none {
			won[t]++
			lost[t] = won[t]
		}
		most = max(most, won[t])
	}
	return most
}

// crossing says, by round of the winners from the second on, how their losers come in crossed in a bracket of so many rounds: place i
// is for the loser of tie i^mask. The masks up to 256 entries were found by simulation with even chances: of all of this form they
// bring about the fewest rematches before the final (TestDropInsAreCrossed). In larger brackets the first rounds are turned round.
func crossing(rounds int) []int {
	found := [][]int{
		{0, 0}, {0, 0}, {0, 0},
		{1, 0},
		{2, 0, 0},
		{3, 2, 0, 0},
		{11, 7, 1, 1, 0},
		{4, 11, 2, 3, 0, 0},
		{28, 4, 11, 7, 1, 1, 0},
	}
	if rounds < len(found) {
		return found[rounds]
	}
	return append([]int{1<<(rounds-2) - 1}, crossing(rounds-1)...)
}
