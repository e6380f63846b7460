package matching

import (
	"fmt"
	"os"
	"testing"

	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/internal/must"
)

// nightly multiplies a count in long runs.
func nightly(n int) int {
	if os.Getenv("MOLERUN_NIGHTLY") == "1" {
		return 20 * n
	}
	return n
}

// simple edges have whole numbers as weights, and a wish before them if as many pairs as possible are wanted.
func simple(most bool, list ...[3]int) (n int, out []Edge) {
	for _, e := range list {
		w := Weight{0, int64(e[2])}
		if most {
			w[0] = 1
		}
		out = append(out, Edge{e[0], e[1], w})
		n = max(n, e[0]+1, e[1]+1)
	}
	return n, out
}

// Cases of van Rantwijk's mwmatching tests, entries from 0, as listed in the tests of gnutterts/chesspairing@a413c36.
func TestMatchingGivesThePublishedPairs(t *testing.T) {
	for _, row := range []struct {
		edges [][3]int
		most  bool
		want  []int
	}{
		{[][3]int{{0, 1, 8}, {0, 2, 9}, {1, 2, 10}, {2, 3, 7}}, false, []int{1, 0, 3, 2}},
		{[][3]int{{0, 1, 8}, {0, 2, 9}, {1, 2, 10}, {2, 3, 7}, {0, 5, 5}, {3, 4, 6}}, false, []int{5, 2, 1, 4, 3, 0}},
		{[][3]int{{0, 1, 5}, {1, 2, 11}, {2, 3, 5}}, false, []int{-1, 2, 1, -1}},
		{[][3]int{{0, 1, 5}, {1, 2, 11}, {2, 3, 5}}, true, []int{1, 0, 3, 2}},
		{[][3]int{{0, 1, 9}, {0, 2, 9}, {1, 2, 10}, {1, 3, 8}, {2, 4, 8}, {3, 4, 10}, {4, 5, 6}}, false, []int{2, 3, 0, 1, 5, 4}},
		{
			[][3]int{{0, 1, 23}, {0, 4, 22}, {0, 5, 15}, {1, 2, 25}, {2, 3, 22}, {3, 4, 25}, {3, 7, 14}, {4, 6, 13}},
			false,
			[]int{5, 2, 1, 7, 6, 0, 4, 3},
		},
	} {
		n, edges := simple(row.most, row.edges...)
		must.SameList(t, fmt.Sprintf("%v, as many pairs as possible %v", row.edges, row.most), Greatest(n, edges), row.want)
	}
}

// brute returns the greatest weight of any matching, by trying all.
func brute(n int, edges []Edge) Weight {
	best := make([]Weight, 1<<n)
	for set := 1; set < 1<<n; set++ {
		// The last vertex of the set stays alone or takes an edge within it.
		v := 0
		for set>>(v+1) != 0 {
			v++
		}
		best[set] = best[set&^(1<<v)]
		for _, e := range edges {
			if max(e.U, e.V) == v && set>>e.U&1 == 1 && set>>e.V&1 == 1 {
				if w := best[set&^(1<<e.U|1<<e.V)].plus(e.W); best[set].less(w) {
					best[set] = w
				}
			}
		}
	}
	return best[1<<n-1]
}

func TestMatchingHasTheGreatestWeightOfAll(t *testing.T) {
	r := game.Stream(game.Seed{1}, 0, "graphs")
	for i := range nightly(30_000) {
		n := 1 + r.IntN(10)
		density, most := 1+r.IntN(10), 1+r.IntN(12)
		var edges []Edge
		for v := range n {
			for u := range v {
				if r.IntN(10) < density {
					e := Edge{u, v, Weight{0, 0, int64(r.IntN(most)), int64(r.IntN(most) - most/2)}}
					if i%2 == 0 {
						e.W[0] = 1 // as many pairs as possible
					}
					edges = append(edges, e)
				}
			}
		}
		got := Greatest(n, edges)
		if err := matched(n, edges, got, brute(n, edges)); err != nil {
			t.Fatalf("graph %d of %d vertices, %v: %v", i, n, edges, err)
		}
	}
}

// matched tells what is wrong with a matching that should have weight want.
func matched(n int, edges []Edge, mate []int, want Weight) error {
	var sum Weight
	pairs := 0
	for v, u := range mate {
		if u != None && (u < 0 || u >= n || mate[u] != v) {
			return fmt.Errorf("got %v: %d and %d do not agree", mate, v, u)
		}
		if u > v {
			pairs++
		}
	}
	for _, e := range edges {
		if mate[e.U] == e.V {
			sum = sum.plus(e.W)
			pairs--
		}
	}
	if pairs != 0 || sum != want {
		return fmt.Errorf("got %v of weight %v (%d pairs without an edge), want weight %v", mate, sum, pairs, want)
	}
	return nil
}

// Blossoms within blossoms need more than ten vertices to be common.
func TestMatchingOfLargerGraphsIsTheGreatest(t *testing.T) {
	r := game.Stream(game.Seed{2}, 0, "graphs")
	for range nightly(60) {
		n := 14 + r.IntN(4)
		var edges []Edge
		for v := range n {
			for u := range v {
				if r.IntN(10) < 4 {
					edges = append(edges, Edge{u, v, Weight{int64(r.IntN(2)), int64(r.IntN(9))}})
				}
			}
		}
		if err := matched(n, edges, Greatest(n, edges), brute(n, edges)); err != nil {
			t.Fatalf("%d vertices, %v: %v", n, edges, err)
		}
	}
}
