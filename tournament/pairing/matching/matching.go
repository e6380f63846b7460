package matching

import "slices"

// None is the partner of a vertex without one.
const None = -1

// Edge is two vertices that may be matched, numbered from 0, and what that is worth.
type Edge struct {
	U, V int
	W    Weight
}

// The labels of a stage: outer nodes have a path of even length from a free vertex, inner ones of odd length.
const (
	unlabelled = iota
	outer
	inner
)

// matcher finds a matching of the greatest weight in a general graph by Edmonds' blossoms with dual variables, in the
// order O(n³) of Galil, "Efficient algorithms for finding maximum matching in graphs" (1986). Vertices are 0..n-1, blossoms
// n..2n-1; both are nodes. An edge k has two ends, 2k at its u and 2k+1 at its v; end^1 is the other. Slacks between outer
// nodes are even in each number, as all dual variables start equal, so halves are exact.
type matcher struct {
	n     int
	edges []Edge
	ends  [][]int // by vertex: the far ends of its edges
	mate  []int   // by vertex: the far end of its matched edge, none if free

	// By node.
	parent []int    // the blossom directly around it
	base   []int    // the vertex of a node that is matched outside
	kids   [][]int  // of a blossom: its nodes around the cycle, that with the base first
	links  [][]int  // links[i] is the end in kids[i] of the edge to kids[i+1]
	dual   []Weight // twice the variable of a vertex, once that of a blossom: so all stay whole
	label  []int
	via    []int   // the far end of the edge by which it got its label
	best   []int   // the edge of least slack to an outer node
	bests  [][]int // of an outer blossom: the best edges to other outer nodes
	top    []int   // by vertex: the outermost node around it

	tight  []bool // by edge: known to have no slack
	queue  []int  // outer vertices to be looked at
	unused []int  // blossoms
	mark   []int  // by node: the trace that passed it last
	trace  int
}

// Greatest returns a matching of the greatest weight: by vertex its partner, [None] if it has none. Pairs without positive weight are
// not made.
func Greatest(n int, edges []Edge) []int {
	m := newMatcher(n, edges)
	for range n {
		if !m.stage() {
			break
		}
	}
	out := make([]int, n)
	for v, p := range m.mate {
		out[v] = None
		if p != None {
			out[v] = m.at(p)
		}
	}
	return out
}

func newMatcher(n int, edges []Edge) *matcher {
	m := &matcher{
		n:      n,
		edges:  edges,
		ends:   make([][]int, n),
		mate:   slices.Repeat([]int{None}, n),
		parent: slices.Repeat([]int{None}, 2*n),
		base:   slices.Repeat([]int{None}, 2*n),
		kids:   make([][]int, 2*n),
		links:  make([][]int, 2*n),
		dual:   make([]Weight, 2*n),
		label:  make([]int, 2*n),
		via:    make([]int, 2*n),
		best:   make([]int, 2*n),
		bests:  make([][]int, 2*n),
		top:    make([]int, n),
		tight:  make([]bool, len(edges)),
		mark:   make([]int, 2*n),
	}
	var most Weight
	for k, e := range edges {
		m.ends[e.U] = append(m.ends[e.U], 2*k+1)
		m.ends[e.V] = append(m.ends[e.V], 2*k)
		if most.less(e.W) {
			most = e.W
		}
	}
	for v := range n {
		m.base[v] = v
		m.top[v] = v
		m.dual[v] = most
		m.unused = append(m.unused, 2*n-1-v)
	}
	return m
}

// at returns the vertex at an end.
func (m *matcher) at(end int) int {
	if end%2 == 0 {
		return m.edges[end/2].U
	}
	return m.edges[end/2].V
}

func (m *matcher) slack(k int) Weight {
	e := &m.edges[k]
	var out Weight
	for i := range out {
		out[i] = m.dual[e.U][i] + m.dual[e.V][i] - 2*e.W[i]
	}
	return out
}

// closer reports whether edge k has less slack than edge than, which may be [None].
func (m *matcher) closer(k, than int) bool {
	return than == None || m.slack(k).less(m.slack(than))
}

// leaves returns the vertices of a node.
func (m *matcher) leaves(node int, out []int) []int {
	if node < m.n {
		return append(out, node)
	}
	for _, kid := range m.kids[node] {
		out = m.leaves(kid, out)
	}
	return out
}

// stage lengthens the matching by one pair. It is false if that would not add Weight.
func (m *matcher) stage() bool {
	for node := range m.label {
		m.label[node] = unlabelled
		m.via[node] = None
		m.best[node] = None
		m.bests[node] = nil
	}
	clear(m.tight)
	m.queue = m.queue[:0]
	for v := range m.n {
		if m.mate[v] == None && m.label[m.top[v]] == unlabelled {
			m.grow(v, outer, None)
		}
	}
	for !m.search() {
		if !m.adjust() {
			return false
		}
	}
	// Outer blossoms that cost nothing any more dissolve, so that blossoms stay few.
	for b := m.n; b < 2*m.n; b++ {
		if m.parent[b] == None && m.base[b] != None && m.label[b] == outer && m.dual[b] == (Weight{}) {
			m.expand(b, true)
		}
	}
	return true
}

// grow labels the node around vertex v, reached over the edge whose far end is via. The mate of an inner node is outer.
func (m *matcher) grow(v, label, via int) {
	for {
		b := m.top[v]
		m.label[v] = label
		m.label[b] = label
		m.via[v] = via
		m.via[b] = via
		m.best[v], m.best[b] = None, None
		if label == outer {
			m.queue = m.leaves(b, m.queue)
			return
		}
		p := m.mate[m.base[b]]
		v = m.at(p)
		label = outer
		via = p ^ 1
	}
}

// search follows tight edges from the outer vertices. It is true if it found a path that made the matching longer.
func (m *matcher) search() bool {
	for len(m.queue) > 0 {
		v := m.queue[len(m.queue)-1]
		m.queue = m.queue[:len(m.queue)-1]
		for _, p := range m.ends[v] {
			if m.look(v, p) {
				return true
			}
		}
	}
	return false
}

// look follows one edge, from the outer vertex v to the end p.
func (m *matcher) look(v, p int) bool {
	k, w := p/2, m.at(p)
	if m.top[v] == m.top[w] {
		return false
	}
	if !m.tight[k] {
		if s := m.slack(k); s.positive() {
			m.remember(v, w, k)
			return false
		}
		m.tight[k] = true
	}
	switch {
	case m.label[m.top[w]] == unlabelled:
		m.grow(w, inner, p^1)
	case m.label[m.top[w]] == outer:
		base := m.meeting(v, w)
		if base == None {
			m.augment(k)
			return true
		}
		m.shrink(base, k)
	case m.label[w] == unlabelled: // inside an inner blossom, reached for the first time
		m.label[w], m.via[w] = inner, p^1
	}
	return false
}

// remember keeps an edge with slack where the next change of the dual variables looks for it.
func (m *matcher) remember(v, w, k int) {
	if b := m.top[v]; m.label[m.top[w]] == outer {
		if m.closer(k, m.best[b]) {
			m.best[b] = k
		}
	} else if m.label[w] == unlabelled && m.closer(k, m.best[w]) {
		m.best[w] = k
	}
}

// meeting returns the base of the first node that both paths to the roots have in common, none if the roots differ.
func (m *matcher) meeting(v, w int) int {
	m.trace++
	for v != None || w != None {
		b := m.top[v]
		if m.mark[b] == m.trace {
			return m.base[b]
		}
		m.mark[b] = m.trace
		v = m.up(b)
		if w != None {
			v, w = w, v
		}
	}
	return None
}

// up returns a vertex of the next outer node on the path of the outer node b to its root, none if b is the root.
func (m *matcher) up(b int) int {
	if m.via[b] == None {
		return None
	}
	return m.at(m.via[m.top[m.at(m.via[b])]])
}

// adjust changes the dual variables until an edge becomes tight or an inner blossom can dissolve. It is false if a free
// vertex costs nothing any more: then the matching has the greatest Weight.
func (m *matcher) adjust() bool {
	const (
		done = iota
		edgeOut
		edgeBoth
		dissolve
	)
	kind := done
	what := None
	by := m.dual[0]
	for v := range m.n {
		if m.dual[v].less(by) {
			by = m.dual[v]
		}
	}
	take := func(k, w int, d Weight) {
		if d.less(by) {
			kind = k
			what = w
			by = d
		}
	}
	for v := range m.n {
		if m.label[m.top[v]] == unlabelled && m.best[v] != None {
			take(edgeOut, m.best[v], m.slack(m.best[v]))
		}
	}
	for b := range 2 * m.n {
		if m.parent[b] != None {
			continue
		}
		switch {
		case m.label[b] == outer && m.best[b] != None:
			take(edgeBoth, m.best[b], m.slack(m.best[b]).half())
		case b >= m.n && m.base[b] != None && m.label[b] == inner:
			take(dissolve, b, m.dual[b])
		}
	}
	m.shift(by)
	switch kind {
	case done:
		return false
	case dissolve:
		m.expand(what, false)
	default:
		m.tight[what] = true
		v := m.edges[what].U
		if m.label[m.top[v]] != outer {
			v = m.edges[what].V
		}
		m.queue = append(m.queue, v)
	}
	return true
}

// shift lowers the variables of outer vertices and raises those of inner ones; blossoms the other way round.
func (m *matcher) shift(by Weight) {
	for v := range m.n {
		switch m.label[m.top[v]] {
		case outer:
			m.dual[v] = m.dual[v].minus(by)
		case inner:
			m.dual[v] = m.dual[v].plus(by)
		}
	}
	for b := m.n; b < 2*m.n; b++ {
		if m.base[b] == None || m.parent[b] != None {
			continue
		}
		switch m.label[b] {
		case outer:
			m.dual[b] = m.dual[b].plus(by)
		case inner:
			m.dual[b] = m.dual[b].minus(by)
		}
	}
}

// mod returns the remainder of a by m in 0..m-1.
func mod(a, m int) int { return (a%m + m) % m }
