package matching

import "slices"

// shrink makes a blossom of the odd cycle that edge k closes, whose base is the vertex base.
func (m *matcher) shrink(base, k int) {
	b := m.unused[len(m.unused)-1]
	m.unused = m.unused[:len(m.unused)-1]
	root := m.top[base]
	var kids, links []int
	// Down from the root to edge k's u, collected upwards and turned round; then from its v up to the root again.
	for at := m.top[m.edges[k].U]; at != root; at = m.top[m.at(m.via[at])] {
		kids, links = append(kids, at), append(links, m.via[at])
	}
	kids = append(kids, root)
	slices.Reverse(kids)
	slices.Reverse(links)
	links = append(links, 2*k)
	for at := m.top[m.edges[k].V]; at != root; at = m.top[m.at(m.via[at])] {
		kids, links = append(kids, at), append(links, m.via[at]^1)
	}
	m.kids[b], m.links[b] = kids, links
	m.base[b] = base
	m.parent[b] = None
	m.dual[b] = Weight{}
	m.label[b], m.via[b] = outer, m.via[root]
	for _, kid := range kids {
		m.parent[kid] = b
	}
	for _, v := range m.leaves(b, nil) {
		if m.label[m.top[v]] == inner {
			m.queue = append(m.queue, v) // now it is outer
		}
		m.top[v] = b
	}
	m.collect(b)
}

// collect finds the best edges of a new blossom to each other outer node.
func (m *matcher) collect(b int) {
	to := map[int]int{}
	var order []int
	consider := func(k int) {
		other := m.top[m.edges[k].U]
		if other == b {
			other = m.top[m.edges[k].V]
		}
		if other == b || m.label[other] != outer {
			return
		}
		old, seen := to[other]
		if !seen {
			order, old = append(order, other), None
		}
		if m.closer(k, old) {
			to[other] = k
		}
	}
	for _, kid := range m.kids[b] {
		if m.bests[kid] != nil {
			for _, k := range m.bests[kid] {
				consider(k)
			}
		} else {
			for _, v := range m.leaves(kid, nil) {
				for _, p := range m.ends[v] {
					consider(p / 2)
				}
			}
		}
		m.bests[kid], m.best[kid] = nil, None
	}
	m.bests[b], m.best[b] = []int{}, None
	for _, other := range order {
		k := to[other]
		m.bests[b] = append(m.bests[b], k)
		if m.closer(k, m.best[b]) {
			m.best[b] = k
		}
	}
}

// expand dissolves blossom b. In the middle of a stage b is inner, and its nodes on the path through it keep a label.
func (m *matcher) expand(b int, stageOver bool) {
	for _, kid := range m.kids[b] {
		m.parent[kid] = None
		switch {
		case kid < m.n:
			m.top[kid] = kid
		case stageOver && m.dual[kid] == (Weight{}):
			m.expand(kid, true)
		default:
			for _, v := range m.leaves(kid, nil) {
				m.top[v] = kid
			}
		}
	}
	if !stageOver && m.label[b] == inner {
		m.relabel(b)
	}
	m.label[b] = unlabelled
	m.via[b] = None
	m.best[b] = None
	m.base[b] = None
	m.kids[b] = nil
	m.links[b] = nil
	m.bests[b] = nil
	m.unused = append(m.unused, b)
}

// relabel labels the nodes of the inner blossom b that dissolves: inner and outer by turns along the even way from
// where the path enters to the base; the others only if an outer vertex is known to lead there.
func (m *matcher) relabel(b int) {
	kids, links := m.kids[b], m.links[b]
	entry := m.top[m.at(m.via[b]^1)]
	j := slices.Index(kids, entry)
	step, odd := -1, 1
	if j%2 == 1 {
		j -= len(kids)
		step, odd = 1, 0
	}
	p := m.via[b]
	for j != 0 {
		// An inner node, then its mate, which is outer.
		link := links[mod(j-odd, len(links))] ^ odd
		m.label[m.at(p^1)], m.label[m.at(link^1)] = unlabelled, unlabelled
		m.grow(m.at(p^1), inner, p)
		m.tight[link/2] = true
		j += step
		p = links[mod(j-odd, len(links))] ^ odd
		m.tight[p/2] = true
		j += step
	}
	at := kids[0]
	v := m.at(p ^ 1)
	m.label[v] = inner
	m.label[at] = inner
	m.via[v] = p
	m.via[at] = p
	m.best[at] = None
	for j += step; kids[mod(j, len(kids))] != entry; j += step {
		at = kids[mod(j, len(kids))]
		if m.label[at] == outer {
			continue
		}
		for _, v := range m.leaves(at, nil) {
			if m.label[v] != unlabelled {
				m.label[v], m.label[m.at(m.mate[m.base[at]])] = unlabelled, unlabelled
				m.grow(v, inner, m.via[v])
				break
			}
		}
	}
}

// augment turns over the edges along the paths from both ends of edge k to their roots.
func (m *matcher) augment(k int) {
	for _, p := range [2]int{2*k + 1, 2 * k} {
		v := m.at(p ^ 1)
		for {
			b := m.top[v]
			if b >= m.n {
				m.rebase(b, v)
			}
			m.mate[v] = p
			if m.via[b] == None {
				break
			}
			in := m.top[m.at(m.via[b])] // inner
			v = m.at(m.via[in])
			p = m.via[in] ^ 1
			w := m.at(p)
			if in >= m.n {
				m.rebase(in, w)
			}
			m.mate[w] = m.via[in]
		}
	}
}

// rebase makes vertex v the base of blossom b and matches the rest of b within.
func (m *matcher) rebase(b, v int) {
	at := v
	for m.parent[at] != b {
		at = m.parent[at]
	}
	if at >= m.n {
		m.rebase(at, v)
	}
	kids, links := m.kids[b], m.links[b]
	i := slices.Index(kids, at)
	j := i
	step := -1
	odd := 1
	if i%2 == 1 {
		j = i - len(kids)
		step = 1
		odd = 0
	}
	for j != 0 {
		j += step
		one := kids[mod(j, len(kids))]
		p := links[mod(j-odd, len(links))] ^ odd
		if one >= m.n {
			m.rebase(one, m.at(p))
		}
		j += step
		two := kids[mod(j, len(kids))]
		if two >= m.n {
			m.rebase(two, m.at(p^1))
		}
		m.mate[m.at(p)], m.mate[m.at(p^1)] = p^1, p
	}
	m.kids[b] = slices.Concat(kids[i:], kids[:i])
	m.links[b] = slices.Concat(links[i:], links[:i])
	m.base[b] = m.base[m.kids[b][0]]
}
