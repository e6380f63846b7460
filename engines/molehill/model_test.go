package molehill_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"testing"

	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/engines/molehill"
	"github.com/molerun/molerun/internal/must"
)

// model implements Mole Hill a second time, slowly and from names alone: maps of squares and edges, no bitboards, nothing of
// the engine. It stands beside random matches and must show the same offer, phase and scores at every step.
type model struct {
	columns, rows, orange, discs int
	centreJumps                  bool
	value                        map[string]int // points of a flower's square
	visited                      []string
	rods                         map[string]bool
	jump, mole, round            int // jump: 1 if the mole may
	phase                        string
	scores                       []int
}

func newModel(c molehill.Config, v molehill.View) *model {
	m := &model{columns: c.Columns, rows: c.Rows, orange: c.Discs.Orange, discs: c.Discs.Total(), centreJumps: c.CentreStartJumps, value: map[string]int{}}
	for _, q := range v.Flowers.Red {
		m.value[q] = 2
	}
	for _, q := range v.Flowers.White {
		m.value[q] = 1
	}
	m.begin(1, int(v.MoleSeat))
	return m
}

func (m *model) begin(round, mole int) {
	m.round, m.mole, m.phase, m.visited, m.rods, m.jump = round, mole, "start", nil, map[string]bool{}, 0
}

// name returns the square's name, "" off the board; columns and rows count from 0.
func (m *model) name(col, row int) string {
	if min(col, row) < 0 || col >= m.columns || row >= m.rows {
		return ""
	}
	return fmt.Sprintf("%c%d", 'a'+col, row+1)
}

func place(name string) (col, row int) {
	_, _ = fmt.Sscanf(name[1:], "%d", &row)
	return int(name[0] - 'a'), row - 1
}

// passable: both squares are on the board and no rod lies between them, whichever is named first.
func (m *model) passable(a, b string) bool {
	return a != "" && b != "" && !m.rods[a+"-"+b] && !m.rods[b+"-"+a]
}

func (m *model) steps() (out []string) {
	here := m.visited[len(m.visited)-1]
	col, row := place(here)
	for _, d := range [][2]int{{-1, -1}, {-1, 0}, {-1, 1}, {0, -1}, {0, 1}, {1, -1}, {1, 0}, {1, 1}} {
		there := m.name(col+d[0], row+d[1])
		if there == "" || slices.Contains(m.visited, there) {
			continue
		}
		ok := m.passable(here, there)
		if d[0] != 0 && d[1] != 0 {
			side, end := m.name(col+d[0], row), m.name(col, row+d[1])
			ok = m.passable(here, side) && m.passable(side, there) || m.passable(here, end) && m.passable(end, there)
		}
		if ok {
			out = append(out, there)
		}
	}
	return out
}

// offered lists the legal actions, sorted.
func (m *model) offered() (out []string) {
	for row := range m.rows {
		for col := range m.columns {
			here := m.name(col, row)
			switch {
			case m.phase == "start":
				out = append(out, "start "+here)
			case m.phase == "move" && m.jump == 1 && !slices.Contains(m.visited, here):
				out = append(out, "jump "+here)
			case m.phase == "rod":
				for _, next := range []string{m.name(col+1, row), m.name(col, row+1)} {
					if next != "" && !m.rods[here+"-"+next] {
						out = append(out, "rod "+here+"-"+next)
					}
				}
			}
		}
	}
	if m.phase == "move" {
		for _, q := range m.steps() {
			out = append(out, "move "+q)
		}
	}
	slices.Sort(out)
	return out
}

func (m *model) score() int {
	n := max(0, len(m.visited)-m.orange)
	for _, q := range m.visited {
		n += m.value[q]
	}
	return n
}

func (m *model) play(kind, where string) {
	if kind == "rod" {
		m.rods[where], m.phase = true, "move"
	} else {
		m.visited, m.phase, m.jump = append(m.visited, where), "rod", 0
		col, row := place(where)
		atCentre := col*2+1 == m.columns && row*2+1 == m.rows
		if atCentre && (kind == "move" || kind == "start" && m.centreJumps) {
			m.jump = 1
		}
	}
	if len(m.visited) < m.discs && (m.jump == 1 || len(m.steps()) > 0) {
		return
	}
	m.scores = append(m.scores, m.score())
	if m.round == 2 {
		m.phase, m.jump = "over", 0
		return
	}
	m.begin(2, 1-m.mole)
}

// agrees compares everything the model knows with the engine.
func (m *model) agrees(t *testing.T, x *match) bool {
	t.Helper()
	v, offer := x.view(), []string{}
	if x.Due() != 0 {
		offer = x.offered()
		slices.Sort(offer)
	}
	due := map[string]game.Seats{"start": 1 << m.mole, "move": 1 << m.mole, "rod": 1 << (1 - m.mole), "over": 0}[m.phase]
	got := fmt.Sprint(v.Round, v.Phase, v.MoleSeat, v.Visited, len(v.Rods), v.DiscsLeft, v.Jump, v.Score, v.Scores, x.Due(), offer)
	want := fmt.Sprint(m.round, m.phase, m.mole, m.visited, len(m.rods), m.discs-len(m.visited), m.jump == 1, m.score(), m.scores, due, m.offered())
	if got != want {
		t.Errorf("step %d:\nengine %s\nmodel  %s", x.Step(), got, want)
	}
	return got == want
}

var shapes = [][2]int{{7, 9}, {9, 7}, {3, 21}, {21, 3}, {5, 11}, {3, 3}, {7, 7}, {3, 5}}

// TestTheEngineAgreesWithAModelWithoutBitboards plays random matches on boards of several shapes beside the model.
func TestTheEngineAgreesWithAModelWithoutBitboards(t *testing.T) {
	r := game.Stream(game.Seed{3}, 0, "model")
	jumps := 0
	for k := range 15 * scale {
		for _, shape := range shapes {
			c := molehill.Rules{}.Defaults()
			squares := shape[0] * shape[1]
			c.Columns, c.Rows, c.Flowers, c.CentreStartJumps = shape[0], shape[1], molehill.Flowers{Random: true}, k%2 == 1
			c.Discs.Orange = r.IntN(min(squares, 11))
			c.Discs.Black = 1 + r.IntN(squares-c.Discs.Orange)
			c.Rods = c.Discs.Total() - 1
			config, err := json.Marshal(c)
			must.OK(t, err)
			x := deal(t, string(config))
			m := newModel(c, x.view())
			for x.Due() != 0 {
				if !m.agrees(t, x) {
					return
				}
				offer := x.offered()
				pick := offer[r.IntN(len(offer))]
				for range 2 { // prefer moves to the centre and jumps: they are rare
					if again := offer[r.IntN(len(offer))]; again[0] == 'j' {
						pick = again
						jumps++
					}
				}
				x.do(pick)
				var kind, where string
				_, _ = fmt.Sscan(pick, &kind, &where)
				m.play(kind, where)
			}
			if !m.agrees(t, x) {
				return
			}
		}
	}
	if jumps < 20 {
		t.Errorf("jumps tried: got %d, want at least 20, else the test says nothing of them", jumps)
	}
}
