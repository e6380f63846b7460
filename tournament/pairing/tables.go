package pairing

import (
	"slices"

	"github.com/molerun/molerun/engines/game"
)

// tables is the line-ups of each round at tables of more than two, seats not yet taken.
func tables(entries int, opts Options, r *game.Rand) ([][][]int, error) {
	var rounds [][][]int
	cycles := opts.Cycles
	if base := family(entries, opts.SeatsPerTable); base != nil && meetings(entries, opts.Conflict) == entries*(entries-1)/2 {
		for ; cycles >= len(base); cycles -= len(base) {
			rounds = append(rounds, develop(base, entries, r)...)
		}
	}
	if cycles > 0 && opts.Conflict == nil {
		// A cycle is a parallel class here. Any few classes of a design let pairs meet 0 or 1 times.
		for classes := plane(entries, opts.SeatsPerTable); classes != nil && cycles > 0; cycles -= min(cycles, len(classes)) {
			rounds = append(rounds, named(classes[:min(cycles, len(classes))], r.Perm(entries))...)
		}
	}
	if cycles == 0 {
		return rounds, nil
	}
	// Every two have met equally often so far, so the rest is balanced by itself.
	rest, err := balance(entries, opts.SeatsPerTable, cycles, opts.Conflict, opts.Soft, r)
	return append(rounds, rest...), err
}

// family is the base blocks of a cyclic difference family for v entries at tables of k, nil if none is kept here. Each
// difference modulo v occurs equally often within the base blocks, so that turning each block through all of 0..v-1 lets
// every two meet equally often.
func family(v, k int) [][]int {
	switch [2]int{v, k} {
	case [2]int{5, 4}:
		return [][]int{{0, 1, 2, 3}}
	case [2]int{7, 3}:
		return [][]int{{0, 1, 3}}
	case [2]int{7, 4}:
		return [][]int{{0, 1, 2, 4}}
	case [2]int{9, 4}:
		return [][]int{{0, 1, 2, 4}, {0, 3, 4, 7}}
	case [2]int{11, 5}:
		return [][]int{{1, 3, 4, 5, 9}}
	case [2]int{13, 3}:
		return [][]int{{0, 1, 4}, {0, 2, 7}}
	case [2]int{13, 4}:
		return [][]int{{0, 1, 3, 9}}
	case [2]int{21, 5}:
		return [][]int{{0, 1, 4, 14, 16}}
	}
	return nil
}

// develop turns each base block through all v places, gives the places to entries by lot, and packs the line-ups into
// rounds.
func develop(base [][]int, v int, r *game.Rand) [][][]int {
	lot := r.Perm(v)
	var all [][]int
	for _, block := range base {
		for turn := range v {
			lineup := make([]int, len(block))
			for i, place := range block {
				lineup[i] = lot[(place+turn)%v]
			}
			all = append(all, lineup)
		}
	}
	return packed(all, v)
}

// packed puts line-ups into rounds, each into the first where none of its entries plays yet.
func packed(lineups [][]int, entries int) [][][]int {
	var rounds [][][]int
	var plays [][]bool
	for _, lineup := range lineups {
		at := slices.IndexFunc(plays, func(busy []bool) bool {
			return !slices.ContainsFunc(lineup, func(e int) bool { return busy[e] })
		})
		if at < 0 {
			at = len(rounds)
			rounds, plays = append(rounds, nil), append(plays, make([]bool, entries))
		}
		rounds[at] = append(rounds[at], lineup)
		for _, e := range lineup {
			plays[at][e] = true
		}
	}
	return rounds
}

// takeSeats orders each line-up by seat, so that over all of them nobody sits in one seat more than once oftener than in
// another. Tables and entries are a bipartite graph whose edges are coloured with the k seats (König): an entry is split
// into a new part after every k tables, so that no part needs a seat twice and every full part takes each once.
func takeSeats(rounds [][][]int, entries, k int) {
	g := graph{k: k}
	part := make([]int, entries)   // the entry's current part
	played := make([]int, entries) // its tables so far
	var owner []int                // by part
	table := 0
	for _, lineups := range rounds {
		for _, lineup := range lineups {
			g.table = append(g.table, g.empty())
			for _, e := range lineup {
				if played[e]%k == 0 {
					part[e] = len(g.part)
					g.part, owner = append(g.part, g.empty()), append(owner, e)
				}
				played[e]++
				g.join(table, part[e], none)
			}
			table++
		}
	}
	table = 0
	for _, lineups := range rounds {
		for _, lineup := range lineups {
			for seat, p := range g.table[table] {
				lineup[seat] = owner[p]
			}
			table++
		}
	}
}

// graph holds who sits where from both sides: table[t][seat] is a part, part[p][seat] a table, none if free.
type graph struct {
	k           int
	table, part [][]int
}

const none = -1

func (g *graph) empty() []int { return slices.Repeat([]int{none}, g.k) }

// join seats part p at table t, in seat want if both have it free. Otherwise a seat that is free at t is made free for p: along
// the path of edges that alternate between it and a seat free for p, the two seats change places. The path cannot come back to
// t, where the first is free, and as every other table is full it ends at a part.
func (g *graph) join(t, p, want int) {
	a, b := slices.Index(g.table[t], none), slices.Index(g.part[p], none)
	if want != none && g.table[t][want] == none && g.part[p][want] == none {
		a, b = want, want
	}
	for at, next := p, g.part[p][a]; next != none; {
		// The edge at–next moves from seat a to b, and who had b at next moves to a.
		other := g.table[next][b]
		g.table[next][b], g.part[at][b] = at, next
		g.table[next][a] = other
		at = other
		next, g.part[at][a] = g.part[at][a], next
		g.part[at][b] = none
	}
	g.table[t][a], g.part[p][a] = p, t
}
