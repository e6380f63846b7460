package designs_test

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/molerun/molerun/tournament/pairing/designs"
)

// text writes a table as the FIDE handbook does, entries from 1; the entry that gives the bye is 0.
func text(rounds [][]designs.Pair) string {
	var out []string
	for _, boards := range rounds {
		var line []string
		for _, p := range boards {
			line = append(line, fmt.Sprintf("%d-%d", p.First+1, p.Second+1))
		}
		out = append(out, strings.Join(line, ","))
	}
	return strings.Join(out, " | ")
}

func TestBergerIsThePublishedTable(t *testing.T) {
	for n, want := range map[int]string{
		0: "", 1: "",
		2: "1-2",
		3: "1-0,2-3 | 0-3,1-2 | 2-0,3-1",
		4: "1-4,2-3 | 4-3,1-2 | 2-4,3-1",
		5: "1-0,2-5,3-4 | 0-4,5-3,1-2 | 2-0,3-1,4-5 | 0-5,1-4,2-3 | 3-0,4-2,5-1",
		6: "1-6,2-5,3-4 | 6-4,5-3,1-2 | 2-6,3-1,4-5 | 6-5,1-4,2-3 | 3-6,4-2,5-1",
		8: "1-8,2-7,3-6,4-5 | 8-5,6-4,7-3,1-2 | 2-8,3-1,4-7,5-6 | 8-6,7-5,1-4,2-3 | 3-8,4-2,5-1,6-7 | 8-7,1-6,2-5,3-4 | 4-8,5-3,6-2,7-1",
	} {
		if got := text(designs.Berger(n)); got != want {
			t.Errorf("%d entries:\n got %s\nwant %s", n, got, want)
		}
	}
}

func TestBergerLetsEverybodyMeetOnceWithEvenSeats(t *testing.T) {
	check := func(t rapid.TB, n int) {
		t.Helper()
		met := map[[2]int]int{}
		first := make([]int, n)
		for r, boards := range designs.Berger(n) {
			seen := map[int]bool{}
			for _, p := range boards {
				if seen[p.First] || seen[p.Second] {
					t.Fatalf("%d entries, round %d: somebody plays twice: %v", n, r, boards)
				}
				seen[p.First], seen[p.Second] = true, true
				met[[2]int{min(p.First, p.Second), max(p.First, p.Second)}]++
				if p.First != designs.Bye && p.Second != designs.Bye {
					first[p.First]++
					first[p.Second]--
				}
			}
			if len(seen) != n+n%2 {
				t.Fatalf("%d entries, round %d: %d of them in %v", n, r, len(seen), boards)
			}
		}
		if even := n + n%2; len(met) != even*(even-1)/2 {
			t.Fatalf("%d entries: %d different pairings, want %d", n, len(met), even*(even-1)/2)
		}
		for e, more := range first {
			if more < -1 || more > 1 || (n%2 == 1 && more != 0) {
				t.Fatalf("%d entries: entry %d has seat 0 %d times more than seat 1", n, e, more)
			}
		}
	}
	rapid.Check(t, func(t *rapid.T) { check(t, rapid.IntRange(2, 120).Draw(t, "entries")) })
	check(t, 999)
	check(t, 1000)
}
