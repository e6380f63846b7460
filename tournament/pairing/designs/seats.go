package designs

import "slices"

// TakeSeats orders each line-up by seat, so that over all of them nobody sits in one seat more than once oftener than in
// another. Tables and entries are a bipartite graph whose edges are coloured with the k seats (König): an entry is split
// into a new part after every k tables, so that no part needs a seat twice and every full part takes each once.
func TakeSeats(rounds [][][]int, entries, k int) {
	g := Graph{Colours: k}
	part := make([]int, entries)   // the entry's current part
	played := make([]int, entries) // its tables so far
	var owner []int                // by part
	tables := slices.Concat(rounds...)
	for t, lineup := range tables {
		g.AddTable()
		for _, e := range lineup {
			if played[e]%k == 0 {
				part[e] = g.AddPart()
				owner = append(owner, e)
			}
			played[e]++
			g.Join(t, part[e], None)
		}
	}
	for t, lineup := range tables {
		for seat, p := range g.Table(t) {
			lineup[seat] = owner[p]
		}
	}
}

// Graph colours the edges between tables and parts so that no two edges of a table, and no two of a part, have one colour. It has
// room for Colours edges at each.
type Graph struct {
	Colours     int
	table, part [][]int // by table or part and colour: the other end of the edge, None if there is none
}

// None is where no edge of a colour is, and the colour of an entry without a wish.
const None = -1

// AddTable adds a table without edges and returns its number, from 0.
func (g *Graph) AddTable() int {
	g.table = append(g.table, slices.Repeat([]int{None}, g.Colours))
	return len(g.table) - 1
}

// AddPart adds a part without edges and returns its number, from 0.
func (g *Graph) AddPart() int {
	g.part = append(g.part, slices.Repeat([]int{None}, g.Colours))
	return len(g.part) - 1
}

// Table returns the part that each colour leads to from table t, [None] where no edge has it. It is the graph's own.
func (g *Graph) Table(t int) []int { return g.table[t] }

// Join adds the edge between table t and part p, in colour want if both have it free. Otherwise a colour that is free at t is made
// free for p: along the path of edges that alternate between it and a colour free for p, the two change places. The path cannot
// come back to t, where the first is free, and as every other table is full it ends at a part.
func (g *Graph) Join(t, p, want int) {
	a := slices.Index(g.table[t], None)
	b := slices.Index(g.part[p], None)
	if want != None && g.table[t][want] == None && g.part[p][want] == None {
		a, b = want, want
	}
	for at, next := p, g.part[p][a]; next != None; {
		// The edge at–next moves from colour a to b, and the entry that had b at next moves to a.
		other := g.table[next][b]
		g.table[next][b] = at
		g.part[at][b] = next
		g.table[next][a] = other
		at = other
		next, g.part[at][a] = g.part[at][a], next
		g.part[at][b] = None
	}
	g.table[t][a] = p
	g.part[p][a] = t
}
