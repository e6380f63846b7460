package molemajority

import (
	"math/bits"
	"slices"
	"strconv"
)

// Hex is a place of the board, 0 to 18: all that lie at most two steps from the centre, in the order of q, then r.
type Hex int8

// Sizes of the board.
const (
	hexes  = 19
	edges  = 42
	radius = 2
)

// Board is a set of hexes.
type Board uint32

// walls is a set of edges, by index in the order of their names' hexes.
type walls uint64

// wallBits is how many edges are looked up at once for the roads over them.
const wallBits = 6

// roads are edges that one can cross, as the hexes that they lead up from, by how much higher the number of the hex at the
// other end is: the hexes are numbered column by column, so that it is one of four steps. They tell the neighbours of a whole
// set of hexes at once.
type roads struct{ by1, by3, by4, by5 Board }

// around returns the neighbours of the hexes of m.
func (x *roads) around(m Board) Board {
	up := m&x.by1<<1 | m&x.by3<<3 | m&x.by4<<4 | m&x.by5<<5
	down := m>>1&x.by1 | m>>3&x.by3 | m>>4&x.by4 | m>>5&x.by5
	return up | down
}

// with returns all roads of both.
func (x roads) with(y roads) roads {
	return roads{
		by1: x.by1 | y.by1,
		by3: x.by3 | y.by3,
		by4: x.by4 | y.by4,
		by5: x.by5 | y.by5,
	}
}

// without returns the roads of x that are not in y.
func (x roads) without(y roads) roads {
	return roads{
		by1: x.by1 &^ y.by1,
		by3: x.by3 &^ y.by3,
		by4: x.by4 &^ y.by4,
		by5: x.by5 &^ y.by5,
	}
}

// road returns the road between two neighbours, the smaller first.
func road(from, to Hex) roads {
	at := Board(1) << from
	switch to - from {
	case 1: // (q, r+1)
		return roads{by1: at}
	case 3: // (q+1, r-1) from a short column
		return roads{by3: at}
	case 4: // (q+1, r) from a short column, (q+1, r-1) from a long one
		return roads{by4: at}
	default: // (q+1, r) from a long column
		return roads{by5: at}
	}
}

// layout is the geometry of the board; it never changes.
type layout struct {
	name     [hexes]string
	q, r     [hexes]int8
	near     [hexes]Board
	edgesAt  [hexes]walls
	ends     [edges][2]Hex
	edgeName [edges]string
	crossing [(edges + wallBits - 1) / wallBits][1 << wallBits]roads // the roads over each set of edges, of the next wallBits ones each
	roads    roads                                                   // all of them
	centre   Hex
	ring     Board // around the centre
	bases    Board // where a Home Base fits: the outer hexes that touch two of the ring
}

var grid = lay()

// lay computes the layout from the axial coordinates.
func lay() layout {
	var g layout
	n := 0
	for q := -radius; q <= radius; q++ {
		for r := max(-radius, -q-radius); r <= min(radius, radius-q); r++ {
			g.q[n], g.r[n] = int8(q), int8(r)
			g.name[n] = strconv.Itoa(q) + "," + strconv.Itoa(r)
			if q == 0 && r == 0 {
				g.centre = Hex(n)
			}
			n++
		}
	}
	edges := 0
	for a := range Hex(hexes) {
		for b := range Hex(hexes) {
			if g.steps(a, b) != 1 {
				continue
			}
			g.near[a] |= 1 << b
			if a < b {
				g.ends[edges], g.edgeName[edges] = [2]Hex{a, b}, g.name[a]+"/"+g.name[b]
				g.edgesAt[a] |= 1 << edges
				g.edgesAt[b] |= 1 << edges
				part, bit := &g.crossing[edges/wallBits], 1<<(edges%wallBits)
				for set := range bit { // those without the edge are there
					part[bit|set] = part[set].with(road(a, b))
				}
				g.roads = g.roads.with(road(a, b))
				edges++
			}
		}
	}
	g.ring = g.near[g.centre]
	for h := range Hex(hexes) {
		if !(g.ring | 1<<g.centre).Has(h) && (g.near[h]&g.ring).Len() == 2 {
			g.bases |= 1 << h
		}
	}
	return g
}

// steps returns the distance of two hexes.
func (g *layout) steps(a, b Hex) int8 {
	q, r := g.q[a]-g.q[b], g.r[a]-g.r[b]
	return max(q, -q, r, -r, q+r, -q-r)
}

// String returns the axial name, "q,r".
func (h Hex) String() string { return grid.name[h] }

// hexOf reads an axial name.
func hexOf(name string) (Hex, bool) {
	i := slices.Index(grid.name[:], name)
	return Hex(i), i >= 0
}

// edgeOf reads the name of an edge, "q,r/q,r", the smaller hex first.
func edgeOf(name string) (int8, bool) {
	i := slices.Index(grid.edgeName[:], name)
	return int8(i), i >= 0
}

// Near returns the places that share an edge with h, tiles or not.
func (h Hex) Near() Board { return grid.near[h] }

// Has reports whether h is in the set.
func (m Board) Has(h Hex) bool { return m>>h&1 == 1 }

// Len counts the hexes.
func (m Board) Len() int { return bits.OnesCount32(uint32(m)) }

// Lowest returns the first hex of the set, which is not empty.
func (m Board) Lowest() Hex {
	return Hex(bits.TrailingZeros32(uint32(m)))
}

// nth returns the hex with n others of the set before it.
func (m Board) nth(n int) Hex {
	for ; n > 0; n-- {
		m &= m - 1
	}
	return m.Lowest()
}

// Len counts the edges.
func (w walls) Len() int { return bits.OnesCount64(uint64(w)) }

// Has reports whether edge e is in the set.
func (w walls) has(e int8) bool { return w>>e&1 == 1 }

// lowest returns the first edge of the set, which is not empty.
func (w walls) lowest() int8 {
	return int8(bits.TrailingZeros64(uint64(w)))
}
