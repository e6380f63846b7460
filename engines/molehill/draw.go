package molehill

import (
	"fmt"
	"strings"

	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/engines/svg"
)

// All lengths of the drawing are in its own units; a square is cell wide.
const (
	cell      = 48
	boardLeft = 42 // room for the row numbers
	boardTop  = 112
	minWidth  = 7 * cell
)

// style is what differs between light and dark; the lawn and what stands on it look the same in both.
const style = `
.sheet{fill:#f7f3e6;stroke:#8a7f63;stroke-width:2}
.name{font-weight:bold}
.t20{font-size:20px}
.t14{font-size:14px}
.t13{font-size:13px}
.t12{font-size:12px;fill:#5c4a30}
.n{font-size:13px;font-weight:bold;text-anchor:middle}
.n10{font-size:10.5px;font-weight:bold;text-anchor:middle}
.orange{fill:#2e1600}
.black{fill:#fff}
.edge{fill:none;pointer-events:all}`

const dark = `
.sheet{fill:#26221a;stroke:#8a7f63}
.t12{fill:#d5c8ac}
.orange{fill:#2e1600}`

// Draw returns the view as one self-contained SVG document. Colours never stand alone: flowers carry R or W and differ in shape,
// black discs have a ring, rods have bands.
func (Rules) Draw(v View, names []string) []byte {
	g := v.extent()
	d := drawing{v: v, g: g, names: names, left: boardLeft + max(0, minWidth-g.columns*cell)/2}
	width := max(minWidth, g.columns*cell) + 2*boardLeft
	d.Begin(svg.Head{
		ID:     "molehill",
		Width:  width,
		Height: boardTop + g.rows*cell + 44,
		Title:  fmt.Sprintf("Mole Hill, round %d of 2: %s", v.Round, v.due()),
		Desc:   v.facts(),
		Style:  style,
		Dark:   dark,
	})
	d.put(`<rect x="1" y="1" width="%d" height="%d" rx="14" class="sheet"/>`, width-2, boardTop+g.rows*cell+42)
	d.header(width)
	d.lawn()
	d.path()
	d.flowersAndDiscs()
	d.rods()
	d.mole()
	if v.Phase == phaseNames[PhaseRod] {
		d.edges()
	}
	return d.End()
}

// facts returns the long description.
func (v View) facts() string {
	mole := "is not on the board yet"
	if list := places(v.Visited); len(list) > 0 {
		mole = "stands on " + list[len(list)-1].String()
	}
	return fmt.Sprintf("Seat %d is the mole and %s; squares visited in order: %s. Rods: %s. Score of this round: %d. Discs left %d, rods left %d.",
		v.MoleSeat, mole, orNone(places(v.Visited)), orNone(edgesOf(v.Rods)), v.Score, v.DiscsLeft, v.RodsLeft)
}

// rodPlace is an edge as read from its name.
type rodPlace struct {
	at Square
	up bool
}

// String returns the edge's name.
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
	return strings.Join(game.WordsOf(list), " ")
}

type drawing struct {
	svg.Document
	v     View
	g     geometry
	names []string
	left  int
}

func (d *drawing) put(format string, args ...any) { d.Raw(format+"\n", args...) }

// middle returns the middle of a square.
func (d *drawing) middle(q Square) (x, y int) {
	return d.left + int(q.Col)*cell + cell/2, boardTop + (d.g.rows-1-int(q.Row))*cell + cell/2
}

// header writes the round, what is due, who is who, and the counts.
func (d *drawing) header(width int) {
	d.Text(20, 34, "b t20", "Mole Hill")
	d.Text(width-20, 34, "e t14", fmt.Sprintf("round %d of 2", d.v.Round))
	d.Text(20, 57, "t13", svg.Fit(d.due(), width-40, 13))
	facts := make([]string, 0, 2)
	for k, score := range d.v.Scores {
		facts = append(facts, fmt.Sprintf("%s %d", svg.Fit(svg.Name(d.names, d.v.moleOf(k)), (width-90)/2, 12), score))
	}
	if d.v.Phase != phaseNames[phaseOver] {
		half := (width - 40) / 2
		d.Text(20, 76, "t12", svg.Fit("mole: "+svg.Name(d.names, int(d.v.MoleSeat)), half, 12))
		d.Text(20+half, 76, "t12", svg.Fit("gardener: "+svg.Name(d.names, 1-int(d.v.MoleSeat)), half, 12))
	} else {
		d.Text(20, 76, "t12", strings.Join(facts, " · "))
	}
	d.Text(20, 97, "b t13", fmt.Sprintf("score %d", d.v.Score))
	d.disc(108, 92, len(d.v.Visited)+1 > d.g.orange, 8)
	d.Text(122, 97, "t13", fmt.Sprintf("discs left: %d", d.v.DiscsLeft))
	d.rod(246, 92, 22, 8, false)
	d.Text(264, 97, "t13", fmt.Sprintf("rods left: %d", d.v.RodsLeft))
}

// due says what is due, or who won, by name; a finished round's score stands beside it.
func (d *drawing) due() string {
	words := d.v.due()
	for seat := range 2 {
		words = strings.ReplaceAll(words, fmt.Sprintf("seat %d won", seat), svg.Fit(svg.Name(d.names, seat), 150, 13)+" won")
	}
	if d.v.Phase != phaseNames[phaseOver] && len(d.v.Scores) > 0 {
		words += fmt.Sprintf(" Round 1: %d.", d.v.Scores[0])
	}
	return words
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
			q := Square{uint8(col), uint8(rows - 1 - row)}
			d.put(`<rect data-at="%s" x="%d" y="%d" width="%d" height="%d" fill="%s" stroke="#5f8f43"/>`, q, d.left+col*cell, boardTop+row*cell, cell, cell, fill)
		}
	}
	for row := range rows {
		_, y := d.middle(Square{0, uint8(row)})
		d.Text(d.left-13, y+5, "e t13", fmt.Sprint(row+1))
	}
	for col := range columns {
		x, _ := d.middle(Square{uint8(col), 0})
		d.Text(x, boardTop+rows*cell+26, "m t13", string(rune('a'+col)))
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
			d.number(x, y+5, "n", k)
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
func (d *drawing) number(x, y int, class string, k int) {
	colour := " orange"
	if k >= d.g.orange {
		colour = " black"
	}
	d.Text(x, y, class+colour, fmt.Sprint(k+1))
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
	d.put(`<circle r="8.5" fill="#ffdc55" stroke="#8a6a00"/><text y="4.5" class="n orange">%s</text></g>`, letter)
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

// rod draws a banded bar round its middle.
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

// mole draws the mole on its hill, with the number of the disc under it; a halo shows that it may jump.
func (d *drawing) mole() {
	list := places(d.v.Visited)
	if len(list) == 0 {
		return
	}
	k := len(list) - 1
	x, y := d.middle(list[k])
	d.BeginPiece("mole", x, y)
	if d.v.Jump {
		d.put(`<circle r="21" fill="none" stroke="#fff2a8" stroke-width="4"/><circle r="21" fill="none" stroke="#b07b00" stroke-width="1.5" stroke-dasharray="4 3"/>`)
	}
	d.put(`<ellipse cy="13" rx="20" ry="8" fill="#7a5430" stroke="#3d2812" stroke-width="1.5"/>`)
	d.put(`<path d="M-13 12C-15 -10 -8 -19 0 -19S15 -10 13 12Z" fill="#4b4048" stroke="#1f1a1e" stroke-width="1.5"/>`)
	d.put(`<ellipse cy="-1" rx="8" ry="7" fill="#7d6f78"/><circle cy="-3" r="3.6" fill="#f2a0ac" stroke="#8d3a4a"/>`)
	d.put(`<circle cx="-5.5" cy="-10" r="1.9" fill="#fff"/><circle cx="5.5" cy="-10" r="1.9" fill="#fff"/><circle cx="-5.2" cy="-9.8" r="1"/><circle cx="5.2" cy="-9.8" r="1"/>`)
	d.put(`<path d="M-6 0L-14 -2M-6 2L-14 4M6 0L14 -2M6 2L14 4" stroke="#e8e0e4"/>`)
	d.put(`<ellipse cx="-10" cy="12" rx="5" ry="3.6" fill="#f2a0ac" stroke="#8d3a4a"/>`)
	d.disc(13, 13, k >= d.g.orange, 9)
	d.number(13, 17, "n10", k)
	d.EndGroup()
}

// edges lets a rod be laid by pointing: every edge without one.
func (d *drawing) edges() {
	laid := map[rodPlace]bool{}
	for _, r := range edgesOf(d.v.Rods) {
		laid[r] = true
	}
	d.put(`<g class="edge">`)
	defer d.EndGroup()
	for col := range d.g.columns {
		for row := range d.g.rows {
			q := Square{uint8(col), uint8(row)}
			x, y := d.middle(q)
			if r := (rodPlace{q, true}); row+1 < d.g.rows && !laid[r] {
				d.put(`<rect data-at="%s" x="%d" y="%d" width="32" height="18"/>`, r, x-16, y-cell/2-9)
			}
			if r := (rodPlace{q, false}); col+1 < d.g.columns && !laid[r] {
				d.put(`<rect data-at="%s" x="%d" y="%d" width="18" height="32"/>`, r, x+cell/2-9, y-16)
			}
		}
	}
}
