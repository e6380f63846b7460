package pairing

import (
	"fmt"
	"math/bits"
	"slices"
	"testing"

	"github.com/molerun/molerun/engines/game"
)

// early counts, by round, the pairs of one owner that could meet by then with these entries by seed.
func early(c Contest, places []int) []int {
	levels := rounds(len(places))
	at := make([]int, 1<<levels)
	for place, seed := range seedOrder(levels) {
		at[seed] = place
	}
	out := make([]int, levels+1)
	for i, a := range places {
		for j, b := range places[:i] {
			if c.Entries[a].Owner == c.Entries[b].Owner {
				for r := bits.Len(uint(at[i] ^ at[j])); r <= levels; r++ {
					out[r]++
				}
			}
		}
	}
	return out
}

// permuted calls f with every order of list that moves entries within their tiers only.
func permuted(list []int, i int, f func([]int)) {
	if i == len(list) {
		f(list)
		return
	}
	for j := i; j < len(list) && bits.Len(uint(j)) == bits.Len(uint(i)); j++ {
		list[i], list[j] = list[j], list[i]
		permuted(list, i+1, f)
		list[i], list[j] = list[j], list[i]
	}
}

// Compared with every way to change places within the tiers: as few of one owner as can be meet in the first round, and in
// nine brackets of ten as few as can be by each later one. Who is in which tier stays.
func TestSpreadIsTheBestWithinTheTiers(t *testing.T) {
	r := game.Stream(game.Seed{4}, 0, "spread")
	ways, worse := 0, 0
	for range 150 {
		n := 4 + r.IntN(7)
		c := Contest{Entries: make([]Entry, n)}
		seeds := make([]int, n)
		for e := range n {
			seeds[e] = e
			c.Entries[e].Owner = fmt.Sprint(r.IntN(2 + n/2))
		}
		got := c.spread(seeds)
		for i, e := range got {
			if bits.Len(uint(i)) != bits.Len(uint(e)) {
				t.Fatalf("%d entries: seed %d is in the place of %d", n, e+1, i+1)
			}
		}
		var best []int
		permuted(slices.Clone(seeds), 0, func(places []int) {
			ways++
			if x := early(c, places); best == nil || slices.Compare(x, best) < 0 {
				best = x
			}
		})
		is := early(c, got)
		if is[1] != best[1] {
			t.Errorf("owners %+v: %d pairs of one owner in the first round, %d can be had", c.Entries, is[1], best[1])
		}
		if slices.Compare(is, best) > 0 {
			worse++
		}
	}
	if ways < 3000 || worse > 15 {
		t.Errorf("of 150 brackets %d are not the best of their %d", worse, ways)
	}
}
