package molehill

import (
	"fmt"
	"strings"
)

// Describe puts a view into plain text: what is due, the board with its rods, and the facts beside it. Of a view that was
// read from JSON the size of the board is not known: it is then as large as its squares need.
func (Rules) Describe(v View) string {
	var b strings.Builder
	fmt.Fprintf(&b, "Mole Hill, round %d of 2. Seat %d is the mole, seat %d the gardener. %s\n", v.Round, v.MoleSeat, 1-v.MoleSeat, v.due())
	b.WriteString(v.asciiBoard())
	b.WriteString("Squares: number = disc in the order laid, @ = the mole, R = red flower (2), W = white flower (1), + = centre; ##### and # = rods.\n")
	fmt.Fprintf(&b, "Score of this round so far: %d.", v.Score)
	for k, score := range v.Scores {
		fmt.Fprintf(&b, " Round %d: seat %d scored %d.", k+1, v.moleOf(k), score)
	}
	fmt.Fprintf(&b, "\nDiscs left: %d. Rods left: %d.\n", v.DiscsLeft, v.RodsLeft)
	if len(v.Visited) > 0 {
		fmt.Fprintf(&b, "Visited: %s.\n", strings.Join(v.Visited, " "))
	}
	if len(v.Rods) > 0 {
		fmt.Fprintf(&b, "Rods: %s.\n", strings.Join(v.Rods, " "))
	}
	return b.String()
}

// due says in a sentence what is due, or who won.
func (v View) due() string {
	switch {
	case v.Phase == phaseNames[PhaseStart]:
		return "The mole places its first disc."
	case v.Phase == phaseNames[PhaseRod]:
		return "The gardener lays a rod."
	case v.Phase == phaseNames[phaseMove] && v.Jump:
		return "The mole moves, or jumps to any free square."
	case v.Phase == phaseNames[phaseMove]:
		return "The mole moves."
	case len(v.Scores) < 2 || v.Scores[0] == v.Scores[1]:
		return "The match is over: a draw."
	case v.Scores[0] > v.Scores[1]:
		return fmt.Sprintf("The match is over: seat %d won.", v.moleOf(0))
	}
	return fmt.Sprintf("The match is over: seat %d won.", v.moleOf(1))
}

// moleOf returns the seat that was the mole in finished round k (from 0).
func (v View) moleOf(k int) int {
	if k == v.Round-1 {
		return int(v.MoleSeat)
	}
	return 1 - int(v.MoleSeat)
}

// places returns the squares of a list of names; names that are none are left out.
func places(list []string) []Square {
	var out []Square
	for _, name := range list {
		if q, err := parseSquare(name); err == nil {
			out = append(out, q)
		}
	}
	return out
}

// extent returns the size of the board and the number of orange discs; for a view read from JSON the least board that fits, and
// the base game's discs.
func (v View) extent() geometry {
	g := v.size
	if g.columns == 0 {
		g = geometry{columns: 1, rows: 1, orange: 10}
		for _, list := range [][]string{v.Visited, v.Flowers.Red, v.Flowers.White} {
			for _, q := range places(list) {
				g.columns, g.rows = max(g.columns, int(q.Col)+1), max(g.rows, int(q.Row)+1)
			}
		}
		for _, name := range v.Rods {
			if at, up, err := parseEdge(name); err == nil {
				end := other(at, up)
				g.columns, g.rows = max(g.columns, int(end.Col)+1), max(g.rows, int(end.Row)+1)
			}
		}
	}
	return g
}

// asciiBoard draws row 1 at the bottom; a square is five wide, its edges hold the rods.
func (v View) asciiBoard() string {
	g := v.extent()
	right, up := map[Square]bool{}, map[Square]bool{}
	for _, name := range v.Rods {
		if at, isUp, err := parseEdge(name); err == nil && isUp {
			up[at] = true
		} else if err == nil {
			right[at] = true
		}
	}
	cells := v.cells(g)
	var b strings.Builder
	for row := g.rows - 1; row >= 0; row-- {
		b.WriteString("   ")
		for col := range g.columns {
			edge := "     "
			switch {
			case row == g.rows-1:
				edge = "-----"
			case up[Square{uint8(col), uint8(row)}]:
				edge = "#####"
			}
			b.WriteString("+" + edge)
		}
		fmt.Fprintf(&b, "+\n%2d |", row+1)
		for col := range g.columns {
			q := Square{uint8(col), uint8(row)}
			b.WriteString(cells[q])
			switch {
			case col == g.columns-1:
				b.WriteString("|")
			case right[q]:
				b.WriteString("#")
			default:
				b.WriteString(" ")
			}
		}
		b.WriteString("\n")
	}
	b.WriteString("   " + strings.Repeat("+-----", g.columns) + "+\n   ")
	for col := range g.columns {
		fmt.Fprintf(&b, "   %c  ", 'a'+col)
	}
	return strings.TrimRight(b.String(), " ") + "\n"
}

// cells returns the five characters of each square: mole, disc, flower.
func (v View) cells(g geometry) map[Square]string {
	discs, flowers := map[Square]string{}, map[Square]string{}
	for k, q := range places(v.Visited) {
		discs[q] = fmt.Sprint(k + 1)
	}
	for _, q := range places(v.Flowers.Red) {
		flowers[q] = "R"
	}
	for _, q := range places(v.Flowers.White) {
		flowers[q] = "W"
	}
	cells := map[Square]string{}
	for col := range g.columns {
		for row := range g.rows {
			q, mole, disc := Square{uint8(col), uint8(row)}, " ", ""
			disc = discs[q]
			if v.Mole != nil && *v.Mole == q.String() {
				mole = "@"
			}
			if disc == "" && flowers[q] == "" && col*2+1 == g.columns && row*2+1 == g.rows {
				disc = "+"
			}
			cells[q] = fmt.Sprintf("%s%2s%1s ", mole, disc, flowers[q])
		}
	}
	return cells
}
