package house

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"

	json2 "github.com/go-json-experiment/json"

	"github.com/molerun/molerun/bots/kit"
	"github.com/molerun/molerun/bots/protocol"
)

// mound is what the strategy needs of Mole Hill's view.
type mound struct {
	Mole    *string  `json:"mole"`
	Visited []string `json:"visited"`
	Rods    []string `json:"rods"`
	Flowers struct {
		Red   []string `json:"red"`
		White []string `json:"white"`
	} `json:"flowers"`
	DiscsLeft int `json:"discs_left"`
}

// burrow is an action of Mole Hill.
type burrow struct {
	Type string `json:"type"`
	At   string `json:"at"`
	To   string `json:"to"`
	Edge string `json:"edge"`
}

// meadow is the board: squares are numbered row by row from a1.
type meadow struct {
	columns, rows int
	visited       []bool
	up, right     []bool // a rod on the edge to the square above, to the right
	flower        []int  // points of the square's flower
	discs         int    // left to lay
	distance      []int  // scratch of worth
	queue         []int
}

// greedyMolehill looks one step ahead. The mole takes what its new square is worth (flowers, then ways on, then squares in
// reach, flowers near by) after the worst rod the gardener could lay right there; the gardener lays the rod that leaves the
// mole's square worth least.
func greedyMolehill(t *protocol.Turn, rng *rand.Rand) (protocol.Answer, error) {
	offer, err := kit.ParseOffer(t.Offer)
	if err != nil {
		return protocol.Answer{}, err
	}
	m, mole, err := readMeadow(t)
	if err != nil {
		return protocol.Answer{}, err
	}
	return best(offer.List, rng, func(a burrow) float64 {
		if a.Type == "rod" {
			from, to, ok := strings.Cut(a.Edge, "-")
			if !ok || mole < 0 {
				return 0
			}
			return -m.behind(m.edge(m.square(from), m.square(to)), mole)
		}
		return m.goTo(m.square(a.At + a.To))
	})
}

func readMeadow(t *protocol.Turn) (m *meadow, mole int, err error) {
	size := struct {
		Columns int `json:"columns"`
		Rows    int `json:"rows"`
	}{7, 9}
	if err := json2.Unmarshal(t.Config, &size); err != nil {
		return nil, 0, fmt.Errorf("config: %w", err)
	}
	var v mound
	if err := json2.Unmarshal(t.View, &v); err != nil {
		return nil, 0, fmt.Errorf("view: %w", err)
	}
	n := size.Columns * size.Rows
	m = &meadow{size.Columns, size.Rows, make([]bool, n), make([]bool, n), make([]bool, n), make([]int, n), v.DiscsLeft, make([]int, n), make([]int, 0, n)}
	for _, at := range v.Visited {
		m.visited[m.square(at)] = true
	}
	for _, edge := range v.Rods {
		from, to, _ := strings.Cut(edge, "-")
		*m.edge(m.square(from), m.square(to)) = true
	}
	for _, at := range v.Flowers.Red {
		m.flower[m.square(at)] = 2
	}
	for _, at := range v.Flowers.White {
		m.flower[m.square(at)] = 1
	}
	if v.Mole == nil {
		return m, -1, nil
	}
	return m, m.square(*v.Mole), nil
}

// square reads "d5"; anything off the board is square 0, which no offer names wrongly.
func (m *meadow) square(name string) int {
	if len(name) < 2 {
		return 0
	}
	row, err := strconv.Atoi(name[1:])
	column := int(name[0] - 'a')
	if err != nil || row < 1 || row > m.rows || column >= m.columns {
		return 0
	}
	return (row-1)*m.columns + column
}

// edge is the place of the rod between two neighbours.
func (m *meadow) edge(a, b int) *bool {
	if a > b {
		a, b = b, a
	}
	if b-a == m.columns {
		return &m.up[a]
	}
	return &m.right[a]
}

// steps calls f with every square the mole may step to from at.
func (m *meadow) steps(at int, f func(to int)) {
	x, y := at%m.columns, at/m.columns
	for dy := -1; dy <= 1; dy++ {
		for dx := -1; dx <= 1; dx++ {
			nx, ny := x+dx, y+dy
			if (dx == 0 && dy == 0) || nx < 0 || ny < 0 || nx >= m.columns || ny >= m.rows {
				continue
			}
			if to := ny*m.columns + nx; !m.visited[to] && m.open(at, to, y*m.columns+nx, ny*m.columns+x) {
				f(to)
			}
		}
	}
}

// open tells whether no rods bar the step; side and side2 are the squares beside a diagonal.
func (m *meadow) open(at, to, side, side2 int) bool {
	if side == at || side2 == at { // straight
		return !*m.edge(at, to)
	}
	return !*m.edge(at, side) && !*m.edge(side, to) || !*m.edge(at, side2) && !*m.edge(side2, to)
}

// worth measures how well a mole stands: ways on, squares in reach up to its discs, and flowers, the nearer the better.
func (m *meadow) worth(at int) float64 {
	distance, queue := m.distance, append(m.queue[:0], at)
	clear(distance)
	ways, reach, flowers := 0, 0, 0.0
	for k := 0; k < len(queue); k++ {
		here := queue[k]
		if distance[here] == m.discs {
			break
		}
		m.steps(here, func(to int) {
			if distance[to] == 0 && to != at {
				distance[to] = distance[here] + 1
				queue = append(queue, to)
				reach++
				flowers += float64(m.flower[to]) / float64(1+distance[to])
				if here == at {
					ways++
				}
			}
		})
	}
	if ways == 0 {
		return -20
	}
	return 0.8*float64(ways) + 0.5*float64(min(reach, m.discs)) + 1.2*flowers
}

// goTo is the worth of a step to a square, after the worst rod beside it.
func (m *meadow) goTo(to int) float64 {
	m.visited[to] = true
	m.discs--
	defer func() { m.visited[to] = false; m.discs++ }()
	worst := m.worth(to)
	for _, rod := range m.beside(to) {
		worst = min(worst, m.behind(rod, to))
	}
	return 2*float64(m.flower[to]) + worst
}

// beside lists the free edges that bar a step from at.
func (m *meadow) beside(at int) []*bool {
	var list []*bool
	add := func(rod *bool) {
		if !*rod {
			list = append(list, rod)
		}
	}
	x, y := at%m.columns, at/m.columns
	if x > 0 {
		add(m.edge(at-1, at))
	}
	if x+1 < m.columns {
		add(m.edge(at, at+1))
	}
	if y > 0 {
		add(m.edge(at-m.columns, at))
	}
	if y+1 < m.rows {
		add(m.edge(at, at+m.columns))
	}
	return list
}

// behind is the worth of the mole's square with one rod more.
func (m *meadow) behind(rod *bool, mole int) float64 {
	*rod = true
	defer func() { *rod = false }()
	return m.worth(mole)
}
