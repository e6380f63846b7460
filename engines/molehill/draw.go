package molehill

import (
	"bytes"
	"fmt"
	"strings"
)

// All lengths of the drawing are in its own units; a square is cell wide.
const (
	cell      = 48
	boardLeft = 42 // room for the row numbers
	boardTop  = 112
	minWidth  = 7 * cell
)

// Draw is the view as one self-contained SVG document: presentation attributes only (no style, script, font file or id, so
// that several can stand in one page), its own paper, readable on light and dark pages. Colours never stand alone: flowers
// carry R or W and differ in shape, black discs have a ring, rods have bands.
func (Rules) Draw(v View, names []string) []byte {
	g := v.extent()
	d := drawing{v: v, g: g, left: boardLeft + max(0, minWidth-g.columns*cell)/2}
	width := max(minWidth, g.columns*cell) + 2*boardLeft
	height := boardTop + g.rows*cell + 44
	title := fmt.Sprintf("Mole Hill, round %d of 2: %s", v.Round, v.due())
	d.put(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" role="img" aria-label="%s" font-family="Verdana, DejaVu Sans, Arial, sans-serif">`, width, height, title)
	d.put(`<title>%s</title><desc>%s</desc>`, title, v.facts())
	d.put(`<rect x="1" y="1" width="%d" height="%d" rx="14" fill="#f7f3e6" stroke="#8a7f63" stroke-width="2"/>`, width-2, height-2)
	d.header(width)
	d.lawn()
	d.path()
	d.flowersAndDiscs()
	d.rods()
	d.mole()
	d.b.WriteString("</svg>\n")
	return d.b.Bytes()
}

// facts is the long description.
func (v View) facts() string {
	mole := "is not on the board yet"
	if len(v.Visited) > 0 {
		mole = "stands on " + lastSquare(v)
	}
	return fmt.Sprintf("Seat %d is the mole and %s; squares visited in order: %s. Rods: %s. Score of this round: %d. Discs left %d, rods left %d.",
		v.MoleSeat, mole, orNone(places(v.Visited)), orNone(edgesOf(v.Rods)), v.Score, v.DiscsLeft, v.RodsLeft)
}

func lastSquare(v View) string {
	if list := places(v.Visited); len(list) > 0 {
		return list[len(list)-1].String()
	}
	return "no square"
}

// rodPlace is an edge as read from its name.
type rodPlace struct {
	at Square
	up bool
}

// String is the edge's name.
func (r rodPlace) String() string { return r.at.String() + "-" + other(r.at, r.up).String() }

func edgesOf(list []string) []rodPlace {
	var out []rodPlace
	for _, name := range list {
		if at, up, err := parseEdge(name); err == nil {
			out = append(out, rodPlace{at, up})
		}
	}
	return out
}

func orNone[T fmt.Stringer](list []T) string {
	if len(list) == 0 {
		return "none"
	}
	words := make([]string, len(list))
	for i, x := range list {
		words[i] = x.String()
	}
	return strings.Join(words, " ")
}

type drawing struct {
	b    bytes.Buffer
	v    View
	g    geometry
	left int
}

func (d *drawing) put(format string, args ...any) { fmt.Fprintf(&d.b, format+"\n", args...) }

// middle is the middle of a square.
func (d *drawing) middle(q Square) (x, y int) {
	return d.left + int(q.Col)*cell + cell/2, boardTop + (d.g.rows-1-int(q.Row))*cell + cell/2
}

// header tells round, what is due, and the counts.
func (d *drawing) header(width int) {
	d.put(`<text x="20" y="34" font-size="20" font-weight="bold" fill="#3a2a18">Mole Hill</text>`)
	d.put(`<text x="%d" y="34" font-size="14" text-anchor="end" fill="#3a2a18">round %d of 2</text>`, width-20, d.v.Round)
	d.put(`<text x="20" y="57" font-size="13" fill="#3a2a18">%s</text>`, d.v.due())
	facts := make([]string, 0, 3)
	if d.v.Phase != phaseNames[PhaseOver] {
		facts = append(facts, fmt.Sprintf("mole seat %d, gardener seat %d", d.v.MoleSeat, 1-d.v.MoleSeat))
	}
	for k, score := range d.v.Scores {
		facts = append(facts, fmt.Sprintf("round %d: %d (seat %d)", k+1, score, d.v.moleOf(k)))
	}
	d.put(`<text x="20" y="76" font-size="11.5" fill="#5c4a30">%s</text>`, strings.Join(facts, " · "))
	d.put(`<text x="20" y="97" font-size="13" font-weight="bold" fill="#3a2a18">score %d</text>`, d.v.Score)
	d.disc(108, 92, len(d.v.Visited)+1 > d.g.orange, 8)
	d.put(`<text x="122" y="97" font-size="13" fill="#3a2a18">discs left: %d</text>`, d.v.DiscsLeft)
	d.rod(246, 92, 22, 8, false)
	d.put(`<text x="264" y="97" font-size="13" fill="#3a2a18">rods left: %d</text>`, d.v.RodsLeft)
}

// lawn draws the frame, the squares, the centre and the coordinates.
func (d *drawing) lawn() {
	columns, rows := d.g.columns, d.g.rows
	d.put(`<rect x="%d" y="%d" width="%d" height="%d" rx="8" fill="#6d4a28"/>`, d.left-7, boardTop-7, columns*cell+14, rows*cell+14)
	for row := range rows {
		for col := range columns {
			fill := "#93c36c"
			if (row+col)%2 == 1 {
				fill = "#85b65f"
			}
			d.put(`<rect x="%d" y="%d" width="%d" height="%d" fill="%s" stroke="#5f8f43"/>`, d.left+col*cell, boardTop+row*cell, cell, cell, fill)
		}
	}
	for row := range rows {
		_, y := d.middle(Square{0, uint8(row)})
		d.put(`<text x="%d" y="%d" font-size="13" text-anchor="end" fill="#5c4a30">%d</text>`, d.left-13, y+5, row+1)
	}
	for col := range columns {
		x, _ := d.middle(Square{uint8(col), 0})
		d.put(`<text x="%d" y="%d" font-size="13" text-anchor="middle" fill="#5c4a30">%c</text>`, x, boardTop+rows*cell+26, 'a'+col)
	}
	if columns%2 == 1 && rows%2 == 1 {
		x, y := d.middle(Square{uint8(columns / 2), uint8(rows / 2)})
		d.put(`<path d="M%d %dh20m-10 -10v20" stroke="#3f6628" stroke-width="2"/>`, x-10, y)
		d.put(`<circle cx="%d" cy="%d" r="20" fill="none" stroke="#3f6628" stroke-width="2.5" stroke-dasharray="5 4"/>`, x, y)
	}
}

// path joins the squares visited: a tunnel for a step, a dotted arc for a jump.
func (d *drawing) path() {
	list := places(d.v.Visited)
	for k := 1; k < len(list); k++ {
		x1, y1 := d.middle(list[k-1])
		x2, y2 := d.middle(list[k])
		if max(x2-x1, x1-x2, y2-y1, y1-y2) <= cell {
			d.put(`<path d="M%d %dL%d %d" stroke="#5a3d22" stroke-width="7" stroke-linecap="round" opacity="0.55"/>`, x1, y1, x2, y2)
			continue
		}
		d.put(`<path d="M%d %dQ%d %d %d %d" fill="none" stroke="#5a3d22" stroke-width="4" stroke-linecap="round" stroke-dasharray="1 9"/>`,
			x1, y1, (x1+x2)/2+(y2-y1)/6, (y1+y2)/2-(x2-x1)/6, x2, y2)
	}
}

func (d *drawing) flowersAndDiscs() {
	number := map[Square]int{}
	for k, q := range places(d.v.Visited) {
		number[q] = k + 1
	}
	for k, q := range places(d.v.Visited) {
		x, y := d.middle(q)
		if k+1 < len(d.v.Visited) { // the mole covers the last
			d.disc(x, y, k >= d.g.orange, 15)
			d.number(x, y+5, 13, k)
		}
	}
	for i, list := range [][]string{d.v.Flowers.Red, d.v.Flowers.White} {
		for _, q := range places(list) {
			x, y := d.middle(q)
			if number[q] > 0 {
				d.flower(x+13, y-13, ".58", i == 0)
			} else {
				d.flower(x, y, "1", i == 0)
			}
		}
	}
}

func (d *drawing) disc(x, y int, black bool, r int) {
	if !black {
		d.put(`<circle cx="%d" cy="%d" r="%d" fill="#f5a142" stroke="#8f4a08" stroke-width="2"/>`, x, y, r)
		return
	}
	d.put(`<circle cx="%d" cy="%d" r="%d" fill="#26262b" stroke="#000"/><circle cx="%d" cy="%d" r="%d" fill="none" stroke="#d9d9e0" stroke-width="1.3"/>`, x, y, r, x, y, r-2)
}

// number writes the number of the k-th disc (from 0) in a colour that stands out from it.
func (d *drawing) number(x, y, size, k int) {
	fill := "#2e1600"
	if k >= d.g.orange {
		fill = "#fff"
	}
	d.put(`<text x="%d" y="%d" font-size="%d" font-weight="bold" text-anchor="middle" fill="%s">%d</text>`, x, y, size, fill, k+1)
}

// flower: a red one has five broad petals and an R, a white one eight narrow petals and a W.
func (d *drawing) flower(x, y int, scale string, red bool) {
	petals, turn, petal, letter := 5, 72, `rx="7.5" ry="8.5" fill="#d42f4e" stroke="#6f0c20"`, "R"
	if !red {
		petals, turn, petal, letter = 8, 45, `rx="4.4" ry="8.5" fill="#fff" stroke="#6b6b7b"`, "W"
	}
	d.put(`<g transform="translate(%d %d) scale(%s)">`, x, y, scale)
	for k := range petals {
		d.put(`<ellipse cy="-10" %s transform="rotate(%d)"/>`, petal, k*turn)
	}
	d.put(`<circle r="8.5" fill="#ffdc55" stroke="#8a6a00"/><text y="4.5" font-size="12" font-weight="bold" text-anchor="middle" fill="#2e1600">%s</text></g>`, letter)
}

// rods draws the rods; the last one laid is gold.
func (d *drawing) rods() {
	list := edgesOf(d.v.Rods)
	for k, r := range list {
		x, y := d.middle(r.at)
		last := k == len(list)-1
		if r.up {
			d.rod(x, y-cell/2, 42, 8, last)
		} else {
			d.rod(x+cell/2, y, 8, 42, last)
		}
	}
}

// rod is a banded bar round its middle.
func (d *drawing) rod(x, y, width, height int, last bool) {
	fill := "#fffdf4"
	if last {
		fill = "#ffd23f"
	}
	d.put(`<rect x="%d" y="%d" width="%d" height="%d" rx="3" fill="%s" stroke="#2f2416" stroke-width="1.8"/>`, x-width/2, y-height/2, width, height, fill)
	if width > height {
		d.put(`<path d="M%d %dv%dM%d %dv%d" stroke="#2f2416" stroke-width="1.6"/>`, x-width/2+6, y-height/2, height, x+width/2-6, y-height/2, height)
	} else {
		d.put(`<path d="M%d %dh%dM%d %dh%d" stroke="#2f2416" stroke-width="1.6"/>`, x-width/2, y-height/2+6, width, x-width/2, y+height/2-6, width)
	}
}

// mole draws the mole on its hill, with the number of the disc under it; a halo tells that it may jump.
func (d *drawing) mole() {
	list := places(d.v.Visited)
	if len(list) == 0 {
		return
	}
	k := len(list) - 1
	x, y := d.middle(list[k])
	d.put(`<g transform="translate(%d %d)">`, x, y)
	if d.v.Jump {
		d.put(`<circle r="21" fill="none" stroke="#fff2a8" stroke-width="4"/><circle r="21" fill="none" stroke="#b07b00" stroke-width="1.5" stroke-dasharray="4 3"/>`)
	}
	d.put(`<ellipse cy="13" rx="20" ry="8" fill="#7a5430" stroke="#3d2812" stroke-width="1.5"/>`)
	d.put(`<path d="M-13 12C-15 -10 -8 -19 0 -19S15 -10 13 12Z" fill="#4b4048" stroke="#1f1a1e" stroke-width="1.5"/>`)
	d.put(`<ellipse cy="-1" rx="8" ry="7" fill="#7d6f78"/><circle cy="-3" r="3.6" fill="#f2a0ac" stroke="#8d3a4a"/>`)
	d.put(`<circle cx="-5.5" cy="-10" r="1.9" fill="#fff"/><circle cx="5.5" cy="-10" r="1.9" fill="#fff"/><circle cx="-5.2" cy="-9.8" r="1"/><circle cx="5.2" cy="-9.8" r="1"/>`)
	d.put(`<path d="M-6 0L-14 -2M-6 2L-14 4M6 0L14 -2M6 2L14 4" stroke="#e8e0e4"/>`)
	d.put(`<ellipse cx="-10" cy="12" rx="5" ry="3.6" fill="#f2a0ac" stroke="#8d3a4a"/></g>`)
	d.disc(x+13, y+13, k >= d.g.orange, 9)
	d.number(x+13, y+17, 10, k)
}
